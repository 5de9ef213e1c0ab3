//! A model as it comes: read from another's file, written in our own order.

mod hmsemb;
pub(crate) mod vocabulary;

use std::path::Path;

pub(crate) use vocabulary::Vocabulary;

use super::packed::{self, FINE, GROUP, Place, Shape};
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

/// Rows of whole numbers; every [`FINE`] of a row have their scale.
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
            && width.is_multiple_of(FINE)
            && codes.len().is_multiple_of(width)
            && codes.len() == scales.len() * FINE
            && !codes.contains(&i8::MIN)
            && scales.iter().all(|scale| scale.is_finite());
        whole.then_some(Matrix { width, codes, scales })
    }

    /// What the codes are worth, row by row.
    pub(crate) fn numbers(&self) -> Vec<f32> {
        let groups = self.codes.chunks_exact(FINE).zip(&self.scales);
        groups
            .flat_map(|(codes, scale)| codes.iter().map(move |&code| f32::from(code) * scale))
            .collect()
    }

    /// The same numbers rounded again, so that every [`GROUP`] of a row share a scale: codes and
    /// scales.
    pub(crate) fn regrouped(&self) -> (Vec<i8>, Vec<f32>) {
        let numbers = self.numbers();
        let mut codes = Vec::with_capacity(numbers.len());
        let mut scales = Vec::with_capacity(numbers.len() / GROUP);
        for group in numbers.chunks_exact(GROUP) {
            let largest = group.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
            let scale = largest / f32::from(i8::MAX);
            // A group of zeros has no scale to be divided by.
            let divisor = if scale > 0.0 { scale } else { 1.0 };
            codes.extend(group.iter().map(|number| (number / divisor).round_ties_even() as i8));
            scales.push(scale);
        }
        (codes, scales)
    }
}

/// Turns a downloaded model into a packed file.
pub fn pack(from: &Path, to: &Path) -> Result<(), Error> {
    packed::write(&read(from)?, to)
}

pub(crate) fn read(from: &Path) -> Result<Source, Error> {
    let bytes =
        std::fs::read(from).map_err(|cause| Error::Unreadable { path: from.to_owned(), cause })?;
    let unpackable = |why| Error::Unpackable { path: from.to_owned(), why };
    hmsemb::read(&bytes).map_err(unpackable)
}

#[cfg(test)]
mod tests;
