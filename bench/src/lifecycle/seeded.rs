//! Ids that are the same in every run: of two memories that are worth the same, the id decides
//! which is shown, so with ids of chance no two runs would agree to the last digit.

use mnemic_engine::Random;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug)]
pub(super) struct Seeded(AtomicU64);

impl Seeded {
    pub(super) fn new(seed: u64) -> Seeded {
        Seeded(AtomicU64::new(seed))
    }
}

impl Random for Seeded {
    /// SplitMix64.
    fn bits(&self) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut bits = self.0.fetch_add(STEP, Ordering::SeqCst).wrapping_add(STEP);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}
