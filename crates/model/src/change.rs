//! A set of writes that belong together: who, when, why, and the unit that `undo` takes back.

use crate::invalid::named;
use crate::{Actor, Timestamp, id};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Names one change, e.g. `chg-8f3k2m9qw4xz`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChangeId(pub String);

impl ChangeId {
    pub fn from_random(random: u64) -> ChangeId {
        ChangeId(format!("chg-{}", id::base32(random)))
    }
}

impl fmt::Display for ChangeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

named! {
    /// What was done. The audit chain uses the same words.
    Verb, "verb" {
        Remember = "remember",
        Capture = "capture",
        Edit = "edit",
        Link = "link",
        Unlink = "unlink",
        Pin = "pin",
        Confirm = "confirm",
        Block = "block",
        File = "file",
        Resolve = "resolve",
        Forget = "forget",
        Redact = "redact",
        Undo = "undo",
        Import = "import",
        Restore = "restore",
        Namespace = "namespace",
        VaultPut = "vault_put",
        VaultGet = "vault_get",
        Backup = "backup",
        Migrate = "migrate",
        Consolidate = "consolidate",
        Merge = "merge",
        GiveAccess = "give_access",
        TakeAccess = "take_access",
    }
}

/// One change: all versions and links that it made point to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub id: ChangeId,
    pub at: Timestamp,
    pub actor: Actor,
    pub verb: Verb,
    pub reason: Option<String>,
    /// The change that this one took back.
    pub undoes: Option<ChangeId>,
}
