//! For whoever wants to know how near and how fast the kernels are; used by `mnemic-pack`.

use std::path::Path;

use super::Local;
use super::kernel::Kernel;
use super::packed::Packed;
use super::reference::Reference;
use super::source;
use super::tokens::Tokens;
use crate::{Embedder, Error, Role, Vector};

/// A packed model and a path to compute on.
#[derive(Debug)]
pub struct Subject {
    local: Local,
}

/// How near the kernels come to plain f32.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    pub texts: usize,
    pub least_cosine: f64,
    pub mean_cosine: f64,
}

impl Subject {
    pub fn open(path: &Path, kernel: Kernel) -> Result<Subject, Error> {
        Ok(Subject { local: Local::new(Packed::map(path)?, kernel) })
    }

    pub fn ids(&self, text: &str) -> Vec<u16> {
        self.local.tokenizer().ids(text)
    }

    /// From ids, so that a length in tokens can be chosen.
    pub fn encode(&self, texts: &[Vec<u16>]) -> Result<Vec<Vector>, Error> {
        self.local.encode(&texts.iter().cloned().map(Tokens::from).collect::<Vec<_>>())
    }

    pub fn embed(&self, text: &str) -> Result<Vector, Error> {
        Ok(self.local.embed(&[text], Role::Passage)?.swap_remove(0))
    }

    /// Compared with the numbers of the download that was packed, or without it with the packed
    /// ones.
    pub fn measure(&self, texts: &[&str], download: Option<&Path>) -> Result<Measured, Error> {
        let packed = &self.local.packed;
        let reference = match download {
            Some(path) => Reference::of_source(packed, &source::read(path)?),
            None => Reference::new(packed),
        };
        let mut measured = Measured { texts: texts.len(), least_cosine: 1.0, mean_cosine: 0.0 };
        for text in texts {
            let cosine = cosine(&self.embed(text)?, &reference.encode(&self.ids(text).into())[0]);
            measured.least_cosine = measured.least_cosine.min(cosine);
            measured.mean_cosine += cosine / texts.len() as f64;
        }
        Ok(measured)
    }
}

pub(crate) fn cosine(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}
