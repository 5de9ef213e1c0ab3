//! What consolidation looks at: everything believed now, read once and kept up with each act.

use super::act::{Act, Effect};
use super::taken_back::TakenBack;
use super::terms::{KnownTerms, Terms};
use foldhash::HashMap;
use mnemic_model::{
    At, Body, ChangeId, Content, Digest, Filter, Kind, RecordId, Relation, Tier, Timestamp, Trust,
    Usage, Verb, Version,
};
use mnemic_store::{NewLink, Read, Result};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

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
    /// A person had the last word on it by an edit, whoever wrote it first.
    pub is_corrected: bool,
    pub usage: Usage,
}

impl Memory {
    pub fn kind(&self) -> Kind {
        self.content.kind()
    }

    /// What a person wrote, vouched for or pinned stays as it is unless they are asked.
    pub fn is_kept_by_a_person(&self) -> bool {
        self.is_a_persons() || self.content.pinned
    }

    /// A person wrote it, vouched for it or corrected it.
    pub fn is_a_persons(&self) -> bool {
        self.content.belongs_to_a_person() || self.is_corrected
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
    /// Communities and sagas: what is made of memories, and never compared with them.
    nodes: BTreeMap<RecordId, Memory>,
    links: BTreeSet<(RecordId, Relation, RecordId)>,
    taken_back: TakenBack,
    now: Option<Timestamp>,
    terms: KnownTerms,
    /// The terms of all that memories say, for those that were asked for.
    says: RefCell<HashMap<RecordId, Rc<Terms>>>,
    /// The last thing that was written when this was read.
    pub seen: Option<Timestamp>,
}

impl World {
    pub fn read(read: &dyn Read) -> Result<World> {
        let kinds = SEMANTIC.iter().copied();
        let kinds = kinds.chain([Kind::Episode, Kind::Resource, Kind::Contradiction]);
        let kinds = kinds.chain([Kind::Community, Kind::Saga]).collect();
        let filter = Filter { kinds, ..Filter::new(At::LATEST) };
        let mut world = World {
            now: Some(read.now()?),
            seen: read.last_audit()?.map(|entry| entry.at),
            taken_back: TakenBack::read(read)?,
            ..World::default()
        };
        world.take_in(read, read.list(&filter)?)?;
        let links = read.all_links()?.into_iter().filter(|link| link.recorded.is_open());
        world.links = links.map(|link| (link.from, link.relation, link.to)).collect();
        Ok(world)
    }

    /// These and all contradictions, without links: enough to find new contradictions.
    pub(super) fn read_some(read: &dyn Read, ids: &BTreeSet<RecordId>) -> Result<World> {
        let mut world = World {
            now: Some(read.now()?),
            seen: read.last_audit()?.map(|entry| entry.at),
            ..World::default()
        };
        let kinds = vec![Kind::Contradiction];
        let mut versions = read.list(&Filter { kinds, ..Filter::new(At::LATEST) })?;
        for id in ids {
            versions.extend(read.version(id, None)?);
        }
        world.take_in(read, versions)?;
        Ok(world)
    }

    fn take_in(&mut self, read: &dyn Read, versions: Vec<Version>) -> Result<()> {
        let mut authors = Authors::default();
        for version in versions {
            let LastWord { at, is_ours, is_correction } = authors.last_word(read, &version)?;
            self.add(Memory {
                usage: read.usage(&version.id)?,
                recorded_at: at,
                is_derived: is_ours,
                is_corrected: is_correction,
                n: version.n,
                id: version.id,
                content: version.content,
            });
        }
        Ok(())
    }

    /// A world that was never stored, for trying a policy.
    pub fn of(memories: impl IntoIterator<Item = Memory>, now: Timestamp) -> World {
        let mut world = World { now: Some(now), ..World::default() };
        memories.into_iter().for_each(|memory| world.add(memory));
        world
    }

    fn add(&mut self, memory: Memory) {
        self.says.get_mut().remove(&memory.id);
        self.shelf(memory.kind()).insert(memory.id.clone(), memory);
    }

    fn shelf(&mut self, kind: Kind) -> &mut BTreeMap<RecordId, Memory> {
        match kind {
            Kind::Community | Kind::Saga => &mut self.nodes,
            _ => &mut self.memories,
        }
    }

    /// Communities and sagas, in the order of their ids.
    pub fn nodes(&self) -> impl Iterator<Item = &Memory> {
        self.nodes.values()
    }

