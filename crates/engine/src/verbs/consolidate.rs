//! `consolidate`: asks each step what there is to do and does it, a step a transaction, all of it
//! one change that can be undone.

use super::judge::MOST_PAIRS;
use crate::meaning::BATCH;
use crate::{Engine, ErrorKind, Note, Result, StoreName};
use mnemic_lifecycle::consolidate::unsure::{self, Pair};
use mnemic_lifecycle::consolidate::{Act, Effect, Step, What, World};
use mnemic_model::{Body, Change, ChangeId, RecordId, Timestamp, Verb};
use mnemic_recall::QueryVector;
use mnemic_store::sqlite::SqliteStore;
use mnemic_store::{Embedding, Read, VectorModel, Write};
use std::collections::{BTreeMap, BTreeSet};

/// What consolidating one store came to, or would come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Consolidated {
    pub store: StoreName,
    /// The change that did it; nothing where there was nothing to do.
    pub change: Option<ChangeId>,
    pub counts: BTreeMap<What, u64>,
    /// A few acts of every sort, as one reads them.
    pub samples: Vec<(What, String)>,
}

/// Acts of one sort that a report shows.
const SAMPLES: u64 = 5;

impl Consolidated {
    fn count(&mut self, act: &Act) {
        let count = self.counts.entry(act.what).or_default();
        *count += 1;
        if *count <= SAMPLES {
            self.samples.push((act.what, act.told.clone()));
        }
    }
}

impl Engine {
    /// Tends every open store. A dry run says what would be done and changes nothing. `come` is told
    /// each step as it begins.
    pub fn consolidate(
        &self,
        dry_run: bool,
        note: &Note,
        come: &mut dyn FnMut(StoreName, Step),
    ) -> Result<Vec<Consolidated>> {
        self.main_store()?;
        if !dry_run {
            let _ = self.grow_indexes();
        }
        let names: Vec<StoreName> = self.stores().map(|(name, _)| name).collect();
        let mut go_on = |name, step| {
            come(name, step);
            true
        };
        let tend = |name| Ok(self.consolidate_store(name, dry_run, note, &mut go_on)?.0);
        names.into_iter().map(tend).collect()
    }

    /// Tends one store, a step at a time while `go_on` says so; whether all steps were taken.
    pub(super) fn consolidate_in(
        &self,
        name: StoreName,
        note: &Note,
        go_on: &mut dyn FnMut(Step) -> bool,
    ) -> Result<bool> {
        Ok(self.consolidate_store(name, false, note, &mut |_, step| go_on(step))?.1)
    }

    fn consolidate_store(
        &self,
        name: StoreName,
        dry_run: bool,
        note: &Note,
        go_on: &mut dyn FnMut(StoreName, Step) -> bool,
    ) -> Result<(Consolidated, bool)> {
        let store = self.store(name)?;
        let (mut world, served) = {
            let read = store.read()?;
            (World::read(read.as_ref())?, read.vector_models()?)
        };
        let mut report = Consolidated {
            store: name,
            change: None,
            counts: BTreeMap::new(),
            samples: Vec::new(),
        };
        let id = note.change.clone().unwrap_or_else(|| self.new_change_id());
        let note = Note { change: Some(id), ..note.clone() };
        let unsure = self.unsure_pairs(store, &world, &served, dry_run)?;
        let mut fresh = BTreeSet::new();
        for step in Step::ALL {
            if !go_on(name, step) {
                return Ok((report, false));
            }
            let (acts, is_news) = self.plan_step(store, step, &world, &fresh, &served)?;
            let acts = self.with_opinions(store, step, acts, &world, &unsure)?;
            let done = match dry_run {
                true => acts.into_iter().map(|act| (act, Vec::new())).collect(),
                false if !is_news && acts.is_empty() => continue,
                false => {
                    let reached = |tx: &mut dyn Write| match world.seen {
                        Some(seen) => set_reached(tx, step, seen),
                        None => Ok(()),
                    };
                    self.carry_out_acts(store, acts, &note, &reached)?
                }
            };
            for (act, numbers) in &done {
                fresh.extend(put(act).cloned());
                world.absorb(act);
                numbers.iter().for_each(|(id, n)| world.number(id, *n));
                report.count(act);
            }
            if !dry_run && !done.is_empty() {
                report.change.clone_from(&note.change);
            }
        }
        if report.change.is_some() {
            self.note_reached(store, &world, &fresh)?;
            self.tend(store);
        }
        if !dry_run && store.read_only_because().is_none() {
            self.cool(store, &mut || true)?;
            self.note_ran(store)?;
        }
        Ok((report, true))
    }

