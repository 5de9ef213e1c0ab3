//! What is believed, as a function of all that was said.

use super::copies;
use super::slots;
use super::state::{LinkKey, Record, Stamp, State};
use mnemic_model::slot::{Succession, succession};
use mnemic_model::{Body, Content, Interval, Kind, RecordId, Relation, Tier, Timestamp, Unit};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What a store that knows a state should believe.
#[derive(Debug, Default)]
pub(super) struct View {
    pub(super) believed: BTreeMap<RecordId, Content>,
    pub(super) links: BTreeMap<LinkKey, (Unit, Interval)>,
    /// Records that say the same as another, and which.
    pub(super) absorbed: BTreeMap<RecordId, RecordId>,
    pub(super) contradictions: usize,
}

/// A believed statement in the making.
pub(super) struct Said<'s> {
    pub(super) stamp: &'s Stamp,
    pub(super) content: Content,
}

pub(super) fn view(state: &State) -> View {
    let mut made =
        Made { state, said: BTreeMap::new(), disputes: BTreeMap::new(), view: View::default() };
    for class in classes(state) {
        made.class(&class);
    }
    made.copies();
    made.slots();
    made.contradictions();
    made.links();
    made.view
}

struct Made<'s> {
    state: &'s State,
    said: BTreeMap<RecordId, Said<'s>>,
    /// Pairs that cannot both hold, with the id of their contradiction and since when.
    disputes: BTreeMap<RecordId, (RecordId, RecordId, Timestamp)>,
    view: View,
}

