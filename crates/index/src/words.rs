//! Words: immutable postings over a range of rows, and BM25 over several of them as if one.

mod bits;
mod block;
mod bm25;
mod build;
mod cursor;
mod dictionary;
mod merge;
mod postings;
mod search;
mod segment;
mod window;

pub use bm25::Bm25;
pub use search::{Hit, WordsSearch};
pub use segment::WordsSegment;

/// What the index is told about one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub row: u64,
    /// Handed back to the caller's filter; means nothing here.
    pub facets: u64,
    /// Each distinct term with how often it occurs.
    pub terms: Vec<(String, u32)>,
    /// In terms, repetitions included: what BM25 calls the length of a document.
    pub length: u32,
}
