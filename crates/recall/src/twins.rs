//! What stands for another is shown instead of it: of several that say the same to the last letter one
//! answers and names the others, and what was merged is left to what it was merged into.

use crate::candidate::Spot;
use crate::ranked::{Dropped, Ranked};
use crate::read::versions;
use crate::settle::LOOKED_AT;
use crate::{Question, Source, Twin};
use mnemic_model::{At, Digest, Kind, Relation, Scope, Tier, Version};
use mnemic_store::{Error, Result};
use std::collections::HashMap;
use std::sync::Arc;

/// Leaves out what is archived because another stands for it. Only those that may be chosen are
/// looked at.
pub(crate) fn leave_merged_out(
    sources: &[Source<'_>],
    question: &Question,
    ranked: &mut [Ranked],
) -> Result<()> {
    let standing = ranked.iter_mut().filter(|one| one.dropped.is_none());
    for one in standing.take(3 * question.limit) {
        let glance = &one.candidate.glance;
        if glance.tier != Tier::Archive {
            continue;
        }
        let read = sources[one.candidate.spot.source].read;
        let by =
            read.links(&glance.id, At::LATEST)?.into_iter().find_map(|link| match link.relation {
                Relation::SupersededBy if link.from == glance.id => Some(link.to),
                Relation::Supersedes if link.to == glance.id => Some(link.from),
                _ => None,
            });
        if let Some(by) = by {
            one.dropped = Some(Dropped::ReplacedBy(by));
        }
    }
    Ok(())
}

/// Of those that may be chosen, one stands for all that say the same.
pub(crate) fn unite(
    sources: &[Source<'_>],
    question: &Question,
    known: &mut HashMap<Spot, Arc<Version>>,
    ranked: &mut [Ranked],
) -> Result<()> {
    loop {
        let places = compared(question, ranked);
        let spots = places.iter().map(|place| ranked[*place].candidate.spot);
        let unread: Vec<Spot> = spots.filter(|spot| !known.contains_key(spot)).collect();
        match versions(sources, &unread) {
            // Not all of these will be shown; whoever shows a damaged one says so.
            Err(Error::Damaged(_)) => {}
            read => known.extend(read?),
        }
        let version = |one: &Ranked| known.get(&one.candidate.spot).map(Arc::as_ref);
        // Each that is left out lets another come up, which may say the same again.
        if !unite_at(sources, &places, ranked, version) {
            return Ok(());
        }
    }
}

/// Places whose texts are compared: as many as may be chosen, and some behind them, for the places
/// are shared out among kinds.
fn compared(question: &Question, ranked: &[Ranked]) -> Vec<usize> {
    let standing = (0..ranked.len()).filter(|place| ranked[*place].dropped.is_none());
    standing.take(question.limit + LOOKED_AT).collect()
}

/// Of these places, those that say the same to the letter are one answer: that of the best of them.
/// True is whether there were any.
fn unite_at<'v>(
    sources: &[Source<'_>],
    places: &[usize],
    ranked: &mut [Ranked],
    version: impl Fn(&Ranked) -> Option<&'v Version>,
) -> bool {
    let mut speaks: HashMap<Said<'v>, usize> = HashMap::new();
    let mut any = false;
    for place in places.iter().copied() {
        let Some(this) = version(&ranked[place]) else { continue };
        let speaker = *speaks.entry(Said::by(this)).or_insert(place);
        if speaker == place {
            continue;
        }
        any = true;
        let by = ranked[speaker].candidate.glance.id.clone();
        let twin = &mut ranked[place];
        twin.dropped = Some(Dropped::SaidBy(by));
        let (history, evidence) = (std::mem::take(&mut twin.history), twin.evidence);
        let source = sources[twin.candidate.spot.source].name.to_owned();
        let speaker = &mut ranked[speaker];
        speaker.twins.push(Twin { id: this.id.clone(), source, valid: this.content.valid });
        speaker.history.extend(history);
        speaker.evidence = speaker.evidence.max(evidence);
    }
    any
}

/// All by which two memories are told apart, but for when and in which conversation they were said.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Said<'v> {
    text: Digest,
    kind: Kind,
    scope: &'v Scope,
    by_human: bool,
}

/// A text without what nobody would say: a full stop more is nothing else.
fn spoken(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '!', '…', ';']).trim_end()
}

impl<'v> Said<'v> {
    fn by(version: &'v Version) -> Said<'v> {
        let content = &version.content;
        Said {
            text: Digest::of("text", [spoken(&content.body.substance()).as_bytes()]),
            kind: version.kind(),
            scope: &content.scope,
            by_human: content.provenance.writer.is_human(),
        }
    }
}
