//! Entities of captured episodes: each thing that they name, once, and who names it.

use super::act::{Act, Effect, What};
use super::made::made;
use super::world::{Memory, World, id_of};
use crate::extract::named;
use mnemic_model::body::{Body, Entity, EntityKind};
use mnemic_model::{At, Interval, Kind, RecordId, Relation, Unit};
use mnemic_store::{NewLink, Read, Result};
use std::collections::BTreeSet;

/// What these episodes name and are not linked with yet.
pub fn plan(read: &dyn Read, episodes: &BTreeSet<RecordId>) -> Result<Vec<Act>> {
    let world = World::read_some(read, episodes)?;
    let mut made = BTreeSet::new();
    let mut acts = Vec::new();
    for memory in episodes.iter().filter_map(|id| world.get(id)).filter(|it| world.is_live(it)) {
        let Body::Episode(episode) = &memory.content.body else { continue };
        let linked: BTreeSet<RecordId> = read
            .links(&memory.id, At::LATEST)?
            .into_iter()
            .filter(|link| link.relation == Relation::Mentions && link.from == memory.id)
            .map(|link| link.to)
            .collect();
        for (kind, name) in named(episode) {
            let Some((id, new)) = node(read, &world, memory, kind, &name)? else { continue };
            if linked.contains(&id) {
                continue;
            }
            let new = new.filter(|_| made.insert(id.clone()));
            acts.push(act(&world, memory, &id, new, &name));
        }
    }
    Ok(acts)
}

/// The entity of this name in the memory's room, and what would make it where there is none.
fn node(
    read: &dyn Read,
    world: &World,
    memory: &Memory,
    kind: EntityKind,
    name: &str,
) -> Result<Option<(RecordId, Option<Effect>)>> {
    let (scope, trust) = (&memory.content.scope, memory.content.trust());
    let body = Body::Entity(Entity {
        entity_kind: kind,
        name: name.to_owned(),
        aliases: Vec::new(),
        description: None,
    });
    let content = made(world, body, scope, trust, vec![memory.id.clone()]);
    let Some(slot) = content.slot().filter(|_| content.check().is_ok()) else { return Ok(None) };
    if let Some(held) = read.holders(&slot, scope, world.now())?.first() {
        return Ok(Some((held.id.clone(), None)));
    }
    let place = [scope.level.as_str(), scope.namespace.as_str(), scope.visibility.as_str()];
    let id = id_of(Kind::Entity, &[&place[..], &[kind.as_str(), name]].concat());
    let put = Effect::Put { id: id.clone(), base: None, content: Box::new(content) };
    Ok(Some((id, Some(put))))
}

fn act(world: &World, memory: &Memory, id: &RecordId, new: Option<Effect>, name: &str) -> Act {
    let link = Effect::Link(NewLink {
        from: memory.id.clone(),
        to: id.clone(),
        relation: Relation::Mentions,
        strength: Unit::ONE,
        valid: Interval::since(world.now()),
    });
    let effects = new.into_iter().chain([link]).collect();
    Act { what: What::Linked, told: format!("{} mentions {name}", memory.id), effects }
}