    pub fn node(&self, id: &RecordId) -> Option<&Memory> {
        self.nodes.get(id)
    }

    pub fn now(&self) -> Timestamp {
        self.now.unwrap_or(Timestamp::EPOCH)
    }

    /// What a text is compared by.
    pub(super) fn terms(&self, text: &str) -> Rc<Terms> {
        self.terms.of(text)
    }

    /// What all that a memory says is compared by.
    pub(super) fn terms_of(&self, memory: &Memory) -> Rc<Terms> {
        let known = self.says.borrow().get(&memory.id).cloned();
        known.unwrap_or_else(|| {
            let terms = self.terms(&memory.content.body.full_text());
            self.says.borrow_mut().insert(memory.id.clone(), terms.clone());
            terms
        })
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

    /// What was undone of earlier runs.
    pub(super) fn taken_back(&self) -> &TakenBack {
        &self.taken_back
    }

    pub fn has_link(&self, from: &RecordId, relation: Relation, to: &RecordId) -> bool {
        self.links.contains(&(from.clone(), relation, to.clone()))
    }

    pub fn links(&self) -> impl Iterator<Item = &(RecordId, Relation, RecordId)> {
        self.links.iter()
    }

    /// The number that a version got when it was stored.
    pub fn number(&mut self, id: &RecordId, n: u32) {
        let memory = self.memories.get_mut(id).or_else(|| self.nodes.get_mut(id));
        if let Some(memory) = memory {
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
                    let memory = match self.shelf(content.kind()).remove(id) {
                        Some(before) => Memory { n, content, ..before },
                        None => Memory {
                            id: id.clone(),
                            n,
                            content,
                            recorded_at: self.now(),
                            is_derived: true,
                            is_corrected: false,
                            usage: Usage::default(),
                        },
                    };
                    self.add(memory);
                }
                Effect::Link(NewLink { from, relation, to, .. }) => {
                    self.links.insert((from.clone(), *relation, to.clone()));
                }
                Effect::Unlink { from, relation, to } => {
                    self.links.remove(&(from.clone(), *relation, to.clone()));
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

/// Who said a thing last.
struct LastWord {
    at: Timestamp,
    /// Nobody but consolidation ever did.
    is_ours: bool,
    /// A person did, by an edit.
    is_correction: bool,
}

/// What a change was, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hand {
    Ours,
    Correction,
    Other,
}

/// Whose hand each change was, asked once each.
#[derive(Default)]
struct Authors(BTreeMap<ChangeId, Hand>);

impl Authors {
    fn hand(&mut self, read: &dyn Read, change: &ChangeId) -> Result<Hand> {
        if let Some(hand) = self.0.get(change) {
            return Ok(*hand);
        }
        let hand = match read.change(change)? {
            Some(change) if change.verb == Verb::Consolidate => Hand::Ours,
            Some(change) if change.verb == Verb::Edit && change.actor.is_human() => {
                Hand::Correction
            }
            _ => Hand::Other,
        };
        self.0.insert(change.clone(), hand);
        Ok(hand)
    }

    /// When somebody else last wrote a record, or when it was derived and that nobody else did.
    fn last_word(&mut self, read: &dyn Read, version: &Version) -> Result<LastWord> {
        let word = |at: Timestamp, hand: Hand| LastWord {
            at,
            is_ours: hand == Hand::Ours,
            is_correction: hand == Hand::Correction,
        };
        let hand = self.hand(read, &version.change)?;
        if hand != Hand::Ours {
            return Ok(word(version.recorded.from(), hand));
        }
        let versions = read.versions(&version.id)?;
        for earlier in versions.iter().rev() {
            let hand = self.hand(read, &earlier.change)?;
            if hand != Hand::Ours {
                return Ok(word(earlier.recorded.from(), hand));
            }
        }
        let first = versions.first().unwrap_or(version);
        Ok(word(first.recorded.from(), Hand::Ours))
    }
}

/// Whether a person had the last word on a record by an edit, whoever wrote it first.
pub fn is_corrected(read: &dyn Read, version: &Version) -> Result<bool> {
    Ok(Authors::default().last_word(read, version)?.is_correction)
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
pub(super) fn claim(body: &Body) -> Cow<'_, str> {
    match body {
        Body::Fact(fact) => format!("{} = {}", fact.key, fact.value).into(),
        _ => body.title().into(),
    }
}
