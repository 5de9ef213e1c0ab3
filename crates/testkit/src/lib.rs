//! For tests only: temporary homes, clocks that obey, ids that repeat, faults on demand.

mod clock;
mod home;

pub use clock::FakeClock;
pub use home::{Home, SeededRandom, at};
