//! An embedder that is quick with passages and true with questions: a passage gets the vector of
//! some real text with a little noise, so that a large store has vectors of a real shape.

use crate::corpus::Corpus;
use mnemic_engine::inference::{Embedder, Error, ModelId, Role, Vector};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Real texts that are really embedded.
const REAL: usize = 2_000;

/// Their distance in the corpus, so that they come from all of it.
const STEP: usize = 17;

/// Words of each: about as many as in a fine part.
const WORDS: usize = 40;

/// The length of the noise: the vector keeps a cosine of about 0.9 to the real one.
const NOISE: f32 = 0.45;

#[derive(Debug)]
pub(super) struct Likeness {
    inner: Arc<dyn Embedder>,
    real: Vec<Vector>,
}

impl Likeness {
    pub(super) fn of(corpus: &Corpus, inner: &Arc<dyn Embedder>) -> Result<Likeness, Error> {
        let texts: Vec<String> = (0..REAL).map(|n| beginning(corpus, n * STEP)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Ok(Likeness { inner: inner.clone(), real: inner.embed(&texts, Role::Passage)? })
    }

    /// The same text always has the same vector.
    fn passage(&self, text: &str) -> Vector {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let hash = hasher.finish();
        let real = &self.real[(hash % self.real.len() as u64) as usize];
        let mut noise = Noise(hash | 1);
        // The deviation of a uniform value in -1..1 is 1/√3.
        let size = NOISE * (3.0 / real.len() as f32).sqrt();
        let mut vector: Vector = real.iter().map(|x| x + size * noise.next()).collect();
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        vector.iter_mut().for_each(|x| *x /= length);
        vector
    }
}

fn beginning(corpus: &Corpus, n: usize) -> String {
    let text = corpus.draft(n).body.substance();
    text.split_whitespace().take(WORDS).collect::<Vec<_>>().join(" ")
}

/// Uniform values in -1..1 (xorshift64).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }
}

impl Embedder for Likeness {
    /// The local model's own: its questions and these passages are compared.
    fn model(&self) -> &ModelId {
        self.inner.model()
    }

    fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<Vector>, Error> {
        match role {
            Role::Query => self.inner.embed(texts, role),
            Role::Passage => Ok(texts.iter().map(|text| self.passage(text)).collect()),
        }
    }

    fn is_word(&self, word: &str) -> Option<bool> {
        self.inner.is_word(word)
    }

    fn window(&self) -> usize {
        self.inner.window()
    }

    fn is_remote(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_even_and_bounded() {
        let mut noise = Noise(0x2545_f491_4f6c_dd1d);
        let values: Vec<f32> = (0..10_000).map(|_| noise.next()).collect();
        assert!(values.iter().all(|value| (-1.0..=1.0).contains(value)));
        assert!(values.iter().sum::<f32>().abs() < 200.0);
    }
}
