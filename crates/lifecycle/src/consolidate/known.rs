//! Patterns that are known already, found by what they were made from and by what they say.

use super::blocks::Blocks;
use super::cluster::{BY_WORDS, is_alike};
use super::terms::Terms;
use super::world::{Memory, World};
use mnemic_model::body::Body;
use mnemic_model::{RecordId, Scope};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The patterns of one room, whatever became of them: what was put away is not made again.
pub(super) struct KnownPatterns<'w> {
    by_source: BTreeMap<&'w RecordId, Vec<&'w Memory>>,
    patterns: Vec<&'w Memory>,
    /// Of each the terms that new evidence must be like.
    blocks: Blocks,
}

impl<'w> KnownPatterns<'w> {
    pub(super) fn of(world: &'w World, scope: &Scope) -> KnownPatterns<'w> {
        let mut known = KnownPatterns {
            by_source: BTreeMap::new(),
            patterns: Vec::new(),
            blocks: Blocks::default(),
        };
        for memory in world.memories().filter(|memory| memory.content.scope == *scope) {
            let Body::Pattern(pattern) = &memory.content.body else { continue };
            for source in &pattern.source_episodes {
                known.by_source.entry(source).or_default().push(memory);
            }
            known.blocks.add(&gist(world, memory));
            known.patterns.push(memory);
        }
        known
    }

    /// The pattern that these episodes are evidence for: the one made from some of them, else one
    /// that says the same; rather one that still serves.
    pub(super) fn find(
        &self,
        world: &World,
        episodes: &[&RecordId],
        leader: &Terms,
    ) -> Option<&'w Memory> {
        let made_of = episodes.iter().filter_map(|id| self.by_source.get(*id)).flatten().copied();
        let near = self.blocks.near(leader, BY_WORDS).into_iter();
        let like = near.filter(|number| is_alike(self.blocks.shared(*number, leader), || None));
        let like = like.map(|number| self.patterns[number]);
        first(world, made_of).or_else(|| first(world, like))
    }
}

/// The first that serves, else the first, in the order of ids.
fn first<'w>(world: &World, found: impl Iterator<Item = &'w Memory>) -> Option<&'w Memory> {
    found.min_by_key(|memory| (!world.is_live(memory), &memory.id))
}

/// Of a pattern of ours the goal that led it, as no two leaders are alike; of any other what it
/// states.
fn gist(world: &World, memory: &Memory) -> Rc<Terms> {
    let Body::Pattern(pattern) = &memory.content.body else { return Rc::default() };
    let leader = pattern.source_episodes.first().and_then(|id| world.get(id));
    match leader.map(|leader| &leader.content.body) {
        Some(Body::Episode(leader)) if memory.is_derived => world.terms(&leader.goal),
        _ => world.terms(&pattern.statement),
    }
}