    /// Pairs that a language model shall judge; none where no model is named. A dry run asks
    /// nobody, since asking costs.
    fn unsure_pairs(
        &self,
        store: &SqliteStore,
        world: &World,
        served: &[VectorModel],
        dry_run: bool,
    ) -> Result<Vec<Pair>> {
        if dry_run || self.settings.language.is_none() {
            return Ok(Vec::new());
        }
        let sense = |text: &str| {
            let vectors = self.settings.meaning.of_text(text, served);
            vectors.ok()?.into_iter().next()
        };
        let read = store.read()?;
        let changed = changed_since(read.as_ref(), Step::Contradictions, world)?;
        Ok(unsure::pairs(world, &changed, read.as_ref(), &sense, MOST_PAIRS)?)
    }

    /// The acts of a step with those that follow from a model's opinion.
    fn with_opinions(
        &self,
        store: &SqliteStore,
        step: Step,
        mut acts: Vec<Act>,
        world: &World,
        unsure: &[Pair],
    ) -> Result<Vec<Act>> {
        if let Some(model) = &self.settings.language
            && step == Step::Contradictions
            && !unsure.is_empty()
        {
            acts.extend(self.judged(store, model, world, unsure)?);
        }
        Ok(acts)
    }

    /// What a step would do, and whether anything changed since it was taken last.
    fn plan_step(
        &self,
        store: &SqliteStore,
        step: Step,
        world: &World,
        fresh: &BTreeSet<RecordId>,
        served: &[VectorModel],
    ) -> Result<(Vec<Act>, bool)> {
        let sense = |text: &str| self.sense(text, served);
        let read = store.read()?;
        let mut changed = changed_since(read.as_ref(), step, world)?;
        let is_news = !changed.is_empty();
        changed.extend(fresh.iter().cloned());
        Ok((step.plan(world, &changed, read.as_ref(), &sense)?, is_news))
    }

    /// What a text means to the model whose vectors are served.
    pub(super) fn sense(&self, text: &str, served: &[VectorModel]) -> Option<QueryVector> {
        self.settings.meaning.of_text(text, served).ok()?.into_iter().next()
    }

    /// Carries out those acts that still fit what is stored, and `last` in the same transaction;
    /// each with its versions' numbers.
    pub(super) fn carry_out_acts(
        &self,
        store: &SqliteStore,
        acts: Vec<Act>,
        note: &Note,
        last: &dyn Fn(&mut dyn Write) -> Result<()>,
    ) -> Result<Vec<Done>> {
        let vectors = self.vectors_of_new(&acts);
        let mut tx = store.write()?;
        let mut begun = None;
        let mut done = Vec::new();
        let mut met = BTreeSet::new();
        for act in acts {
            if !self.still_fits(tx.as_ref(), &act, note, &mut met)? {
                continue;
            }
            let change = match &begun {
                Some(change) => change,
                None => begun.insert(self.begin(tx.as_mut(), Verb::Consolidate, note)?),
            };
            let numbers = self.carry_out_act(tx.as_mut(), &act, change, &vectors)?;
            done.push((act, numbers));
        }
        last(tx.as_mut())?;
        tx.commit()?;
        Ok(done)
    }

    /// Vectors of what is about to be made: the steps that follow look for its neighbours.
    fn vectors_of_new(&self, acts: &[Act]) -> BTreeMap<RecordId, Vec<Embedding>> {
        let new: Vec<(&RecordId, &Body)> = acts
            .iter()
            .flat_map(|act| &act.effects)
            .filter_map(|effect| match effect {
                Effect::Put { id, base: None, content } => Some((id, &content.body)),
                _ => None,
            })
            .collect();
        let mut vectors = BTreeMap::new();
        for batch in new.chunks(BATCH) {
            let bodies: Vec<&Body> = batch.iter().map(|(_, body)| *body).collect();
            let parts = self.vectors_ahead(&bodies);
            vectors.extend(batch.iter().map(|(id, _)| (*id).clone()).zip(parts));
        }
        vectors
    }

