//! Import of a directory of the layout: drafts come in by the usual path, then their links.

use super::super::link::connect;
use super::tree;
use crate::{Engine, Error, ErrorKind, Note, Outcome, Result, StoreName};
use mnemic_exchange::files::{FileLink, Gathered, Item, gather};
use mnemic_model::body::NamespaceBody;
use mnemic_model::{Body, Change, ChangeId, Draft, Namespace, RecordId, ScopeLevel, Verb};
use mnemic_store::Write;
use std::collections::BTreeMap;
use std::path::Path;

/// What became of a directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LayoutImported {
    pub files: usize,
    /// Memories that came in, by kind.
    pub kinds: BTreeMap<String, u64>,
    pub created: u64,
    /// Memories that were here already.
    pub known: u64,
    pub links: u64,
    /// What did not come in, file by file, and why.
    pub skipped: Vec<(String, String)>,
    /// Undo this to take it all back; none when nothing was written.
    pub change: Option<ChangeId>,
}

/// How many drafts share a transaction.
const BATCH: usize = 200;

impl Engine {
    /// Takes a directory in as it is. Twice changes nothing; a dry run counts and writes nothing.
    pub fn import_layout(
        &self,
        store: StoreName,
        dir: &Path,
        dry_run: bool,
        note: &Note,
    ) -> Result<LayoutImported> {
        if !dir.is_dir() {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!("there is no directory `{}`", dir.display()),
            )
            .hint("name the directory that holds `episodic` or `semantic`"));
        }
        let Gathered { items, broken, mut namespaces, files, .. } = gather(&tree(dir))?;
        for item in &items {
            if let Body::Namespace(body) = &item.draft.body {
                namespaces.remove(&body.name); // It brings its own declaration.
            }
        }
        let skipped = broken.into_iter().map(|one| (one.place, one.why)).collect();
        let mut done = LayoutImported { files, skipped, ..LayoutImported::default() };
        let mut all = declarations(self, store, namespaces)?;
        all.extend(items);
        let taken = take_new(self, store, all, dry_run, note)?;
        done.created = taken.created.len() as u64;
        done.known = taken.known;
        done.links = taken.links;
        done.kinds = taken.kinds;
        done.skipped.extend(taken.refused);
        done.change = taken.change;
        Ok(done)
    }
}

/// Namespaces that files lie in and the store does not have.
fn declarations(
    engine: &Engine,
    store: StoreName,
    namespaces: BTreeMap<Namespace, Option<String>>,
) -> Result<Vec<Item>> {
    let read = engine.store(store)?.read()?;
    let mut made = Vec::new();
    for (name, description) in namespaces {
        if super::super::namespace::require(read.as_ref(), &name).is_ok() {
            continue;
        }
        let mut draft = Draft::new(Body::Namespace(NamespaceBody {
            name,
            parent: None,
            description: description.filter(|text| !text.contains('\0')),
        }));
        draft.about.namespace = Some(Namespace::root());
        let place = "namespaces.json".into();
        made.push(Item { place, single: false, draft, links: Vec::new() });
    }
    Ok(made)
}

/// What came of drafts from files.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) created: Vec<RecordId>,
    pub(super) kinds: BTreeMap<String, u64>,
    pub(super) known: u64,
    pub(super) links: u64,
    pub(super) refused: Vec<(String, String)>,
    pub(super) change: Option<ChangeId>,
}

/// Takes drafts in by the path of `remember`, in one change, and connects them when all are there.
pub(super) fn take_new(
    engine: &Engine,
    store: StoreName,
    mut items: Vec<Item>,
    dry_run: bool,
    note: &Note,
) -> Result<Taken> {
    let mut taken = Taken::default();
    for item in &mut items {
        settle_in(engine, store, &mut item.draft);
    }
    // What others are declared by comes first.
    items.sort_by_key(|item| !matches!(item.draft.body, Body::Namespace(_)));
    let links = links_of(&items);
    let fresh = rehearse(engine, store, items, note, &mut taken)?;
    let wants_links = !links.is_empty();
    if dry_run || (fresh.is_empty() && !wants_links) {
        return Ok(taken);
    }
    let change = note.change.clone().unwrap_or_else(|| engine.new_change_id());
    let note = Note { change: Some(change.clone()), ..note.clone() };
    if !fresh.is_empty() {
        begin(engine, store, &change, &note)?;
    }
    let mut waiting = fresh;
    while !waiting.is_empty() {
        let rest = waiting.split_off(waiting.len().min(BATCH));
        let places: Vec<String> = waiting.iter().map(|item| item.place.clone()).collect();
        let drafts = waiting.into_iter().map(|item| item.draft).collect();
        let answers = engine.remember_each(drafts, &note)?;
        for (place, answer) in places.into_iter().zip(answers) {
            taken.note(place, answer);
        }
        waiting = rest;
    }
    taken.links = finish_links(engine, store, &links, &change, &note)?;
    let wrote = !taken.created.is_empty() || taken.links > 0;
    taken.change = wrote.then_some(change);
    Ok(taken)
}

