//! Evidence: how sure we are that a memory speaks of what was asked, whatever else the store holds.

use crate::Source;
use crate::candidate::Candidate;
use crate::fuse::term_weights;
use crate::spelling::READ_SO;
use crate::understand::Understanding;
use mnemic_store::Result;

/// Cosines below the first say nothing, above the second everything. They belong to the local
/// model; of others we know the order only.
const NO_COSINE: f64 = 0.60;
const FULL_COSINE: f64 = 0.90;

/// A label that several things carry is no name of one that has next to nothing else to do with the
/// question.
pub(crate) const LABELLED: f64 = 0.1;

/// What the question calls by its name, and what is linked to that.
pub(crate) const NAMED: f64 = 0.8;
pub(crate) const LINKED: f64 = 0.6;

/// What covering all terms of the question adds, in cosine.
const COVERAGE: f64 = 0.2;

/// The share of the question's weight that a candidate's words carry, 0..1. Whoever asks for yesterday
/// is answered by what was then, and not by the word. What was read as a usual
/// word is met by that for the most part; what was read as anything else weighs as it was typed, and is
/// met by nothing: it may be somebody else's name.
pub(crate) fn coverage(
    sources: &[Source<'_>],
    understanding: &Understanding,
    candidates: &[Candidate],
) -> Result<Vec<f64>> {
    let terms: Vec<String> = understanding.terms.iter().map(|(term, _)| term.clone()).collect();
    let place = |wanted: &str| terms.iter().position(|term| term == wanted);
    let corrected = understanding.corrected.iter();
    // Of several readings of a word the first is the likeliest.
    let mut stands_for: Vec<(usize, usize)> = Vec::new();
    let mut covers_nothing: Vec<usize> = Vec::new();
    for one in corrected {
        let (Some(typed), Some(read)) = (place(&one.typed), place(&one.read)) else { continue };
        match one.is_usual && stands_for.iter().all(|(known, _)| *known != typed) {
            true => stands_for.push((typed, read)),
            false => covers_nothing.push(read),
        }
    }
    let mut weights = Vec::new();
    for source in sources {
        let statistics = source.read.word_statistics(&terms)?;
        let asked = understanding.terms.iter().map(|(_, weight)| f64::from(*weight));
        let worth = term_weights(&statistics).into_iter().zip(asked);
        let mut worth: Vec<f64> = worth.map(|((_, idf), asked)| idf * asked).collect();
        covers_nothing.iter().for_each(|read| worth[*read] = 0.0);
        for (typed, read) in &stands_for {
            worth[*read] /= f64::from(READ_SO);
            worth[*typed] = 0.0;
        }
        weights.push(worth);
    }
    let names_time: Vec<bool> =
        terms.iter().map(|term| understanding.time_terms.contains(term)).collect();
    let share = |one: &Candidate| {
        let weights = &weights[one.spot.source];
        let all: f64 = weights.iter().sum();
        let is_met = |term: usize| one.parts[term] > 0.0 || (names_time[term] && one.is_of_time());
        let is_reading = |term: usize| stands_for.iter().any(|(_, read)| *read == term);
        let share = |term: usize| if is_reading(term) { f64::from(READ_SO) } else { 1.0 };
        let met = (0..weights.len()).filter(|term| is_met(*term));
        // The sum of nothing is -0, which would be told as such.
        let met: f64 = 0.0 + met.map(|at| weights[at] * share(at)).sum::<f64>();
        if all > 0.0 { met / all } else { 0.0 }
    };
    Ok(candidates.iter().map(share).collect())
}

/// What being of the kind that a question calls by its name adds, in cosine: `which database do we use`
/// is answered by a decision that need not say `database`.
const CALLED: f64 = 0.08;

/// What the evidence for a memory is made of.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Grounds {
    /// Of its nearest part and the question; `None` where nothing is known of its meaning.
    pub cosine: Option<f64>,
    /// The share of the question's words that it has, by how rare they are.
    pub coverage: f64,
    /// Whether the question asks for its kind.
    pub is_called: bool,
}

impl Grounds {
    pub(crate) fn of(candidate: &Candidate, asked: &Understanding, coverage: f64) -> Grounds {
        let is_called = asked.kinds.contains(&candidate.glance.kind);
        Grounds { cosine: candidate.nearest(), coverage, is_called }
    }

    /// 0..1.
    pub(crate) fn evidence(&self) -> f64 {
        let Some(cosine) = self.cosine else {
            // Without a vector the words must do.
            return self.coverage;
        };
        let called = if self.is_called { CALLED } else { 0.0 };
        let sum = cosine + COVERAGE * self.coverage + called;
        ((sum - NO_COSINE) / (FULL_COSINE + COVERAGE - NO_COSINE)).clamp(0.0, 1.0)
    }
}
