//! Whoever is told one side of a contradiction that nobody has settled is told of the other.

use crate::{Dispute, Found, Question, Source};
use mnemic_model::{Body, Filter, RecordId, Trust, Version};
use mnemic_store::{Error, Result};
use std::collections::HashMap;

/// Other sides that are told with one memory, at most.
const MOST: usize = 3;

/// Notes with each of these what contradicts it. Both sides must hold, and the other one be open to
/// whoever asks, as if it had been found itself.
pub(crate) fn mark(sources: &[Source<'_>], question: &Question, found: &mut [Found]) -> Result<()> {
    let filter = question.reaching_rest().filter;
    for source in sources {
        let holds = |one: &&mut Found| {
            let end = one.version.content.valid.to();
            one.source == source.name && end.is_none_or(|end| end > question.now)
        };
        let mut here: HashMap<RecordId, &mut Found> =
            found.iter_mut().filter(holds).map(|one| (one.version.id.clone(), one)).collect();
        if here.is_empty() {
            continue;
        }
        let open = source.read.open_contradictions(&here.keys().collect::<Vec<_>>())?;
        if open.is_empty() {
            continue;
        }
        let open = match source.read.versions_of(&open) {
            // The answers themselves are sound; `verify` tells of what is not.
            Err(Error::Damaged(_)) => continue,
            open => open?,
        };
        for (_, version) in open {
            let Body::Contradiction(sides) = &version.content.body else { continue };
            for (one, other) in [(&sides.a, &sides.b), (&sides.b, &sides.a)] {
                let Some(one) = here.get_mut(one) else { continue };
                if one.disputes.len() == MOST {
                    continue;
                }
                if let Some(other) = open_to(source, &filter, other)? {
                    one.disputes.push(Dispute {
                        contradiction: version.id.clone(),
                        id: other.id.clone(),
                        text: other.content.body.full_text(),
                    });
                }
            }
        }
    }
    Ok(())
}

/// A memory, if it would be shown to whoever asks. What is quarantined speaks against nothing.
fn open_to(source: &Source<'_>, filter: &Filter, id: &RecordId) -> Result<Option<Version>> {
    let Some(key) = source.read.key_of(id, None)? else { return Ok(None) };
    if source.read.glances(&[key], filter)?.is_empty() {
        return Ok(None);
    }
    let version = source.read.version(id, None)?;
    Ok(version.filter(|version| version.content.trust() != Trust::Quarantined))
}
