//! Which terms of a long question tell something: the rarest, and no more than a few of them.

use crate::{Source, Understanding};
use mnemic_store::Result;

/// A pasted prompt has hundreds of terms. Those that stand everywhere cost the most time, and they
/// outweigh together the few that name what is meant.
const MOST_TERMS: usize = 24;

/// Leaves a long question its rarest terms, in their order. Those that no source knows find nothing.
pub(crate) fn keep_telling(
    sources: &[Source<'_>],
    understanding: &mut Understanding,
) -> Result<()> {
    if understanding.terms.len() <= MOST_TERMS {
        return Ok(());
    }
    let terms: Vec<String> = understanding.terms.iter().map(|(term, _)| term.clone()).collect();
    let mut frequencies = vec![0; terms.len()];
    for source in sources {
        let statistics = source.read.word_statistics(&terms)?;
        for (sum, frequency) in frequencies.iter_mut().zip(statistics.frequencies) {
            *sum += frequency;
        }
    }
    let mut kept = rarest(&frequencies, MOST_TERMS).into_iter().peekable();
    let mut place = 0;
    understanding.terms.retain(|_| {
        place += 1;
        kept.next_if_eq(&(place - 1)).is_some()
    });
    Ok(())
}

/// The places of the `most` rarest that occur at all, in order.
fn rarest(frequencies: &[u64], most: usize) -> Vec<usize> {
    let mut places: Vec<usize> =
        (0..frequencies.len()).filter(|place| frequencies[*place] > 0).collect();
    places.sort_by_key(|place| (frequencies[*place], *place));
    places.truncate(most);
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests {
    use super::rarest;

    #[test]
    fn the_rarest_that_occur_are_kept_in_their_order() {
        assert_eq!(rarest(&[9, 1, 0, 5, 2], 3), [1, 3, 4]);
        assert_eq!(rarest(&[4, 4, 4], 2), [0, 1]);
        assert!(rarest(&[0, 0], 2).is_empty());
    }
}
