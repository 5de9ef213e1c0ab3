//! What is read of candidates beyond what scoring needs.

use crate::candidate::Spot;
use crate::{Question, Source};
use mnemic_model::Version;
use mnemic_store::Result;
use std::collections::HashMap;
use std::sync::Arc;

/// The memories themselves.
pub(crate) fn versions(
    sources: &[Source<'_>],
    spots: &[Spot],
) -> Result<HashMap<Spot, Arc<Version>>> {
    let mut found = HashMap::new();
    for (index, source) in sources.iter().enumerate() {
        let keys: Vec<_> =
            spots.iter().filter(|spot| spot.source == index).map(|spot| spot.key).collect();
        for (key, version) in source.read.versions_of(&keys)? {
            found.insert(Spot { source: index, key }, version);
        }
    }
    Ok(found)
}

/// What the beginnings of memories mean, where that is known; in their order.
pub(crate) fn first_vectors(
    sources: &[Source<'_>],
    question: &Question,
    spots: &[Spot],
) -> Result<Vec<Option<Vec<f32>>>> {
    let mut found = vec![None; spots.len()];
    let Some(query) = question.vectors.first() else { return Ok(found) };
    for (index, source) in sources.iter().enumerate() {
        let here = || spots.iter().enumerate().filter(move |(_, spot)| spot.source == index);
        let keys: Vec<_> = here().map(|(_, spot)| spot.key).collect();
        for ((place, _), vector) in here().zip(source.read.first_vectors(&query.model, &keys)?) {
            found[place] = vector;
        }
    }
    Ok(found)
}
