//! Reranking what is left, each way on its own switch: diversity, nearness in the graph.

mod diversity;

pub(crate) use diversity::diverse;
