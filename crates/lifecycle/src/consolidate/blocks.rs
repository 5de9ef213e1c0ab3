//! Finding who may be like a text among very many, by the rarest terms that they share.

use super::terms::{Terms, common, shared};
use foldhash::HashMap;

/// Entries that are looked at for one text: enough for what is rare, and a bound on what is common,
/// so that a hundred times as many texts take a hundred times as long.
const LOOKED_AT: usize = 96;

/// Sets of terms numbered as they come, by each term and as a whole.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    by_term: HashMap<u64, Vec<u32>>,
    whole: HashMap<Terms, u32>,
    /// The terms of all sets one after the other, and where each set ends: near each other, since
    /// many are compared with each.
    terms: Vec<u64>,
    ends: Vec<usize>,
}

impl Blocks {
    pub(super) fn add(&mut self, terms: &Terms) {
        let number = self.ends.len() as u32;
        for term in terms.numbers() {
            self.by_term.entry(*term).or_default().push(number);
        }
        self.whole.entry(terms.clone()).or_insert(number);
        self.terms.extend(terms.numbers());
        self.ends.push(self.terms.len());
    }

    /// The first of exactly these terms.
    pub(super) fn same(&self, terms: &Terms) -> Option<usize> {
        self.whole.get(terms).map(|number| *number as usize)
    }

    /// The share of all terms that this set and these have in common.
    pub(super) fn shared(&self, number: usize, terms: &Terms) -> f32 {
        let ours = &self.terms[self.start(number)..self.ends[number]];
        shared(ours.len(), terms.len(), common(ours, terms.numbers()))
    }

    fn start(&self, number: usize) -> usize {
        number.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// Numbers of sets that may share at least this part of their terms with this one, in order.
    /// Who shares a quarter of the terms shares one of the rarer three quarters; of those the rarest
    /// are read first, and of what is common only the latest. The same set is always among them.
    pub(super) fn near(&self, terms: &Terms, share: f32) -> Vec<usize> {
        let fewest = (terms.len() as f32 * share).ceil().max(1.0) as usize;
        let mut lists: Vec<(usize, u64, &[u32])> = terms
            .numbers()
            .iter()
            .filter_map(|term| Some((*term, self.by_term.get(term)?.as_slice())))
            .map(|(term, list)| (list.len(), term, list))
            .collect();
        lists.sort_unstable();
        // Terms that no set has are the rarest of all.
        let unknown = terms.len() - lists.len();
        lists.truncate((terms.len() + 1).saturating_sub(fewest + unknown));
        let mut found: Vec<usize> = Vec::with_capacity(LOOKED_AT + 1);
        let mut room = LOOKED_AT;
        for (_, _, list) in lists {
            let taken = list.len().min(room);
            found.extend(list[list.len() - taken..].iter().map(|number| *number as usize));
            room -= taken;
        }
        found.extend(self.same(terms));
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(words: &[&str]) -> Terms {
        words.iter().collect()
    }

    #[test]
    fn the_same_words_are_found_among_any_number() {
        let mut blocks = Blocks::default();
        blocks.add(&set(&["fix", "test"]));
        for number in 1..5_000 {
            blocks.add(&set(&["fix", "test", &format!("module{number}")]));
        }
        assert!(blocks.near(&set(&["fix", "test"]), 0.25).contains(&0));
        assert!(blocks.near(&set(&["fix", "test"]), 0.25).len() <= LOOKED_AT + 1);
        assert!(blocks.near(&set(&["fix", "module77"]), 0.25).contains(&77));
    }

    proptest! {
        #[test]
        fn among_few_nobody_is_missed(
            sets in prop::collection::vec(prop::collection::btree_set("[a-h]", 1..6), 1..40),
            share in prop::sample::select(vec![0.25f32, 0.5]),
        ) {
            let mut blocks = Blocks::default();
            let sets: Vec<Terms> = sets.iter().map(|words| words.iter().collect()).collect();
            sets.iter().for_each(|terms| blocks.add(terms));
            for terms in &sets {
                let found = blocks.near(terms, share);
                for (number, other) in sets.iter().enumerate() {
                    prop_assert!(terms.shared(other) < share || found.contains(&number));
                    prop_assert_eq!(blocks.shared(number, terms), terms.shared(other));
                }
            }
        }
    }
}
