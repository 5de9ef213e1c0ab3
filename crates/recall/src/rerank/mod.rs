//! Reranking what is left, each way on its own switch: diversity, nearness in the graph, the gist of
//! the words, a reader, likeness to the best.

mod diversity;
mod kin;
mod reading;
mod skimming;

pub(crate) use diversity::diverse;
pub(crate) use kin::gather_kin;
pub use reading::Reader;
pub(crate) use reading::read_again;
pub use skimming::Skimmer;
pub(crate) use skimming::skim_best;
