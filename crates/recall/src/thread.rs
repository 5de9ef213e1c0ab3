//! Threads: what the turns of one conversation are worth together, lent to each of them.

use crate::candidate::Candidate;
use std::collections::HashMap;

/// A conversation in one of the stores.
type Thread = (usize, i64);

/// Turns behind this place say nothing for their thread.
const SPEAKING: usize = 30;

/// The thread of each candidate that is a turn of one.
pub(crate) fn threads(candidates: &[Candidate]) -> Vec<Option<Thread>> {
    let thread = |one: &Candidate| one.glance.turn.map(|turn| (one.spot.source, turn.thread));
    candidates.iter().map(thread).collect()
}

/// How well the turns of a candidate's thread together cover the question's terms, 0..1.
pub(crate) fn covered(candidates: &[Candidate]) -> Vec<f64> {
    let threads = threads(candidates);
    let mut cover: HashMap<Thread, Vec<f32>> = HashMap::new();
    for (one, thread) in candidates.iter().zip(&threads) {
        let Some(thread) = thread else { continue };
        let best = cover.entry(*thread).or_insert_with(|| vec![0.0; one.parts.len()]);
        for (best, part) in best.iter_mut().zip(&one.parts) {
            *best = best.max(*part);
        }
    }
    let sum = |parts: Vec<f32>| parts.iter().map(|part| f64::from(*part)).sum();
    let sums = cover.into_iter().map(|(thread, parts)| (thread, sum(parts))).collect();
    shares(&threads, &sums)
}

/// How far the turns of each one's thread stand above the usual candidate together, 0..1: what is
/// talked about at length is more likely meant than what is mentioned once.
pub(crate) fn carried(threads: &[Option<Thread>], values: &[f64]) -> Vec<f64> {
    let mut ordered = values.to_vec();
    ordered.sort_by(|a, b| b.total_cmp(a));
    let usual = ordered.get(SPEAKING - 1).or(ordered.last()).copied().unwrap_or_default();
    let mut sums: HashMap<Thread, f64> = HashMap::new();
    for (thread, value) in threads.iter().zip(values) {
        if let Some(thread) = thread {
            *sums.entry(*thread).or_default() += (value - usual).max(0.0);
        }
    }
    shares(threads, &sums)
}

/// Each one's thread, as a share of the best.
fn shares(threads: &[Option<Thread>], sums: &HashMap<Thread, f64>) -> Vec<f64> {
    let most = sums.values().copied().fold(0.0, f64::max);
    let share = |thread: &Option<Thread>| match thread {
        Some(thread) if most > 0.0 => sums[thread] / most,
        _ => 0.0,
    };
    threads.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_of_two_good_turns_carries_more_than_one_of_the_best() {
        let (ours, theirs) = (Some((0, 1)), Some((0, 2)));
        let threads = [ours, ours, theirs, None, theirs];
        let carried = carried(&threads, &[0.8, 0.7, 0.9, 0.95, 0.1]);
        let expected = [1.0, 1.0, 0.8 / 1.3, 0.0, 0.8 / 1.3];
        for (carried, expected) in carried.iter().zip(expected) {
            assert!((carried - expected).abs() < 1e-9, "{carried} and {expected}");
        }
    }

    #[test]
    fn the_same_thread_of_another_store_is_another() {
        let carried = carried(&[Some((0, 1)), Some((1, 1)), None], &[0.9, 0.5, 0.1]);
        for (carried, expected) in carried.iter().zip([1.0, 0.5, 0.0]) {
            assert!((carried - expected).abs() < 1e-9, "{carried} and {expected}");
        }
    }

    #[test]
    fn many_weak_turns_do_not_outweigh_a_good_one() {
        let mut threads = vec![Some((0, 1))];
        let mut values = vec![0.9];
        for _ in 0..100 {
            threads.push(Some((0, 2)));
            values.push(0.3);
        }
        assert_eq!(carried(&threads, &values)[..2], [1.0, 0.0]);
        assert!(carried(&[], &[]).is_empty());
        assert_eq!(carried(&[Some((0, 1))], &[0.5]), [0.0], "one alone is the usual");
    }
}
