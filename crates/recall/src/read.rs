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

/// What the beginning of a memory means, where that is known.
pub(crate) fn first_vector(
    sources: &[Source<'_>],
    question: &Question,
    spot: &Spot,
) -> Result<Option<Vec<f32>>> {
    let Some(query) = question.vectors.first() else { return Ok(None) };
    let vectors = sources[spot.source].read.vectors_of(&query.model, spot.key)?;
    Ok(vectors.into_iter().next())
}
