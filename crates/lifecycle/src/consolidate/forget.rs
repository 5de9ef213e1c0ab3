//! Forgetting, gently: what is over or was never needed goes into the archive, where it is still
//! found on request.

use super::act::{Act, What};
use super::promote::unused_days;
use super::world::{Memory, SEMANTIC, World};
use mnemic_model::body::{Body, Episode};
use mnemic_model::{Content, Kind, RecordId, Relation, Scope, Tier};
use std::collections::{BTreeMap, BTreeSet};

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

/// A conversation steps back as a whole or not at all: its turns explain one another, and the order
/// in which they are put away is the order in which they were said.
pub fn plan(world: &World) -> Vec<Act> {
    let needed = referred_to(world);
    let mut threads: BTreeMap<Thread<'_>, Vec<&Memory>> = BTreeMap::new();
    for memory in world.memories().filter(|memory| memory.kind() != Kind::Contradiction) {
        threads.entry(thread(memory)).or_default().push(memory);
    }
    let mut acts = Vec::new();
    for mut thread in threads.into_values() {
        thread.retain(|memory| memory.content.tier != Tier::Archive);
        thread.sort_by_key(|memory| (memory.content.valid.from(), &memory.id));
        let all = thread.iter().map(|memory| act(world, memory, &needed));
        acts.extend(all.collect::<Option<Vec<Act>>>().into_iter().flatten());
    }
    acts
}

/// What steps back together: the turns of a task, or one memory.
type Thread<'a> = (Option<(&'a str, &'a Scope)>, Option<&'a RecordId>);

fn thread(memory: &Memory) -> Thread<'_> {
    match &memory.content.body {
        Body::Episode(Episode { task_id: Some(task), .. }) => {
            (Some((task, &memory.content.scope)), None)
        }
        _ => (None, Some(&memory.id)),
    }
}

fn act(world: &World, memory: &Memory, needed: &BTreeSet<RecordId>) -> Option<Act> {
    let Memory { content, usage, .. } = memory;
    let now = world.now();
    let over = content.valid.to().filter(|end| *end <= now);
    let why = steps_back(Standing {
        tier: content.tier,
        kept_by_person: memory.is_kept_by_a_person(),
        over_days: over.map(|end| (now.micros() - end.micros()).div_euclid(86_400_000_000)),
        ever_used: usage.last_used.is_some() || usage.referenced > 0,
        unused_days: unused_days(memory, now),
        referred_to: needed.contains(&memory.id),
    })?;
    let why = match why {
        Why::Over => "no longer true",
        Why::NeverUsed => "never used",
    };
    let told = format!("{}, {why}: {}", memory.id, content.body.title());
    let archived = Content { tier: Tier::Archive, ..content.clone() };
    Some(Act { what: What::Archived, told, effects: vec![memory.becomes(archived)] })
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
