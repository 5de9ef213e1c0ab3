//! What became of the files of an import.

use mnemic_exchange::import::Format;
use mnemic_model::{ChangeId, Kind};
use std::collections::BTreeMap;

/// Reasons that are kept one by one; the others are only counted.
const MOST_REASONS: usize = 100;

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileImport {
    pub name: String,
    pub format: Format,
    /// New memories by kind.
    pub new: BTreeMap<Kind, u64>,
    /// Memories that their source says anew, and episodes that went on.
    pub renewed: u64,
    /// Memories that were here already.
    pub known: u64,
    pub sessions: u64,
    /// What did not come in, and why; the first of them by name.
    pub skipped: Vec<String>,
    pub skipped_count: u64,
    /// Why nothing of it came in.
    pub broken: Option<String>,
    /// It is as it was the last time, and was not read.
    pub unchanged: bool,
}

impl FileImport {
    pub(super) fn new(name: &str, format: Format) -> FileImport {
        FileImport {
            name: name.to_owned(),
            format,
            new: BTreeMap::new(),
            renewed: 0,
            known: 0,
            sessions: 0,
            skipped: Vec::new(),
            skipped_count: 0,
            broken: None,
            unchanged: false,
        }
    }

    pub(super) fn add(&mut self, kind: Kind, count: u64) {
        if count > 0 {
            *self.new.entry(kind).or_default() += count;
        }
    }

    pub(super) fn skip(&mut self, why: String) {
        self.skipped_count += 1;
        if self.skipped.len() < MOST_REASONS {
            self.skipped.push(why);
        }
    }

    /// How many memories are new.
    pub fn created(&self) -> u64 {
        self.new.values().sum()
    }
}

/// All files of one import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Takeover {
    pub files: Vec<FileImport>,
    pub links: u64,
    /// What was stored and set apart for a review: no agent is given it.
    pub quarantined: u64,
    /// Links whose other end is not here.
    pub loose_links: u64,
    /// Undo these to take it all back: one a store that something was written to.
    pub changes: Vec<ChangeId>,
}
