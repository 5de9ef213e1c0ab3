//! The union of two states. It is commutative, associative and idempotent, and all that is believed
//! follows from it.

use super::state::{Record, State};
use mnemic_model::{RecordId, Tombstone, Usage};
use mnemic_store::fingerprint;
use std::collections::BTreeMap;

impl State {
    /// What both know. What one of them was asked to forget is gone from both.
    pub(super) fn join(&self, other: &State) -> State {
        let mut stones = self.stones.clone();
        for (key, stone) in &other.stones {
            let kept = stones.entry(key.clone()).or_insert_with(|| stone.clone());
            if rank(stone) < rank(kept) {
                *kept = stone.clone();
            }
        }
        let mut records = self.surviving(other);
        for (id, theirs) in other.surviving(self) {
            match records.remove(&id) {
                Some(ours) => drop(records.insert(id, joined(ours, theirs))),
                None => drop(records.insert(id, theirs)),
            }
        }
        let mut links = self.links.clone();
        for (key, events) in &other.links {
            links.entry(key.clone()).or_default().extend(events.clone());
        }
        links.retain(|(from, _, to), _| records.contains_key(from) && records.contains_key(to));
        let mut usage = self.usage.clone();
        for (id, theirs) in &other.usage {
            united(usage.entry(id.clone()).or_default(), theirs);
        }
        State { records, links, usage, stones, ..State::default() }
    }

    /// Records that no tombstone of the other side is for. A record that lies beside its tombstone
    /// was brought back by a person, who knew of it.
    fn surviving(&self, other: &State) -> BTreeMap<RecordId, Record> {
        let news: Vec<&Tombstone> = other
            .stones
            .iter()
            .filter(|(key, _)| !self.stones.contains_key(*key))
            .map(|(_, stone)| stone)
            .collect();
        let mut kept = self.records.clone();
        if !news.is_empty() {
            kept.retain(|id, record| !news.iter().any(|stone| is_for(stone, id, record)));
        }
        kept
    }
}

fn rank(stone: &Tombstone) -> (mnemic_model::Timestamp, String) {
    (stone.at, format!("{} {:?} {:?}", stone.actor, stone.reason, stone.subject))
}

fn is_for(stone: &Tombstone, id: &RecordId, record: &Record) -> bool {
    let says =
        |content: &mnemic_model::Content| fingerprint::forgotten(&content.body) == stone.content;
    stone.id == *id || record.events.values().flatten().any(says)
}

/// A head stays one unless the other side knows it and has moved on.
fn joined(ours: Record, theirs: Record) -> Record {
    // An id that names two kinds of things is a mistake elsewhere; one of them is kept, always the
    // same.
    if ours.kind != theirs.kind {
        return if ours.kind < theirs.kind { ours } else { theirs };
    }
    let stays = |head: &super::state::Stamp, of: &Record, other: &Record| {
        of.heads.contains(head) && (other.heads.contains(head) || !other.events.contains_key(head))
    };
    let heads = ours
        .heads
        .iter()
        .chain(&theirs.heads)
        .filter(|head| stays(head, &ours, &theirs) || stays(head, &theirs, &ours))
        .cloned()
        .collect();
    let mut events = ours.events;
    events.extend(theirs.events);
    Record { kind: ours.kind, events, heads }
}

/// The larger of each count: adding them would count twice what both stores have in common.
fn united(ours: &mut Usage, theirs: &Usage) {
    ours.loaded = ours.loaded.max(theirs.loaded);
    ours.referenced = ours.referenced.max(theirs.referenced);
    ours.ignored = ours.ignored.max(theirs.ignored);
    ours.succeeded = ours.succeeded.max(theirs.succeeded);
    ours.last_used = ours.last_used.max(theirs.last_used);
    // The mean goes by the longer record, so that sum and count belong together.
    let longer = (theirs.relevance_count, theirs.relevance_sum);
    if longer > (ours.relevance_count, ours.relevance_sum) {
        (ours.relevance_count, ours.relevance_sum) = longer;
    }
    ours.discovery_tokens = ours.discovery_tokens.max(theirs.discovery_tokens);
    ours.read_tokens = ours.read_tokens.max(theirs.read_tokens);
}
