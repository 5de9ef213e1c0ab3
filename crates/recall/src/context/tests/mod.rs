//! What must hold of every text that leaves here.

mod hostile;
mod packing;
mod properties;
pub(super) mod sample;
mod snapshots;
