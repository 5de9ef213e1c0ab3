//! What held before: the history that is shown with what holds now.

use super::is_free;
use crate::understand::Span;
use crate::{Past, Source};
use mnemic_model::{At, RecordId, Relation, Trust, Version};
use mnemic_store::Result;

/// What came before is shown for a few steps back.
const MOST_PAST: usize = 5;

/// What the slot of a memory held before, newest first.
pub(crate) fn past_of_slot(
    source: &Source<'_>,
    id: &RecordId,
    version: &Version,
) -> Result<Vec<Past>> {
    let past = |other: Version| Past {
        text: other.content.body.full_text(),
        valid: other.content.valid,
        because: if other.id == *id { "it was changed" } else { "its slot was given to this one" },
        id: other.id,
    };
    Ok(held_before(source, version)?.into_iter().take(MOST_PAST).map(past).collect())
}

/// What held in a time that was asked about, where the memory itself came later: another value of
/// its slot, or what it took the place of.
pub(crate) fn held_in(
    source: &Source<'_>,
    version: &Version,
    asked_of: &[Span],
) -> Result<Option<Version>> {
    let since = version.content.valid.from();
    let Some(span) = asked_of.first().filter(|span| span.to <= since) else { return Ok(None) };
    let mut before = held_before(source, version)?;
    before.extend(lost_to(source, version)?);
    Ok(before.into_iter().find(|other| {
        let valid = other.content.valid;
        valid.from() < span.to && valid.to().is_none_or(|end| end > span.from)
    }))
}

fn held_before(source: &Source<'_>, version: &Version) -> Result<Vec<Version>> {
    let Some(slot) = version.content.slot() else { return Ok(Vec::new()) };
    let since = version.content.valid.from();
    let beginning = since.plus_seconds(-400 * 365 * 86_400);
    let mut held = source.read.holders(&slot, &version.content.scope, beginning)?;
    // What is in quarantine surfaces nowhere unasked, not as history either.
    held.retain(|other| {
        other.content.valid.from() < since && other.content.trust() != Trust::Quarantined
    });
    held.sort_by_key(|other| std::cmp::Reverse(other.content.valid.from()));
    Ok(held)
}

/// What a memory without a slot took the place of when a contradiction was settled, newest first.
pub(crate) fn past_by_links(source: &Source<'_>, version: &Version) -> Result<Vec<Past>> {
    let because = "it was settled which of the two holds";
    let past = |lost: &Version| Past { because, ..as_past(lost) };
    Ok(lost_to(source, version)?.iter().take(MOST_PAST).map(past).collect())
}

/// What gave way to a memory when it was settled which of the two holds, newest first.
fn lost_to(source: &Source<'_>, version: &Version) -> Result<Vec<Version>> {
    let (id, scope) = (&version.id, &version.content.scope);
    let mut all = Vec::new();
    if !is_free(version.kind()) {
        return Ok(all);
    }
    for link in source.read.links(id, At::LATEST)? {
        if link.relation != Relation::Supersedes || link.from != *id {
            continue;
        }
        let Some(lost) = source.read.version(&link.to, None)? else { continue };
        let is_shown =
            lost.content.scope.same_room(scope) && lost.content.trust() != Trust::Quarantined;
        // What lost as it came in never held.
        let held = lost.content.valid.from() < version.content.valid.from();
        if is_shown && held && lost.content.valid.to().is_some() {
            all.push(lost);
        }
    }
    all.sort_by_key(|lost| std::cmp::Reverse(lost.content.valid.to()));
    Ok(all)
}

/// A statement that was replaced, as history of the one that replaced it.
pub(crate) fn as_past(version: &Version) -> Past {
    Past {
        id: version.id.clone(),
        text: version.content.body.full_text(),
        valid: version.content.valid,
        because: "a later memory says otherwise",
    }
}
