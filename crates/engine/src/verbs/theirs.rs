//! What is a person's: written, vouched for, corrected or pinned by one. Agents leave it as it is.

use crate::{Error, ErrorKind, Result};
use mnemic_lifecycle::consolidate::is_corrected;
use mnemic_model::{Actor, RecordId, Version};
use mnemic_store::Read;

/// Whether a person stands for what a memory says.
pub(super) fn is_theirs(read: &dyn Read, version: &Version) -> Result<bool> {
    if version.content.belongs_to_a_person() {
        return Ok(true);
    }
    Ok(is_corrected(read, version)? || is_pinned_by_a_person(read, version)?)
}

fn is_pinned_by_a_person(read: &dyn Read, version: &Version) -> Result<bool> {
    if !version.content.pinned {
        return Ok(false);
    }
    let versions = read.versions(&version.id)?;
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
