//! A clock that is moved by hand, so that months pass in a moment.

use mnemic_engine::model::{Clock, Timestamp};
use std::sync::atomic::{AtomicI64, Ordering};

#[derive(Debug)]
pub(super) struct HandClock(AtomicI64);

impl HandClock {
    pub(super) fn at(start: Timestamp) -> HandClock {
        HandClock(AtomicI64::new(start.micros()))
    }

    pub(super) fn pass_days(&self, days: i64) {
        self.0.fetch_add(days * 86_400_000_000, Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst)).unwrap_or(Timestamp::EPOCH)
    }
}
