//! Patterns from episodes that are alike: said in the episodes' own words, or not at all.

use super::act::{Act, Effect, What};
use super::cluster::{clusters, is_alike, label, plain_words, shared};
use super::deduplicate::{Likeness, add_new};
use super::made::made;
use super::world::{Memory, World, id_of};
use mnemic_model::body::{Body, Episode, Outcome, Pattern};
use mnemic_model::{Content, Kind, RecordId, Scope, Unit, policy};
use mnemic_text::normalise::loosened;
use mnemic_text::stems::recall_terms;
use std::collections::{BTreeMap, BTreeSet};

/// Days back in which episodes are looked at together with a new one.
const RECENT_DAYS: i64 = 30;

/// A pattern that is less certain is not stored.
const CERTAIN: f64 = 0.8;

/// Lines of one sort that a pattern takes over.
const MOST: usize = 5;

/// How sure a pattern is: by how many episodes show it, how different their tasks are, and how
/// they ended.
pub fn confidence(episodes: usize, tasks: usize, successes: usize) -> f64 {
    let number = episodes.max(1) as f64;
    let more = 0.05 * (episodes.saturating_sub(2).min(3)) as f64;
    let diversity = 0.1 * (tasks as f64 / number).min(1.0);
    let outcome = 0.2 * (successes as f64 / number - 0.5);
    // A hundredth, so that equal evidence gives equal bytes.
    ((0.7 + more + diversity + outcome).clamp(0.0, 0.99) * 100.0).round() / 100.0
}

/// One episode as it is compared.
struct Trace<'a> {
    memory: &'a Memory,
    episode: &'a Episode,
}

/// Patterns of everything new, together with what happened lately.
pub fn plan(world: &World, changed: &BTreeSet<RecordId>, likeness: Likeness<'_>) -> Vec<Act> {
    let mut rooms: BTreeMap<&Scope, Vec<Trace<'_>>> = BTreeMap::new();
    for trace in recent(world) {
        rooms.entry(&trace.memory.content.scope).or_default().push(trace);
    }
    let mut acts = Vec::new();
    for mut room in rooms.into_values() {
        if !room.iter().any(|trace| changed.contains(&trace.memory.id)) {
            continue;
        }
        room.sort_by_key(|trace| (trace.memory.content.valid.from(), &trace.memory.id));
        acts.extend(of_room(world, &room, changed, likeness));
    }
    acts
}

/// Episodes that ended somehow: a turn of a conversation has no end and teaches no approach.
fn recent(world: &World) -> impl Iterator<Item = Trace<'_>> {
    let since = world.now().plus_seconds(-RECENT_DAYS * 86_400);
    let late = move |memory: &&Memory| memory.content.valid.from() >= since;
    world.live().filter(late).filter_map(|memory| match &memory.content.body {
        Body::Episode(episode) if episode.outcome.is_some() => Some(Trace { memory, episode }),
        _ => None,
    })
}

