//! Communities: notes that are linked more among each other than with the rest, named by the words
//! that tell them apart and summarised by those in their middle.

use super::super::act::Act;
use super::super::cluster::{Everywhere, label, plain_words};
use super::super::world::{Memory, SEMANTIC, World, claim};
use super::keep::{Group, kept};
use super::louvain::communities;
use mnemic_model::body::{Body, Community};
use mnemic_model::{Kind, RecordId, Relation, Scope, policy};
use std::collections::{BTreeMap, BTreeSet};

/// Two that belong together are a link, not a community.
const FEWEST: usize = 3;

/// Notes that a summary tells, and characters of each.
const TOLD: usize = 3;
const LONGEST: usize = 160;

/// Relations that say that two notes are about the same.
const BINDING: &[Relation] =
    &[Relation::RelatedTo, Relation::Elaborates, Relation::ExampleOf, Relation::Supports];

pub(super) fn plan(world: &World) -> Vec<Act> {
    let mut rooms: BTreeMap<&Scope, Vec<&Memory>> = BTreeMap::new();
    for memory in world.live().filter(|memory| SEMANTIC.contains(&memory.kind())) {
        rooms.entry(&memory.content.scope).or_default().push(memory);
    }
    let groups = rooms.into_values().flat_map(|room| of_room(world, &room)).collect();
    kept(world, Kind::Community, groups)
}

fn of_room(world: &World, room: &[&Memory]) -> Vec<Group> {
    let numbers: BTreeMap<&RecordId, usize> =
        room.iter().enumerate().map(|(number, memory)| (&memory.id, number)).collect();
    let edges: Vec<(usize, usize, f64)> = world
        .links()
        .filter(|(_, relation, _)| BINDING.contains(relation))
        .filter_map(|(from, _, to)| Some((*numbers.get(from)?, *numbers.get(to)?, 1.0)))
        .collect();
    let mut degrees = vec![0_usize; room.len()];
    for (one, other, _) in &edges {
        degrees[*one] += 1;
        degrees[*other] += 1;
    }
    let mut by_label: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, label) in communities(room.len(), &edges).into_iter().enumerate() {
        by_label.entry(label).or_default().push(number);
    }
    let said = room.iter().flat_map(|memory| plain_words(&claim(&memory.content.body)));
    let everywhere = Everywhere::of(said);
    let large = by_label.into_values().filter(|members| members.len() >= FEWEST);
    large.filter_map(|members| group(room, &members, &degrees, &everywhere)).collect()
}

fn group(
    room: &[&Memory],
    members: &[usize],
    degrees: &[usize],
    everywhere: &Everywhere,
) -> Option<Group> {
    let mut central: Vec<usize> = members.to_vec();
    central.sort_by_key(|number| (std::cmp::Reverse(degrees[*number]), *number));
    let claims: Vec<_> = central.iter().map(|number| claim(&room[*number].content.body)).collect();
    let texts: Vec<&str> = claims.iter().map(AsRef::as_ref).collect();
    let name = match label(&texts, everywhere, 3) {
        name if name.is_empty() => shortened(texts.first()?),
        name => name,
    };
    let told: Vec<String> = texts.iter().take(TOLD).map(|text| shortened(text)).collect();
    let description = format!("{} memories. {}", members.len(), told.join("; "));
    let all = members.iter().map(|number| room[*number]);
    let ids: BTreeSet<RecordId> = all.clone().map(|memory| memory.id.clone()).collect();
    Some(Group {
        body: Body::Community(Community { name, description: Some(description) }),
        scope: room[members[0]].content.scope.clone(),
        trust: policy::inherited_trust(all.map(|memory| memory.content.trust())),
        members: ids,
    })
}

pub(super) fn shortened(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line,
    }
}