impl<'s> Made<'s> {
    fn record(&self, id: &RecordId) -> &'s Record {
        &self.state.records[id]
    }

    /// Records that share something they ever said are one memory, unless they went apart since.
    fn class(&mut self, members: &[&'s RecordId]) {
        let (standing, rest): (Vec<_>, Vec<_>) = members.iter().copied().partition(|id| {
            self.record(id).last().1.is_some_and(|content| content.tier != Tier::Archive)
        });
        for id in rest {
            self.keep(id);
        }
        let first = standing.iter().copied().min_by_key(|id| (self.record(id).first(), *id));
        let Some(first) = first else { return };
        let winner = self.winner(&standing).unwrap_or(first);
        let (same, apart): (Vec<_>, Vec<_>) =
            standing.into_iter().partition(|id| *id == first || self.is_said_by(winner, id));
        let (stamp, Some(content)) = self.record(winner).last() else { return };
        let mut content = content.clone();
        unite_sources(&mut content, same.iter().filter_map(|id| self.record(id).last().1));
        self.said.insert(first.clone(), Said { stamp, content });
        for id in same.into_iter().filter(|id| *id != first) {
            self.view.absorbed.insert(id.clone(), first.clone());
        }
        for id in apart {
            self.dispute(first, id, self.record(id).last().0.at.max(stamp.at));
            self.keep(id);
        }
    }

    /// Believes of a record what was said of it last.
    fn keep(&mut self, id: &RecordId) {
        let (stamp, content) = self.record(id).last();
        if let Some(content) = content {
            self.said.insert(id.clone(), Said { stamp, content: content.clone() });
        }
    }

    /// Whether a record ever said this.
    fn knows(&self, id: &RecordId, body: Option<&Body>) -> bool {
        self.record(id).events.values().flatten().any(|content| Some(&content.body) == body)
    }

    fn body(&self, id: &RecordId) -> Option<&'s Body> {
        self.record(id).last().1.map(|content| &content.body)
    }

    /// The record that speaks for a class: the latest of those that no other has gone beyond.
    fn winner(&self, standing: &[&'s RecordId]) -> Option<&'s RecordId> {
        let is_behind = |id: &RecordId| {
            let beyond = |other: &RecordId| {
                self.knows(other, self.body(id)) && !self.knows(id, self.body(other))
            };
            standing.iter().any(|other| beyond(other))
        };
        let latest = |id: &&RecordId| (self.record(id).last().0, (*id).clone());
        let ahead = standing.iter().copied().filter(|id| !is_behind(id)).max_by_key(latest);
        ahead.or_else(|| standing.iter().copied().max_by_key(latest))
    }

    /// Whether the winner says what another says, or said it before; of what is there once, there is
    /// one in any case.
    fn is_said_by(&self, winner: &RecordId, id: &RecordId) -> bool {
        let unique = self.record(winner).last().1.is_some_and(|content| {
            content.slot().is_some() && succession(content.kind()) == Succession::Unique
        });
        unique || self.knows(winner, self.body(id))
    }

    fn dispute(&mut self, a: &RecordId, b: &RecordId, since: Timestamp) {
        self.disputes.insert(copies::dispute(a, b), (a.clone(), b.clone(), since));
    }

    /// Edits that were made apart: the latest is believed, the others stand beside it as copies.
    fn copies(&mut self) {
        for (id, record) in &self.state.records {
            let Some(said) = self.said.get(id).filter(|_| can_dispute(record.kind)) else {
                continue;
            };
            let (last, body) = (record.last().0, said.content.body.clone());
            for head in record.heads.iter().filter(|head| *head != last) {
                let Some(Some(content)) = record.events.get(head) else { continue };
                let copy = copies::copy_of(record.kind, id, head);
                if content.body == body || self.state.records.contains_key(&copy) {
                    continue;
                }
                let pair = (id.clone(), copy.clone(), last.at.max(head.at));
                self.disputes.insert(copies::quarrel(id, head), pair);
                self.said.insert(copy, Said { stamp: head, content: content.clone() });
            }
        }
    }

    /// One value at a time: where two overlap they settle, and a fact with two values is disputed.
    fn slots(&mut self) {
        let mut rooms: BTreeMap<_, Vec<RecordId>> = BTreeMap::new();
        for (id, said) in &self.said {
            if let Some(slot) = said.content.slot() {
                let scope = &said.content.scope;
                let room = (slot, scope.level, scope.namespace.clone());
                rooms.entry(room).or_default().push(id.clone());
            }
        }
        for (_, ids) in rooms.into_iter().filter(|(_, ids)| ids.len() > 1) {
            let settled = slots::settle_room(&self.said, &ids);
            self.settle(settled);
        }
        let said = std::mem::take(&mut self.said);
        self.view.believed = said.into_iter().map(|(id, said)| (id, said.content)).collect();
    }

    fn settle(&mut self, settled: slots::Settled) {
        for (a, b) in settled.disputed {
            let since = self.said[&a].stamp.at.max(self.said[&b].stamp.at);
            let mut told = self.disputes.values();
            if !told.any(|(x, y, _)| (x, y) == (&a, &b) || (x, y) == (&b, &a)) {
                self.dispute(&a, &b, since);
            }
        }
        for (id, content) in settled.now {
            match (content, self.said.get_mut(&id)) {
                (Some(content), Some(said)) => said.content = content,
                (None, _) => drop(self.said.remove(&id)),
                (Some(_), None) => {}
            }
        }
        for (old, id, content) in settled.resumed {
            let is_raw = self.state.records.contains_key(&id);
            let stamp = self.state.records.get(&old).map(|record| record.last().0);
            if let (Some(stamp), false) = (stamp, is_raw) {
                self.said.insert(id, Said { stamp, content });
            }
        }
    }

    fn contradictions(&mut self) {
        let known: BTreeSet<(RecordId, RecordId)> = self
            .state
            .records
            .values()
            .flat_map(|record| record.events.values().flatten())
            .filter_map(|content| match &content.body {
                Body::Contradiction(one) => Some((one.a.clone(), one.b.clone())),
                _ => None,
            })
            .collect();
        for (id, (a, b, since)) in std::mem::take(&mut self.disputes) {
            let told =
                known.contains(&(a.clone(), b.clone())) || known.contains(&(b.clone(), a.clone()));
            let scope = [&a, &b].into_iter().find_map(|id| self.view.believed.get(id));
            let (Some(scope), false) = (scope.map(|content| content.scope.clone()), told) else {
                continue;
            };
            if !self.state.records.contains_key(&id) {
                let content = copies::contradiction(&a, &b, &scope, since);
                self.view.believed.insert(id, content);
                self.view.contradictions += 1;
            }
        }
    }

    fn links(&mut self) {
        let stands_for = |id: &RecordId| self.view.absorbed.get(id).unwrap_or(id).clone();
        for ((from, relation, to), events) in &self.state.links {
            let Some((_, Some(link))) = events.last_key_value() else { continue };
            let said = (link.strength, link.valid);
            let (first, second) = (stands_for(from), stands_for(to));
            self.view.links.insert((from.clone(), *relation, to.clone()), said);
            if first != second {
                let own =
                    self.state.links.contains_key(&(first.clone(), *relation, second.clone()));
                if !own {
                    let seen = self.view.links.entry((first, *relation, second)).or_insert(said);
                    // Of several that stand for one, the strongest speaks.
                    if (said.0.get(), said.1.from()) > (seen.0.get(), seen.1.from()) {
                        *seen = said;
                    }
                }
            }
        }
        for (id, first) in &self.view.absorbed {
            let key = (id.clone(), Relation::SupersededBy, first.clone());
            if !self.state.links.contains_key(&key) {
                let since = self.record(id).last().0.at;
                self.view.links.insert(key, (Unit::ONE, Interval::since(since)));
            }
        }
    }
}

/// Kinds of which two statements may exclude each other. Episodes and checkpoints only follow one
/// another, and bookkeeping is not believed in the same sense.
fn can_dispute(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Fact
            | Kind::Decision
            | Kind::Pattern
            | Kind::AntiPattern
            | Kind::Skill
            | Kind::Resource
            | Kind::Block
            | Kind::Verdict
    )
}

