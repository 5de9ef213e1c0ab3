//! What every embedder promises, whichever model stands behind it.

use std::ops::Range;

use crate::Error;

/// A unit vector.
pub type Vector = Vec<f32>;

/// What a text is embedded for. Some models want to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Query,
    Passage,
}

/// Which model made a vector. Two vectors can be compared only if theirs is the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModelId {
    pub name: String,
    /// Short hex digest of the weights, or of the settings where the weights are out of sight.
    pub generation: String,
    pub dimensions: usize,
}

/// A text, and parts of it that get a vector each beside the one of the whole.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a> {
    pub text: &'a str,
    /// From byte to byte, between characters.
    pub parts: &'a [Range<usize>],
}

pub trait Embedder: Send + Sync + std::fmt::Debug {
    fn model(&self) -> &ModelId;

    /// One unit vector for each text, in order. Text beyond the window is not read.
    fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<Vector>, Error>;

    /// For each passage its own vector, then one for each of its parts. Whoever can reads a part
    /// where it stands, with what is around it in mind; the others read it alone.
    fn embed_parts(&self, passages: &[Passage<'_>]) -> Result<Vec<Vec<Vector>>, Error> {
        let mut texts = Vec::new();
        for Passage { text, parts } in passages {
            texts.push(*text);
            texts.extend(parts.iter().map(|part| &text[part.clone()]));
        }
        let mut vectors = self.embed(&texts, Role::Passage)?.into_iter();
        let own = |passage: &Passage<'_>| vectors.by_ref().take(1 + passage.parts.len()).collect();
        Ok(passages.iter().map(own).collect())
    }

    /// How many tokens of a text it reads at most.
    fn window(&self) -> usize;

    /// Whether its vocabulary has this word in one piece, as it has the usual ones; `None` where that
    /// cannot be told.
    fn is_word(&self, _word: &str) -> Option<bool> {
        None
    }

    /// True when a call leaves the machine (slow, may fail): callers then never embed inside a
    /// write.
    fn is_remote(&self) -> bool;
}

/// The vector in unit length; `None` if it has no direction or is not made of numbers.
pub(crate) fn normalised(mut vector: Vector) -> Option<Vector> {
    let square: f64 = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
    // Also false for NaN.
    if !(square > 0.0 && square.is_finite()) {
        return None;
    }
    let inverse = 1.0 / square.sqrt();
    for x in &mut vector {
        *x = (f64::from(*x) * inverse) as f32;
    }
    Some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_alone_by_whoever_cannot_do_better() {
        let embedder = crate::fake(16);
        let passages = [
            Passage { text: "one two", parts: &[0..3, 4..7] },
            Passage { text: "three", parts: &[] },
        ];
        let alone = |text| embedder.embed(&[text], Role::Passage).unwrap().remove(0);
        let expected = [vec![alone("one two"), alone("one"), alone("two")], vec![alone("three")]];
        assert_eq!(embedder.embed_parts(&passages).unwrap(), expected);
    }

    #[test]
    fn normalised_has_length_one_or_is_refused() {
        assert_eq!(normalised(vec![3.0, 4.0]), Some(vec![0.6, 0.8]));
        // The square of this is no f32 any more.
        assert_eq!(normalised(vec![1e-30, 0.0]), Some(vec![1.0, 0.0]));
        for hopeless in [vec![], vec![0.0, 0.0], vec![f32::NAN, 1.0], vec![f32::INFINITY, 1.0]] {
            assert_eq!(normalised(hopeless), None);
        }
    }
}
