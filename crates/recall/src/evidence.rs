//! Evidence: how sure we are that a memory speaks of what was asked, whatever else the store holds.

use crate::Source;
use crate::candidate::Candidate;
use crate::fuse::term_weights;
use crate::understand::Understanding;
use mnemic_store::Result;

/// Cosines below the first say nothing, above the second everything. They belong to the local
/// model; of others we know the order only.
const NO_COSINE: f64 = 0.60;
const FULL_COSINE: f64 = 0.90;

/// What the question calls by its name, and what is linked to that.
pub(crate) const NAMED: f64 = 0.8;
pub(crate) const LINKED: f64 = 0.6;

/// What covering all terms of the question adds, in cosine.
const COVERAGE: f64 = 0.2;

/// The share of the question's weight that a candidate's words carry, 0..1. Whoever asks for yesterday
/// is answered by what was then, and not by the word.
pub(crate) fn coverage(
    sources: &[Source<'_>],
    understanding: &Understanding,
    candidates: &[Candidate],
) -> Result<Vec<f64>> {
    let terms: Vec<String> = understanding.terms.iter().map(|(term, _)| term.clone()).collect();
    let mut weights = Vec::new();
    for source in sources {
        let statistics = source.read.word_statistics(&terms)?;
        let asked = understanding.terms.iter().map(|(_, weight)| f64::from(*weight));
        let worth = term_weights(&statistics).into_iter().zip(asked);
        weights.push(worth.map(|((_, idf), asked)| idf * asked).collect::<Vec<f64>>());
    }
    let names_time: Vec<bool> =
        terms.iter().map(|term| understanding.time_terms.contains(term)).collect();
    let share = |one: &Candidate| {
        let weights = &weights[one.spot.source];
        let all: f64 = weights.iter().sum();
        let is_met = |term: usize| one.parts[term] > 0.0 || (names_time[term] && one.is_of_time());
        let met: f64 = (0..weights.len()).filter(|term| is_met(*term)).map(|at| weights[at]).sum();
        if all > 0.0 { met / all } else { 0.0 }
    };
    Ok(candidates.iter().map(share).collect())
}

/// Evidence for one candidate, 0..1.
pub(crate) fn evidence(candidate: &Candidate, coverage: f64) -> f64 {
    match candidate.nearest() {
        Some(cosine) => {
            let sum = cosine + COVERAGE * coverage;
            ((sum - NO_COSINE) / (FULL_COSINE + COVERAGE - NO_COSINE)).clamp(0.0, 1.0)
        }
        // Without a vector the words must do.
        None => coverage,
    }
}
