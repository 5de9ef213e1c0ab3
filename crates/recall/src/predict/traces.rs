//! What prediction asks of the past: two questions, each one indexed query over
//! `trace(session, thing, at)`.

use mnemic_model::Timestamp;
use mnemic_model::session::Thing;
use std::sync::Arc;

/// A session of the past: each thing it used, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastSession {
    pub id: Arc<str>,
    /// When it last used anything.
    pub at: Timestamp,
    pub things: Vec<Thing>,
}

/// The uses of things so far. Every answer is bounded by `limit`.
pub trait Traces {
    type Error;

    /// The sessions that used this thing, the latest first; ties by id.
    fn sessions_with(&self, thing: &Thing, limit: usize) -> Result<Vec<PastSession>, Self::Error>;

    /// The latest sessions, whatever they used, the latest first; ties by id.
    fn last_sessions(&self, limit: usize) -> Result<Vec<PastSession>, Self::Error>;
}
