//! Which relation two memories of like meaning stand in.

use super::terms::Terms;
use super::world::{Memory, World};
use mnemic_model::body::Body;
use mnemic_model::{Kind, RecordId, Relation};
use std::collections::HashSet;

/// A text that holds so much of another, and so much more, elaborates it.
const HELD: f32 = 0.8;
const LONGER: f32 = 1.5;

/// Fewer words say too little to be elaborated.
const FEWEST: usize = 3;

/// The relation of two near memories, read from the first id to the second.
pub(super) fn relation(
    world: &World,
    one: &Memory,
    other: &Memory,
) -> (RecordId, Relation, RecordId) {
    let link = |from: &Memory, relation, to: &Memory| (from.id.clone(), relation, to.id.clone());
    if is_example(one, other) {
        return link(one, Relation::ExampleOf, other);
    }
    if is_example(other, one) {
        return link(other, Relation::ExampleOf, one);
    }
    let [ours, theirs] = [one, other].map(|memory| world.terms_of(memory));
    if elaborates(&ours, &theirs) {
        return link(one, Relation::Elaborates, other);
    }
    if elaborates(&theirs, &ours) {
        return link(other, Relation::Elaborates, one);
    }
    let (first, second) = if one.id < other.id { (one, other) } else { (other, one) };
    link(first, Relation::RelatedTo, second)
}

/// What was learnt from an episode that also showed a pattern is an example of it.
fn is_example(memory: &Memory, pattern: &Memory) -> bool {
    let Body::Pattern(body) = &pattern.content.body else { return false };
    let concrete = matches!(memory.kind(), Kind::Fact | Kind::Decision | Kind::AntiPattern);
    // Both lists grow with the store.
    let learnt_from = || memory.content.provenance.episodes.iter().collect::<HashSet<_>>();
    concrete && {
        let learnt_from = learnt_from();
        body.source_episodes.iter().any(|episode| learnt_from.contains(episode))
    }
}

/// Whether the first says all that the second does, and a good deal more.
pub(super) fn elaborates(longer: &Terms, shorter: &Terms) -> bool {
    let held = longer.common(shorter) as f32;
    shorter.len() >= FEWEST
        && held >= HELD * shorter.len() as f32
        && longer.len() as f32 >= LONGER * shorter.len() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_all_of_it_and_more_elaborates() {
        for (longer, shorter, does) in [
            ("deploy billing from main to Frankfurt at night", "deploy billing from main", true),
            ("deploy billing from main", "deploy billing from main to Frankfurt at night", false),
            ("deploy billing from main", "deploy billing from main", false),
            ("restart the mail server after each backup", "deploy billing from main", false),
            ("deploy the billing service to staging", "billing", false),
        ] {
            assert_eq!(
                elaborates(&Terms::of(longer), &Terms::of(shorter)),
                does,
                "{longer} | {shorter}"
            );
        }
    }
}
