//! Links of an import, made when both ends are here.

use crate::{Engine, Note, Result, StoreName};
use mnemic_exchange::import::Bond;
use mnemic_model::{At, Interval, RecordId, Verb};
use mnemic_store::{NewLink, Write};
use std::collections::HashMap;

/// Links in one commit.
const BATCH: usize = 1_000;

/// Links on their way in, with the file that each came from.
#[derive(Debug, Default)]
pub(super) struct Bonds {
    bonds: Vec<(usize, Bond)>,
    /// Records that say the same as what came, by its id.
    called: HashMap<RecordId, RecordId>,
}

/// What became of them.
#[derive(Debug, Default)]
pub(super) struct Linked {
    /// By store.
    pub(super) made: [u64; 2],
    /// The file of each link whose other end is not here.
    pub(super) loose: Vec<usize>,
}

impl Bonds {
    pub(super) fn add(&mut self, file: usize, bond: Bond) {
        self.bonds.push((file, bond));
    }

    pub(super) fn is_called(&mut self, id: Option<RecordId>, other: RecordId) {
        self.called.extend(id.map(|id| (id, other)));
    }

    /// How many there are, for a dry run.
    pub(super) fn count(&self) -> Linked {
        Linked { made: [self.bonds.len() as u64, 0], loose: Vec::new() }
    }

    pub(super) fn connect(&mut self, engine: &Engine, notes: &[Note; 2]) -> Result<Linked> {
        let mut linked = Linked::default();
        let mut here: [Vec<Bond>; 2] = [Vec::new(), Vec::new()];
        for (file, mut bond) in std::mem::take(&mut self.bonds) {
            for end in [&mut bond.from, &mut bond.to] {
                // By another name first, and then perhaps another memory that says the same.
                for _ in 0..2 {
                    if let Some(other) = self.called.get(end) {
                        *end = other.clone();
                    }
                }
            }
            match store_of(engine, &bond)? {
                Some(store) => here[store as usize].push(bond),
                None => linked.loose.push(file),
            }
        }
        for (store, bonds) in [StoreName::Project, StoreName::User].into_iter().zip(here) {
            for batch in bonds.chunks(BATCH) {
                let note = &notes[store as usize];
                linked.made[store as usize] += write(engine, store, batch, note)?;
            }
        }
        Ok(linked)
    }
}

/// The store that holds both ends: links do not cross stores.
fn store_of(engine: &Engine, bond: &Bond) -> Result<Option<StoreName>> {
    for (name, store) in engine.stores() {
        let read = store.read()?;
        if read.version(&bond.from, None)?.is_some() && read.version(&bond.to, None)?.is_some() {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

fn write(engine: &Engine, store: StoreName, bonds: &[Bond], note: &Note) -> Result<u64> {
    let mut tx = engine.store(store)?.write()?;
    let mut change = None;
    let mut made = 0;
    for bond in bonds {
        if bond.from == bond.to || is_here(tx.as_ref(), bond)? {
            continue;
        }
        let change = match &change {
            Some(change) => change,
            None => change.insert(engine.begin(tx.as_mut(), Verb::Import, note)?.id),
        };
        let valid = Interval::since(tx.tick()?);
        let link = NewLink {
            from: bond.from.clone(),
            to: bond.to.clone(),
            relation: bond.relation,
            strength: bond.strength,
            valid,
        };
        tx.connect(&link, change)?;
        made += 1;
    }
    if made > 0 {
        tx.commit()?;
    }
    Ok(made)
}

fn is_here(tx: &dyn Write, bond: &Bond) -> Result<bool> {
    let links = tx.links(&bond.from, At::LATEST)?;
    Ok(links
        .iter()
        .any(|link| link.from == bond.from && link.to == bond.to && link.relation == bond.relation))
}
