//! Patterns from episodes that are alike: said in the episodes' own words, or not at all.

use super::act::{Act, Effect, What};
use super::cluster::{Everywhere, clusters, label, plain_words};
use super::deduplicate::{Likeness, add_new};
use super::evidence::{Decisions, Usual, approach, central, certainty, conditions};
use super::known::KnownPatterns;
use super::made::made;
use super::terms::Terms;
use super::wish::wish;
use super::world::{Memory, World, id_of};
use mnemic_model::body::{Body, Episode, Pattern};
use mnemic_model::{Content, Kind, RecordId, Scope, Unit, policy};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Days back in which episodes are looked at together with a new one.
const RECENT_DAYS: i64 = 30;

/// A pattern that is less certain is not stored.
pub const CERTAIN: f64 = 0.8;

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
    // What came in lately is news, however long ago it happened.
    let late = move |memory: &&Memory| memory.content.valid.from().max(memory.recorded_at) >= since;
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
    let terms: Vec<Rc<Terms>> = room.iter().map(|it| world.terms(&it.episode.goal)).collect();
    let meaning = |one: usize, other: usize| likeness(&room[one].memory.id, &room[other].memory.id);
    let everywhere = Everywhere::of(room.iter().flat_map(|trace| plain_words(&trace.episode.goal)));
    let decided = Decisions::of(world);
    let usual = Usual::of(room.iter().map(|trace| trace.episode));
    let mut acts = Vec::new();
    let known = KnownPatterns::of(world, &room[0].memory.content.scope);
    // All evidence for one pattern at once: it has one next version.
    let mut evidence: BTreeMap<&RecordId, (&Memory, Vec<&Trace<'_>>)> = BTreeMap::new();
    for cluster in clusters(&terms, Some(&meaning)) {
        let is_new = |at: &usize| changed.contains(&room[*at].memory.id);
        if !cluster.iter().any(is_new) {
            continue;
        }
        let members: Vec<&Trace<'_>> = cluster.iter().map(|at| &room[*at]).collect();
        let ids: Vec<&RecordId> = members.iter().map(|trace| &trace.memory.id).collect();
        match known.find(world, &ids, &terms[cluster[0]]) {
            Some(pattern) => {
                evidence.entry(&pattern.id).or_insert((pattern, Vec::new())).1.extend(members);
            }
            None if members.len() >= 2 => {
                acts.extend(drawn(world, &members, &everywhere, &decided, &usual))
            }
            None => {}
        }
    }
    let stronger = evidence.into_values();
    acts.extend(stronger.filter_map(|(pattern, members)| strengthened(world, pattern, &members)));
    acts
}

/// The same pattern with more evidence. A person's own is left alone, and what is trusted less
/// than the pattern is no evidence for it.
fn strengthened(world: &World, memory: &Memory, members: &[&Trace<'_>]) -> Option<Act> {
    let Body::Pattern(pattern) = &memory.content.body else { return None };
    if memory.is_kept_by_a_person() || !world.is_live(memory) {
        return None;
    }
    let known: BTreeSet<&RecordId> = pattern.source_episodes.iter().collect();
    let fit = members.iter().filter(|trace| {
        trace.memory.content.trust() <= memory.content.trust() && !known.contains(&trace.memory.id)
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

/// A new pattern, where it is certain enough and there is an approach to tell.
fn drawn(
    world: &World,
    members: &[&Trace<'_>],
    everywhere: &Everywhere,
    decided: &Decisions<'_>,
    usual: &Usual,
) -> Option<Act> {
    let episodes: Vec<&Episode> = members.iter().map(|trace| trace.episode).collect();
    let sure = certainty(&episodes);
    let ids: BTreeSet<&RecordId> = members.iter().map(|trace| &trace.memory.id).collect();
    if sure < CERTAIN {
        return None;
    }
    let wish = wish(&central(world, &episodes)?.goal)?;
    let approach = approach(decided, usual, &wish, &episodes, &ids);
    let statement = format!("To {wish}: {}", approach.first()?);
    let sources: Vec<RecordId> = members.iter().map(|trace| trace.memory.id.clone()).collect();
    let goals: Vec<&str> = episodes.iter().map(|episode| episode.goal.as_str()).collect();
    let label = label(&goals, everywhere, 3);
    let trust = policy::inherited_trust(members.iter().map(|it| it.memory.content.trust()));
    let scope = &members.first()?.memory.content.scope;
    let body = Body::Pattern(Pattern {
        statement,
        conditions: conditions(&episodes),
        // The statement has said the first of them.
        correct_approach: Some(approach.join("; ")).filter(|_| approach.len() > 1),
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
