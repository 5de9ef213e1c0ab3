//! What must be written so that a store knows and believes what a merge says; nothing when it does.

use super::state::{Heads, LinkKey, Record, Stamp, State};
use super::view::{View, view};
use mnemic_model::{Content, Interval, Kind, Link, RecordId, Tombstone, Unit, Usage};
use std::collections::BTreeMap;

/// The work of one merge, as values.
#[derive(Debug, Default)]
pub struct Plan {
    pub(super) bury: Vec<Tombstone>,
    /// Records here that a tombstone of the other store is for.
    pub(super) erase: Vec<RecordId>,
    pub(super) retract: Vec<RecordId>,
    /// Records that only the other store has, and whether what it believes of them holds as it is.
    pub(super) arrive: BTreeMap<RecordId, bool>,
    /// What the other store said of records that are here.
    pub(super) append: BTreeMap<RecordId, BTreeMap<Stamp, Option<Content>>>,
    pub(super) put: BTreeMap<RecordId, Content>,
    pub(super) link_events: BTreeMap<LinkKey, BTreeMap<Stamp, Option<Link>>>,
    pub(super) connect: BTreeMap<LinkKey, (Unit, Interval)>,
    pub(super) disconnect: Vec<LinkKey>,
    pub(super) usage: BTreeMap<RecordId, Usage>,
    pub(super) heads: Option<Heads>,
    /// Counts for the report.
    pub one_memory: usize,
    pub contradictions: usize,
}

impl Plan {
    pub fn is_empty(&self) -> bool {
        self.bury.is_empty()
            && self.erase.is_empty()
            && self.retract.is_empty()
            && self.arrive.is_empty()
            && self.append.is_empty()
            && self.put.is_empty()
            && self.link_events.is_empty()
            && self.connect.is_empty()
            && self.disconnect.is_empty()
            && self.usage.is_empty()
            && self.heads.is_none()
    }

    /// Records that only the other store had.
    pub fn arriving(&self) -> usize {
        self.arrive.len()
    }

    /// Records of both that get versions of the other store.
    pub fn growing(&self) -> usize {
        self.append.len()
    }

    pub fn erased(&self) -> &[RecordId] {
        &self.erase
    }

    /// Records that are here and that would be something else afterwards, or nothing.
    pub fn touched(&self) -> impl Iterator<Item = &RecordId> {
        self.erase.iter().chain(&self.retract).chain(self.put.keys())
    }

    /// Links that are new here.
    pub fn links(&self) -> usize {
        self.connect.len()
    }
}

/// Compares what we have with what both together say.
pub fn plan(ours: &State, theirs: &State) -> Plan {
    let joined = ours.join(theirs);
    let view = view(&joined);
    let mut plan = Plan::default();
    let news = joined.stones.iter().filter(|(key, stone)| ours.stones.get(*key) != Some(*stone));
    plan.bury = news.map(|(_, stone)| stone.clone()).collect();
    plan.erase = erased(ours, &joined);
    plan.records(ours, theirs, &joined, &view);
    plan.links_of(ours, &joined, &view);
    // Each keeps its own uses: what stands for another today may not when a third store has spoken.
    for (id, usage) in &joined.usage {
        let is_here = ours.actual.contains_key(id) && !plan.erase.contains(id);
        // What an earlier merge made by itself is put, not taken over, and may have been used since.
        let comes = plan.arrive.contains_key(id) || plan.put.contains_key(id);
        if (is_here || comes) && ours.usage.get(id) != Some(usage) {
            plan.usage.insert(id.clone(), usage.clone());
        }
    }
    let heads = joined.open_heads();
    plan.heads = (heads != ours.open_heads()).then_some(heads);
    plan.count(ours, &view);
    plan
}

/// Records of ours that a tombstone of theirs is for. Theirs may have brought the record back: then
/// ours goes all the same, and theirs comes in its place.
fn erased(ours: &State, joined: &State) -> Vec<RecordId> {
    let is_whole = |(id, record): &(&RecordId, &Record)| {
        let kept = joined.records.get(*id).map(|record| &record.events);
        kept.is_some_and(|kept| record.events.keys().all(|stamp| kept.contains_key(stamp)))
    };
    let gone = ours.records.iter().filter(|one| !is_whole(one));
    gone.map(|(id, _)| id.clone()).collect()
}

