//! An embedder without a model, for tests: texts that share words or spellings are near.

use std::sync::Arc;

use crate::embedder::normalised;
use crate::{Embedder, Error, ModelId, Role, Vector};

/// How much a shared run of three characters counts against a shared word.
const TRIGRAM_WEIGHT: f32 = 0.3;

/// Vectors of hashed words and character trigrams. The same text gives the same vector on every
/// machine and in every version.
pub fn fake(dimensions: usize) -> Arc<dyn Embedder> {
    let dimensions = dimensions.max(1);
    let (name, generation) = ("fake".to_owned(), format!("1-{dimensions}"));
    Arc::new(Fake { model: ModelId { name, generation, dimensions } })
}

#[derive(Debug)]
struct Fake {
    model: ModelId,
}

impl Embedder for Fake {
    fn model(&self) -> &ModelId {
        &self.model
    }

    fn embed(&self, texts: &[&str], _role: Role) -> Result<Vec<Vector>, Error> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }

    fn window(&self) -> usize {
        512
    }

    fn is_remote(&self) -> bool {
        false
    }
}

impl Fake {
    fn vector(&self, text: &str) -> Vector {
        let mut vector = vec![0.0; self.model.dimensions];
        let lower = text.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        for word in words.take(self.window()) {
            add(&mut vector, word, 1.0);
            // Marked ends tell `art` the word from `art` within `start`.
            let marked: Vec<char> = format!("^{word}$").chars().collect();
            for three in marked.windows(3) {
                add(&mut vector, &three.iter().collect::<String>(), TRIGRAM_WEIGHT);
            }
        }
        normalised(vector).unwrap_or_else(|| self.nowhere())
    }

    /// Where a text without words lies: still a unit vector, as promised.
    fn nowhere(&self) -> Vector {
        let mut vector = vec![0.0; self.model.dimensions];
        vector[0] = 1.0;
        vector
    }
}

/// Each feature goes to one place with a sign, so unlike texts cancel out to nothing.
fn add(vector: &mut [f32], feature: &str, weight: f32) {
    let hash = fnv(feature.as_bytes());
    let place = (hash >> 1) % vector.len() as u64;
    vector[place as usize] += if hash & 1 == 0 { weight } else { -weight };
}

/// FNV-1a with a last mixing, as its low bits alone are poor.
fn fnv(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix);
    hash ^ (hash >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(embedder: &dyn Embedder, one: &str, other: &str) -> f32 {
        let vectors = embedder.embed(&[one, other], Role::Passage).unwrap();
        vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn the_same_text_gives_the_same_unit_vector() {
        for text in ["", "   ", "one", "The parser fails on empty input.", "日本語"] {
            let [first, second] = [fake(64), fake(64)]
                .map(|embedder| embedder.embed(&[text], Role::Query).unwrap().remove(0));
            assert_eq!(first, second, "{text}");
            let length: f32 = first.iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-5, "{text}");
        }
    }

    #[test]
    fn similar_texts_are_nearer() {
        let embedder = fake(384);
        let text = "the parser fails on empty input";
        let close = cosine(&*embedder, text, "parsing empty inputs fails");
        let far = cosine(&*embedder, text, "we sail to Lisbon in March");
        assert!(close > far + 0.2, "{close} against {far}");
        assert!(cosine(&*embedder, text, text) > 0.999);
    }

    #[test]
    fn one_dimension_is_the_least() {
        assert_eq!(fake(0).model().dimensions, 1);
        assert_eq!(fake(1).embed(&["a b"], Role::Query).unwrap()[0].len(), 1);
    }
}
