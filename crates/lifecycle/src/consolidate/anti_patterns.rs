//! Anti-patterns from errors and what resolved them, in the words of the episodes.

use super::act::{Act, What};
use super::deduplicate::add_new;
use super::generalise::put_new;
use super::made::made;
use super::world::{Memory, World, id_of};
use mnemic_model::body::{AntiPattern, Body, Failure};
use mnemic_model::{Kind, RecordId, Scope, Trust, Unit, policy};
use mnemic_text::normalise::loosened;
use std::collections::{BTreeMap, BTreeSet};

/// Longer messages are logs, not something to recognise an error by.
const LONGEST: usize = 1_000;

/// The same error wherever it was met, with what resolved it first.
struct Lesson<'a> {
    failure: &'a Failure,
    resolution: &'a str,
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

/// What happened, as a sentence that can stand alone.
fn what_fails(failure: &Failure) -> String {
    let message = failure.message.trim();
    match failure.error_type.trim() {
        "" => message.to_owned(),
        // Capture writes a command in backticks and then what it said.
        COMMAND => message.replacen("`: ", "` failed: ", 1),
        kind => format!("{kind}: {message}"),
    }
}

/// What capture calls a failure of a command.
const COMMAND: &str = "command";

/// What an error is known again by, however it was worded.
fn recognised(what_fails: &str) -> String {
    let bare = what_fails.trim().strip_prefix("command: ").unwrap_or(what_fails);
    loosened(&bare.replacen("` failed: ", "`: ", 1))
}

/// What resolved it, as something to do.
fn advice(resolution: &str) -> String {
    if let Some(files) = resolution.strip_prefix("succeeded after editing ") {
        return format!("edit {files}, then run it again");
    }
    match resolution {
        "succeeded when run again" => "run it again: it succeeded the second time".to_owned(),
        other => other.to_owned(),
    }
}

type Room<'a> = (&'a Scope, String);

fn lessons<'w>(world: &'w World, changed: &BTreeSet<RecordId>) -> BTreeMap<Room<'w>, Lesson<'w>> {
    let mut lessons: BTreeMap<Room<'w>, Lesson<'w>> = BTreeMap::new();
    let mut new: Vec<&Memory> = world.live().filter(|it| changed.contains(&it.id)).collect();
    new.sort_by_key(|memory| (memory.content.valid.from(), &memory.id));
    for memory in new {
        let Body::Episode(episode) = &memory.content.body else { continue };
        for failure in &episode.errors {
            let resolution = failure.resolution.as_deref().map(str::trim).unwrap_or_default();
            let error = recognised(&what_fails(failure));
            if resolution.is_empty() || error.is_empty() || failure.message.len() > LONGEST {
                continue;
            }
            let trust = memory.content.trust();
            let lesson = lessons.entry((&memory.content.scope, error)).or_insert(Lesson {
                failure,
                resolution,
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
        what_fails: what_fails(lesson.failure),
        why: None,
        prevention: Some(advice(lesson.resolution)),
        learnt_from: Some(lesson.goal.to_owned()),
    });
    let place = [scope.level.as_str(), scope.namespace.as_str(), scope.visibility.as_str(), error];
    let id = id_of(Kind::AntiPattern, &place);
    let mut content = made(world, body, scope, lesson.trust, lesson.episodes.clone());
    content.confidence = Unit::new(confidence(lesson.episodes.len())).unwrap_or(Unit::HALF);
    let told = format!("{id}: {}", content.body.title());
    put_new(What::Warned, told, id, content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(error_type: &str, message: &str) -> Failure {
        Failure { error_type: error_type.to_owned(), message: message.to_owned(), resolution: None }
    }

    #[test]
    fn failures_read_as_sentences() {
        for (kind, message, expected) in [
            ("command", "`cargo test`: error[E0432]", "`cargo test` failed: error[E0432]"),
            ("command", "no such file", "no such file"),
            ("TypeError", "x is not a function", "TypeError: x is not a function"),
            ("", " disk full ", "disk full"),
        ] {
            assert_eq!(what_fails(&failure(kind, message)), expected);
        }
        for (resolution, expected) in [
            ("succeeded after editing a.rs, b.rs", "edit a.rs, b.rs, then run it again"),
            ("succeeded when run again", "run it again: it succeeded the second time"),
            ("pin the version", "pin the version"),
        ] {
            assert_eq!(advice(resolution), expected);
        }
    }

    #[test]
    fn an_error_is_known_again_in_older_words() {
        let now = recognised(&what_fails(&failure("command", "`cargo test`: error[E0432]")));
        assert_eq!(recognised("command: `cargo test`: error[E0432]"), now);
        assert_eq!(recognised("`cargo test` failed: error[E0432]"), now);
        assert_ne!(recognised("`cargo test` failed: error[E0433]"), now);
    }
}
