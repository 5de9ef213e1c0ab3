//! When to merge which neighbours: a pure decision about sizes.

use std::ops::Range;

/// How many times larger the segments of the next tier are: a row is rewritten about once for
/// every eightfold growth, and a search looks into at most seven segments of each tier.
const FACTOR: u64 = 8;

/// Which neighbours to merge now, given the sizes (rows or bytes) in the order of their rows;
/// `None` if all is well. Ask again after a merge: it may have completed the next tier.
///
/// Sizes fall into tiers, each eight times the one below. Neighbours of at most some tier are
/// merged once the result belongs to a higher one, the lowest tier first. So every merge lifts
/// every row that it touches, which bounds how often a row is ever rewritten.
pub fn to_merge(sizes: &[u64]) -> Option<Range<usize>> {
    let mut heights: Vec<u32> = sizes.iter().map(|&size| tier(size)).collect();
    heights.sort_unstable();
    heights.dedup();
    heights.into_iter().find_map(|height| run_that_outgrows(sizes, height))
}

/// An empty segment counts as one row: it still costs a look.
fn tier(size: u64) -> u32 {
    size.max(1).ilog(FACTOR)
}

/// The first run of neighbours, none above the tier, that are above it together.
fn run_that_outgrows(sizes: &[u64], height: u32) -> Option<Range<usize>> {
    let mut start = 0;
    for run in sizes.split(|&size| tier(size) > height) {
        let together = run.iter().fold(0, |sum: u64, &size| sum.saturating_add(size.max(1)));
        if run.len() > 1 && tier(together) > height {
            return Some(start..start + run.len());
        }
        start += run.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_merged_when_they_reach_the_next_tier() {
        for (what, sizes, expected) in [
            ("nothing", &[][..], None),
            ("one", &[5], None),
            ("seven", &[64; 7], None),
            ("eight", &[64; 8], Some(0..8)),
            ("fewer but larger", &[300, 300], Some(0..2)),
            ("all that there are", &[64; 11], Some(0..11)),
            ("behind a large one", &[9000, 64, 64, 64, 64, 64, 64, 64, 64], Some(1..9)),
            ("parted by a large one", &[64, 64, 64, 64, 9000, 64, 64, 64, 64], None),
            ("one small behind many sizes", &[5000, 600, 70, 9, 1], None),
            ("smallest first", &[9, 9, 9, 9, 9, 9, 9, 9, 1, 1, 1, 1, 1, 1, 1, 1], Some(8..16)),
            ("empty ones", &[0; 8], Some(0..8)),
            ("absurd ones", &[u64::MAX, u64::MAX], None),
        ] {
            assert_eq!(to_merge(sizes), expected, "{what}");
        }
    }

    #[test]
    fn a_growing_shelf_stays_small_and_cheap() {
        let (mut sizes, mut written) = (Vec::new(), 0);
        let (rounds, each) = (20_000u64, 50);
        for _ in 0..rounds {
            sizes.push(each);
            while let Some(range) = to_merge(&sizes) {
                let merged: u64 = sizes[range.clone()].iter().sum();
                written += merged;
                sizes.splice(range, [merged]);
            }
            assert!(sizes.len() <= 7 * 7, "{}", sizes.len());
        }
        assert_eq!(sizes.iter().sum::<u64>(), rounds * each);
        assert!(written < 6 * rounds * each, "{written}");
    }
}
