//! Forgetting, gently: what is over or was never needed goes into the archive, where it is still
//! found on request.

use super::act::{Act, What};
use super::promote::days_between;
use super::world::{Memory, SEMANTIC, World};
use mnemic_model::body::Body;
use mnemic_model::{Content, Kind, RecordId, Relation, Tier};
use std::collections::BTreeSet;

/// What decides whether a memory may step back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub tier: Tier,
    pub kept_by_person: bool,
    /// Days since it stopped being true, where it did.
    pub over_days: Option<i64>,
    pub ever_used: bool,
    pub unused_days: i64,
    /// A memory that holds was learnt from it or leads to it.
    pub referred_to: bool,
}

/// Why a memory steps back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    Over,
    NeverUsed,
}

/// What was just replaced still answers "what was it before?".
const OVER_DAYS: i64 = 30;
const NEVER_USED_DAYS: i64 = 90;

pub fn steps_back(standing: Standing) -> Option<Why> {
    if standing.kept_by_person || standing.tier == Tier::Archive || standing.referred_to {
        return None;
    }
    match standing.over_days {
        Some(days) => (days >= OVER_DAYS).then_some(Why::Over),
        None if standing.ever_used => None,
        None => (standing.unused_days >= NEVER_USED_DAYS).then_some(Why::NeverUsed),
    }
}

pub fn plan(world: &World) -> Vec<Act> {
    let lived = world.lived_until();
    let needed = referred_to(world);
    let candidates = world.memories().filter(|memory| memory.kind() != Kind::Contradiction);
    let acts = candidates.filter_map(|memory| {
        let Memory { content, usage, .. } = memory;
        let over = content.valid.to().filter(|end| *end <= world.now());
        let standing = Standing {
            tier: content.tier,
            kept_by_person: memory.is_kept_by_a_person(),
            over_days: over.map(|end| (lived.micros() - end.micros()).div_euclid(86_400_000_000)),
            ever_used: usage.last_used.is_some() || usage.referenced > 0,
            unused_days: days_between(memory, lived),
            referred_to: needed.contains(&memory.id),
        };
        let why = match steps_back(standing)? {
            Why::Over => "no longer true",
            Why::NeverUsed => "never used",
        };
        let told = format!("{}, {why}: {}", memory.id, content.body.title());
        let archived = Content { tier: Tier::Archive, ..content.clone() };
        Some(Act { what: What::Archived, told, effects: vec![memory.becomes(archived)] })
    });
    acts.collect()
}

/// What the memories that hold now rest on.
fn referred_to(world: &World) -> BTreeSet<RecordId> {
    let holding = || world.live().filter(|memory| SEMANTIC.contains(&memory.kind()));
    let mut needed = BTreeSet::new();
    for memory in holding() {
        needed.extend(memory.content.provenance.episodes.iter().cloned());
        if let Body::Pattern(pattern) = &memory.content.body {
            needed.extend(pattern.source_episodes.iter().cloned());
        }
    }
    let holding: BTreeSet<&RecordId> = holding().map(|memory| &memory.id).collect();
    let leads_to_it = |relation: &Relation| {
        !matches!(relation, Relation::Supersedes | Relation::SupersededBy | Relation::Contradicts)
    };
    let links =
        world.links().filter(|(from, relation, _)| leads_to_it(relation) && holding.contains(from));
    needed.extend(links.map(|(_, _, to)| to.clone()));
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_over_or_was_never_needed_steps_back() {
        let idle = Standing {
            tier: Tier::Reference,
            kept_by_person: false,
            over_days: None,
            ever_used: false,
            unused_days: 90,
            referred_to: false,
        };
        let over = Standing { over_days: Some(30), unused_days: 30, ever_used: true, ..idle };
        for (standing, expected) in [
            (idle, Some(Why::NeverUsed)),
            (Standing { unused_days: 89, ..idle }, None),
            (Standing { ever_used: true, ..idle }, None),
            (Standing { referred_to: true, ..idle }, None),
            (Standing { kept_by_person: true, ..idle }, None),
            (Standing { tier: Tier::Archive, ..idle }, None),
            (over, Some(Why::Over)),
            (Standing { over_days: Some(29), ..over }, None),
            (Standing { referred_to: true, ..over }, None),
            (Standing { kept_by_person: true, ..over }, None),
        ] {
            assert_eq!(steps_back(standing), expected, "{standing:?}");
        }
    }
}
