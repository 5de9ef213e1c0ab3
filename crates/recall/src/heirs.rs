//! What holds in the place of what a question finds: `we replaced Jenkins with Buildkite` says nothing
//! of CI, and the sentence that did has ended.

use crate::gather::ended;
use crate::read::versions;
use crate::recall::tell;
use crate::settle::LOOKED_AT;
use crate::weigh::{judge, recognise, weigh};
use crate::{Found, Question, Source, Understanding};
use mnemic_model::{At, RecordId, Relation, Version};
use mnemic_store::Result;
use std::collections::HashMap;
use std::sync::Arc;

/// Ended memories whose heirs are looked for, the best first.
const FOLLOWED: usize = 5;

/// What was found with this evidence is the answer, and nobody has to look further.
const SURE: f64 = 0.6;

/// Puts what holds now before what was found, where what it replaced would have answered better.
pub(crate) fn put_first(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
    found: &mut Vec<Found>,
) -> Result<()> {
    let best = found.iter().map(|one| one.evidence).fold(0.0, f64::max);
    if best >= SURE {
        return Ok(());
    }
    let mut heirs = find(sources, question, understanding)?;
    heirs.retain(|heir| heir.evidence > best);
    found.retain(|one| heirs.iter().all(|heir| heir.version.id != one.version.id));
    heirs.append(found);
    heirs.truncate(question.limit);
    *found = heirs;
    Ok(())
}

/// The memories that hold now instead of the best that no longer do. Nothing is searched again: the
/// channels have come across those that ended on their way to those that hold.
fn find(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
) -> Result<Vec<Found>> {
    // As it was asked: what has ended is no part of what is usual, and a few are compared.
    let mut asked = question.reaching_rest();
    let candidates = ended(sources, &asked, understanding)?;
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    // What ended is only asked what stands in its place, which may be no episode at all.
    asked.switches.age = false;
    let mut ranked = weigh(sources, &asked, understanding, candidates)?.ranked;
    let spots: Vec<_> = ranked.iter().take(LOOKED_AT).map(|one| one.candidate.spot).collect();
    recognise(&asked, &versions(sources, &spots)?, &mut ranked);
    judge(sources, &asked, &mut ranked)?;
    let mut found: Vec<Found> = Vec::new();
    for mut one in ranked.into_iter().filter(|one| one.dropped.is_none()).take(FOLLOWED) {
        let source = &sources[one.candidate.spot.source];
        let Some(heir) = heir(source, &one.candidate.glance.id, question)? else { continue };
        if found.iter().any(|known| known.version.id == heir.id) {
            continue;
        }
        Arc::make_mut(&mut one.candidate.glance).id = heir.id.clone();
        let mut versions = HashMap::from([(one.candidate.spot, Arc::new(heir))]);
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
