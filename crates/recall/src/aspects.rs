//! What a question sets side by side: a memory that answers one of the things answers.

use crate::candidate::Candidate;
use crate::fuse::{Usual, best, usual_cosine};
use crate::question::{Aspect, QueryVector};
use crate::understand::Understanding;
use crate::{Question, Source};
use mnemic_store::Result;
use mnemic_text::stems::query_terms;

/// How near a candidate is to what was asked, as measured and on a scale on which the best is 1.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Nearness {
    pub(crate) cosine: f64,
    pub(crate) meaning: f64,
    pub(crate) bm25: f64,
    pub(crate) words: f64,
}

impl Nearness {
    /// By meaning's share of it.
    fn worth(&self, share: f64) -> f64 {
        share * self.meaning + (1.0 - share) * self.words
    }
}

/// Gives each candidate the aspect that it is nearest to, where that is nearer than the whole. `reach`
/// is how far the best stands above the usual by its cosine to the whole: what is near an aspect by
/// chance alone does not come that far.
pub(crate) fn nearest(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
    candidates: &[Candidate],
    (share, reach): (f64, f64),
    near: &mut [Nearness],
) -> Result<()> {
    for (place, aspect) in question.aspects.iter().enumerate() {
        let usual = usual_cosine(sources, &aspect.vectors, QueryVector::ranking)?;
        let to_it = to_aspect((aspect, place), (usual, reach), understanding, candidates);
        for (near, to_it) in near.iter_mut().zip(to_it) {
            if to_it.worth(share) > near.worth(share) {
                *near = to_it;
            }
        }
    }
    Ok(())
}

fn to_aspect(
    (aspect, place): (&Aspect, usize),
    (usual, reach): (Usual, f64),
    understanding: &Understanding,
    candidates: &[Candidate],
) -> Vec<Nearness> {
    let own = query_terms(&aspect.text);
    let is_own: Vec<bool> =
        understanding.terms.iter().map(|(term, _)| own.contains(term)).collect();
    let bm25 = |one: &Candidate| -> f64 {
        let parts = one.parts.iter().zip(&is_own).filter(|(_, is_own)| **is_own);
        parts.map(|(part, _)| f64::from(*part)).sum()
    };
    let cosine = |one: &Candidate| one.near_aspects.get(place).and_then(|near| near.contrast);
    let best_bm25 = best(candidates.iter().map(bm25));
    let span = (best(candidates.iter().filter_map(cosine)) - usual.mean()).max(reach);
    let to_it = candidates.iter().map(|one| {
        let bm25 = bm25(one);
        let words = if best_bm25 > 0.0 { bm25 / best_bm25 } else { 0.0 };
        let cosine = cosine(one).unwrap_or(usual.mean());
        let meaning = if span > 1e-9 { (cosine - usual.mean()) / span } else { 0.0 };
        Nearness { cosine, meaning, bm25, words }
    });
    to_it.collect()
}
