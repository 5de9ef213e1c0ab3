//! Where new ids take their bits from; tests bring their own.

use std::fmt;

/// A source of bits that nobody can guess, or, in tests, that everybody can.
pub trait Random: Send + Sync + fmt::Debug {
    fn bits(&self) -> u64;
}

/// The operating system's.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsRandom;

impl Random for OsRandom {
    fn bits(&self) -> u64 {
        getrandom::u64().expect("the operating system has randomness once it is up")
    }
}
