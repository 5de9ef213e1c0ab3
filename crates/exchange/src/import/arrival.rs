//! What a reader hands out, and how it says that a file is broken.

use mnemic_model::{Draft, RecordId, Relation, Unit};
use serde_json::Value;

/// One thing that was found in a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Arrival {
    /// With an id that is the same whenever the same file is read.
    Memory(Box<Draft>),
    Bond(Bond),
    /// What bonds call `name` is the memory `id`.
    Named {
        name: RecordId,
        id: RecordId,
    },
    /// Messages under `messages`, for whoever makes episodes of conversations.
    Conversation(Value),
    Left(Left),
}

/// A link between memories that may come in this file, in another one, or never.
#[derive(Debug, Clone, PartialEq)]
pub struct Bond {
    pub from: RecordId,
    pub relation: Relation,
    pub to: RecordId,
    /// What the other end is called, should it be missing.
    pub named: String,
    pub strength: Unit,
}

/// What was passed over, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    pub what: String,
    pub why: String,
}

/// Takes arrivals. An error of its own stops the reading.
pub type Sink<'a> = dyn FnMut(Arrival) -> Result<(), Broken> + 'a;

/// Why a file cannot be read, said of the file: `is not JSON`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Broken(pub String);

impl Broken {
    pub fn new(why: impl Into<String>) -> Broken {
        Broken(why.into())
    }

    /// Wrong in one of many places.
    pub(super) fn at(place: &str, why: impl std::fmt::Display) -> Broken {
        Broken(format!("{place}: {why}"))
    }
}

impl From<std::io::Error> for Broken {
    fn from(cause: std::io::Error) -> Broken {
        Broken(format!("cannot be read: {cause}"))
    }
}

impl From<mnemic_store::Error> for Broken {
    fn from(cause: mnemic_store::Error) -> Broken {
        Broken(cause.to_string())
    }
}