    fn carry_out_act(
        &self,
        tx: &mut dyn Write,
        act: &Act,
        change: &Change,
        vectors: &BTreeMap<RecordId, Vec<Embedding>>,
    ) -> Result<Vec<(RecordId, u32)>> {
        let mut numbers = Vec::new();
        for effect in &act.effects {
            match effect {
                Effect::Put { id, content, .. } => {
                    let version = tx.put(id, content, &change.id)?;
                    if let Some(parts) = vectors.get(id) {
                        self.keep_vectors(tx, &version, parts)?;
                    }
                    numbers.push((id.clone(), version.n));
                }
                Effect::Link(link) => {
                    tx.connect(link, &change.id)?;
                }
                Effect::Unlink { from, relation, to } => {
                    tx.disconnect(from, *relation, to, &change.id)?;
                }
                Effect::AddUsage { to, usage } => {
                    let mut sum = tx.usage(to)?;
                    sum.join(usage);
                    tx.set_usage(to, &sum)?;
                }
            }
        }
        Ok(numbers)
    }

    /// All steps have seen all that this run wrote: the next one need not look at it again, unless
    /// others wrote meanwhile.
    fn note_reached(
        &self,
        store: &SqliteStore,
        world: &World,
        fresh: &BTreeSet<RecordId>,
    ) -> Result<()> {
        let mut tx = store.write()?;
        let (Some(seen), Some(last)) = (world.seen, tx.last_audit()?) else { return Ok(()) };
        let since = tx.changed_between(seen, last.at)?;
        if since.iter().all(|id| fresh.contains(id)) {
            for step in Step::ALL {
                set_reached(tx.as_mut(), step, last.at)?;
            }
            tx.commit()?;
        }
        Ok(())
    }

    /// Others may have written since it was planned, and what was forgotten stays out. Ends of links
    /// that were `met` in this transaction are there until it ends.
    fn still_fits(
        &self,
        tx: &dyn Write,
        act: &Act,
        note: &Note,
        met: &mut BTreeSet<RecordId>,
    ) -> Result<bool> {
        let made: Vec<&RecordId> = put(act).collect();
        for effect in &act.effects {
            let fits = match effect {
                Effect::Put { id, base: Some(n), .. } => {
                    tx.version(id, None)?.is_some_and(|version| version.n == *n)
                }
                Effect::Put { id, base: None, content } => {
                    match self.refuse_forgotten(tx, Some(id), content, note) {
                        Err(refused) if refused.kind == ErrorKind::Forgotten => false,
                        Err(failed) => return Err(failed),
                        Ok(()) => tx.version(id, None)?.is_none(),
                    }
                }
                Effect::Link(link) => {
                    let mut there = true;
                    for end in [&link.from, &link.to] {
                        if !made.contains(&end) && !met.contains(end) {
                            there &= tx.key_of(end, None)?.is_some();
                            if there {
                                met.insert(end.clone());
                            }
                        }
                    }
                    there
                }
                Effect::Unlink { .. } | Effect::AddUsage { .. } => true,
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// An act that was carried out, with the numbers of the versions it made.
pub(super) type Done = (Act, Vec<(RecordId, u32)>);

fn put(act: &Act) -> impl Iterator<Item = &RecordId> {
    act.effects.iter().filter_map(|effect| match effect {
        Effect::Put { id, .. } => Some(id),
        _ => None,
    })
}

/// The bookmark of a step: the recorded time up to which it has looked at everything.
fn bookmark(step: Step) -> String {
    format!("consolidate/{}", step.as_str())
}

fn reached(read: &dyn Read, step: Step) -> Result<Option<Timestamp>> {
    let micros = read.bookmark(&bookmark(step))?.and_then(|text| text.parse().ok());
    // A bookmark that cannot be read is none: everything is looked at again.
    Ok(micros.and_then(|micros| Timestamp::from_micros(micros).ok()))
}

fn set_reached(tx: &mut dyn Write, step: Step, at: Timestamp) -> Result<()> {
    Ok(tx.set_bookmark(&bookmark(step), Some(&at.micros().to_string()))?)
}

fn changed_since(read: &dyn Read, step: Step, world: &World) -> Result<BTreeSet<RecordId>> {
    match (reached(read, step)?, world.seen) {
        (Some(from), Some(seen)) => Ok(read.changed_between(from, seen)?.into_iter().collect()),
        _ => Ok(world.ids()),
    }
}
