//! Search over several segments as if they were one: statistics are summed over all of them.

use super::bm25::{Bm25, Formula, rarity};
use super::postings::PostingList;
use super::segment::WordsSegment;
use super::window::{Sought, search_segment};
use crate::best::Best;

/// A row that was found by its words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    pub row: u64,
    pub score: f32,
}

/// A term of a query and its list in each segment.
struct Found<'a> {
    index: usize,
    top: f32,
    lists: Vec<Option<PostingList<'a>>>,
}

/// No row lies in two of the segments.
#[derive(Debug)]
pub struct WordsSearch<'a> {
    segments: Vec<&'a WordsSegment>,
    documents: u64,
    average_length: f32,
    formula: Formula,
}

impl<'a> WordsSearch<'a> {
    pub fn new(segments: Vec<&'a WordsSegment>, bm25: Bm25) -> WordsSearch<'a> {
        let documents = segments.iter().map(|segment| u64::from(segment.documents())).sum();
        let lengths = segments.iter().map(|segment| segment.total_length());
        let total = lengths.fold(0, u64::saturating_add);
        let average_length = if documents == 0 { 0.0 } else { total as f32 / documents as f32 };
        let formula = Formula::new(bm25, average_length);
        WordsSearch { segments, documents, average_length, formula }
    }

    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Zero if there are no documents.
    pub fn average_length(&self) -> f32 {
        self.average_length
    }

    pub fn document_frequency(&self, term: &str) -> u64 {
        let counts = self.segments.iter().map(|segment| segment.document_frequency(term));
        counts.map(u64::from).sum()
    }

    /// The best `want` documents that have at least one of the terms and that `accept` (asked
    /// with facets and row, only for documents that would enter) lets pass. Best first, of equals
    /// the newer. Terms come with the weight that the query gives them; those without a positive
    /// weight count for nothing.
    pub fn best(
        &self,
        terms: &[(String, f32)],
        want: usize,
        accept: &dyn Fn(u64, u64) -> bool,
    ) -> Vec<Hit> {
        let mut best = Best::new(want);
        let sought: Vec<Sought<'_>> = self
            .ranked(terms)
            .into_iter()
            .map(|(index, top)| Sought { term: &terms[index].0, top })
            .collect();
        if want > 0 {
            // Newer segments first: what they hold sets the threshold for the older ones.
            for segment in self.segments.iter().rev() {
                search_segment(segment, self.formula, &sought, accept, &mut best);
            }
        }
        best.into_best_first().map(|hit| Hit { row: hit.row, score: hit.score }).collect()
    }

    /// The score of one row, to the last bit the one that [`best`](Self::best) gives it; zero if
    /// it has none of the terms.
    pub fn score_of(&self, terms: &[(String, f32)], row: u64) -> f32 {
        self.scores_of(terms, &[row]).into_iter().sum()
    }

    /// As [`score_of`](Self::score_of) for each of the rows, looking up the terms only once.
    pub fn scores_of(&self, terms: &[(String, f32)], rows: &[u64]) -> Vec<f32> {
        let mut scores = vec![0.0; rows.len()];
        self.each_part(terms, rows, |row, _, part| scores[row] += part);
        scores
    }

    /// What each of the terms adds to the score of a row.
    pub fn parts_of(&self, terms: &[(String, f32)], row: u64) -> Vec<f32> {
        self.parts_of_each(terms, &[row]).remove(0)
    }

    /// As [`parts_of`](Self::parts_of) for each of the rows; quickest where they ascend.
    pub fn parts_of_each(&self, terms: &[(String, f32)], rows: &[u64]) -> Vec<Vec<f32>> {
        let mut parts = vec![vec![0.0; terms.len()]; rows.len()];
        self.each_part(terms, rows, |row, term, part| parts[row][term] = part);
        parts
    }

    /// Calls `add` with the index of a row, the index of a term that it has and what that adds; the
    /// terms in the order of [`ranked`](Self::ranked).
    fn each_part(
        &self,
        terms: &[(String, f32)],
        rows: &[u64],
        mut add: impl FnMut(usize, usize, f32),
    ) {
        let places: Vec<_> = rows.iter().map(|row| self.place_of(*row)).collect();
        for Found { index, top, lists } in self.found(terms) {
            let mut lists: Vec<_> =
                lists.into_iter().map(|list| list.map(PostingList::frequencies)).collect();
            for (row, place) in places.iter().enumerate() {
                let Some((at, slot)) = *place else { continue };
                let frequency = lists[at].as_mut().map_or(0, |list| list.of(slot));
                if frequency > 0 {
                    let length = self.segments[at].length(slot);
                    add(row, index, self.formula.part(top, frequency, length));
                }
            }
        }
    }

    /// The segment that a row lies in, and where.
    fn place_of(&self, row: u64) -> Option<(usize, u32)> {
        let mut segments = self.segments.iter().enumerate();
        segments.find_map(|(at, segment)| Some((at, segment.slot_of(row)?)))
    }

    /// The terms that count, in the order of [`ranked`](Self::ranked).
    fn found(&self, terms: &[(String, f32)]) -> Vec<Found<'a>> {
        let found = self.ranked(terms).into_iter().map(|(index, top)| {
            let lists = self.segments.iter().map(|segment| segment.list_of(&terms[index].0));
            Found { index, top, lists: lists.collect() }
        });
        found.collect()
    }

    /// The terms that count, by index, with the most that each can add; the heaviest first. Parts
    /// are summed in this order everywhere, so that equal documents score equal to the last bit.
    fn ranked(&self, terms: &[(String, f32)]) -> Vec<(usize, f32)> {
        let mut ranked: Vec<(usize, f32)> = terms
            .iter()
            .enumerate()
            .map(|(index, (term, weight))| {
                let rarity = rarity(self.documents, self.document_frequency(term));
                (index, self.formula.top(rarity, *weight))
            })
            .filter(|(_, top)| top.is_finite() && *top > 0.0)
            .collect();
        ranked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        ranked
    }
}
