//! What a person asked to forget, known only by its fingerprints, so that it does not come back.

use crate::{Actor, Digest, RecordId, Slot, Timestamp};

/// Keeps one forgotten memory out. It holds no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tombstone {
    pub id: RecordId,
    /// Of the loosened text, so that case, spacing and punctuation do not matter.
    pub content: Digest,
    /// Of the slot, where the memory held one: the subject as a whole was asked to be forgotten.
    pub subject: Option<Digest>,
    pub at: Timestamp,
    pub actor: Actor,
    pub reason: Option<String>,
}

/// The fingerprint of a subject; the slot's own text stays out of the file.
pub fn subject_digest(slot: &Slot) -> Digest {
    Digest::of("subject", [slot.as_str().as_bytes()])
}
