//! A model as it comes: read from another's file, written in our own order.

mod hmsemb;
mod vocabulary;

use std::path::Path;

pub(crate) use vocabulary::Vocabulary;

use super::packed::{self, GROUP, Place, Shape};
use crate::Error;

/// A model with every number where a person would look for it.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) tokens: Matrix,
    /// One row a position.
    pub(crate) positions: Vec<f32>,
    /// Norms: all gains, then all offsets.
    pub(crate) norm: Vec<f32>,
    pub(crate) layers: Vec<Layer>,
}

#[derive(Debug)]
pub(crate) struct Layer {
    /// In the order of [`Place::ALL`], as the biases.
    pub(crate) matrices: [Matrix; 4],
    pub(crate) bias: [Vec<f32>; 4],
    pub(crate) attention_norm: Vec<f32>,
    pub(crate) last_norm: Vec<f32>,
}

impl Layer {
    pub(crate) fn matrix(&self, place: Place) -> &Matrix {
        &self.matrices[place as usize]
    }
}

/// Rows of whole numbers; each group of a row has its scale.
#[derive(Debug)]
pub(crate) struct Matrix {
    pub(crate) width: usize,
    /// Never -128: the kernels negate.
    pub(crate) codes: Vec<i8>,
    pub(crate) scales: Vec<f32>,
}

impl Matrix {
    pub(crate) fn new(width: usize, codes: Vec<i8>, scales: Vec<f32>) -> Option<Matrix> {
        let whole = width > 0
            && width.is_multiple_of(GROUP)
            && codes.len().is_multiple_of(width)
            && codes.len() == scales.len() * GROUP
            && !codes.contains(&i8::MIN)
            && scales.iter().all(|scale| scale.is_finite());
        whole.then_some(Matrix { width, codes, scales })
    }
}

/// Turns a downloaded model into a packed file.
pub fn pack(from: &Path, to: &Path) -> Result<(), Error> {
    let bytes =
        std::fs::read(from).map_err(|cause| Error::Unreadable { path: from.to_owned(), cause })?;
    let unpackable = |why| Error::Unpackable { path: from.to_owned(), why };
    let source = hmsemb::read(&bytes).map_err(unpackable)?;
    packed::write(&source, to)
}

#[cfg(test)]
mod tests;
