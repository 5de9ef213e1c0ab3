//! Finding likely near-duplicates among many texts without comparing each with each.

use std::collections::HashMap;

use super::shingles::{HASHES, Signature, mixed};

/// Sixteen bands of eight: a pair that shares 0.9 of its shingles meets in one of them in 9,999 of
/// 10,000 cases, one that shares 0.5 in 6 of 100.
const BANDS: usize = 16;
const ROWS: usize = HASHES / BANDS;

/// Signatures sorted into buckets; those that share one are worth comparing.
#[derive(Debug, Default)]
pub struct Bands {
    buckets: HashMap<(usize, u64), Vec<usize>>,
    count: usize,
}

impl Bands {
    /// Adds a signature and gives it the next number, from 0.
    pub fn add(&mut self, signature: &Signature) -> usize {
        let number = self.count;
        self.count += 1;
        for key in keys(signature) {
            self.buckets.entry(key).or_default().push(number);
        }
        number
    }

    /// The numbers of those that may be like this one, in order.
    pub fn near(&self, signature: &Signature) -> Vec<usize> {
        let mut found: Vec<usize> =
            keys(signature).filter_map(|key| self.buckets.get(&key)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The keys under which a signature can be stored and found, one a band.
fn keys(signature: &Signature) -> impl Iterator<Item = (usize, u64)> + '_ {
    let fold = |rows: &[u64]| rows.iter().fold(0, |key, row| mixed(key ^ row));
    signature.0.chunks(ROWS).enumerate().map(move |(band, rows)| (band, fold(rows)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_duplicates_meet_and_strangers_do_not() {
        let mut bands = Bands::default();
        let texts = [
            "the nightly job copies every table of the store to cold storage before midnight",
            "nobody may push to the release branch without a review by the owning team",
            "The nightly job copies every table of the store to cold storage, before midnight.",
        ];
        for text in &texts[..2] {
            bands.add(&Signature::of(text));
        }
        assert_eq!(bands.near(&Signature::of(texts[2])), [0]);
    }
}
