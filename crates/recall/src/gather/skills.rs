//! Procedures: skills by their words, so that many episodes cannot crowd the few skills out.

use super::merged;
use crate::candidate::Spot;
use crate::{Question, Source};
use mnemic_model::{Filter, Kind};
use mnemic_store::Result;

/// Few stores have many skills, and fewer questions want more than these.
const REACH: usize = 12;

pub(super) fn find(
    sources: &[Source<'_>],
    question: &Question,
    terms: &[(String, f32)],
) -> Result<Vec<Spot>> {
    let kinds = &question.filter.kinds;
    if !kinds.is_empty() && !kinds.contains(&Kind::Skill) {
        return Ok(Vec::new());
    }
    let filter = Filter { kinds: vec![Kind::Skill], ..question.filter.clone() };
    let mut scored = Vec::new();
    for (source, asked) in sources.iter().enumerate() {
        let hits = asked.read.by_words(terms, &filter, REACH)?;
        scored.extend(hits.iter().map(|hit| (hit.score, Spot { source, key: hit.key })));
    }
    Ok(merged(scored, REACH))
}
