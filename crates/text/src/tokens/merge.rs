//! Byte pair encoding: the neighbours with the lowest rank become one until no pair is a token.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::table::Table;

const NONE: u32 = u32::MAX;

/// Works on one piece after the other and keeps its room between them.
///
/// A piece of n bytes costs at most 3 n look-ups and as many steps on a heap, so a megabyte without
/// a space is no trap.
#[derive(Debug, Default)]
pub(super) struct Merger {
    /// Of a part that begins here: where it ends, where the one before begins, and the rank that it
    /// would have together with the one after.
    ends: Vec<usize>,
    before: Vec<usize>,
    joined: Vec<u32>,
    waiting: BinaryHeap<Reverse<(u32, usize)>>,
    /// How often the table was asked: what tests measure instead of time.
    pub(super) lookups: usize,
}

impl Merger {
    /// How many tokens a piece has.
    pub(super) fn count(&mut self, table: &Table, piece: &[u8]) -> usize {
        // Most pieces are words, most words are tokens.
        self.lookups += 1;
        match piece.len() {
            0 => 0,
            1 => 1,
            _ if table.rank(piece).is_some() => 1,
            _ => self.merge(table, piece),
        }
    }

    /// Where the first `tokens` tokens of a piece end.
    pub(super) fn end_of(&mut self, table: &Table, piece: &[u8], tokens: usize) -> usize {
        self.merge(table, piece);
        let mut at = 0;
        for _ in 0..tokens {
            at = self.ends.get(at).copied().unwrap_or(piece.len());
        }
        at
    }

    fn merge(&mut self, table: &Table, piece: &[u8]) -> usize {
        let length = piece.len();
        self.ends.clear();
        self.ends.extend(1..=length);
        self.before.clear();
        self.before.extend((0..length).map(|at| at.wrapping_sub(1)));
        self.joined.clear();
        self.joined.resize(length, NONE);
        self.waiting.clear();
        for start in 0..length.saturating_sub(1) {
            self.propose(table, piece, start);
        }
        let mut parts = length;
        while let Some(Reverse((rank, start))) = self.waiting.pop() {
            // One of the two has since become part of something else.
            if self.joined[start] != rank {
                continue;
            }
            parts -= 1;
            self.join(start);
            self.propose(table, piece, start);
            if start > 0 {
                self.propose(table, piece, self.before[start]);
            }
        }
        parts
    }

    fn join(&mut self, start: usize) {
        let middle = self.ends[start];
        let end = self.ends[middle];
        self.ends[start] = end;
        self.joined[middle] = NONE;
        if let Some(before) = self.before.get_mut(end) {
            *before = start;
        }
    }

    fn propose(&mut self, table: &Table, piece: &[u8], start: usize) {
        let end = self.ends.get(self.ends[start]).copied();
        self.lookups += 1;
        let rank = end.and_then(|end| table.rank(&piece[start..end]));
        self.joined[start] = rank.unwrap_or(NONE);
        if let Some(rank) = rank {
            self.waiting.push(Reverse((rank, start)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{CL100K, O200K};
    use super::*;

    #[test]
    fn the_work_grows_with_the_text_and_not_faster() {
        for table in [&O200K, &CL100K] {
            for unit in ["a", " ", "\n", "ab", "qzxj", "\u{301}", "日本", "=-"] {
                let piece = unit.repeat(20_000);
                let mut merger = Merger::default();
                merger.count(table, piece.as_bytes());
                assert!(merger.lookups <= 3 * piece.len() + 1, "{unit:?}: {}", merger.lookups);
            }
        }
    }
}
