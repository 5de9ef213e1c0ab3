//! The audit chain: each entry's hash covers the one before, so that none can be changed or lost
//! unnoticed. Entries hold fingerprints, never text.

use crate::{Actor, Digest, Timestamp, Verb};

/// One entry of the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// 1, 2, 3… without a gap.
    pub seq: u64,
    pub at: Timestamp,
    pub actor: Actor,
    pub verb: Verb,
    /// The record, change or file that it was done to.
    pub subject: String,
    /// Fingerprint of what was written, where something was.
    pub content: Option<Digest>,
    pub hash: Digest,
}

impl AuditEntry {
    /// The hash that an entry must carry when it follows `before`.
    pub fn chained_hash(&self, before: Digest) -> Digest {
        let actor = self.actor.to_string();
        Digest::of(
            "audit",
            [
                before.0.as_slice(),
                &self.seq.to_le_bytes(),
                &self.at.micros().to_le_bytes(),
                actor.as_bytes(),
                self.verb.as_str().as_bytes(),
                self.subject.as_bytes(),
                self.content.as_ref().map_or(&[][..], |c| c.0.as_slice()),
            ],
        )
    }

    /// What the first entry follows.
    pub fn genesis() -> Digest {
        Digest::of("audit", [b"genesis".as_slice()])
    }
}
