//! By words: BM25 over text, tags, names, dates and what was said just before.

use super::merged;
use crate::candidate::Spot;
use crate::{Question, Source};
use mnemic_store::Result;

pub(super) fn find(
    sources: &[Source<'_>],
    question: &Question,
    terms: &[(String, f32)],
) -> Result<Vec<Spot>> {
    let mut scored = Vec::new();
    for (source, asked) in sources.iter().enumerate() {
        let hits = asked.read.by_words(terms, &question.filter, question.reach())?;
        scored.extend(hits.iter().map(|hit| (hit.score, Spot { source, key: hit.key })));
    }
    Ok(merged(scored, question.reach()))
}
