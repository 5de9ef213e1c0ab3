//! Connecting what stands near: memories of like meaning, patterns with their examples, and the
//! episodes of one piece of work in order.

use super::act::{Act, Effect, What};
use super::contradictions::known_pairs;
use super::graph;
use super::near::{Field, Neighbours, Sense, Vectors};
use super::relation::{elaborates, relation};
use super::world::{Memory, SEMANTIC, World};
use foldhash::{HashMap, HashSet};
use mnemic_model::body::Body;
use mnemic_model::{Interval, Kind, RecordId, Relation, Scope, Unit};
use mnemic_store::{NewLink, Read, Result};
use std::collections::{BTreeMap, BTreeSet};

/// From this cosine on two memories are related; where there are no vectors, from this share of
/// terms on.
const RELATED: f32 = 0.8;
const SAME_WORDS: f32 = 0.5;

/// Relations of one memory that are worth following.
const MOST: usize = 5;

pub fn plan(
    world: &World,
    changed: &BTreeSet<RecordId>,
    read: &dyn Read,
    sense: Sense<'_>,
) -> Result<Vec<Act>> {
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let mut acts = related(world, changed, read, sense)?;
    acts.extend(examples(world, changed));
    acts.extend(followed(world, changed));
    Ok(acts)
}

fn related(
    world: &World,
    changed: &BTreeSet<RecordId>,
    read: &dyn Read,
    sense: Sense<'_>,
) -> Result<Vec<Act>> {
    let vectors = Vectors::of_store(read)?;
    let mut degrees = degrees(world);
    let mut linked: HashSet<(&RecordId, &RecordId)> =
        world.links().map(|(from, _, to)| ordered(from, to)).collect();
    // What denies another neither supports nor elaborates it.
    linked.extend(known_pairs(world));
    let mut acts = Vec::new();
    let may_link = |memory: &&Memory| SEMANTIC.contains(&memory.kind()) && world.is_live(memory);
    let new = || changed.iter().filter_map(|id| world.get(id)).filter(may_link);
    let field = Field { read, sense, kinds: SEMANTIC, text: |body| body.full_text().into() };
    let neighbours = Neighbours::for_many(world, new().count(), field, &vectors);
    for memory in new() {
        let mut near: Vec<(f32, &Memory)> = neighbours
            .of(memory)?
            .into_iter()
            .filter(may_link)
            .filter_map(|other| Some((closeness(world, &vectors, memory, other)?, other)))
            .collect();
        near.sort_by(|one, two| two.0.total_cmp(&one.0).then_with(|| one.1.id.cmp(&two.1.id)));
        for (near, other) in near {
            let has_room = |id| degrees.get(id).copied().unwrap_or_default() < MOST;
            let pair = ordered(&memory.id, &other.id);
            if !has_room(pair.0) || !has_room(pair.1) || !linked.insert(pair) {
                continue;
            }
            for end in [pair.0, pair.1] {
                *degrees.entry(end).or_default() += 1;
            }
            let (from, relation, to) = relation(world, memory, other);
            // To a hundredth, so that the last digits of a cosine make no difference.
            let strength = Unit::new(f64::from((near * 100.0).round() / 100.0));
            acts.push(link(world, &from, relation, &to, strength.unwrap_or(Unit::ONE)));
        }
    }
    Ok(acts)
}

/// How near two memories are, if they are near enough.
fn closeness(world: &World, vectors: &Vectors<'_>, one: &Memory, other: &Memory) -> Option<f32> {
    let cosine = vectors.cosine(&one.id, &other.id);
    if let Some(near) = cosine.filter(|near| *near >= RELATED) {
        return Some(near);
    }
    let [ours, theirs] = [one, other].map(|it| world.terms_of(it));
    // Much detail draws a meaning away from what it details.
    if elaborates(&ours, &theirs) || elaborates(&theirs, &ours) {
        return Some(RELATED);
    }
    let by_words = cosine.is_none().then(|| ours.shared(&theirs));
    by_words.filter(|share| *share >= SAME_WORDS)
}

fn ordered<'w>(one: &'w RecordId, other: &'w RecordId) -> (&'w RecordId, &'w RecordId) {
    if one < other { (one, other) } else { (other, one) }
}

/// How many relations each memory has already.
fn degrees(world: &World) -> HashMap<&RecordId, usize> {
    let mut degrees = HashMap::default();
    const NEAR: &[Relation] = &[Relation::RelatedTo, Relation::Elaborates, Relation::ExampleOf];
    for (from, _, to) in world.links().filter(|link| NEAR.contains(&link.1)) {
        // Episodes have room of their own.
        if [from, to].iter().any(|id| world.get(id).is_some_and(|it| it.kind() == Kind::Episode)) {
            continue;
        }
        for end in [from, to] {
            *degrees.entry(end).or_default() += 1;
        }
    }
    degrees
}

/// The episodes that taught a pattern are examples of it.
fn examples(world: &World, changed: &BTreeSet<RecordId>) -> Vec<Act> {
    let mut acts = Vec::new();
    for memory in changed.iter().filter_map(|id| world.get(id)).filter(|it| world.is_live(it)) {
        let Body::Pattern(pattern) = &memory.content.body else { continue };
        let there = pattern.source_episodes.iter().filter(|id| world.get(id).is_some());
        for episode in there.take(MOST) {
            if !world.has_link(episode, Relation::ExampleOf, &memory.id) {
                acts.push(link(world, episode, Relation::ExampleOf, &memory.id, Unit::ONE));
            }
        }
    }
    acts
}

/// Each episode of a task leads to the next, and so does each of a longer piece of work.
fn followed(world: &World, changed: &BTreeSet<RecordId>) -> Vec<Act> {
    let mut threads: BTreeMap<(&str, &Scope), Vec<&Memory>> = BTreeMap::new();
    for memory in world.memories().filter(|memory| memory.kind() == Kind::Episode) {
        if let Body::Episode(episode) = &memory.content.body
            && let Some(task) = episode.task_id.as_deref()
        {
            threads.entry((task, &memory.content.scope)).or_default().push(memory);
        }
    }
    let mut chains: Vec<Vec<&Memory>> = threads.into_values().collect();
    for chain in &mut chains {
        chain.sort_by_key(|memory| (memory.content.valid.from(), &memory.id));
    }
    chains.extend(graph::threads(world));
    let next =
        chains.iter().flat_map(|chain| chain.windows(2)).map(|pair| (&pair[0].id, &pair[1].id));
    let is_new = |(one, next): &(&RecordId, &RecordId)| {
        let is_touched = changed.contains(*one) || changed.contains(*next);
        is_touched && !world.has_link(one, Relation::FollowedBy, next)
    };
    // Each once, and in the order in which the store keeps them: then it writes along.
    let new: BTreeSet<(&RecordId, &RecordId)> = next.filter(is_new).collect();
    let act = |(one, next)| link(world, one, Relation::FollowedBy, next, Unit::ONE);
    new.into_iter().map(act).collect()
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
