//! Whoever is told one side of a contradiction that nobody has settled is told of the other.

use crate::{Dispute, Found, Question, Source};
use mnemic_model::{Body, RecordId, Version};
use mnemic_store::Result;

/// Notes with each of these what contradicts it. The other side must hold and be open to whoever
/// asks, as if it had been found itself.
pub(crate) fn mark(sources: &[Source<'_>], question: &Question, found: &mut [Found]) -> Result<()> {
    for source in sources {
        let mut here: Vec<&mut Found> =
            found.iter_mut().filter(|one| one.source == source.name).collect();
        if here.is_empty() {
            continue;
        }
        let open = source.read.open_contradictions()?;
        if open.is_empty() {
            continue;
        }
        for (_, version) in source.read.versions_of(&open)? {
            let Body::Contradiction(sides) = &version.content.body else { continue };
            for (one, other) in [(&sides.a, &sides.b), (&sides.b, &sides.a)] {
                let Some(one) = here.iter_mut().find(|here| here.version.id == *one) else {
                    continue;
                };
                if let Some(other) = open_to(source, question, other)? {
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

/// A memory, if it would be shown to whoever asks.
fn open_to(source: &Source<'_>, question: &Question, id: &RecordId) -> Result<Option<Version>> {
    let Some(key) = source.read.key_of(id, None)? else { return Ok(None) };
    if source.read.glances(&[key], &question.reaching_rest().filter)?.is_empty() {
        return Ok(None);
    }
    source.read.version(id, None)
}
