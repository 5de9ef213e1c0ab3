//! What the targets share: stores that are used for a while and then made anew.

use mnemic_testkit::Home;
use std::sync::{Mutex, PoisonError};

/// Making a store takes longer than most inputs; one that has grown is slow as well.
const INPUTS: u32 = 400;

/// A store and what was made over it, given to one input after the other.
pub struct Stores<T> {
    make: fn(&Home) -> T,
    now: Mutex<Option<(Home, T, u32)>>,
}

impl<T> Stores<T> {
    pub fn new(make: fn(&Home) -> T) -> Stores<T> {
        Stores { make, now: Mutex::new(None) }
    }

    pub fn with(&self, input: impl FnOnce(&T)) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let is_worn = now.as_ref().is_some_and(|(.., used)| *used >= INPUTS);
        if is_worn {
            *now = None;
        }
        let (_, made, used) = now.get_or_insert_with(|| {
            let home = Home::new();
            let made = (self.make)(&home);
            (home, made, 0)
        });
        *used += 1;
        input(made);
    }
}
