//! Anti-patterns from errors and what resolved them, in the words of the episodes.

use super::act::{Act, What};
use super::deduplicate::add_new;
use super::generalise::put_new;
use super::lesson::{Taught, recognised, taught};
use super::made::made;
use super::world::{Memory, World, id_of};
use mnemic_model::body::{AntiPattern, Body};
use mnemic_model::{Kind, RecordId, Scope, Trust, Unit, policy};
use std::collections::{BTreeMap, BTreeSet};

/// The same error wherever it was met, with what resolved it first.
struct Lesson<'a> {
    taught: Taught,
    goal: &'a str,
    episodes: Vec<RecordId>,
    trust: Trust,
}

pub fn plan(world: &World, changed: &BTreeSet<RecordId>) -> Vec<Act> {
    let known = known(world);
    let lessons = lessons(world, changed).into_iter();
    lessons
        .filter_map(|((scope, error), lesson)| match known.get(&(scope, error.clone())) {
            Some(memory) => strengthened(world, memory, &lesson),
            None => warned(world, scope, &error, &lesson),
        })
        .collect()
}

/// How sure a lesson is that so many episodes taught.
pub fn confidence(episodes: usize) -> f64 {
    let more = episodes.saturating_sub(1).min(3) as f64;
    ((0.8 + 0.05 * more) * 100.0).round() / 100.0
}

type Room<'a> = (&'a Scope, String);

fn lessons<'w>(world: &'w World, changed: &BTreeSet<RecordId>) -> BTreeMap<Room<'w>, Lesson<'w>> {
    let mut lessons: BTreeMap<Room<'w>, Lesson<'w>> = BTreeMap::new();
    let mut new: Vec<&Memory> = world.live().filter(|it| changed.contains(&it.id)).collect();
    new.sort_by_key(|memory| (memory.content.valid.from(), &memory.id));
    for memory in new {
        let Body::Episode(episode) = &memory.content.body else { continue };
        for taught in episode.errors.iter().filter_map(taught) {
            let error = recognised(&taught.what_fails);
            let trust = memory.content.trust();
            let lesson = lessons.entry((&memory.content.scope, error)).or_insert(Lesson {
                taught,
                goal: &episode.goal,
                episodes: Vec::new(),
                trust,
            });
            lesson.trust = policy::inherited_trust([lesson.trust, trust]);
            add_new(&mut lesson.episodes, std::slice::from_ref(&memory.id));
        }
    }
    lessons
}

/// Anti-patterns by what they warn of, also those that were put away: they are not made again.
fn known(world: &World) -> BTreeMap<Room<'_>, &Memory> {
    let warnings = world.memories().filter_map(|memory| match &memory.content.body {
        Body::AntiPattern(warning) => {
            Some(((&memory.content.scope, recognised(&warning.what_fails)), memory))
        }
        _ => None,
    });
    warnings.collect()
}

fn strengthened(world: &World, memory: &Memory, lesson: &Lesson<'_>) -> Option<Act> {
    let mut content = memory.content.clone();
    let may = !memory.is_kept_by_a_person() && world.is_live(memory);
    if !may || lesson.trust > content.trust() {
        return None;
    }
    add_new(&mut content.provenance.episodes, &lesson.episodes);
    let sure = Unit::new(confidence(content.provenance.episodes.len())).unwrap_or(Unit::HALF);
    content.confidence = if sure > content.confidence { sure } else { content.confidence };
    if content == memory.content {
        return None;
    }
    let told = format!("{}: {}", memory.id, content.body.title());
    Some(Act { what: What::Strengthened, told, effects: vec![memory.becomes(content)] })
}

fn warned(world: &World, scope: &Scope, error: &str, lesson: &Lesson<'_>) -> Option<Act> {
    let body = Body::AntiPattern(AntiPattern {
        what_fails: lesson.taught.what_fails.clone(),
        why: None,
        prevention: Some(lesson.taught.prevention.clone()),
        learnt_from: Some(lesson.goal.to_owned()),
    });
    let place = [scope.level.as_str(), scope.namespace.as_str(), scope.visibility.as_str(), error];
    let id = id_of(Kind::AntiPattern, &place);
    let mut content = made(world, body, scope, lesson.trust, lesson.episodes.clone());
    content.confidence = Unit::new(confidence(lesson.episodes.len())).unwrap_or(Unit::HALF);
    let told = format!("{id}: {}", content.body.title());
    put_new(What::Warned, told, id, content)
}
