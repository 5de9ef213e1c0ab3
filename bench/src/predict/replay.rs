//! Goes through work in the order of time; at each step the past alone must say what comes.

use super::data::Work;
use super::past::Past;
use mnemic_engine::recall::predict::{INJECT_FROM, Prediction};
use std::collections::HashSet;
use std::time::Instant;

/// As many as are looked at and, where they are likely enough, injected.
pub(super) const SHOWN: usize = 5;
/// The first part of every history only fills the past.
const WARM_UP: f64 = 0.3;
/// Larger commits move or reformat; what one of their files says about the others is no question.
const LARGEST_COMMIT: usize = 30;
/// How far down the first right one is looked for.
const DEEPEST: usize = 100;

/// What is given of a work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// Each file in turn, of a commit: the others are to come.
    EachFile,
    /// All files up to each one, of a session: the later ones are to come. After the last nothing
    /// comes, and whatever is injected there is not used.
    EachStep,
}

impl Given {
    fn asks(self, files: usize) -> bool {
        match self {
            Given::EachFile => (2..=LARGEST_COMMIT).contains(&files),
            Given::EachStep => files > 0,
        }
    }
}

/// Where the right ones stood in one answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub(super) right: usize,
    /// The place of the first right one, from 1.
    pub(super) first: Option<usize>,
}

/// One question of a replay.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) given: usize,
    pub(super) to_come: usize,
    /// Files to come that were ever used before: the others cannot be named.
    pub(super) known: usize,
    pub(super) mnemic: Answer,
    pub(super) recency: Answer,
    pub(super) together: Answer,
    /// What was likely enough to be injected and was not yet, and whether it was used.
    pub(super) injected: Vec<bool>,
    /// The confidence of what was shown, and whether it came.
    pub(super) shown: Vec<(f64, bool)>,
    pub(super) millis: f64,
    /// The parts of every candidate, and whether it came; kept only for fitting.
    pub(super) candidates: Vec<(Prediction, bool)>,
}

/// The cases of every work after the warm-up.
pub(super) fn replay(works: &[Work], given: Given, for_fit: bool) -> Vec<Vec<Case>> {
    let mut past = Past::default();
    let warm = (works.len() as f64 * WARM_UP) as usize;
    let mut replayed = Vec::new();
    for (index, work) in works.iter().enumerate() {
        if index >= warm && given.asks(work.files.len()) {
            replayed.push(cases(&past, work, given, for_fit));
        }
        past.add(work);
    }
    replayed
}

fn cases(past: &Past, work: &Work, given: Given, for_fit: bool) -> Vec<Case> {
    let files: Vec<&str> = work.files.iter().map(String::as_str).collect();
    let mut injected = HashSet::new();
    let mut cases = Vec::new();
    for step in 0..files.len() {
        let (seen, rest) = match given {
            Given::EachStep => (files[..=step].to_vec(), files[step + 1..].to_vec()),
            Given::EachFile => {
                injected.clear();
                let others = files.iter().filter(|file| **file != files[step]);
                (vec![files[step]], others.copied().collect())
            }
        };
        cases.push(ask(past, work, &seen, &rest, &mut injected, for_fit));
    }
    cases
}

fn ask(
    past: &Past,
    work: &Work,
    seen: &[&str],
    rest: &[&str],
    injected: &mut HashSet<String>,
    for_fit: bool,
) -> Case {
    let started = Instant::now();
    let found = past.predict(work, seen);
    let millis = started.elapsed().as_secs_f64() * 1e3;
    let comes = |prediction: &Prediction| rest.contains(&&*prediction.thing.name);
    let shown = found.iter().take(SHOWN);
    let likely = shown.clone().filter(|prediction| prediction.confidence >= INJECT_FROM);
    let names: Vec<&str> = found.iter().take(DEEPEST).map(|one| &*one.thing.name).collect();
    Case {
        given: seen.len(),
        to_come: rest.len(),
        known: rest.iter().filter(|file| past.knows(file)).count(),
        mnemic: answer(&names, rest),
        recency: answer(&past.last_used(seen, DEEPEST), rest),
        together: answer(&past.most_together(seen, DEEPEST), rest),
        injected: likely
            .filter(|prediction| injected.insert(prediction.thing.name.to_string()))
            .map(comes)
            .collect(),
        shown: shown.map(|prediction| (prediction.confidence, comes(prediction))).collect(),
        millis,
        candidates: match for_fit {
            true => found.iter().map(|one| (one.clone(), comes(one))).collect(),
            false => Vec::new(),
        },
    }
}

fn answer(named: &[&str], rest: &[&str]) -> Answer {
    let right = named.iter().take(SHOWN).filter(|file| rest.contains(file)).count();
    Answer { right, first: named.iter().position(|file| rest.contains(file)).map(|at| at + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_engine::model::Timestamp;

    fn work(id: usize, files: &[&str]) -> Work {
        let at = Timestamp::from_micros(id as i64 * 86_400_000_000).expect("a small time");
        Work {
            id: id.to_string(),
            at,
            in_order: true,
            files: files.iter().map(|file| (*file).into()).collect(),
        }
    }

    #[test]
    fn only_the_past_is_known() {
        let works = [work(1, &["x"]), work(2, &["a", "b"]), work(3, &["a", "b", "c"])];
        let replayed = replay(&works, Given::EachFile, false);
        assert_eq!(replayed.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3]);
        assert!(replayed[0].iter().all(|case| case.known == 0 && case.mnemic.right == 0));
        let known: Vec<usize> = replayed[1].iter().map(|case| case.known).collect();
        assert_eq!(known, [1, 1, 2]);
        assert_eq!(replayed[1][0].mnemic.first, Some(1));
        assert_eq!(replayed[1][0].together.first, Some(1));
    }

    #[test]
    fn a_session_is_asked_at_each_step_and_injects_once() {
        let mut works: Vec<Work> = (1..20).map(|id| work(id, &["a", "b", "c"])).collect();
        works.push(work(20, &["a", "z", "b"]));
        let replayed = replay(&works, Given::EachStep, false);
        let last = replayed.last().expect("the last work is asked");
        assert_eq!(last.iter().map(|case| case.given).collect::<Vec<_>>(), [1, 2, 3]);
        let mut first = last[0].injected.clone();
        first.sort();
        assert_eq!(first, [false, true]);
        assert!(last[1].injected.is_empty());
    }
}
