//! What stands for another is shown instead of it: of several that say the same to the letter one
//! answers and names the others, and what was merged is left to what it was merged into.

use crate::recall::{Dropped, Ranked};
use crate::settle::LOOKED_AT;
use crate::{Question, Source, Twin};
use mnemic_model::{At, Kind, Relation, Scope, Tier, Version};
use mnemic_store::Result;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

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

/// Places whose texts are compared: as many as may be chosen, and those that come up where copies
/// leave room. Deeper ones answer only where there is little else.
pub(crate) fn compared(question: &Question, ranked: &[Ranked]) -> Vec<usize> {
    let standing = (0..ranked.len()).filter(|place| ranked[*place].dropped.is_none());
    standing.take(question.limit + LOOKED_AT).collect()
}

/// Of these places, those that say the same to the letter are one answer: that of the one that is
/// trusted most, and of those the best. It stays where it stands, for a copy lends no place.
pub(crate) fn unite<'v>(
    sources: &[Source<'_>],
    places: &[usize],
    ranked: &mut [Ranked],
    version: impl Fn(&Ranked) -> Option<&'v Version>,
) {
    let mut speaks: HashMap<Said<'v>, (usize, &'v Version)> = HashMap::new();
    let mut pairs = Vec::new();
    for place in places.iter().copied() {
        let Some(this) = version(&ranked[place]) else { continue };
        match speaks.entry(Said::by(this)) {
            Entry::Vacant(free) => {
                free.insert((place, this));
            }
            Entry::Occupied(mut taken) => {
                let (other_place, other) = *taken.get();
                if this.content.trust() < other.content.trust() {
                    taken.insert((place, this));
                    pairs.push((other_place, other, Said::by(this)));
                } else {
                    pairs.push((place, this, Said::by(this)));
                }
            }
        }
    }
    for (place, twin, said) in pairs {
        let (speaker, by) = speaks[&said];
        ranked[place].dropped = Some(Dropped::SaidBy(by.id.clone()));
        ranked[speaker].twins.push(Twin {
            id: twin.id.clone(),
            source: sources[ranked[place].candidate.spot.source].name.to_owned(),
            valid: twin.content.valid,
        });
    }
}

/// All by which two memories are told apart, but for when and in which conversation they were said.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Said<'v> {
    text: String,
    kind: Kind,
    scope: &'v Scope,
    by_human: bool,
}

impl<'v> Said<'v> {
    fn by(version: &'v Version) -> Said<'v> {
        let content = &version.content;
        Said {
            text: content.body.substance().trim().to_owned(),
            kind: version.kind(),
            scope: &content.scope,
            by_human: content.provenance.writer.is_human(),
        }
    }
}
