//! Neighbours: the turns around a hit are considered too, and short turns lend each other meaning.

use crate::Source;
use crate::candidate::{Candidate, Finds, Spot};
use mnemic_store::{Key, Result};
use std::collections::HashMap;

/// Long turns stand for themselves.
const SHORT_TURN: u32 = 90;

/// What a turn is given of its neighbours' meaning.
const SHARE: f64 = 0.15;

/// The turn before and the turn after each find.
pub(crate) fn neighbours(sources: &[Source<'_>], finds: &Finds) -> Result<Vec<Spot>> {
    let mut around = Vec::new();
    let spots = finds.spots();
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