fn of_room(
    world: &World,
    room: &[Trace<'_>],
    changed: &BTreeSet<RecordId>,
    likeness: Likeness<'_>,
) -> Vec<Act> {
    let terms: Vec<BTreeSet<String>> =
        room.iter().map(|trace| terms(&trace.episode.goal)).collect();
    let meaning = |one: usize, other: usize| likeness(&room[one].memory.id, &room[other].memory.id);
    let mut everywhere: BTreeMap<String, usize> = BTreeMap::new();
    for word in room.iter().flat_map(|trace| plain_words(&trace.episode.goal)) {
        *everywhere.entry(word).or_default() += 1;
    }
    let mut acts = Vec::new();
    // All evidence for one pattern at once: it has one next version.
    let mut evidence: BTreeMap<&RecordId, (&Memory, Vec<&Trace<'_>>)> = BTreeMap::new();
    for cluster in clusters(&terms, &meaning) {
        let is_new = |at: &usize| changed.contains(&room[*at].memory.id);
        if !cluster.iter().any(is_new) {
            continue;
        }
        let members: Vec<&Trace<'_>> = cluster.iter().map(|at| &room[*at]).collect();
        match known(world, &members, &terms[cluster[0]]) {
            Some(pattern) => {
                evidence.entry(&pattern.id).or_insert((pattern, Vec::new())).1.extend(members);
            }
            None if members.len() >= 2 => acts.extend(drawn(world, &members, &everywhere)),
            None => {}
        }
    }
    let stronger = evidence.into_values();
    acts.extend(stronger.filter_map(|(pattern, members)| strengthened(world, pattern, &members)));
    acts
}

fn terms(text: &str) -> BTreeSet<String> {
    recall_terms(text).into_iter().map(|(term, _)| term).collect()
}

/// The pattern that these episodes are evidence for already, whatever became of it: the one made
/// from some of them, else one that says the same; rather one that still serves.
fn known<'w>(
    world: &'w World,
    members: &[&Trace<'_>],
    leader: &BTreeSet<String>,
) -> Option<&'w Memory> {
    let scope = &members.first()?.memory.content.scope;
    let here = || world.memories().filter(|memory| memory.content.scope == *scope);
    let is_source = |memory: &&Memory| {
        let sources = sources(memory);
        members.iter().any(|trace| sources.contains(&trace.memory.id))
    };
    let says_the_same = |memory: &&Memory| {
        gist(world, memory).is_some_and(|gist| is_alike(shared(&gist, leader), || None))
    };
    let live = |memory: &&Memory| world.is_live(memory);
    let by_source = || here().filter(is_source);
    let by_words = || here().filter(says_the_same);
    let by_source = by_source().find(live).or_else(|| by_source().next());
    by_source.or_else(|| by_words().find(live)).or_else(|| by_words().next())
}

fn sources(memory: &Memory) -> &[RecordId] {
    match &memory.content.body {
        Body::Pattern(pattern) => &pattern.source_episodes,
        _ => &[],
    }
}

/// What new evidence must be like: the goal that led a pattern of ours, as no two leaders are
/// alike, and the statement of any other.
fn gist(world: &World, memory: &Memory) -> Option<BTreeSet<String>> {
    let Body::Pattern(pattern) = &memory.content.body else { return None };
    let leader = pattern.source_episodes.first().and_then(|id| world.get(id));
    match leader.map(|leader| &leader.content.body) {
        Some(Body::Episode(leader)) if memory.is_derived => Some(terms(&leader.goal)),
        _ => Some(terms(&pattern.statement)),
    }
}

/// The same pattern with more evidence. A person's own is left alone, and what is trusted less
/// than the pattern is no evidence for it.
fn strengthened(world: &World, memory: &Memory, members: &[&Trace<'_>]) -> Option<Act> {
    let Body::Pattern(pattern) = &memory.content.body else { return None };
    if memory.is_kept_by_a_person() || !world.is_live(memory) {
        return None;
    }
    let fit = members.iter().filter(|trace| {
        trace.memory.content.trust() <= memory.content.trust()
            && !pattern.source_episodes.contains(&trace.memory.id)
    });
    let new: Vec<RecordId> = fit.map(|trace| trace.memory.id.clone()).collect();
    if new.is_empty() {
        return None;
    }
    let mut pattern = pattern.clone();
    add_new(&mut pattern.source_episodes, &new);
    let mut content = memory.content.clone();
    add_new(&mut content.provenance.episodes, &new);
    let evidence = evidence(world, &pattern.source_episodes);
    let sure = Unit::new(certainty(&evidence)).unwrap_or(content.confidence);
    content.confidence = if sure > content.confidence { sure } else { content.confidence };
    content.body = Body::Pattern(pattern);
    let told = format!("{} by {} episodes: {}", memory.id, new.len(), memory.content.body.title());
    Some(Act { what: What::Strengthened, told, effects: vec![memory.becomes(content)] })
}

fn evidence<'w>(world: &'w World, ids: &[RecordId]) -> Vec<&'w Episode> {
    let found = ids.iter().filter_map(|id| world.get(id));
    let episodes = found.filter_map(|memory| match &memory.content.body {
        Body::Episode(episode) => Some(episode),
        _ => None,
    });
    episodes.collect()
}

fn certainty(episodes: &[&Episode]) -> f64 {
    // Without a name each is a task of its own.
    let named: BTreeSet<&str> = episodes.iter().filter_map(|it| it.task_id.as_deref()).collect();
    let nameless = episodes.iter().filter(|episode| episode.task_id.is_none()).count();
    let successes = episodes.iter().filter(|it| it.outcome == Some(Outcome::Success)).count();
    confidence(episodes.len(), named.len() + nameless, successes)
}

