//! Shingles of a text, how many two texts share, and a signature that estimates it.

use std::collections::HashSet;

use crate::normalise::loosened;

/// Characters of one shingle.
const LENGTH: usize = 3;

/// Hashes of a signature: an estimate is off by about 1/√128, so 0.09 at worst.
pub(crate) const HASHES: usize = 128;

/// Characters of a text that are looked at; longer ones that begin alike are compared by the rest
/// of the rules.
const LOOKED_AT: usize = 20_000;

/// What a text looks like from afar: the smallest of its shingles' hashes, by many hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature(pub(crate) Vec<u64>);

impl Signature {
    pub fn of(text: &str) -> Signature {
        let mut smallest = vec![u64::MAX; HASHES];
        for shingle in shingles(text) {
            for (nth, least) in smallest.iter_mut().enumerate() {
                *least = (*least).min(mixed(shingle ^ SEEDS.wrapping_mul(nth as u64 + 1)));
            }
        }
        Signature(smallest)
    }

    /// The share of shingles that both texts have, estimated.
    pub fn likeness(&self, other: &Signature) -> f32 {
        let equal = self.0.iter().zip(&other.0).filter(|(one, other)| one == other).count();
        equal as f32 / HASHES as f32
    }
}

/// The share of shingles that both texts have. Two texts without any are alike.
pub fn jaccard(a: &str, b: &str) -> f32 {
    let (one, other) = (shingles(a), shingles(b));
    if one.is_empty() && other.is_empty() {
        return 1.0;
    }
    let shared = one.intersection(&other).count();
    shared as f32 / (one.len() + other.len() - shared) as f32
}

/// The hashes of all runs of three characters, with case, punctuation and spacing evened out.
pub(crate) fn shingles(text: &str) -> HashSet<u64> {
    let end = text.char_indices().nth(LOOKED_AT).map_or(text.len(), |(at, _)| at);
    let characters: Vec<char> = loosened(&text[..end]).chars().collect();
    if characters.len() < LENGTH {
        return (!characters.is_empty()).then(|| hash(&characters)).into_iter().collect();
    }
    characters.windows(LENGTH).map(hash).collect()
}

/// An odd constant with well spread bits (the golden ratio), as multiplicative hashing wants it.
const SEEDS: u64 = 0x9e37_79b9_7f4a_7c15;

fn hash(characters: &[char]) -> u64 {
    characters.iter().fold(SEEDS, |hash, c| mixed(hash ^ u64::from(u32::from(*c))))
}

/// Every bit of the input moves every bit of the output. Fixed, so that stored signatures stay
/// comparable on every machine.
pub(crate) fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_near_the_truth() {
        let base = "the gateway retries every failed request three times before it gives up";
        for other in [
            base,
            "The gateway retries every failed request three times, before it gives up!",
            "the gateway retries each failed request three times before it gives up",
            "nothing here is the same at all",
            "",
        ] {
            let exact = jaccard(base, other);
            let estimate = Signature::of(base).likeness(&Signature::of(other));
            assert!((exact - estimate).abs() < 0.15, "{other}: {exact} {estimate}");
        }
        assert_eq!(jaccard(base, base), 1.0);
    }

    #[test]
    fn case_and_punctuation_do_not_count() {
        assert_eq!(jaccard("Use pnpm, please.", "use PNPM please"), 1.0);
        assert_eq!(Signature::of("Use pnpm."), Signature::of("use  pnpm"));
    }
}
