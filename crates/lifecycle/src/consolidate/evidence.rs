//! What a pattern says and how sure it is, taken from the episodes that show it.

use super::cluster::plain_words;
use super::lesson::taught;
use super::terms::Terms;
use super::world::World;
use mnemic_model::RecordId;
use mnemic_model::body::{Body, Episode, Outcome};
use mnemic_text::levels::levels;
use mnemic_text::normalise::loosened;
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

/// Goals up to so many characters are stated as they are; of longer ones what they are about.
const LONGEST_GOAL: usize = 200;

/// Words of a goal that say something; with fewer, such as a bare command, nothing is learnt.
const FEWEST_WORDS: usize = 3;

/// A goal as something to read, where it says enough.
pub(super) fn stated(goal: &str) -> Option<String> {
    let says: BTreeSet<String> = plain_words(goal).into_iter().collect();
    if says.len() < FEWEST_WORDS {
        return None;
    }
    Some(match goal.chars().nth(LONGEST_GOAL) {
        Some(_) => levels(goal, None).summary,
        None => goal.to_owned(),
    })
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

/// What was done about it: resolutions first, then decisions, then actions that recur.
pub(super) fn approach(
    decided: &Decisions<'_>,
    episodes: &[&Episode],
    ids: &BTreeSet<&RecordId>,
) -> Vec<String> {
    let errors = episodes.iter().flat_map(|episode| &episode.errors);
    let resolutions = errors.filter_map(taught).map(|taught| taught.in_a_line());
    let said: Vec<String> = distinct(resolutions.chain(decided.learnt_from(ids)));
    let done = || recurring_in(episodes.iter().map(|episode| actions(episode)).collect());
    if said.is_empty() { done() } else { said }
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
    fn a_goal_is_stated_where_it_says_enough() {
        assert_eq!(stated("/pr-review 150"), None);
        assert_eq!(stated("fix it"), None);
        assert_eq!(stated("fix the flaky login"), Some("fix the flaky login".to_owned()));
        let long = format!("Move the login to OAuth. {}", "Then more. ".repeat(90));
        let stated = stated(&long).expect("enough words");
        assert!(stated.contains("OAuth") && stated.chars().count() <= 280, "{stated}");
    }

    #[test]
    fn what_recurs_is_told_once() {
        let list = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let lists = vec![list(&["a b", "c"]), list(&["A  b", "d"]), list(&["d", "e", "d"])];
        assert_eq!(recurring_in(lists), ["a b", "d"]);
    }
}
