//! What is a person's: written, vouched for, corrected or pinned by one. Agents leave it as it is.

use crate::{Error, ErrorKind, Result};
use mnemic_model::{Actor, RecordId, Verb, Version};
use mnemic_store::Read;

/// Whether a person stands for what a memory says.
pub(super) fn is_theirs(read: &dyn Read, version: &Version) -> Result<bool> {
    if version.content.belongs_to_a_person() {
        return Ok(true);
    }
    let versions = read.versions(&version.id)?;
    Ok(is_corrected(read, &versions)? || is_pinned_by_a_person(read, &versions)?)
}

/// Whether a person had the last word on it by an edit; that consolidation tended it since does not
/// count.
fn is_corrected(read: &dyn Read, versions: &[Version]) -> Result<bool> {
    for version in versions.iter().rev() {
        match read.change(&version.change)? {
            Some(change) if change.verb == Verb::Consolidate => continue,
            Some(change) => return Ok(change.verb == Verb::Edit && change.actor.is_human()),
            None => return Ok(false),
        }
    }
    Ok(false)
}

fn is_pinned_by_a_person(read: &dyn Read, versions: &[Version]) -> Result<bool> {
    let pinned = versions.iter().rev().take_while(|version| version.content.pinned);
    let Some(first) = pinned.last() else { return Ok(false) };
    Ok(read.change(&first.change)?.is_some_and(|change| change.actor.is_human()))
}

/// An agent came upon something that a person stands for.
pub(super) fn theirs(id: &RecordId, actor: &Actor) -> Error {
    let denied = format!("a person stands for `{id}`, which says otherwise than `{actor}`");
    Error::new(ErrorKind::Denied, denied)
        .hint("tell the person; what they say with `mnemic remember` holds from then on")
}
