//! By meaning: vectors near the question's.

use super::merged;
use crate::candidate::Spot;
use crate::{Question, Source};
use mnemic_store::Result;

pub(super) fn find(sources: &[Source<'_>], question: &Question) -> Result<Vec<Spot>> {
    let mut scored = Vec::new();
    for (source, asked) in sources.iter().enumerate() {
        for query in question.directions() {
            let reach = question.reach();
            let hits =
                asked.read.by_meaning(&query.model, &query.vector, &question.filter, reach)?;
            scored.extend(hits.iter().map(|hit| (hit.score, Spot { source, key: hit.key })));
        }
    }
    Ok(merged(scored, question.reach()))
}
