//! Search over several segments of meaning as if they were one.

use super::candidates::{Candidate, Candidates};
use super::codes::LANES;
use super::query::Query;
use super::scan::{Scan, Tables, dot, will_read};
use super::segment::{Cell, MeaningSegment};
use crate::best::{Best, Scored};
use foldhash::{HashSet, HashSetExt};
use std::ops::{Range, RangeInclusive};

/// A vector that was found, with the row it belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    pub row: u64,
    pub owner: u64,
    /// The cosine, as the stored vectors have unit length.
    pub score: f32,
}

/// How many vectors ahead to ask memory for while candidates are compared.
const AHEAD: usize = 12;

/// How many times as many vectors are looked at where some of a sample may not be taken, and where
/// nearly none may.
const WIDER: usize = 8;
const WIDEST: usize = 64;

/// How many estimates to check exactly for each wanted hit, and at least: on real sentence
/// vectors the true ten best of a million are among the 400 best estimates.
const CHECKED_PER_HIT: usize = 8;
const CHECKED_AT_LEAST: usize = 400;

/// How much nearer to the query than their mean the vectors of a cell may be expected to lie, as a
/// share of their spread. What a question asks in contrast to the store is spread more evenly than
/// the vectors are, and needs more of it than the question as it is (.29). Once a cell promises less
/// than all estimates that are kept, what is left is passed by: see `docs/benchmarks.md` for what is
/// found and what is saved.
const REACH: f32 = 0.34;

/// Facets and score of each vector of one owner.
pub type Scores = Vec<(u64, f32)>;

/// Decides by its facets whether a vector may be found.
type Accept<'f> = &'f dyn Fn(u64) -> bool;

/// No row lies in two of the segments. Segments of other dimensions than the query are passed by.
#[derive(Debug)]
pub struct MeaningSearch<'a> {
    segments: Vec<&'a MeaningSegment>,
}

