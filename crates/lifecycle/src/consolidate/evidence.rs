//! What a pattern says and how sure it is, taken from the episodes that show it.

use super::lesson::taught;
use super::terms::Terms;
use super::world::World;
use mnemic_model::RecordId;
use mnemic_model::body::{Body, Episode, Outcome};
use mnemic_text::normalise::loosened;
use mnemic_text::stems::recall_terms;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Episodes that are compared with one another for the most central one.
const LOOKED_AT: usize = 64;

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

/// How sure a pattern is that these episodes show.
pub(super) fn certainty(episodes: &[&Episode]) -> f64 {
    // Without a name each is a task of its own.
    let named: BTreeSet<&str> = episodes.iter().filter_map(|it| it.task_id.as_deref()).collect();
    let nameless = episodes.iter().filter(|episode| episode.task_id.is_none()).count();
    let successes = episodes.iter().filter(|it| it.outcome == Some(Outcome::Success)).count();
    confidence(episodes.len(), named.len() + nameless, successes)
}

/// The episode that says best what all of them were about, of those that went well if any did.
pub(super) fn central<'e>(world: &World, episodes: &[&'e Episode]) -> Option<&'e Episode> {
    // Of very many some stand for all.
    let step = episodes.len().div_ceil(LOOKED_AT).max(1);
    let episodes: Vec<&'e Episode> = episodes.iter().step_by(step).copied().collect();
    let all: Vec<Rc<Terms>> = episodes.iter().map(|it| world.terms(&it.goal)).collect();
    let mut best: Option<(bool, f32, &Episode)> = None;
    for (episode, ours) in episodes.iter().zip(&all) {
        let well = episode.outcome == Some(Outcome::Success);
        let near: f32 = all.iter().map(|theirs| ours.shared(theirs)).sum();
        if best.is_none_or(|(good, most, _)| (well, near) > (good, most)) {
            best = Some((well, near, episode));
        }
    }
    best.map(|(_, _, episode)| episode)
}

/// Decisions that hold, by the episodes that they were learnt from.
#[derive(Debug, Default)]
pub(super) struct Decisions<'w>(BTreeMap<&'w RecordId, Vec<(&'w RecordId, &'w str)>>);

impl<'w> Decisions<'w> {
    pub(super) fn of(world: &'w World) -> Decisions<'w> {
        let mut told: BTreeMap<&RecordId, Vec<(&RecordId, &str)>> = BTreeMap::new();
        for memory in world.live() {
            let Body::Decision(decision) = &memory.content.body else { continue };
            for episode in memory.content.provenance.episodes.iter().filter(|_| decision.active) {
                told.entry(episode).or_default().push((&memory.id, &decision.decision));
            }
        }
        Decisions(told)
    }

    /// Those of these episodes, each once, in the order of their ids.
    fn learnt_from(&self, ids: &BTreeSet<&RecordId>) -> impl Iterator<Item = String> + use<'_> {
        let found: BTreeMap<&RecordId, &str> =
            ids.iter().filter_map(|id| self.0.get(*id)).flatten().copied().collect();
        found.into_values().map(str::to_owned)
    }
}

/// What was done about it: resolutions first, then decisions, then commands that recur.
pub(super) fn approach(
    decided: &Decisions<'_>,
    usual: &Usual,
    wish: &str,
    episodes: &[&Episode],
    ids: &BTreeSet<&RecordId>,
) -> Vec<String> {
    let errors = episodes.iter().flat_map(|episode| &episode.errors);
    let resolutions = errors.filter_map(taught).map(|taught| taught.in_a_line());
    let said: Vec<String> = distinct(resolutions.chain(decided.learnt_from(ids)));
    if !said.is_empty() {
        return said;
    }
    let done = recurring_in(episodes.iter().map(|episode| actions(episode)).collect());
    let telling: Vec<String> =
        done.into_iter().filter(|step| usual.tells(step, wish, episodes.len())).collect();
    // Which files were opened is no approach: there must be something that was done.
    let is_deed = |step: &String| !EDITS.iter().any(|edit| step.starts_with(edit));
    if telling.iter().any(is_deed) { telling } else { Vec::new() }
}

/// Steps that look, and steps that change a file.
const LOOKS: &[&str] = &["read ", "search ", "use ", "list ", "view ", "open ", "find "];
const EDITS: &[&str] = &["edit ", "write ", "create "];

/// How often each step is taken in a room at all. Whatever is done in nearly every task, such as
/// running the tests, is the approach to none of them, unless it is what was wanted.
#[derive(Debug, Default)]
pub(super) struct Usual(BTreeMap<String, usize>);

impl Usual {
    pub(super) fn of<'e>(episodes: impl Iterator<Item = &'e Episode>) -> Usual {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for episode in episodes {
            let once: BTreeSet<String> =
                actions(episode).iter().map(|step| loosened(step)).collect();
            once.into_iter().for_each(|step| *counts.entry(step).or_default() += 1);
        }
        Usual(counts)
    }

    fn tells(&self, step: &str, wish: &str, members: usize) -> bool {
        if LOOKS.iter().any(|look| step.starts_with(look)) {
            return false;
        }
        let everywhere = self.0.get(&loosened(step)).copied().unwrap_or_default();
        let wanted: BTreeSet<String> =
            recall_terms(wish).into_iter().map(|(term, _)| term).collect();
        let names = recall_terms(step).iter().any(|(term, _)| wanted.contains(term));
        names || everywhere <= 2 * members
    }
}

pub(super) fn conditions(episodes: &[&Episode]) -> Vec<String> {
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
    use super::super::generalise::CERTAIN;
    use super::*;
    use mnemic_model::body::Action;

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

    fn did(steps: &[&str]) -> Episode {
        let action = |step: &&str| Action { action: (*step).to_owned(), ..Action::default() };
        Episode { actions: steps.iter().map(action).collect(), ..Episode::default() }
    }

    #[test]
    fn what_is_done_in_every_task_is_the_approach_to_none() {
        let release = || did(&["read notes.md", "run cargo test", "run make tag", "edit notes.md"]);
        let other = || did(&["run cargo test", "edit src/a.rs"]);
        let room = [release(), release(), other(), other(), other(), other(), other()];
        let usual = Usual::of(room.iter());
        let of = |wish: &str, episodes: &[&Episode]| {
            approach(&Decisions::default(), &usual, wish, episodes, &BTreeSet::new())
        };
        let both = [&room[0], &room[1]];
        assert_eq!(of("prepare the release", &both), ["run make tag", "edit notes.md"]);
        assert!(of("rename the crate", &[&room[2], &room[3]]).is_empty());
        assert_eq!(of("run all the tests", &[&room[2], &room[3]]), ["run cargo test"]);
    }

    #[test]
    fn what_recurs_is_told_once() {
        let list = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let lists = vec![list(&["a b", "c"]), list(&["A  b", "d"]), list(&["d", "e", "d"])];
        assert_eq!(recurring_in(lists), ["a b", "d"]);
    }
}
