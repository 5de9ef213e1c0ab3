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
        let found = self.found(terms);
        let score = |row: &u64| self.parts(&found, *row).fold(0.0, |score, (_, part)| score + part);
        rows.iter().map(score).collect()
    }

    /// What each of the terms adds to the score of a row.
    pub fn parts_of(&self, terms: &[(String, f32)], row: u64) -> Vec<f32> {
        let mut parts = vec![0.0; terms.len()];
        self.parts(&self.found(terms), row).for_each(|(index, part)| parts[index] = part);
        parts
    }

    /// As [`parts_of`](Self::parts_of) for each of the rows, looking up the terms only once.
    pub fn parts_of_each(&self, terms: &[(String, f32)], rows: &[u64]) -> Vec<Vec<f32>> {
        let found = self.found(terms);
        let parts_of = |row: &u64| {
            let mut parts = vec![0.0; terms.len()];
            self.parts(&found, *row).for_each(|(index, part)| parts[index] = part);
            parts
        };
        rows.iter().map(parts_of).collect()
    }

    /// The terms that count, in the order of [`ranked`](Self::ranked).
    fn found(&self, terms: &[(String, f32)]) -> Vec<Found<'a>> {
        let found = self.ranked(terms).into_iter().map(|(index, top)| {
            let lists = self.segments.iter().map(|segment| segment.list_of(&terms[index].0));
            Found { index, top, lists: lists.collect() }
        });
        found.collect()
    }

    /// The terms that a row has, by index, with what they add.
    fn parts(&self, found: &[Found<'a>], row: u64) -> impl Iterator<Item = (usize, f32)> {
        let mut places = self.segments.iter().enumerate();
        let place = places.find_map(|(at, segment)| Some((at, *segment, segment.slot_of(row)?)));
        let terms = place.into_iter().flat_map(|place| found.iter().map(move |term| (place, term)));
        terms.filter_map(|((at, segment, slot), term)| {
            let frequency = term.lists[at]?.frequency(slot);
            let part = self.formula.part(term.top, frequency, segment.length(slot));
            (frequency > 0).then_some((term.index, part))
        })
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
