//! The two inner loops, in the widest instructions that the processor at hand has.

mod dot;
mod hint;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(super) use dot::dot;
pub(super) use hint::will_read;

use super::codes::LANES;

/// What a query looks like to the codes of one segment.
pub(super) struct Tables {
    /// Sixteen for each group of four dimensions: one for each pattern of their signs.
    pub(super) entries: Vec<u8>,
    pub(super) step: f32,
    pub(super) lowest: f32,
    pub(super) along_mean: f32,
}

/// A walk over the codes of one segment.
pub(super) struct Scan<'a> {
    pub(super) codes: &'a [u8],
    pub(super) tables: &'a Tables,
}

impl Scan<'_> {
    /// The first block from `block` on with an estimate above the threshold, and its estimates.
    pub(super) fn next_promising(
        &self,
        block: usize,
        threshold: f32,
        estimates: &mut [f32; LANES],
    ) -> Option<usize> {
        #[cfg(target_arch = "x86_64")]
        return x86::next_promising(self, block, threshold, estimates);
        #[cfg(target_arch = "aarch64")]
        return neon::next_promising(self, block, threshold, estimates);
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        return portable::next_promising(self, block, threshold, estimates);
    }
}
