//! What prediction reads: uses of things, and signals that one is in use now.

use mnemic_model::Timestamp;
use mnemic_model::session::Thing;
use std::sync::Arc;

/// One use of a thing in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    pub session: Arc<str>,
    pub thing: Thing,
    pub at: Timestamp,
}

/// Something that happens now: a file was opened, an error appeared, somebody joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    pub thing: Thing,
    pub at: Timestamp,
}

impl Signal {
    pub fn new(thing: Thing, at: Timestamp) -> Signal {
        Signal { thing, at }
    }
}
