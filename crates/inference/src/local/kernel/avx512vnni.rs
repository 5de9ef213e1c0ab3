//! The product of whole numbers with AVX-512 VNNI: 64 multiplications an instruction.

// Registers are loaded through pointers; `Quantised::check` has compared all sizes before.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::Quantised;
use super::avx512::{ROWS, Sums, Tile, product};
use crate::local::packed::{BLOCK, GROUP, Linear};

/// Steps of four inputs in one turn of the innermost loop: where a row is, is reckoned once for all
/// of them.
const STEPS: usize = 4;

product!("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni");

/// The exact sums of one group.
#[inline]
#[target_feature(enable = "avx512f,avx512vnni")]
unsafe fn sums<const ROWS: usize, const BLOCKS: usize>(
    tile: &Tile<'_>,
    group: usize,
) -> Sums<__m512i, ROWS, BLOCKS> {
    let groups = tile.weights.groups();
    let mut sums = [[_mm512_setzero_si512(); BLOCKS]; ROWS];
    for (row, sums) in sums.iter_mut().enumerate() {
        let correction = tile.input.corrections[(tile.first + row) * groups + group];
        *sums = [_mm512_set1_epi32(correction); BLOCKS];
    }
    for fours in (0..GROUP / 4).step_by(STEPS) {
        for four in fours..fours + STEPS {
            // SAFETY: as the caller's.
            let factors = unsafe { tile.factors::<BLOCKS>(group, four) };
            for (row, sums) in sums.iter_mut().enumerate() {
                // SAFETY: as the caller's.
                let codes = unsafe { tile.codes(row, group, four) };
                for (sum, &factors) in sums.iter_mut().zip(&factors) {
                    *sum = _mm512_dpbusd_epi32(*sum, factors, codes);
                }
            }
        }
    }
    sums
}
