//! Meaning: vectors of sentences, found by a scan of one-bit codes and rescored exactly.

mod build;
mod candidates;
mod codes;
mod divide;
mod quantise;
mod query;
mod rotate;
mod scan;
mod search;
mod segment;
mod vectors;

pub use quantise::quantise;
pub use rotate::{rotated, unrotated};
pub use search::{Hit, MeaningSearch, Scores};
pub use segment::MeaningSegment;

/// A vector as it is stored: each component times `scale`.
#[derive(Debug, Clone, PartialEq)]
pub struct Coded {
    pub row: u64,
    /// The row that it belongs to: several vectors may stand for one memory.
    pub owner: u64,
    /// Handed back to the caller's filter; means nothing here.
    pub facets: u64,
    pub scale: f32,
    pub components: Vec<i8>,
}
