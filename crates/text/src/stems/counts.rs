//! Counting terms by their stems.

use std::cell::RefCell;
use std::collections::HashMap;

use super::{is_stop_word, stem};

/// Stemming costs more than everything else together and most words come again, so each thread
/// remembers this many; enough for the common words of a language, about 2 MB.
const REMEMBERED: usize = 16_384;

thread_local! {
    static STEMS: RefCell<HashMap<Box<str>, Box<str>>> = RefCell::new(HashMap::new());
}

#[derive(Default)]
pub(super) struct Counts {
    /// Where a stem is counted.
    places: HashMap<Box<str>, usize>,
    counts: Vec<u32>,
}

impl Counts {
    pub(super) fn add(&mut self, word: &str) {
        if !is_stop_word(word) {
            with_stem(word, |stem| self.count(stem));
        }
    }

    /// In order of first appearance.
    pub(super) fn into_terms(self) -> Vec<(String, u32)> {
        let mut terms = vec![(String::new(), 0); self.counts.len()];
        for (stem, place) in self.places {
            terms[place] = (stem.into(), self.counts[place]);
        }
        terms
    }

    fn count(&mut self, stem: &str) {
        if let Some(place) = self.places.get(stem) {
            let count = &mut self.counts[*place];
            *count = count.saturating_add(1);
        } else {
            self.places.insert(stem.into(), self.counts.len());
            self.counts.push(1);
        }
    }
}

fn with_stem(word: &str, see: impl FnOnce(&str)) {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return see(word);
    }
    STEMS.with_borrow_mut(|known| {
        if let Some(stem) = known.get(word) {
            return see(stem);
        }
        let stem = stem(word);
        see(&stem);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(word.into(), stem.into());
    });
}
