//! A store as the set of everything that was ever said in it.

use mnemic_model::{
    Actor, Change, ChangeId, Content, Digest, Kind, Link, RecordId, Relation, ScopeLevel,
    Timestamp, Tombstone, Trust, Usage, Verb, Version,
};
use mnemic_store::{Error, Read, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// When something was said, the same in every store that knows of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Stamp {
    pub(super) at: Timestamp,
    pub(super) change: ChangeId,
    /// The first, second… thing that this change said of one record; the last is that it is no more.
    pub(super) k: u32,
}

const TAKEN_BACK: u32 = u32::MAX;

/// All that was said of one record.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Record {
    pub(super) kind: Kind,
    /// `None` took it back.
    pub(super) events: BTreeMap<Stamp, Option<Content>>,
    /// Events that nobody has replaced knowingly. More than one where two stores edited apart.
    pub(super) heads: BTreeSet<Stamp>,
}

impl Record {
    pub(super) fn first(&self) -> &Stamp {
        self.events.keys().next().expect("a record without an event is not kept")
    }

    pub(super) fn last(&self) -> (&Stamp, Option<&Content>) {
        let (stamp, content) =
            self.events.last_key_value().expect("a record without an event is not kept");
        (stamp, content.as_ref())
    }
}

pub(super) type LinkKey = (RecordId, Relation, RecordId);

/// A store, read for merging.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    pub(super) records: BTreeMap<RecordId, Record>,
    pub(super) links: BTreeMap<LinkKey, BTreeMap<Stamp, Option<Link>>>,
    pub(super) usage: BTreeMap<RecordId, Usage>,
    pub(super) stones: BTreeMap<(RecordId, Digest), Tombstone>,
    /// What the store believes at present of each record that it has.
    pub(super) actual: BTreeMap<RecordId, Option<Content>>,
    pub(super) linked: BTreeMap<LinkKey, Link>,
}

/// Where heads are noted that the newest event does not tell.
pub(super) const HEADS: &str = "merge/heads";

pub(super) type Heads = BTreeMap<RecordId, BTreeSet<Stamp>>;

/// Reads a store.
pub fn load(read: &dyn Read) -> Result<State> {
    let mut state = State::default();
    let mut changes = Changes { read, known: BTreeMap::new() };
    let mut ids = Vec::new();
    read.each_record(&mut |id| {
        ids.push(id.clone());
        Ok(())
    })?;
    for id in ids {
        let versions = read.versions(&id)?;
        let current = versions.iter().find(|version| version.is_current());
        state.actual.insert(id.clone(), current.map(|version| version.content.clone()));
        let usage = read.usage(&id)?;
        if usage != Usage::default() {
            state.usage.insert(id.clone(), usage);
        }
        if let Some(record) = record(&versions, &mut changes)? {
            state.records.insert(id, record);
        }
    }
    links(&mut state, &mut changes)?;
    for stone in read.tombstones()? {
        state.stones.insert((stone.id.clone(), stone.content), stone);
    }
    let noted = read.bookmark(HEADS)?;
    let noted: Heads = noted.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    state.note_heads(noted);
    Ok(state)
}

/// Changes, looked up once each.
struct Changes<'r> {
    read: &'r dyn Read,
    known: BTreeMap<ChangeId, Change>,
}

impl Changes<'_> {
    fn get(&mut self, id: &ChangeId) -> Result<&Change> {
        if !self.known.contains_key(id) {
            let found = self.read.change(id)?;
            let found =
                found.ok_or_else(|| Error::Damaged(format!("the change `{id}` is missing")))?;
            self.known.insert(id.clone(), found);
        }
        Ok(&self.known[id])
    }

    fn is_merge(&mut self, id: &ChangeId) -> Result<bool> {
        Ok(self.get(id)?.verb == Verb::Merge)
    }

    fn stamp(&mut self, id: &ChangeId, k: u32) -> Result<Stamp> {
        Ok(Stamp { at: self.get(id)?.at, change: id.clone(), k })
    }
}

