//! The terms of a text as numbers: what texts are compared by, quick to compare and to look up.

use foldhash::HashMap;
use mnemic_text::stems::recall_terms;
use std::cell::RefCell;
use std::rc::Rc;

/// The distinct terms of a text, as numbers in order. Two terms with the same number are one in
/// 2^64, and would make two texts a little more alike.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Terms(Box<[u64]>);

impl Terms {
    /// Of what is said, each word by its stem.
    pub fn of(text: &str) -> Terms {
        recall_terms(text).iter().map(|(term, _)| term.as_str()).collect()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn numbers(&self) -> &[u64] {
        &self.0
    }

    /// How many terms both have.
    pub fn common(&self, other: &Terms) -> usize {
        common(&self.0, &other.0)
    }

    /// The share of all terms that both have.
    pub fn shared(&self, other: &Terms) -> f32 {
        shared(self.len(), other.len(), self.common(other))
    }
}

/// How many numbers both have, each in order and once. Written without a branch, since which of two
/// numbers is greater cannot be foretold.
pub(super) fn common(one: &[u64], other: &[u64]) -> usize {
    let (mut here, mut there, mut common) = (0, 0, 0);
    while here < one.len() && there < other.len() {
        let (ours, theirs) = (one[here], other[there]);
        common += usize::from(ours == theirs);
        here += usize::from(ours <= theirs);
        there += usize::from(theirs <= ours);
    }
    common
}

/// The share that what is common has of all, of two sets of these lengths.
pub(super) fn shared(one: usize, other: usize, common: usize) -> f32 {
    common as f32 / (one + other - common).max(1) as f32
}

impl<S: AsRef<str>> FromIterator<S> for Terms {
    fn from_iter<I: IntoIterator<Item = S>>(terms: I) -> Terms {
        let mut numbers: Vec<u64> = terms.into_iter().map(|term| number(term.as_ref())).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Terms(numbers.into())
    }
}

/// FNV-1a: the same number wherever and whenever it is made, so that the same past always gives the
/// same clusters.
fn number(term: &str) -> u64 {
    let fold = |number: u64, byte: u8| (number ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    term.bytes().fold(0xcbf2_9ce4_8422_2325, fold)
}

/// The terms of texts that are asked for again and again, made once each.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownTerms(RefCell<HashMap<String, Rc<Terms>>>);

impl KnownTerms {
    pub(super) fn of(&self, text: &str) -> Rc<Terms> {
        if let Some(known) = self.0.borrow().get(text) {
            return known.clone();
        }
        let terms = Rc::new(Terms::of(text));
        self.0.borrow_mut().insert(text.to_owned(), terms.clone());
        terms
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn stems_count_and_order_does_not() {
        assert_eq!(Terms::of("flaky login tests"), Terms::of("login test, flaky"));
        assert!(Terms::of("").is_empty());
        let known = KnownTerms::default();
        assert_eq!(*known.of("flaky login"), Terms::of("flaky login"));
        assert!(Rc::ptr_eq(&known.of("flaky login"), &known.of("flaky login")));
    }

    proptest! {
        #[test]
        fn numbers_compare_as_words_do(
            one in prop::collection::btree_set("[a-h]{1,2}", 0..9),
            other in prop::collection::btree_set("[a-h]{1,2}", 0..9),
        ) {
            let common = one.intersection(&other).count();
            let all = one.union(&other).count();
            let set = |words: &BTreeSet<String>| words.iter().collect::<Terms>();
            let (one, other) = (set(&one), set(&other));
            prop_assert_eq!(one.common(&other), common);
            prop_assert_eq!(one.shared(&other), common as f32 / all.max(1) as f32);
            prop_assert_eq!(one.shared(&other), other.shared(&one));
        }
    }
}