impl<'a> MeaningSearch<'a> {
    pub fn new(segments: Vec<&'a MeaningSegment>) -> MeaningSearch<'a> {
        MeaningSearch { segments }
    }

    /// The `want` vectors nearest to the query that `accept` (asked with facets, only for
    /// promising ones) lets pass. Best first, of equals the newer. Estimates choose, exact
    /// scores rank; that one of the best is missed is rare. The query may have any length.
    pub fn best(&self, query: &[f32], want: usize, accept: Accept<'_>) -> Vec<Hit> {
        let query = Query::new(query);
        let slots = self.promising(&query, want, accept);
        self.ranked(&query, self.fetched(slots), want)
    }

    /// As [`best`](Self::best), with the nearest vector of each owner alone, and whether there are
    /// no more: it answers with fewer than there are when the nearest belong to a few owners.
    pub fn best_owners(&self, query: &[f32], want: usize, accept: Accept<'_>) -> (Vec<Hit>, bool) {
        let query = Query::new(query);
        let slots = self.promising(&query, want, accept);
        let looked_at = slots.len();
        let mut seen = HashSet::with_capacity(looked_at);
        let mut hits = self.ranked(&query, self.fetched(slots), looked_at);
        hits.retain(|hit| seen.insert(hit.owner));
        let is_all = looked_at < checked(want) && hits.len() <= want;
        hits.truncate(want);
        (hits, is_all)
    }

    /// Segment and slot of those with the best estimates.
    fn promising(&self, query: &Query, want: usize, accept: Accept<'_>) -> Vec<(u32, u32)> {
        let accept = |one: &Candidate| accept(self.segments[one.segment as usize].facets(one.slot));
        let mut candidates = Candidates::new(checked(want), &accept);
        for (index, segment) in self.matching(query.unit.len()) {
            let mut gathering = Gathering { segment, index, candidates: &mut candidates };
            match segment.codes().is_empty() {
                true => gathering.compare_all(query),
                false => gathering.scan(query),
            }
        }
        candidates.finish().into_iter().map(|found| (found.segment, found.slot)).collect()
    }

    /// The slots one after the other, each asked for well before its turn.
    fn fetched(&self, slots: Vec<(u32, u32)>) -> impl Iterator<Item = (u32, u32)> {
        asked_ahead(slots, |&(index, slot)| {
            will_read(self.segments[index as usize].components(slot));
        })
    }

    /// As [`best`](Self::best), comparing every vector: for small sets, and to check the other.
    pub fn exact(&self, query: &[f32], want: usize, accept: Accept<'_>) -> Vec<Hit> {
        let query = Query::new(query);
        let slots = self.matching(query.unit.len()).flat_map(|(index, segment)| {
            let accepted = move |slot: &u32| accept(segment.facets(*slot));
            (0..segment.len()).filter(accepted).map(move |slot| (index, slot))
        });
        self.ranked(&query, slots, want)
    }

    /// The best score over the vectors of an owner; `None` if it has none.
    pub fn score_of_owner(&self, query: &[f32], owner: u64) -> Option<f32> {
        let query = Query::new(query);
        self.matching(query.unit.len())
            .flat_map(|(_, segment)| {
                segment.slots_of_owner(owner).map(|slot| score(segment, slot, &query))
            })
            .filter(|score| score.is_finite())
            .max_by(f32::total_cmp)
    }

    /// For each query, facets and score of every vector of each of these owners. Together the queries
    /// cost little more than one: most of the time goes into getting at the vectors.
    pub fn scores_of_owners(&self, queries: &[&[f32]], owners: &[u64]) -> Vec<Vec<Scores>> {
        let queries: Vec<Query> = queries.iter().map(|query| Query::new(query)).collect();
        let is_fitting = |segment: &MeaningSegment| {
            queries.iter().any(|query| query.unit.len() == segment.dimensions())
        };
        let segments: Vec<(RangeInclusive<u64>, &MeaningSegment)> = self
            .segments
            .iter()
            .filter(|segment| is_fitting(segment))
            .filter_map(|segment| Some((segment.owners()?, *segment)))
            .collect();
        // Most owners lie in one segment, before or behind all of the others.
        let places = owners.iter().enumerate().flat_map(|(nth, &owner)| {
            let holding = segments.iter().filter(move |(owners, _)| owners.contains(&owner));
            holding.map(move |(_, segment)| (nth, owner, *segment))
        });
        let places = asked_ahead(places.collect(), |(_, owner, segment)| {
            segment.will_seek(*owner);
        });
        let slots = places.flat_map(|(nth, owner, segment)| {
            segment.slots_of_owner(owner).map(move |slot| (nth, segment, slot))
        });
        let slots = asked_ahead(slots.collect(), |(_, segment, slot)| {
            will_read(segment.components(*slot));
        });
        let mut scores = vec![vec![Scores::new(); owners.len()]; queries.len()];
        for (nth, segment, slot) in slots {
            let fitting = queries.iter().zip(&mut scores);
            for (query, scores) in
                fitting.filter(|(query, _)| query.unit.len() == segment.dimensions())
            {
                let score = score(segment, slot, query);
                if score.is_finite() {
                    scores[nth].push((segment.facets(slot), score));
                }
            }
        }
        scores
    }

    /// Facets and scores of all vectors of some owners, picked evenly from all vectors.
    pub fn scores_of_sample(&self, query: &[f32], sample: usize) -> Vec<Vec<(u64, f32)>> {
        let query = Query::new(query);
        let all: usize = self.segments.iter().map(|segment| segment.len() as usize).sum();
        let step = all.div_ceil(sample.max(1)).max(1);
        let picked = self.matching(query.unit.len()).flat_map(|(_, segment)| {
            (0..segment.len()).step_by(step).map(move |slot| (segment, slot))
        });
        let picked = asked_ahead(picked.collect(), |(segment, slot)| {
            // Those beside it may be of the same owner.
            for slot in slot.saturating_sub(1)..=slot + 1 {
                will_read(segment.record_bytes(slot));
                will_read(segment.components(slot));
            }
        });
        picked
            .map(|(segment, slot)| {
                let beside = segment.slots_beside(slot);
                let scores =
                    beside.map(|slot| (segment.facets(slot), score(segment, slot, &query)));
                scores.filter(|(_, score)| score.is_finite()).collect()
            })
            .collect()
    }

    /// The owners of vectors picked evenly from all.
    pub fn owners_of_sample(&self, sample: usize) -> Vec<u64> {
        self.picked(sample).into_iter().map(|(segment, slot)| segment.owner(slot)).collect()
    }

    /// Vectors picked evenly from those that `accept` lets pass, rotated as they are kept. Where it
    /// lets pass fewer than one in [`WIDEST`], there are fewer than were wanted.
    pub fn vectors_of_sample(&self, sample: usize, accept: Accept<'_>) -> Vec<Vec<f32>> {
        let mut picked = Vec::new();
        for wider in [1, WIDER, WIDEST] {
            let looked_at = asked_ahead(self.picked(sample * wider), |(segment, slot)| {
                will_read(segment.record_bytes(*slot));
            });
            picked = looked_at.filter(|(segment, slot)| accept(segment.facets(*slot))).collect();
            if picked.len() >= sample {
                break;
            }
        }
        let taken = sample.min(picked.len());
        let picked: Vec<_> = (0..taken).map(|nth| picked[nth * picked.len() / taken]).collect();
        let picked = asked_ahead(picked, |(segment, slot)| will_read(segment.components(*slot)));
        let read = picked.map(|(segment, slot)| {
            let scale = segment.scale(slot);
            let components = segment.components(slot).iter();
            components.map(|byte| f32::from(byte.cast_signed()) * scale).collect()
        });
        read.collect()
    }

    /// Segments and slots picked evenly from all. However the vectors are cut into segments, the picks
    /// are the same; from many thousands on they lie in cells, and another cut picks others.
    fn picked(&self, sample: usize) -> Vec<(&'a MeaningSegment, u32)> {
        let all: usize = self.segments.iter().map(|segment| segment.len() as usize).sum();
        let picks = sample.min(all);
        let mut picked = Vec::with_capacity(picks);
        let mut before = 0;
        for segment in &self.segments {
            let end = before + segment.len() as usize;
            while picked.len() < picks && picked.len() * all / picks < end {
                let slot = picked.len() * all / picks - before;
                picked.push((*segment, slot as u32));
            }
            before = end;
        }
        picked
    }

    fn matching(&self, dimensions: usize) -> impl Iterator<Item = (u32, &'a MeaningSegment)> {
        let segments = self.segments.iter().enumerate();
        segments
            .filter(move |(_, segment)| segment.dimensions() == dimensions)
            .map(|(index, segment)| (index as u32, *segment))
    }

    fn ranked(
        &self,
        query: &Query,
        slots: impl Iterator<Item = (u32, u32)>,
        want: usize,
    ) -> Vec<Hit> {
        let mut best = Best::new(want);
        for (index, slot) in slots {
            let segment = self.segments[index as usize];
            let (score, row) = (score(segment, slot, query), segment.row(slot));
            // Only a damaged vector has a score that is no number.
            if score.is_finite() && best.would_take(score, row) {
                best.put(Scored { score, row, what: segment.owner(slot) });
            }
        }
        let best = best.into_best_first();
        best.map(|hit| Hit { row: hit.row, owner: hit.what, score: hit.score }).collect()
    }
}

/// These one after the other, each `ask`ed for well before its turn.
fn asked_ahead<T: Copy>(items: Vec<T>, ask: impl Fn(&T)) -> impl Iterator<Item = T> {
    items.iter().take(AHEAD).for_each(&ask);
    (0..items.len()).map(move |nth| {
        items.get(nth + AHEAD).into_iter().for_each(&ask);
        items[nth]
    })
}

/// How many estimates are checked when so many hits are wanted.
fn checked(want: usize) -> usize {
    want.saturating_mul(CHECKED_PER_HIT).max(CHECKED_AT_LEAST)
}

fn score(segment: &MeaningSegment, slot: u32, query: &Query) -> f32 {
    dot(&query.unit, segment.components(slot)) * segment.scale(slot)
}

/// Blocks that are scanned in one go, and the best score that is to be expected in them.
struct Run {
    promise: f32,
    blocks: Range<usize>,
}

/// The most promising first. Without cells there is one, of which anything may be expected.
fn runs(segment: &MeaningSegment, query: &Query) -> Vec<Run> {
    let run = |cell: Cell<'_>| {
        let promise = dot(&query.unit, cell.mean) * cell.scale + REACH * cell.spread;
        Run { promise, blocks: cell.blocks }
    };
    let mut runs: Vec<Run> = segment.cells().map(run).collect();
    runs.sort_unstable_by(|one, other| other.promise.total_cmp(&one.promise));
    if runs.is_empty() {
        runs.push(Run { promise: f32::INFINITY, blocks: 0..segment.blocks() });
    }
    runs
}