/// The episodes that taught any of those that became one.
fn unite_sources<'c>(content: &mut Content, others: impl Iterator<Item = &'c Content>) {
    let own: BTreeSet<RecordId> = content.provenance.episodes.iter().cloned().collect();
    let mut all = own.clone();
    all.extend(others.flat_map(|other| other.provenance.episodes.iter().cloned()));
    if all != own {
        content.provenance.episodes = all.into_iter().collect();
    }
}

/// Records that share a statement, directly or through others; each in one class.
fn classes(state: &State) -> Vec<Vec<&RecordId>> {
    let ids: Vec<&RecordId> = state.records.keys().collect();
    let mut above: Vec<usize> = (0..ids.len()).collect();
    fn root(above: &mut [usize], mut at: usize) -> usize {
        while above[at] != at {
            above[at] = above[above[at]];
            at = above[at];
        }
        at
    }
    let mut holders: BTreeMap<String, usize> = BTreeMap::new();
    for (at, record) in state.records.values().enumerate() {
        for content in record.events.values().flatten() {
            let holder = *holders.entry(key(content)).or_insert(at);
            let (a, b) = (root(&mut above, at), root(&mut above, holder));
            above[a.max(b)] = a.min(b);
        }
    }
    let mut classes: BTreeMap<usize, Vec<&RecordId>> = BTreeMap::new();
    for (at, id) in ids.into_iter().enumerate() {
        classes.entry(root(&mut above, at)).or_default().push(id);
    }
    classes.into_values().collect()
}

/// What makes two statements one. Two tasks with the same words are two episodes, and a thing that
/// is there once is one whatever is said of it.
fn key(content: &Content) -> String {
    let scope = &content.scope;
    let (kind, end) = (content.kind(), content.valid.to());
    let unique = content.slot().filter(|_| succession(kind) == Succession::Unique);
    let words = match (&content.body, unique) {
        (_, Some(slot)) => slot.as_str().to_owned(),
        (Body::Contradiction(one), _) => format!("{} {}", one.a, one.b),
        (body, _) => Value::Object(body.to_fields()).to_string(),
    };
    let begin = (kind == Kind::Episode).then(|| content.valid.from());
    format!("{kind} {} {} {end:?} {begin:?} {words}", scope.level, scope.namespace)
}
