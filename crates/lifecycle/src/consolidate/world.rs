//! What consolidation looks at: everything believed now, read once and kept up with each act.

use super::act::{Act, Effect};
use mnemic_model::{
    At, Body, ChangeId, Content, Digest, Filter, Kind, RecordId, Relation, Tier, Timestamp, Trust,
    Usage, Verb, Version,
};
use mnemic_store::{NewLink, Read, Result};
use std::collections::{BTreeMap, BTreeSet};

/// One memory with what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    pub id: RecordId,
    pub n: u32,
    pub content: Content,
    /// When somebody last said or changed it; that consolidation did does not count.
    pub recorded_at: Timestamp,
    /// Nobody but consolidation ever wrote it.
    pub is_derived: bool,
    pub usage: Usage,
}

impl Memory {
    pub fn kind(&self) -> Kind {
        self.content.kind()
    }

    /// What a person wrote, vouched for or pinned stays as it is unless they are asked.
    pub fn is_kept_by_a_person(&self) -> bool {
        self.content.belongs_to_a_person() || self.content.pinned
    }

    /// When it last came in, changed or was used.
    pub fn touched_at(&self) -> Timestamp {
        self.usage.last_used.map_or(self.recorded_at, |used| used.max(self.recorded_at))
    }

    /// A next version of this memory.
    pub fn becomes(&self, content: Content) -> Effect {
        Effect::Put { id: self.id.clone(), base: Some(self.n), content: Box::new(content) }
    }
}

/// Kinds that say how things are, were chosen or work; an episode says what happened.
pub const SEMANTIC: &[Kind] =
    &[Kind::Fact, Kind::Decision, Kind::Pattern, Kind::AntiPattern, Kind::Skill];

/// Everything that is believed now.
#[derive(Debug, Clone, Default)]
pub struct World {
    memories: BTreeMap<RecordId, Memory>,
    links: BTreeSet<(RecordId, Relation, RecordId)>,
    now: Option<Timestamp>,
    /// The last thing that was written when this was read.
    pub seen: Option<Timestamp>,
}

impl World {
    pub fn read(read: &dyn Read) -> Result<World> {
        let kinds = SEMANTIC.iter().copied();
        let kinds = kinds.chain([Kind::Episode, Kind::Resource, Kind::Contradiction]).collect();
        let filter = Filter { kinds, ..Filter::new(At::LATEST) };
        let mut world = World {
            now: Some(read.now()?),
            seen: read.last_audit()?.map(|entry| entry.at),
            ..World::default()
        };
        let mut authors = Authors::default();
        for version in read.list(&filter)? {
            let (recorded_at, is_derived) = authors.last_word(read, &version)?;
            world.add(Memory {
                usage: read.usage(&version.id)?,
                recorded_at,
                is_derived,
                n: version.n,
                id: version.id,
                content: version.content,
            });
        }
        let links = read.all_links()?.into_iter().filter(|link| link.recorded.is_open());
        world.links = links.map(|link| (link.from, link.relation, link.to)).collect();
        Ok(world)
    }

    /// A world that was never stored, for trying a policy.
    pub fn of(memories: impl IntoIterator<Item = Memory>, now: Timestamp) -> World {
        let mut world = World { now: Some(now), ..World::default() };
        memories.into_iter().for_each(|memory| world.add(memory));
        world
    }

    fn add(&mut self, memory: Memory) {
        self.memories.insert(memory.id.clone(), memory);
    }

    pub fn now(&self) -> Timestamp {
        self.now.unwrap_or(Timestamp::EPOCH)
    }

    /// In the order of their ids.
    pub fn memories(&self) -> impl Iterator<Item = &Memory> {
        self.memories.values()
    }

    pub fn get(&self, id: &RecordId) -> Option<&Memory> {
        self.memories.get(id)
    }

    pub fn ids(&self) -> BTreeSet<RecordId> {
        self.memories.keys().cloned().collect()
    }

    /// What may serve and be compared: valid now, not archived, not quarantined.
    pub fn live(&self) -> impl Iterator<Item = &Memory> {
        self.memories().filter(|memory| self.is_live(memory))
    }

    pub fn is_live(&self, memory: &Memory) -> bool {
        memory.content.valid.contains(self.now())
            && memory.content.tier != Tier::Archive
            && memory.content.trust() != Trust::Quarantined
    }

    pub fn has_link(&self, from: &RecordId, relation: Relation, to: &RecordId) -> bool {
        self.links.contains(&(from.clone(), relation, to.clone()))
    }

    pub fn links(&self) -> impl Iterator<Item = &(RecordId, Relation, RecordId)> {
        self.links.iter()
    }

    /// The number that a version got when it was stored.
    pub fn number(&mut self, id: &RecordId, n: u32) {
        if let Some(memory) = self.memories.get_mut(id) {
            memory.n = n;
        }
    }

    /// Follows an act that was carried out, or would have been.
    pub fn absorb(&mut self, act: &Act) {
        for effect in &act.effects {
            match effect {
                Effect::Put { id, base, content } => {
                    let n = base.map_or(1, |n| n + 1);
                    let content = content.as_ref().clone();
                    let memory = match self.memories.remove(id) {
                        Some(before) => Memory { n, content, ..before },
                        None => Memory {
                            id: id.clone(),
                            n,
                            content,
                            recorded_at: self.now(),
                            is_derived: true,
                            usage: Usage::default(),
                        },
                    };
                    self.add(memory);
                }
                Effect::Link(NewLink { from, relation, to, .. }) => {
                    self.links.insert((from.clone(), *relation, to.clone()));
                }
                Effect::AddUsage { to, usage } => {
                    if let Some(memory) = self.memories.get_mut(to) {
                        memory.usage.join(usage);
                    }
                }
            }
        }
    }
}

/// Which changes are consolidation's own, asked once each.
#[derive(Default)]
struct Authors(BTreeMap<ChangeId, bool>);

impl Authors {
    fn is_ours(&mut self, read: &dyn Read, change: &ChangeId) -> Result<bool> {
        if let Some(ours) = self.0.get(change) {
            return Ok(*ours);
        }
        let ours = read.change(change)?.is_some_and(|change| change.verb == Verb::Consolidate);
        self.0.insert(change.clone(), ours);
        Ok(ours)
    }

    /// When somebody else last wrote a record, or when it was derived and that nobody else did.
    fn last_word(&mut self, read: &dyn Read, version: &Version) -> Result<(Timestamp, bool)> {
        if !self.is_ours(read, &version.change)? {
            return Ok((version.recorded.from(), false));
        }
        let versions = read.versions(&version.id)?;
        for earlier in versions.iter().rev() {
            if !self.is_ours(read, &earlier.change)? {
                return Ok((earlier.recorded.from(), false));
            }
        }
        let first = versions.first().unwrap_or(version);
        Ok((first.recorded.from(), true))
    }
}

/// The same evidence gives the same id, however often and by whomever it is found.
pub(super) fn id_of(kind: Kind, evidence: &[&str]) -> RecordId {
    let parts = evidence.iter().map(|part| part.as_bytes());
    let digest = Digest::of(kind.as_str(), parts);
    let mut bits = [0; 8];
    bits.copy_from_slice(&digest.0[..8]);
    RecordId::from_random(kind, u64::from_le_bytes(bits))
}

/// What a memory claims, in one text: not its reasons, which may name what was rejected.
pub(super) fn claim(body: &Body) -> String {
    match body {
        Body::Fact(fact) => format!("{} = {}", fact.key, fact.value),
        _ => body.title().to_owned(),
    }
}