fn record(versions: &[Version], changes: &mut Changes<'_>) -> Result<Option<Record>> {
    let mut events: BTreeMap<Stamp, Option<Content>> = BTreeMap::new();
    for (at, version) in versions.iter().enumerate() {
        let next = versions.get(at + 1).map(|next| &next.change);
        let ended_by = match version.is_current() {
            true => None,
            false => changes.read.ended_by(&version.id, version.n)?,
        };
        let taken_back = ended_by.as_ref().filter(|ended_by| next != Some(*ended_by));
        // A version that its own change ended, with nothing after it, only carries that it ended.
        let only_ends = taken_back == Some(&version.change);
        if !only_ends && !changes.is_merge(&version.change)? {
            let same = events.keys().filter(|stamp| stamp.change == version.change);
            let k = u32::try_from(same.count()).unwrap_or(TAKEN_BACK - 1);
            events.insert(changes.stamp(&version.change, k)?, Some(version.content.clone()));
        }
        if let Some(by) = taken_back
            && !changes.is_merge(by)?
        {
            events.insert(changes.stamp(by, TAKEN_BACK)?, None);
        }
    }
    let Some(last) = events.keys().next_back().cloned() else { return Ok(None) };
    let kind = versions[0].kind();
    Ok(Some(Record { kind, events, heads: BTreeSet::from([last]) }))
}

fn links(state: &mut State, changes: &mut Changes<'_>) -> Result<()> {
    for link in changes.read.all_links()? {
        let key = (link.from.clone(), link.relation, link.to.clone());
        let ended_by = changes.read.link_ended_by(&link)?;
        if link.recorded.is_open() {
            state.linked.insert(key.clone(), link.clone());
        }
        let mut found = Vec::new();
        if !changes.is_merge(&link.change)? {
            found.push((changes.stamp(&link.change, 0)?, Some(link.clone())));
        }
        if let Some(by) = &ended_by
            && !changes.is_merge(by)?
        {
            found.push((changes.stamp(by, TAKEN_BACK)?, None));
        }
        if !found.is_empty() {
            state.links.entry(key).or_default().extend(found);
        }
    }
    for events in state.links.values_mut() {
        // A change that ended a link and made it anew has not ended it.
        let made: BTreeSet<ChangeId> = events
            .iter()
            .filter(|(_, link)| link.is_some())
            .map(|(stamp, _)| stamp.change.clone())
            .collect();
        events.retain(|stamp, link| link.is_some() || !made.contains(&stamp.change));
    }
    Ok(())
}

impl State {
    /// What is trusted here by somebody other than `person`, and not known to the other store as it
    /// is.
    pub fn trusted_by_others(&self, other: &State, person: &Actor) -> Vec<RecordId> {
        let is_strange = |(id, content): &(&RecordId, &Option<Content>)| {
            content.as_ref().is_some_and(|content| {
                content.trust() == Trust::Trusted
                    && content.provenance.writer != *person
                    && content.kind().is_memory()
                    && other.actual.get(*id).and_then(Option::as_ref) != Some(content)
            })
        };
        self.actual.iter().filter(is_strange).map(|(id, _)| id.clone()).collect()
    }

    fn note_heads(&mut self, noted: Heads) {
        for (id, heads) in noted {
            let settled: BTreeSet<Stamp> = heads
                .iter()
                .filter(|head| self.records.contains_key(&super::copies::quarrel(&id, head)))
                .cloned()
                .collect();
            let Some(record) = self.records.get_mut(&id) else { continue };
            let open = heads.into_iter().filter(|head| !settled.contains(head));
            record.heads.extend(open.filter(|head| record.events.contains_key(head)));
        }
    }

    pub(super) fn open_heads(&self) -> Heads {
        let several = self.records.iter().filter(|(_, record)| record.heads.len() > 1);
        several.map(|(id, record)| (id.clone(), record.heads.clone())).collect()
    }

    /// The scopes of all that is believed.
    pub fn levels(&self) -> BTreeSet<ScopeLevel> {
        self.actual.values().flatten().map(|content| content.scope.level).collect()
    }

    /// The fingerprint of all that the store knows and believes, whatever its rows are called: equal
    /// for stores that say the same.
    pub fn digest(&self) -> Digest {
        let mut parts: Vec<String> = Vec::new();
        for (id, record) in &self.records {
            for (stamp, content) in &record.events {
                parts.push(format!("event {id} {stamp:?} {}", told(content.as_ref())));
            }
            parts.push(format!("heads {id} {:?}", record.heads));
        }
        for (id, content) in &self.actual {
            if let Some(content) = content {
                let usage = self.usage.get(id).cloned().unwrap_or_default();
                parts.push(format!("believed {id} {} {usage:?}", told(Some(content))));
            }
        }
        for (key, link) in &self.linked {
            parts.push(format!("link {key:?} {:?}", link.strength));
        }
        parts.extend(self.stones.values().map(|stone| format!("stone {stone:?}")));
        Digest::of("state", parts.iter().map(String::as_bytes))
    }
}

fn told(content: Option<&Content>) -> String {
    content.map(|content| Value::Object(content.to_fields()).to_string()).unwrap_or_default()
}
