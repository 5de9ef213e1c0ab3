//! Notes learn from their neighbours: tags that most of them were given, and words that most of
//! them use. Only what was given counts, never what was learnt so, or labels would spread for ever.

use super::super::act::{Act, What};
use super::super::cluster::plain_words;
use super::super::world::{Memory, SEMANTIC, World, claim};
use mnemic_model::{Content, RecordId, Relation};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Tags that a note got from its neighbours. One that is gone from the tags was taken off by
/// somebody, and does not come back.
const LEARNT: &str = "learnt_tags";
const KEYWORDS: &str = "keywords";

/// Neighbours that must agree, and labels that a note learns at most.
const FEWEST: usize = 2;
const MOST: usize = 5;

const BINDING: &[Relation] = &[Relation::RelatedTo, Relation::Elaborates, Relation::ExampleOf];

pub(super) fn plan(world: &World) -> Vec<Act> {
    let mut near: BTreeMap<&RecordId, BTreeSet<&RecordId>> = BTreeMap::new();
    for (from, relation, to) in world.links() {
        if BINDING.contains(relation) {
            near.entry(from).or_default().insert(to);
            near.entry(to).or_default().insert(from);
        }
    }
    let is_note = |memory: &&Memory| SEMANTIC.contains(&memory.kind()) && world.is_live(memory);
    let refine = |(id, near): (&RecordId, BTreeSet<&RecordId>)| {
        let memory = world.get(id).filter(is_note)?;
        let near = near.into_iter().filter_map(|id| world.get(id)).filter(is_note);
        let near: Vec<&Memory> =
            near.filter(|other| other.content.scope == memory.content.scope).collect();
        refined(memory, &near)
    };
    near.into_iter().filter_map(refine).collect()
}

fn refined(memory: &Memory, near: &[&Memory]) -> Option<Act> {
    if memory.is_kept_by_a_person() || near.len() < FEWEST {
        return None;
    }
    let mut content = memory.content.clone();
    let mut learnt = listed(&content, LEARNT);
    let given = near.iter().map(|other| given_tags(&other.content));
    for tag in agreed(given, near.len()) {
        if learnt.len() < MOST && !content.tags.contains(&tag) && learnt.insert(tag.clone()) {
            content.tags.insert(tag);
        }
    }
    put(&mut content, LEARNT, &learnt);
    let own: BTreeSet<String> = plain_words(&content.body.full_text()).into_iter().collect();
    let words = near.iter().map(|other| {
        plain_words(&claim(&other.content.body)).into_iter().collect::<BTreeSet<String>>()
    });
    let new = agreed(words, near.len()).into_iter().filter(|word| !own.contains(word));
    put(&mut content, KEYWORDS, &new.take(MOST).collect());
    let told = format!("{} by {} neighbours", memory.id, near.len());
    let changed = content != memory.content && content.check().is_ok();
    changed.then(|| Act { what: What::Refined, told, effects: vec![memory.becomes(content)] })
}

/// What at least two and at least half of the neighbours have, the commonest first.
fn agreed(lists: impl Iterator<Item = BTreeSet<String>>, neighbours: usize) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for label in lists.flatten() {
        *counts.entry(label).or_default() += 1;
    }
    let enough = FEWEST.max(neighbours.div_ceil(2));
    let mut common: Vec<(usize, String)> = counts
        .into_iter()
        .filter(|(_, count)| *count >= enough)
        .map(|(label, count)| (count, label))
        .collect();
    common.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    common.into_iter().map(|(_, label)| label).collect()
}

fn given_tags(content: &Content) -> BTreeSet<String> {
    let learnt = listed(content, LEARNT);
    content.tags.difference(&learnt).cloned().collect()
}

fn listed(content: &Content, field: &str) -> BTreeSet<String> {
    let list = content.extra.get(field).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

fn put(content: &mut Content, field: &str, list: &BTreeSet<String>) {
    match list.is_empty() {
        true => content.extra.remove(field),
        false => content.extra.insert(field.to_owned(), json!(list)),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_and_half_of_them_must_agree() {
        let list = |text: &str| text.split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
        for (lists, expected) in [
            (vec!["db net", "db"], vec!["db"]),
            (vec!["db", "net", "ops"], vec![]),
            (vec!["db net", "db net", "db"], vec!["db", "net"]),
            (vec!["db", "db", "a", "b", "c"], vec![]),
        ] {
            let count = lists.len();
            let got = agreed(lists.iter().map(|text| list(text)), count);
            assert_eq!(got, expected, "{lists:?}");
        }
    }
}
