//! By meaning: vectors near the question's, and near those of its aspects.

use super::merged;
use crate::candidate::Spot;
use crate::{QueryVector, Question, Source};
use foldhash::{HashSet, HashSetExt};
use mnemic_store::Result;

/// What is near the whole and what is near each aspect, in turns: their cosines do not compare.
pub(super) fn find(sources: &[Source<'_>], question: &Question) -> Result<Vec<Spot>> {
    let whole = near(sources, question, &question.vectors)?;
    if question.aspects.is_empty() {
        return Ok(whole);
    }
    let mut lists = vec![whole];
    for aspect in &question.aspects {
        lists.push(near(sources, question, &aspect.vectors)?);
    }
    let longest = lists.iter().map(Vec::len).max().unwrap_or_default();
    let in_turns =
        (0..longest).flat_map(|place| lists.iter().filter_map(move |one| one.get(place)));
    let mut seen = HashSet::new();
    Ok(in_turns.copied().filter(|spot| seen.insert(*spot)).collect())
}

fn near(sources: &[Source<'_>], question: &Question, vectors: &[QueryVector]) -> Result<Vec<Spot>> {
    let mut scored = Vec::new();
    for (source, asked) in sources.iter().enumerate() {
        for query in vectors {
            let reach = question.reach();
            let hits =
                asked.read.by_meaning(&query.model, query.ranking(), &question.filter, reach)?;
            scored.extend(hits.iter().map(|hit| (hit.score, Spot { source, key: hit.key })));
        }
    }
    Ok(merged(scored, question.reach()))
}
