//! Texts that were read lately, so that what is usual in a store is not read anew for each question.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use super::sketch::Sketch;

/// Numbers kept in each of two generations: four megabytes.
const KEPT: usize = 1 << 20;

/// Sketches by a hash of their text that nobody can foresee. The older generation goes when the
/// younger is full; what is asked for again is young again.
#[derive(Debug, Default)]
pub(super) struct Lately {
    hasher: RandomState,
    generations: Mutex<Generations>,
}

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<u64, Arc<Sketch>>,
    old: HashMap<u64, Arc<Sketch>>,
    /// Numbers in the young ones.
    held: usize,
}

impl Lately {
    /// The sketch of a text, made if it was not lately.
    pub(super) fn of(&self, text: &str, make: impl FnOnce() -> Sketch) -> Arc<Sketch> {
        let key = self.hasher.hash_one(text);
        let lock = || self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().find(key) {
            return known;
        }
        // Nobody waits while it is made; two may make the same.
        let made = Arc::new(make());
        lock().keep(key, made.clone());
        made
    }
}

impl Generations {
    fn find(&mut self, key: u64) -> Option<Arc<Sketch>> {
        if let Some(known) = self.young.get(&key) {
            return Some(known.clone());
        }
        let known = self.old.remove(&key)?;
        self.keep(key, known.clone());
        Some(known)
    }

    fn keep(&mut self, key: u64, sketch: Arc<Sketch>) {
        let numbers = sketch.numbers().max(1);
        if self.held + numbers > KEPT {
            self.old = std::mem::take(&mut self.young);
            self.held = 0;
        }
        self.held += numbers;
        self.young.insert(key, sketch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn what_is_asked_again_is_made_once_and_the_rest_makes_room() {
        let lately = Lately::default();
        let made = Cell::new(0);
        let ask = |text: &str| {
            lately.of(text, || {
                made.set(made.get() + 1);
                Sketch { fine: vec![0.0; KEPT / 10], coarse: Vec::new() }
            })
        };
        for nth in 0..200 {
            ask("always asked");
            ask(&format!("asked once {nth}"));
        }
        assert_eq!(made.get(), 201);
        let generations = lately.generations.lock().expect("nobody panicked");
        assert!(generations.young.len() + generations.old.len() <= 20);
    }
}
