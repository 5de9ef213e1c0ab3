//! What consolidation itself writes: by a tool, trusted no more than what it was made from.

use super::world::World;
use mnemic_model::content::GivenLevels;
use mnemic_model::{
    Actor, Author, Body, Content, Interval, Provenance, RecordId, Scope, Tier, Trust, Unit,
};
use std::collections::BTreeSet;

pub(super) fn made(
    world: &World,
    body: Body,
    scope: &Scope,
    trust: Trust,
    episodes: Vec<RecordId>,
) -> Content {
    Content {
        body,
        levels: GivenLevels::default(),
        tier: Tier::Reference,
        importance: Unit::HALF,
        confidence: Unit::HALF,
        tags: BTreeSet::new(),
        category: None,
        valid: Interval::since(world.now()),
        provenance: Provenance {
            writer: Actor::new(Author::Tool, "mnemic"),
            source: None,
            episodes,
            trust,
        },
        scope: scope.clone(),
        pinned: false,
        confirmed_by: None,
        extra: Default::default(),
    }
}
