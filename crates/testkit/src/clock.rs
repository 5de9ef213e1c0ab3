//! A clock that shows what it is told.

use mnemic_model::{Clock, Timestamp};
use std::sync::atomic::{AtomicI64, Ordering};

/// Stands still until it is moved, in either direction.
#[derive(Debug)]
pub struct FakeClock(AtomicI64);

impl FakeClock {
    pub fn new(start: Timestamp) -> FakeClock {
        FakeClock(AtomicI64::new(start.micros()))
    }

    pub fn set(&self, time: Timestamp) {
        self.0.store(time.micros(), Ordering::SeqCst);
    }

    /// Moves by whole seconds; negative goes back.
    pub fn tick(&self, seconds: i64) {
        self.set(self.now().plus_seconds(seconds));
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst)).expect("only set from timestamps")
    }
}
