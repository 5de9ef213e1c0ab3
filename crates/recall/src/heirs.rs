//! What holds in the place of what a question finds: `we replaced Jenkins with Buildkite` says nothing
//! of CI, and the sentence that did has ended.

use crate::recall::{Considered, consider, tell};
use crate::{Found, Question, Source};
use mnemic_model::{At, RecordId, Relation, Timestamp, Truth, Version};
use mnemic_store::Result;
use std::collections::HashMap;

/// Ended memories that are looked at, the best first.
const LOOKED_AT: usize = 5;

/// What was found with this evidence is the answer, and nobody has to look further.
const SURE: f64 = 0.6;

/// Puts what holds now before what was found, where what it replaced would have answered better.
pub(crate) fn put_first(
    sources: &[Source<'_>],
    question: &Question,
    found: &mut Vec<Found>,
) -> Result<()> {
    let best = found.iter().map(|one| one.evidence).fold(0.0, f64::max);
    if best >= SURE {
        return Ok(());
    }
    let mut heirs = find(sources, question)?;
    heirs.retain(|heir| heir.evidence > best);
    found.retain(|one| heirs.iter().all(|heir| heir.version.id != one.version.id));
    heirs.append(found);
    heirs.truncate(question.limit);
    *found = heirs;
    Ok(())
}

/// The memories that hold now instead of the best that no longer do. By words alone: it is asked
/// where little was found, which must stay cheap.
fn find(sources: &[Source<'_>], question: &Question) -> Result<Vec<Found>> {
    let mut earlier = question.clone();
    earlier.filter.at.truth = Truth::Whenever;
    let switches = &mut earlier.switches;
    (switches.meaning, switches.graph, switches.time) = (false, false, false);
    (switches.skills, switches.neighbours, switches.settle) = (false, false, false);
    let Considered { ranked, .. } = consider(sources, &earlier)?;
    let has_ended = |end: Timestamp| end <= question.now;
    let ended = ranked.into_iter().filter(|one| {
        one.dropped.is_none() && one.candidate.glance.valid.to().is_some_and(has_ended)
    });
    let mut found: Vec<Found> = Vec::new();
    for mut one in ended.take(LOOKED_AT) {
        let source = &sources[one.candidate.spot.source];
        let Some(heir) = heir(source, &one.candidate.glance.id, question)? else { continue };
        if found.iter().any(|known| known.version.id == heir.id) {
            continue;
        }
        one.candidate.glance.id = heir.id.clone();
        let mut versions = HashMap::from([(one.candidate.spot, heir)]);
        found.extend(tell(sources, one, &[], &mut versions)?);
    }
    Ok(found)
}

/// What took the place of a memory, where that passes the filter itself.
fn heir(source: &Source<'_>, id: &RecordId, question: &Question) -> Result<Option<Version>> {
    for link in source.read.links(id, At::LATEST)? {
        let by = match link.relation {
            Relation::Supersedes if link.to == *id => &link.from,
            Relation::SupersededBy if link.from == *id => &link.to,
            _ => continue,
        };
        let Some(key) = source.read.key_of(by, question.filter.at.known)? else { continue };
        if !source.read.glances(&[key], &question.filter)?.is_empty() {
            return source.read.version(by, question.filter.at.known);
        }
    }
    Ok(None)
}
