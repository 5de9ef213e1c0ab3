//! Keeps groups of records as nodes with members: known again by whom they hold, changed when they
//! change, ended when they fall apart.

use super::super::act::{Act, Effect, What};
use super::super::made::made;
use super::super::world::{Memory, World, id_of};
use mnemic_model::{Body, Interval, Kind, RecordId, Relation, Scope, Trust, Unit};
use mnemic_store::NewLink;
use std::collections::{BTreeMap, BTreeSet};

/// A group as it should be.
pub(super) struct Group {
    pub(super) body: Body,
    pub(super) scope: Scope,
    pub(super) trust: Trust,
    pub(super) members: BTreeSet<RecordId>,
}

/// What has to be done so that there are exactly these groups of this kind.
pub(super) fn kept(world: &World, kind: Kind, mut groups: Vec<Group>) -> Vec<Act> {
    let held = held(world, kind);
    // The larger group has the first choice among those that were here.
    groups.sort_by(|one, other| {
        let size = other.members.len().cmp(&one.members.len());
        size.then_with(|| one.members.first().cmp(&other.members.first()))
    });
    let mut homes: BTreeMap<&RecordId, Vec<&RecordId>> = BTreeMap::new();
    for (id, members) in &held {
        members.iter().for_each(|member| homes.entry(member).or_default().push(id));
    }
    let mut taken = BTreeSet::new();
    let mut acts = Vec::new();
    for group in groups {
        let node = known(world, &held, &homes, &group, &taken);
        let id = match node {
            Some(node) => node.id.clone(),
            None => fresh(kind, &group),
        };
        let before = held.get(&id).cloned().unwrap_or_default();
        taken.insert(id.clone());
        acts.extend(change(world, id, &group, &before));
    }
    let gone = held.iter().filter(|(id, _)| !taken.contains(*id));
    acts.extend(gone.filter_map(|(id, members)| ended(world, world.node(id)?, members)));
    acts
}

/// Our own nodes of this kind with their members. What a person made or vouched for is theirs.
fn held(world: &World, kind: Kind) -> BTreeMap<RecordId, BTreeSet<RecordId>> {
    let ours = world
        .nodes()
        .filter(|node| node.kind() == kind && node.is_derived && !node.is_kept_by_a_person());
    let mut held: BTreeMap<RecordId, BTreeSet<RecordId>> =
        ours.map(|node| (node.id.clone(), BTreeSet::new())).collect();
    for (from, relation, to) in world.links() {
        if *relation == Relation::HasMember
            && let Some(members) = held.get_mut(from)
        {
            members.insert(to.clone());
        }
    }
    held
}

/// The node that held most of these members: at least half of its own or of theirs.
fn known<'w>(
    world: &'w World,
    held: &BTreeMap<RecordId, BTreeSet<RecordId>>,
    homes: &BTreeMap<&RecordId, Vec<&RecordId>>,
    group: &Group,
    taken: &BTreeSet<RecordId>,
) -> Option<&'w Memory> {
    let mut counts: BTreeMap<&RecordId, usize> = BTreeMap::new();
    for id in group.members.iter().filter_map(|member| homes.get(member)).flatten() {
        *counts.entry(id).or_default() += 1;
    }
    let mut best: Option<(usize, &RecordId)> = None;
    for (id, shared) in counts.into_iter().filter(|(id, _)| !taken.contains(*id)) {
        let Some(members) = held.get(id) else { continue };
        let enough = shared * 2 >= members.len().min(group.members.len()).max(1);
        if enough && best.is_none_or(|(most, _)| shared > most) {
            best = Some((shared, id));
        }
    }
    world.node(best?.1).filter(|node| node.content.scope == group.scope)
}

/// An id that follows from all members: those that are left when one is forgotten make another.
fn fresh(kind: Kind, group: &Group) -> RecordId {
    let ids: Vec<&str> = group.members.iter().map(RecordId::as_str).collect();
    id_of(kind, &ids)
}

fn change(world: &World, id: RecordId, group: &Group, before: &BTreeSet<RecordId>) -> Option<Act> {
    let mut effects = Vec::new();
    match world.node(&id) {
        Some(node) => {
            let mut content = node.content.clone();
            content.body = group.body.clone();
            content.provenance.trust = group.trust;
            if !content.valid.contains(world.now()) {
                content.valid = Interval::since(world.now());
            }
            if content != node.content {
                effects.push(node.becomes(content));
            }
        }
        None => {
            let content = made(world, group.body.clone(), &group.scope, group.trust, Vec::new());
            content.check().ok()?;
            effects.push(Effect::Put { id: id.clone(), base: None, content: Box::new(content) });
        }
    }
    effects.extend(group.members.difference(before).map(|to| member(world, &id, to)));
    effects.extend(before.difference(&group.members).map(|to| gone(&id, to)));
    let told = format!("{id} of {}: {}", group.members.len(), group.body.title());
    (!effects.is_empty()).then_some(Act { what: What::Grouped, told, effects })
}

fn ended(world: &World, node: &Memory, members: &BTreeSet<RecordId>) -> Option<Act> {
    let mut effects: Vec<Effect> = members.iter().map(|to| gone(&node.id, to)).collect();
    if node.content.valid.contains(world.now()) {
        let valid = Interval::new(node.content.valid.from(), Some(world.now())).ok()?;
        effects.push(node.becomes(node.content.valid_during(valid)));
    }
    let told = format!("{} fell apart: {}", node.id, node.content.body.title());
    (!effects.is_empty()).then_some(Act { what: What::Grouped, told, effects })
}

fn member(world: &World, node: &RecordId, to: &RecordId) -> Effect {
    Effect::Link(NewLink {
        from: node.clone(),
        to: to.clone(),
        relation: Relation::HasMember,
        strength: Unit::ONE,
        valid: Interval::since(world.now()),
    })
}

fn gone(node: &RecordId, to: &RecordId) -> Effect {
    Effect::Unlink { from: node.clone(), relation: Relation::HasMember, to: to.clone() }
}
