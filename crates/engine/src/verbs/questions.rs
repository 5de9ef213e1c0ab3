//! Contradictions that nobody has settled, as a context tells of them.

use super::texts::texts;
use crate::{Engine, Result};
use mnemic_model::body::Status;
use mnemic_model::{At, Body, Filter, RecordId, Trust, Version};
use mnemic_recall::context::Texts;
use std::collections::{BTreeMap, BTreeSet};

/// Contradictions that are open.
#[derive(Default)]
pub(super) struct Questions {
    pub(super) sides: BTreeSet<RecordId>,
    /// The contradiction in words.
    pub(super) told: BTreeMap<RecordId, String>,
}

impl Engine {
    /// What nobody has settled yet, in the words of both sides; only where both may be shown to
    /// whoever asks with this filter.
    pub(super) fn open_questions(&self, at_hand: &[Version], filter: &Filter) -> Result<Questions> {
        let filter = self.in_lineage(filter)?;
        let mut questions = Questions::default();
        for version in at_hand {
            let Body::Contradiction(found) = &version.content.body else { continue };
            if found.status != Status::Open {
                continue;
            }
            questions.sides.extend([found.a.clone(), found.b.clone()]);
            let said = |id: &RecordId| {
                let side = self.show(id.as_str(), At::LATEST).ok()?.version;
                may_see(&filter, &side).then(|| one_line(&texts(&side).compressed))
            };
            if let (Some(a), Some(b)) = (said(&found.a), said(&found.b)) {
                let told = format!(
                    "nobody has settled which holds: \u{201c}{a}\u{201d} or \u{201c}{b}\u{201d}"
                );
                questions.told.insert(version.id.clone(), told);
            }
        }
        Ok(questions)
    }
}

fn may_see(filter: &Filter, side: &Version) -> bool {
    fn passes<T: PartialEq>(wanted: &[T], one: &T) -> bool {
        wanted.is_empty() || wanted.contains(one)
    }
    let content = &side.content;
    content.trust() != Trust::Quarantined
        && passes(&filter.trusts, &content.trust())
        && passes(&filter.kinds, &content.kind())
        && passes(&filter.levels, &content.scope.level)
        && passes(&filter.namespaces, &content.scope.namespace)
}

/// The same words at every level.
pub(super) fn in_one(text: &str) -> Texts {
    let text = || text.to_owned();
    Texts { full: text(), summary: text(), compressed: text(), index: text() }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