impl Plan {
    fn records(&mut self, ours: &State, theirs: &State, joined: &State, view: &View) {
        for (id, record) in &joined.records {
            let wanted = view.believed.get(id);
            if !ours.actual.contains_key(id) || self.erase.contains(id) {
                let as_it_is = theirs.actual.get(id).and_then(Option::as_ref) == wanted;
                self.arrive.insert(id.clone(), as_it_is);
                if let (Some(content), false) = (wanted, as_it_is) {
                    self.put.insert(id.clone(), content.clone());
                }
                continue;
            }
            let known = ours.records.get(id).map(|record| &record.events);
            let missing: BTreeMap<Stamp, Option<Content>> = record
                .events
                .iter()
                .filter(|(stamp, _)| !known.is_some_and(|known| known.contains_key(*stamp)))
                .map(|(stamp, content)| (stamp.clone(), content.clone()))
                .collect();
            let actual = ours.actual.get(id).and_then(Option::as_ref);
            if missing.is_empty() && actual == wanted {
                continue;
            }
            if actual.is_some() {
                self.retract.push(id.clone());
            }
            if !missing.is_empty() {
                self.append.insert(id.clone(), missing);
            }
            if let Some(content) = wanted {
                self.put.insert(id.clone(), content.clone());
            }
        }
        self.derived(ours, joined, view);
    }

    /// Records that merges make by themselves come and go with what they are about.
    fn derived(&mut self, ours: &State, joined: &State, view: &View) {
        let is_made = |id: &&RecordId| !joined.records.contains_key(*id);
        for (id, content) in view.believed.iter().filter(|(id, _)| is_made(id)) {
            let actual = ours.actual.get(id).and_then(Option::as_ref);
            if actual != Some(content) {
                self.put.insert(id.clone(), content.clone());
                if actual.is_some() {
                    self.retract.push(id.clone());
                }
            }
        }
        for (id, actual) in &ours.actual {
            let goes = is_made(&id) && actual.is_some() && !view.believed.contains_key(id);
            if goes && !self.erase.contains(id) {
                self.retract.push(id.clone());
            }
        }
    }

    fn links_of(&mut self, ours: &State, joined: &State, view: &View) {
        // What is erased takes its links along; those that hold come again.
        let goes = |key: &LinkKey| self.erase.contains(&key.0) || self.erase.contains(&key.2);
        for (key, events) in &joined.links {
            let known = ours.links.get(key).filter(|_| !goes(key));
            let missing: BTreeMap<Stamp, Option<Link>> = events
                .iter()
                .filter(|(stamp, _)| !known.is_some_and(|known| known.contains_key(*stamp)))
                .map(|(stamp, link)| (stamp.clone(), link.clone()))
                .collect();
            if !missing.is_empty() {
                self.link_events.insert(key.clone(), missing);
            }
        }
        let mut disconnect = Vec::new();
        for (key, link) in &ours.linked {
            let wanted = view.links.get(key);
            let stays = wanted.is_some_and(|(strength, _)| *strength == link.strength);
            if !stays && !goes(key) {
                disconnect.push(key.clone());
            }
        }
        self.disconnect = disconnect;
        for (key, said) in &view.links {
            let here = ours.linked.get(key).filter(|_| !goes(key));
            let here = here.is_some_and(|link| link.strength == said.0);
            if !here {
                self.connect.insert(key.clone(), *said);
            }
        }
    }

    fn count(&mut self, ours: &State, view: &View) {
        let was_believed = |id: &RecordId| ours.actual.get(id).is_some_and(Option::is_some);
        let absorbed = view.absorbed.keys();
        self.one_memory =
            absorbed.filter(|id| was_believed(id) || self.arrive.contains_key(*id)).count();
        let made = self.put.iter().filter(|(id, content)| {
            content.kind() == Kind::Contradiction && !ours.actual.contains_key(*id)
        });
        self.contradictions = made.count();
    }
}
