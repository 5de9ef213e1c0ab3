//! The best documents of one segment, found in windows of slots, reading as little as is safe.
//!
//! In each window the terms whose bounds together cannot reach the threshold are set aside: a
//! document that has only those cannot be among the best. The others are added up for the whole
//! window, and only documents that may still make it are looked up in the lists set aside.

use super::bm25::Formula;
use super::cursor::Cursor;
use super::segment::WordsSegment;
use crate::best::{Best, Scored};

/// Scores of a window stay in the first cache level.
const WINDOW: u32 = 4096;

/// A term that is looked for and the most that it can add, by falling `top`.
pub(super) struct Sought<'q> {
    pub(super) term: &'q str,
    pub(super) top: f32,
}

/// Decides, by facets and row, whether a document may be found.
pub(super) type Accept<'f> = &'f dyn Fn(u64, u64) -> bool;

pub(super) fn search_segment(
    segment: &WordsSegment,
    formula: Formula,
    sought: &[Sought<'_>],
    accept: Accept<'_>,
    best: &mut Best<()>,
) {
    let cursors: Vec<Cursor<'_>> = sought
        .iter()
        .filter_map(|sought| {
            let list = segment.list_of(sought.term)?;
            Some(Cursor::new(list, segment.lengths(), formula, sought.top))
        })
        .collect();
    let bounds = vec![0.0; cursors.len() + 1];
    let scores = vec![0.0; WINDOW as usize];
    let mut search = Search { segment, cursors, bounds, scores, accept, best };
    let mut base = 0;
    while base < segment.documents() && !search.cursors.is_empty() {
        let end = base.saturating_add(WINDOW);
        search.window(base, end);
        base = end;
    }
}

struct Search<'s, 'b> {
    segment: &'s WordsSegment,
    cursors: Vec<Cursor<'s>>,
    /// For each term what it and all after it can add in the present window; zero at the end.
    bounds: Vec<f32>,
    scores: Vec<f32>,
    accept: Accept<'b>,
    best: &'b mut Best<()>,
}

impl Search<'_, '_> {
    fn window(&mut self, base: u32, end: u32) {
        let mut reach = 0.0;
        for (index, cursor) in self.cursors.iter_mut().enumerate().rev() {
            reach += cursor.bound(base, end);
            self.bounds[index] = reach;
        }
        let needed = self.needed();
        let essential = self.bounds.iter().position(|&reach| reach < needed);
        // All bounds are at or above what is needed only while that is nothing at all.
        let essential = essential.unwrap_or(self.cursors.len());
        if essential == 0 || reach == 0.0 {
            return;
        }
        for cursor in &mut self.cursors[..essential] {
            cursor.add_up(base, end, &mut self.scores);
        }
        self.look_through(base, essential);
        self.scores.fill(0.0);
    }

    /// The threshold, lowered by what rounding may do to a sum of so many parts.
    fn needed(&self) -> f32 {
        let threshold = self.best.threshold();
        let rounding = (2 * self.cursors.len() + 8) as f32 * f32::EPSILON;
        threshold - threshold.abs() * rounding
    }

    fn look_through(&mut self, base: u32, essential: usize) {
        const LANES: usize = 16;
        let mut needed = self.needed();
        for line in 0..self.scores.len() / LANES {
            // No score is below zero, and one of zero has not been found.
            let lowest = (needed - self.bounds[essential]).max(f32::MIN_POSITIVE);
            let start = line * LANES;
            let scores = &self.scores[start..start + LANES];
            if !scores.iter().fold(false, |any, &score| any | (score >= lowest)) {
                continue;
            }
            for at in start..start + LANES {
                if self.scores[at] >= lowest {
                    self.consider(base + at as u32, self.scores[at], essential, needed);
                }
            }
            needed = self.needed();
        }
    }

    /// Adds what the terms set aside give, as long as the document can still make it.
    fn consider(&mut self, slot: u32, mut score: f32, essential: usize, needed: f32) {
        for index in essential..self.cursors.len() {
            if score + self.bounds[index] < needed {
                return;
            }
            score += self.cursors[index].part_at(slot);
        }
        let row = self.segment.row(slot);
        if self.best.would_take(score, row) && (self.accept)(self.segment.facets(slot), row) {
            self.best.put(Scored { score, row, what: () });
        }
    }
}
