//! What reads a question and a text together, instead of comparing what each means by itself.

use crate::Error;

pub trait Reranker: Send + Sync + std::fmt::Debug {
    /// How well each text answers the question, from 0 to 1, in order.
    fn scores(&self, question: &str, texts: &[&str]) -> Result<Vec<f64>, Error>;
}
