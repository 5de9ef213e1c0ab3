//! By meaning: vectors near the question's, and near those of its aspects.

use super::merged;
use crate::candidate::Spot;
use crate::question::LEAST_REACH;
use crate::{QueryVector, Question, Source};
use foldhash::{HashSet, HashSetExt};
use mnemic_store::Result;

/// What is near the whole and what is near each aspect, in turns: their cosines do not compare.
pub(super) fn find(sources: &[Source<'_>], question: &Question) -> Result<Vec<Spot>> {
    let reach = question.reach();
    // One side of it takes half the reach, however many are wanted: what lies further is near the whole.
    let of_aspect = (reach / 2).max(LEAST_REACH);
    let whole = near(sources, question, &question.vectors, reach)?;
    if question.aspects.is_empty() {
        return Ok(whole);
    }
    let mut lists = vec![whole];
    for aspect in &question.aspects {
        lists.push(near(sources, question, &aspect.vectors, of_aspect)?);
    }
    let longest = lists.iter().map(Vec::len).max().unwrap_or_default();
    let in_turns =
        (0..longest).flat_map(|place| lists.iter().filter_map(move |one| one.get(place)));
    let mut seen = HashSet::new();
    Ok(in_turns.copied().filter(|spot| seen.insert(*spot)).collect())
}

fn near(
    sources: &[Source<'_>],
    question: &Question,
    vectors: &[QueryVector],
    reach: usize,
) -> Result<Vec<Spot>> {
    let mut scored = Vec::new();
    for (source, asked) in sources.iter().enumerate() {
        for query in vectors {
            let hits =
                asked.read.by_meaning(&query.model, query.ranking(), &question.filter, reach)?;
            scored.extend(hits.iter().map(|hit| (hit.score, Spot { source, key: hit.key })));
        }
    }
    Ok(merged(scored, reach))
}