/// A new pattern, where it is certain enough and there is an approach to tell.
fn drawn(
    world: &World,
    members: &[&Trace<'_>],
    everywhere: &BTreeMap<String, usize>,
) -> Option<Act> {
    let episodes: Vec<&Episode> = members.iter().map(|trace| trace.episode).collect();
    let sure = certainty(&episodes);
    let approach = approach(world, members);
    if sure < CERTAIN || approach.is_empty() {
        return None;
    }
    let sources: Vec<RecordId> = members.iter().map(|trace| trace.memory.id.clone()).collect();
    let statement = central(&episodes)?.goal.clone();
    let goals: Vec<&str> = episodes.iter().map(|episode| episode.goal.as_str()).collect();
    let label = label(&goals, everywhere, 3);
    let trust = policy::inherited_trust(members.iter().map(|it| it.memory.content.trust()));
    let scope = &members.first()?.memory.content.scope;
    let body = Body::Pattern(Pattern {
        statement,
        conditions: conditions(&episodes),
        correct_approach: Some(approach.join("; ")),
        source_episodes: sources.clone(),
        ..Pattern::default()
    });
    let mut content = made(world, body, scope, trust, sources);
    content.confidence = Unit::new(sure).unwrap_or(Unit::HALF);
    content.levels.index = Some(label).filter(|label| !label.is_empty() && label.len() <= 200);
    let id = id_of(Kind::Pattern, &[members.first()?.memory.id.as_str()]);
    let told = format!("{} episodes to {id}: {}", members.len(), content.body.title());
    put_new(What::Generalised, told, id, content)
}

pub(super) fn put_new(what: What, told: String, id: RecordId, content: Content) -> Option<Act> {
    content.check().ok()?;
    let effects = vec![Effect::Put { id, base: None, content: Box::new(content) }];
    Some(Act { what, told, effects })
}

/// The episode that says best what all of them were about, of those that went well if any did.
fn central<'e>(episodes: &[&'e Episode]) -> Option<&'e Episode> {
    let all: Vec<BTreeSet<String>> = episodes.iter().map(|it| terms(&it.goal)).collect();
    let mut best: Option<(bool, f32, &Episode)> = None;
    for (episode, ours) in episodes.iter().zip(&all) {
        let well = episode.outcome == Some(Outcome::Success);
        let near: f32 = all.iter().map(|theirs| shared(ours, theirs)).sum();
        if best.is_none_or(|(good, most, _)| (well, near) > (good, most)) {
            best = Some((well, near, episode));
        }
    }
    best.map(|(_, _, episode)| episode)
}

/// What was done about it: resolutions first, then decisions, then actions that recur.
fn approach(world: &World, members: &[&Trace<'_>]) -> Vec<String> {
    let errors = members.iter().flat_map(|trace| &trace.episode.errors);
    let resolutions = errors.filter_map(|error| error.resolution.clone());
    let ids: BTreeSet<&RecordId> = members.iter().map(|trace| &trace.memory.id).collect();
    let decisions = world.live().filter_map(|memory| match &memory.content.body {
        Body::Decision(decision) if decision.active => {
            let told = memory.content.provenance.episodes.iter().any(|id| ids.contains(id));
            told.then(|| decision.decision.clone())
        }
        _ => None,
    });
    let said: Vec<String> = distinct(resolutions.chain(decisions));
    if said.is_empty() { recurring(members, actions) } else { said }
}

fn conditions(episodes: &[&Episode]) -> Vec<String> {
    let of = |episode: &Episode| -> Vec<String> {
        episode.constraints.iter().chain(&episode.files).cloned().collect()
    };
    recurring_in(episodes.iter().map(|episode| of(episode)).collect())
}

fn actions(episode: &Episode) -> Vec<String> {
    let well = episode.actions.iter().filter(|action| action.error.is_none());
    let told = well.map(|action| match &action.target {
        Some(target) => format!("{} {target}", action.action),
        None => action.action.clone(),
    });
    told.collect()
}

fn recurring(members: &[&Trace<'_>], of: impl Fn(&Episode) -> Vec<String>) -> Vec<String> {
    recurring_in(members.iter().map(|trace| of(trace.episode)).collect())
}

/// Lines that stand in at least two lists and in half of them, in the order of first appearance.
fn recurring_in(lists: Vec<Vec<String>>) -> Vec<String> {
    let enough = lists.len().div_ceil(2).max(2);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for list in &lists {
        let once: BTreeSet<String> = list.iter().map(|line| loosened(line)).collect();
        once.into_iter().for_each(|line| *counts.entry(line).or_default() += 1);
    }
    let often = |line: &String| counts.get(&loosened(line)).is_some_and(|n| *n >= enough);
    distinct(lists.into_iter().flatten().filter(often))
}

/// Each line once, whatever its case and spacing; at most so many.
fn distinct(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let new = lines.filter(|line| {
        let plain = loosened(line);
        !plain.is_empty() && seen.insert(plain)
    });
    new.take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_that_went_well_are_enough_and_failures_are_not() {
        for (episodes, tasks, successes, stored) in [
            (2, 2, 2, true),
            (2, 1, 2, true),
            (2, 2, 1, true),
            (2, 2, 0, false),
            (2, 1, 1, false),
            (5, 1, 3, true),
            (1, 1, 0, false),
        ] {
            let sure = confidence(episodes, tasks, successes);
            assert_eq!(sure >= CERTAIN, stored, "{episodes} {tasks} {successes}: {sure}");
        }
    }

    #[test]
    fn confidence_stays_within_bounds_and_grows_with_evidence() {
        for episodes in 1..40 {
            for successes in 0..=episodes {
                let sure = confidence(episodes, episodes, successes);
                assert!((0.0..=0.99).contains(&sure));
                assert!(confidence(episodes + 1, episodes + 1, successes + 1) >= sure);
            }
        }
    }

    #[test]
    fn what_recurs_is_told_once() {
        let list = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let lists = vec![list(&["a b", "c"]), list(&["A  b", "d"]), list(&["d", "e", "d"])];
        assert_eq!(recurring_in(lists), ["a b", "d"]);
    }
}