impl Taken {
    fn note(&mut self, place: String, answer: Result<crate::Remembered>) {
        match answer {
            Ok(made) if made.outcome == Outcome::Created => {}
            // The rehearsal said that it is new; its like came with this very directory.
            Ok(_) => self.known += 1,
            Err(why) => {
                self.created.pop();
                self.refused.push((place, why.to_string()));
            }
        }
    }
}

/// Scopes of the other store do not come here.
fn settle_in(engine: &Engine, store: StoreName, draft: &mut Draft) {
    let usual = match store {
        StoreName::Project => ScopeLevel::Project,
        StoreName::User => ScopeLevel::User,
    };
    let level = draft.about.scope.filter(|level| Engine::home_of(*level) == store);
    draft.about.scope = Some(level.unwrap_or(usual));
    draft.about.links.clear();
    if draft.about.namespace.is_none() {
        draft.about.namespace = Some(engine.settings.namespace.clone());
    }
}

fn links_of(items: &[Item]) -> BTreeMap<RecordId, Vec<FileLink>> {
    let linked = items.iter().filter(|item| !item.links.is_empty());
    linked.filter_map(|item| Some((item.draft.about.id.clone()?, item.links.clone()))).collect()
}

/// Does it all in a transaction that is let go: what is new comes back.
fn rehearse(
    engine: &Engine,
    store: StoreName,
    items: Vec<Item>,
    note: &Note,
    taken: &mut Taken,
) -> Result<Vec<Item>> {
    let mut tx = engine.store(store)?.write()?;
    let mut begun = None;
    let mut fresh = Vec::new();
    let mut made = BTreeMap::new();
    for item in items {
        let kind = item.draft.body.kind();
        let draft = item.draft.clone();
        match engine.take_in(tx.as_mut(), store, draft, &[], note, &mut begun) {
            Err(failed) if failed.is_of_the_store() => return Err(failed),
            Err(refused) => taken.refused.push((item.place, refused.to_string())),
            Ok(answer) if answer.outcome == Outcome::Created && !made.contains_key(&answer.id) => {
                taken.refused.extend(outlived(tx.as_ref(), &made, &answer)?);
                made.insert(answer.id.clone(), item.place.clone());
                *taken.kinds.entry(kind.to_string()).or_default() += 1;
                taken.created.push(answer.id);
                fresh.push(item);
            }
            Ok(_) => taken.known += 1,
        }
    }
    Ok(fresh)
}

/// What came with the same directory and has no time left: wider scopes become one's own here, and
/// two that held side by side may meet in one slot.
fn outlived(
    tx: &dyn Write,
    made: &BTreeMap<RecordId, String>,
    newcomer: &crate::Remembered,
) -> Result<Vec<(String, String)>> {
    let mut told = Vec::new();
    for gave_way in &newcomer.superseded {
        let Some(place) = made.get(gave_way) else { continue };
        if tx.version(gave_way, None)?.is_none() {
            let why = format!(
                "`{gave_way}` is stored but not believed: `{}` says otherwise for all of its time",
                newcomer.id
            );
            told.push((place.clone(), why));
        }
    }
    Ok(told)
}

fn begin(engine: &Engine, store: StoreName, change: &ChangeId, note: &Note) -> Result<()> {
    let mut tx = engine.store(store)?.write()?;
    let change = Change {
        id: change.clone(),
        at: tx.tick()?,
        actor: engine.settings.actor.clone(),
        verb: Verb::Import,
        reason: note.reason.clone(),
        undoes: None,
    };
    tx.begin(&change)?;
    Ok(tx.commit()?)
}

fn finish_links(
    engine: &Engine,
    store: StoreName,
    links: &BTreeMap<RecordId, Vec<FileLink>>,
    change: &ChangeId,
    note: &Note,
) -> Result<u64> {
    if links.is_empty() {
        return Ok(0);
    }
    let mut tx = engine.store(store)?.write()?;
    engine.begin(tx.as_mut(), Verb::Import, note)?;
    let made = connect_files(tx.as_mut(), links, change)?;
    if made > 0 {
        tx.commit()?;
    }
    Ok(made)
}

/// Makes the links whose ends are both believed and that are not there yet; how many.
pub(super) fn connect_files(
    tx: &mut dyn Write,
    links: &BTreeMap<RecordId, Vec<FileLink>>,
    change: &ChangeId,
) -> Result<u64> {
    let mut made = 0;
    for (from, links) in links {
        let Some(version) = tx.version(from, None)? else { continue };
        let here = tx.links(from, mnemic_model::At::LATEST)?;
        for link in links {
            let known = here.iter().any(|one| {
                one.from == *from
                    && one.to == link.to
                    && one.relation == link.relation
                    && one.strength == link.strength
            });
            if known || link.to == *from || tx.version(&link.to, None)?.is_none() {
                continue;
            }
            connect(tx, &version, link.relation, &link.to, link.strength, change)?;
            made += 1;
        }
    }
    Ok(made)
}
