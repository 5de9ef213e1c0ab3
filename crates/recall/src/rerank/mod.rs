//! Reranking what is left, each way on its own switch: diversity, nearness in the graph, a reader.

mod diversity;
mod reading;

pub(crate) use diversity::diverse;
pub use reading::Reader;
pub(crate) use reading::read_again;