/// Gathers the candidates of one segment.
struct Gathering<'s, 'c, 'a> {
    segment: &'s MeaningSegment,
    index: u32,
    candidates: &'c mut Candidates<'a>,
}

impl Gathering<'_, '_, '_> {
    fn compare_all(&mut self, query: &Query) {
        for slot in 0..self.segment.len() {
            self.offer(slot, score(self.segment, slot, query));
        }
    }

    fn scan(&mut self, query: &Query) {
        let tables = query.tables(self.segment);
        for run in runs(self.segment, query) {
            // Those that follow promise less still.
            if run.promise < self.candidates.threshold() {
                return;
            }
            self.scan_run(&tables, run.blocks);
        }
    }

    fn scan_run(&mut self, tables: &Tables, blocks: Range<usize>) {
        let scan = Scan { codes: self.segment.codes_of(blocks.clone()), tables };
        let mut estimates = [0.0; LANES];
        let mut block = 0;
        loop {
            let threshold = self.candidates.threshold();
            match scan.next_promising(block, threshold, &mut estimates) {
                Some(found) => block = found,
                None => return,
            }
            let first = (blocks.start + block) * LANES;
            for (lane, &estimate) in estimates.iter().enumerate() {
                if estimate > self.candidates.threshold() {
                    self.offer(self.segment.slot_of_code(first + lane), estimate);
                }
            }
            block += 1;
        }
    }

    fn offer(&mut self, slot: u32, estimate: f32) {
        if estimate > self.candidates.threshold() && slot < self.segment.len() {
            will_read(self.segment.record_bytes(slot));
            self.candidates.add(Candidate { estimate, segment: self.index, slot });
        }
    }
}
