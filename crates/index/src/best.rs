//! The best of many scored rows: a bounded heap that knows what may still enter.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Ordered by score, then by row: of two that score alike the newer is better.
#[derive(Clone, Copy)]
pub(crate) struct Scored<T> {
    pub(crate) score: f32,
    pub(crate) row: u64,
    pub(crate) what: T,
}

impl<T> Ord for Scored<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(self.row.cmp(&other.row))
    }
}

impl<T> PartialOrd for Scored<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Scored<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Scored<T> {}

pub(crate) struct Best<T> {
    want: usize,
    worst_first: BinaryHeap<Reverse<Scored<T>>>,
}

impl<T> Best<T> {
    pub(crate) fn new(want: usize) -> Best<T> {
        // A caller may ask for "all" with a huge number; the heap grows as it is filled.
        let worst_first = BinaryHeap::with_capacity(want.min(1024) + 1);
        Best { want, worst_first }
    }

    /// What a score must reach to enter; a tie still enters if its row is newer.
    pub(crate) fn threshold(&self) -> f32 {
        if self.worst_first.len() < self.want {
            return f32::NEG_INFINITY;
        }
        self.worst_first.peek().map_or(f32::INFINITY, |worst| worst.0.score)
    }

    pub(crate) fn would_take(&self, score: f32, row: u64) -> bool {
        if self.worst_first.len() < self.want {
            return true;
        }
        self.worst_first.peek().is_some_and(|worst| {
            score.total_cmp(&worst.0.score).then(row.cmp(&worst.0.row)) == Ordering::Greater
        })
    }

    pub(crate) fn put(&mut self, scored: Scored<T>) {
        self.worst_first.push(Reverse(scored));
        if self.worst_first.len() > self.want {
            self.worst_first.pop();
        }
    }

    pub(crate) fn into_best_first(self) -> impl Iterator<Item = Scored<T>> {
        self.worst_first.into_sorted_vec().into_iter().map(|Reverse(scored)| scored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_best_and_of_ties_the_newer() {
        let mut best = Best::new(2);
        for (score, row) in [(1.0, 1), (2.0, 2), (1.0, 3), (2.0, 1)] {
            if best.would_take(score, row) {
                best.put(Scored { score, row, what: () });
            }
        }
        let kept: Vec<_> = best.into_best_first().map(|hit| (hit.score, hit.row)).collect();
        assert_eq!(kept, [(2.0, 2), (2.0, 1)]);
    }

    #[test]
    fn nothing_enters_when_nothing_is_wanted() {
        let best = Best::<()>::new(0);
        assert!(!best.would_take(1.0, 1));
        assert_eq!(best.threshold(), f32::INFINITY);
    }
}
