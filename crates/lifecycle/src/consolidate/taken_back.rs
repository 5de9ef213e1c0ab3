//! What somebody took back of earlier runs: `undo` is a verdict, and nothing is done again unasked.

use super::act::{Act, Effect};
use mnemic_model::{ChangeId, Content, Kind, RecordId, Relation, Verb};
use mnemic_store::{Read, Result};
use std::collections::{BTreeMap, BTreeSet};

/// What consolidation did and an `undo` that still stands took back.
#[derive(Debug, Clone, Default)]
pub(super) struct TakenBack {
    contents: BTreeMap<RecordId, Vec<Content>>,
    links: BTreeSet<(RecordId, Relation, RecordId)>,
}

impl TakenBack {
    pub(super) fn read(read: &dyn Read) -> Result<TakenBack> {
        let mut all = TakenBack::default();
        for change in undone(read)? {
            if read.change(&change)?.is_none_or(|change| change.verb != Verb::Consolidate) {
                continue;
            }
            let touched = read.touched(&change)?;
            for version in touched.made {
                all.contents.entry(version.id).or_default().push(version.content);
            }
            let links = touched.links_made.into_iter();
            all.links.extend(links.map(|link| (link.from, link.relation, link.to)));
        }
        Ok(all)
    }

    /// Whether two memories were one once, and are two because somebody said so.
    pub(super) fn parted(&self, one: &RecordId, other: &RecordId) -> bool {
        let link = |from: &RecordId, to: &RecordId| {
            self.links.contains(&(from.clone(), Relation::SupersededBy, to.clone()))
        };
        !self.links.is_empty() && (link(one, other) || link(other, one))
    }

    /// Whether an act would do again what was taken back.
    pub(super) fn forbids(&self, act: &Act) -> bool {
        act.effects.iter().any(|effect| match effect {
            // A contradiction may come back as a question; its own step sees to that.
            Effect::Put { base: None, content, .. } if content.kind() == Kind::Contradiction => {
                false
            }
            // Made a second time it would hold since another time, and be the same all the same.
            Effect::Put { id, base: None, .. } => self.contents.contains_key(id),
            Effect::Put { id, base: Some(_), content } => {
                self.contents.get(id).is_some_and(|before| before.contains(content))
            }
            Effect::Link(link) => {
                self.links.contains(&(link.from.clone(), link.relation, link.to.clone()))
            }
            Effect::Unlink { .. } | Effect::AddUsage { .. } => false,
        })
    }
}

/// Changes that are undone now: an undo that was itself undone takes nothing back.
fn undone(read: &dyn Read) -> Result<BTreeSet<ChangeId>> {
    let mut undone = BTreeSet::new();
    for change in read.undoings()? {
        if !undone.contains(&change.id) {
            undone.extend(change.undoes);
        }
    }
    Ok(undone)
}
