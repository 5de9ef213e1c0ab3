//! By kind: all decisions, or all that is forbidden, for a question that asks for nothing else.

use crate::candidate::Spot;
use crate::understand::Understanding;
use crate::{Question, Source};
use mnemic_model::{Body, Filter, Kind, Version};
use mnemic_store::{Key, Read, Result};
use mnemic_text::rules;

/// The latest first. A time that is named beside the kind has found them already.
pub(super) fn find(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
) -> Result<Vec<Spot>> {
    if !understanding.asks_of_kind_alone || !understanding.times.is_empty() {
        return Ok(Vec::new());
    }
    let mut spots = Vec::new();
    for (source, asked) in sources.iter().enumerate() {
        for kind in &understanding.kinds {
            let keys = of_kind(asked.read, *kind, question)?;
            spots.extend(keys.into_iter().map(|key| Spot { source, key }));
        }
    }
    spots.truncate(question.reach());
    Ok(spots)
}

fn of_kind(read: &dyn Read, kind: Kind, question: &Question) -> Result<Vec<Key>> {
    let list = |kind: Kind| -> Result<Vec<Version>> {
        if !question.filter.kinds.is_empty() && !question.filter.kinds.contains(&kind) {
            return Ok(Vec::new());
        }
        let (kinds, limit) = (vec![kind], question.reach());
        read.list(&Filter { kinds, limit, ..question.filter.clone() })
    };
    let mut found = list(kind)?;
    if kind == Kind::AntiPattern {
        // A rule is kept as a pattern; the one that forbids is asked for as well.
        found.extend(list(Kind::Pattern)?.into_iter().filter(forbids));
    }
    let mut keys = Vec::with_capacity(found.len());
    for version in &found {
        keys.extend(read.key_of(&version.id, question.filter.at.known)?);
    }
    Ok(keys)
}

fn forbids(version: &Version) -> bool {
    matches!(&version.content.body, Body::Pattern(it) if rules::forbids(&it.statement))
}
