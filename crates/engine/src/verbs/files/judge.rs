//! What a file means beside the versions of its memory, and who wins where both changed.

use super::patch;
use mnemic_exchange::files::{Reading, base_of};
use mnemic_model::Version;

/// Which side holds where a file and the store both changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// What the file says becomes the next version.
    File,
    /// The file is written anew.
    Store,
}

impl Keep {
    pub const ALL: &'static [Keep] = &[Keep::File, Keep::Store];

    pub fn as_str(self) -> &'static str {
        match self {
            Keep::File => "file",
            Keep::Store => "store",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judgement {
    Same,
    /// It says what the store says, and its bytes are not those that were written: it is written
    /// anew.
    Unsettled,
    Edit,
    Conflict(&'static str),
    /// A conflict in which the store holds.
    Overruled,
}

/// What a file means, and what becomes of it when somebody says which side holds.
pub(super) fn judge(versions: &[Version], reading: &Reading, keep: Option<Keep>) -> Judgement {
    let current = versions.iter().find(|version| version.is_current());
    match (met(versions, current, reading), keep) {
        (Judgement::Conflict(_), Some(Keep::Store)) => Judgement::Overruled,
        // What was taken back is brought back by its history, not by a file.
        (Judgement::Conflict(_), Some(Keep::File)) if current.is_some() => Judgement::Edit,
        (judgement, _) => judgement,
    }
}

fn met(versions: &[Version], current: Option<&Version>, reading: &Reading) -> Judgement {
    let Some(current) = current else {
        return match reading.is_edited() {
            true => Judgement::Conflict("the store took it back since"),
            false => Judgement::Same,
        };
    };
    // Whether they differ in nothing that a file may change.
    let says_the_same = patch::between(&current.content, &reading.content).is_empty();
    let known_here = |base| versions.iter().any(|version| Some(base_of(&version.content)) == base);
    match reading.is_edited() {
        true if says_the_same && !reading.links_edited => Judgement::Unsettled,
        false if says_the_same => Judgement::Same,
        // Written by an older state of this store: the store is ahead.
        false if known_here(reading.base) => Judgement::Same,
        _ if reading.knew(&current.content) => Judgement::Edit,
        false => Judgement::Conflict("it comes from a store that did not know what this one says"),
        true => Judgement::Conflict("the store changed since the file was written"),
    }
}
