//! The scan with byte shuffles on ARM: one instruction looks up 16 patterns.
// Unsafe only to load and store slices whose length the loop's bounds guarantee.
#![allow(unsafe_code)]

use std::arch::aarch64::*;

use super::{Scan, portable};
use crate::meaning::codes::LANES;

pub(super) fn next_promising(
    scan: &Scan<'_>,
    block: usize,
    threshold: f32,
    estimates: &mut [f32; LANES],
) -> Option<usize> {
    portable::walk(scan, block, threshold, estimates, sums)
}

fn sums(patterns: &[u8], tables: &[u8]) -> [u16; LANES] {
    let mut sums = [0; LANES];
    // SAFETY: every ARM processor of 64 bits has these instructions; each load reads one chunk of
    // 16 bytes, each store writes one of four runs of eight sums.
    #[allow(unused_unsafe)]
    unsafe {
        let low_half = vdupq_n_u8(15);
        let mut added = [vdupq_n_u16(0); 4];
        let chunks = patterns.as_chunks::<16>().0.iter().zip(tables.as_chunks::<16>().0);
        for (patterns, table) in chunks {
            let (patterns, table) = (vld1q_u8(patterns.as_ptr()), vld1q_u8(table.as_ptr()));
            let front = vqtbl1q_u8(table, vandq_u8(patterns, low_half));
            let back = vqtbl1q_u8(table, vshrq_n_u8::<4>(patterns));
            added[0] = vaddw_u8(added[0], vget_low_u8(front));
            added[1] = vaddw_u8(added[1], vget_high_u8(front));
            added[2] = vaddw_u8(added[2], vget_low_u8(back));
            added[3] = vaddw_u8(added[3], vget_high_u8(back));
        }
        for (added, sums) in added.iter().zip(sums.chunks_exact_mut(8)) {
            vst1q_u16(sums.as_mut_ptr(), *added);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_to_the_same_sums_as_without() {
        let patterns: Vec<u8> = (0..96 * 16).map(|at| (at * 37 + at / 11) as u8).collect();
        let tables: Vec<u8> = (0..96 * 16).map(|at| (at * 91 + at / 7) as u8).collect();
        assert_eq!(sums(&patterns, &tables), portable::sums(&patterns, &tables));
    }
}
