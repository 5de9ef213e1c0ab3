//! Models: what turns text into vectors, and what may be asked to read.
//!
//! Three embedders stand behind one trait: [`local`] runs packed weights on this processor,
//! [`remote`] asks an endpoint, [`fake`] is for tests; [`remembering`] spares any of them the questions
//! asked lately. Vectors are comparable only if their [`ModelId`] is the same. A [`Gist`] compares texts
//! by their words alone, in microseconds, and stores nothing. A [`Reranker`] reads a
//! question and a text together; there is none unless somebody names a service.

mod embedder;
mod error;
mod fake;
mod gist;
pub mod language;
mod local;
mod mapped;
mod remembering;
mod remote;
mod reranker;

pub use embedder::{Embedder, ModelId, Passage, Role, Vector};
pub use error::Error;
pub use fake::fake;
pub use gist::{Direction, Gist, gist, gist_from};
pub use local::{local, local_from, local_with};
pub use remembering::remembering;
pub use remote::{RemoteSettings, RerankSettings, Secret, remote, remote_reranker};
pub use reranker::Reranker;

/// For the program that packs and measures weights; no promise to anyone else.
#[doc(hidden)]
pub mod packing {
    pub use crate::gist::source::pack_gist;
    pub use crate::gist::verify as verify_gist;
    pub use crate::local::kernel::Kernel;
    pub use crate::local::measure::{Measured, Subject};
    pub use crate::local::packed::verify;
    pub use crate::local::source::pack;
}
