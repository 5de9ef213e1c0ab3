//! What held before: a statement that gave way to another holds again when that one is taken back.

use crate::Result;
use mnemic_model::{At, Body, ChangeId, RecordId, Relation, Verb, Version};
use mnemic_store::Write;

/// Goes back on what consolidation settled in favour of memories that are no longer there. What a
/// person decided stays decided. The memories that hold again.
pub(super) fn revive(
    tx: &mut dyn Write,
    gone: &[RecordId],
    undoing: &ChangeId,
) -> Result<Vec<RecordId>> {
    let mut revived = Vec::new();
    for winner in gone {
        for link in tx.links(winner, At::LATEST)? {
            if link.relation != Relation::Supersedes || link.from != *winner {
                continue;
            }
            let Some((settling, before)) = ending_of(tx, &link.to)? else { continue };
            let Some(now) = tx.version(&link.to, None)? else { continue };
            tx.put(&link.to, &now.content.valid_during(before.content.valid), undoing)?;
            tx.disconnect(&link.from, link.relation, &link.to, undoing)?;
            for version in tx.touched(&settling)?.made {
                if is_between(&version, winner, &link.to) {
                    tx.retract(&version.id, undoing)?;
                }
            }
            revived.push(link.to);
        }
    }
    Ok(revived)
}

/// The consolidation that ended a memory, and the memory before it did.
fn ending_of(tx: &dyn Write, id: &RecordId) -> Result<Option<(ChangeId, Version)>> {
    let versions = tx.versions(id)?;
    let ended = |pair: &&[Version]| {
        let [before, after] = pair else { return false };
        after.content.valid.to().is_some() && before.content.valid.to() != after.content.valid.to()
    };
    let Some([before, after]) = versions.windows(2).rev().find(ended) else { return Ok(None) };
    let change = tx.change(&after.change)?;
    let is_settled = change.is_some_and(|change| change.verb == Verb::Consolidate);
    Ok(is_settled.then(|| (after.change.clone(), before.clone())))
}

fn is_between(version: &Version, one: &RecordId, other: &RecordId) -> bool {
    match &version.content.body {
        Body::Contradiction(found) => {
            (&found.a, &found.b) == (one, other) || (&found.b, &found.a) == (one, other)
        }
        _ => false,
    }
}
