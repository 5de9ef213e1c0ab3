//! Derived files that answer in milliseconds: immutable segments of words and of meaning.
//!
//! A segment is built from rows, published by an atomic rename and never written again, so any
//! number of processes may read it. It holds nothing that cannot be built anew: a damaged one is
//! thrown away. Rows are plain keys here; what they stand for is the caller's business.

mod best;
mod error;
mod frame;
mod mapped;
pub mod meaning;
pub mod shelf;
pub mod words;

pub use error::Error;
