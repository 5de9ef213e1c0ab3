//! Texts that are nearly the same: found by their shingles, merged only where nothing is lost.

mod bands;
mod merge;
mod shingles;

pub use bands::Bands;
pub use merge::{Reason, may_merge};
pub use shingles::{Signature, jaccard};
