//! What a store tells about itself beside its records.

use mnemic_model::{Digest, Kind, Link, RecordId, Timestamp, Version};
use std::collections::BTreeMap;

/// All that one change touched.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Touched {
    /// Versions it made.
    pub made: Vec<Version>,
    /// Versions it ended.
    pub ended: Vec<Version>,
    /// The last version of each record that it brought in from elsewhere.
    pub arrived: Vec<Version>,
    pub links_made: Vec<Link>,
    pub links_ended: Vec<Link>,
}

/// The answer that was given to a write with an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub request: Digest,
    pub result: String,
}

/// Counts over the whole store.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Census {
    /// Records believed, by kind.
    pub kinds: BTreeMap<Kind, u64>,
    pub tiers: BTreeMap<String, u64>,
    pub trusts: BTreeMap<String, u64>,
    pub namespaces: BTreeMap<String, u64>,
    pub versions: u64,
    pub links: u64,
    pub tombstones: u64,
    pub audit_entries: u64,
    pub jobs_waiting: u64,
    /// Of the file and its journal.
    pub bytes: u64,
    pub first_recorded: Option<Timestamp>,
    pub last_recorded: Option<Timestamp>,
}

/// One thing that `verify` found wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which table or index.
    pub place: String,
    /// The row in it, and the record it belongs to where that can still be told.
    pub row: Option<i64>,
    pub record: Option<RecordId>,
    pub problem: String,
    /// Derived data can be rebuilt from rows; a damaged row needs a backup.
    pub derived: bool,
}

/// What `verify` looked at and found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    pub records: u64,
    pub versions: u64,
    pub audit_entries: u64,
    pub findings: Vec<Finding>,
}

/// What replacing text in rows came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redaction {
    pub ids: Vec<RecordId>,
    pub versions: u64,
    /// Texts outside of versions: reasons, traces, notes.
    pub elsewhere: u64,
    /// Names of records and subjects of the audit chain that fit and cannot be changed.
    pub unchangeable: u64,
}

/// How the file itself is doing.
#[derive(Debug, Clone, PartialEq)]
pub struct Upkeep {
    pub schema: i64,
    pub words_current: bool,
    pub journal_bytes: u64,
    pub free_bytes: u64,
    pub last_recorded: Option<Timestamp>,
    pub last_backup: Option<Timestamp>,
}
