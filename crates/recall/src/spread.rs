//! Neighbours: the turns around a hit are considered too, and short turns lend each other meaning.

use crate::candidate::{Candidate, Finds, Spot};
use crate::{Question, Source};
use mnemic_store::{Key, Result};
use std::collections::HashMap;

/// Long turns stand for themselves.
const SHORT_TURN: u32 = 90;

/// What a turn is given of its neighbours' meaning.
const SHARE: f64 = 0.15;

/// How far down any channel's list we look for neighbours at least.
const BEST: usize = 12;

/// The turn before and the turn after each of the best finds. What stands beside the others would
/// not come up among the answers, and looking at it is most of the work.
pub(crate) fn neighbours(
    sources: &[Source<'_>],
    question: &Question,
    finds: &Finds,
) -> Result<Vec<Spot>> {
    let mut around = Vec::new();
    let spots = best_of(finds, (2 * question.limit).max(BEST));
    for (source, asked) in sources.iter().enumerate() {
        let here = spots.iter().filter(|spot| spot.source == source);
        let keys: Vec<Key> = here.map(|spot| spot.key).collect();
        let near = asked.read.neighbours(&keys)?;
        around.extend(near.into_iter().map(|key| Spot { source, key }));
    }
    around.sort_unstable();
    around.dedup();
    Ok(around)
}

/// What some channel ranked among its first `most`, in a fixed order.
fn best_of(finds: &Finds, most: usize) -> Vec<Spot> {
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let mut spots = finds.spots();
    spots.retain(|spot| finds.best_rank(spot).is_some_and(|rank| rank <= most));
    spots
}

/// What each candidate's neighbours add to its own value; nothing where it is no short turn.
pub(crate) fn lent(candidates: &[Candidate], values: &[f64]) -> Vec<f64> {
    let mut threads: HashMap<(usize, i64), Vec<usize>> = HashMap::new();
    for (index, candidate) in candidates.iter().enumerate() {
        if let Some(turn) = candidate.glance.turn {
            // Candidates come in the order of their rows, which is that of the conversation.
            threads.entry((candidate.spot.source, turn.thread)).or_default().push(index);
        }
    }
    let mut lent = vec![0.0; candidates.len()];
    for thread in threads.values() {
        for pair in thread.windows(2) {
            let (one, other) = (pair[0], pair[1]);
            if is_short(&candidates[one]) && is_short(&candidates[other]) {
                lent[one] += SHARE * values[other];
                lent[other] += SHARE * values[one];
            }
        }
    }
    lent
}

fn is_short(candidate: &Candidate) -> bool {
    candidate.glance.turn.is_some_and(|turn| turn.words <= SHORT_TURN)
}
