//! Connecting what stands near: memories of like meaning, and the episodes of one task in order.

use super::act::{Act, Effect, What};
use super::near::{Sense, likeness, nearest};
use super::world::{Memory, SEMANTIC, World};
use mnemic_model::body::Body;
use mnemic_model::{Interval, Kind, RecordId, Relation, Scope, Unit};
use mnemic_store::{NewLink, Read, Result};
use std::collections::{BTreeMap, BTreeSet};

/// From this cosine on two memories are related.
const RELATED: f32 = 0.8;

/// Relations of one memory that are worth following.
const MOST: usize = 5;

pub fn plan(
    world: &World,
    changed: &BTreeSet<RecordId>,
    read: &dyn Read,
    sense: Sense<'_>,
) -> Result<Vec<Act>> {
    let mut acts = related(world, changed, read, sense)?;
    acts.extend(followed(world, changed));
    Ok(acts)
}

fn related(
    world: &World,
    changed: &BTreeSet<RecordId>,
    read: &dyn Read,
    sense: Sense<'_>,
) -> Result<Vec<Act>> {
    let cosine = likeness(read)?;
    let mut degrees = degrees(world);
    let mut linked: BTreeSet<(RecordId, RecordId)> =
        world.links().map(|(from, _, to)| ordered(from, to)).collect();
    let mut acts = Vec::new();
    let may_link = |memory: &&Memory| SEMANTIC.contains(&memory.kind()) && world.is_live(memory);
    for memory in changed.iter().filter_map(|id| world.get(id)).filter(may_link) {
        let text = memory.content.body.full_text();
        let near = nearest(read, memory, &text, SEMANTIC, world.now(), sense)?.into_keys();
        let mut near: Vec<(f32, RecordId)> = near
            .filter(|id| world.get(id).as_ref().is_some_and(may_link))
            .filter_map(|id| Some((cosine(&memory.id, &id).filter(|near| *near >= RELATED)?, id)))
            .collect();
        near.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        for (near, id) in near {
            let has_room = |id| degrees.get(id).copied().unwrap_or_default() < MOST;
            if !has_room(&memory.id) || !has_room(&id) || linked.contains(&ordered(&memory.id, &id))
            {
                continue;
            }
            let (from, to) = ordered(&memory.id, &id);
            for end in [&from, &to] {
                *degrees.entry(end.clone()).or_default() += 1;
            }
            linked.insert((from.clone(), to.clone()));
            // To a hundredth, so that the last digits of a cosine make no difference.
            let strength = Unit::new(f64::from((near * 100.0).round() / 100.0));
            acts.push(link(world, &from, Relation::RelatedTo, &to, strength.unwrap_or(Unit::ONE)));
        }
    }
    Ok(acts)
}

fn ordered(one: &RecordId, other: &RecordId) -> (RecordId, RecordId) {
    let (first, second) = if one < other { (one, other) } else { (other, one) };
    (first.clone(), second.clone())
}

/// How many relations each memory has already.
fn degrees(world: &World) -> BTreeMap<RecordId, usize> {
    let mut degrees = BTreeMap::new();
    for (from, _, to) in world.links().filter(|link| link.1 == Relation::RelatedTo) {
        for end in [from, to] {
            *degrees.entry(end.clone()).or_default() += 1;
        }
    }
    degrees
}

/// Each episode of a task leads to the next.
fn followed(world: &World, changed: &BTreeSet<RecordId>) -> Vec<Act> {
    let mut threads: BTreeMap<(&str, &Scope), Vec<&Memory>> = BTreeMap::new();
    for memory in world.memories().filter(|memory| memory.kind() == Kind::Episode) {
        if let Body::Episode(episode) = &memory.content.body
            && let Some(task) = episode.task_id.as_deref()
        {
            threads.entry((task, &memory.content.scope)).or_default().push(memory);
        }
    }
    let mut acts = Vec::new();
    for mut thread in threads.into_values() {
        thread.sort_by_key(|memory| (memory.content.valid.from(), &memory.id));
        for pair in thread.windows(2) {
            let [one, next] = [pair[0], pair[1]].map(|memory| &memory.id);
            let is_new = changed.contains(one) || changed.contains(next);
            if is_new && !world.has_link(one, Relation::FollowedBy, next) {
                acts.push(link(world, one, Relation::FollowedBy, next, Unit::ONE));
            }
        }
    }
    acts
}

fn link(world: &World, from: &RecordId, relation: Relation, to: &RecordId, strength: Unit) -> Act {
    let link = NewLink {
        from: from.clone(),
        to: to.clone(),
        relation,
        strength,
        valid: Interval::since(world.now()),
    };
    let told = format!("{from} {relation} {to}");
    Act { what: What::Linked, told, effects: vec![Effect::Link(link)] }
}
