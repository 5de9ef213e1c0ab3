//! The product of whole numbers with AVX-VNNI, which processors without AVX-512 may have.

// Registers are loaded through pointers; `Quantised::check` has compared all sizes before.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::Quantised;
use super::avx2::{PARTS, ROWS, Sums, Tile};
use crate::local::packed::{BLOCK, GROUP, Linear};

/// # Safety
/// The sizes of all parts fit: see `Quantised::check`.
#[target_feature(enable = "avx2,avxvnni")]
pub(super) unsafe fn multiply(input: &Quantised, weights: &Linear<'_>, output: &mut [f32]) {
    for block in 0..weights.outputs / BLOCK {
        for first in (0..input.rows).step_by(ROWS) {
            let tile = Tile { input, weights, first, block };
            // SAFETY: rows and block are within the sizes that the caller vouches for.
            unsafe {
                match input.rows - first {
                    1 => run::<1>(&tile, output),
                    2 => run::<2>(&tile, output),
                    _ => run::<ROWS>(&tile, output),
                }
            }
        }
    }
}

#[target_feature(enable = "avx2,avxvnni")]
unsafe fn run<const ROWS: usize>(tile: &Tile<'_>, output: &mut [f32]) {
    let mut total = [[_mm256_setzero_ps(); PARTS]; ROWS];
    for group in 0..tile.weights.groups() {
        // SAFETY: as the caller's.
        unsafe {
            let sums = sums::<ROWS>(tile, group);
            tile.add_scaled(group, &sums, &mut total);
        }
    }
    // SAFETY: as the caller's.
    unsafe { tile.store(&total, output) };
}

/// The exact sums of one group.
#[inline]
#[target_feature(enable = "avx2,avxvnni")]
unsafe fn sums<const ROWS: usize>(tile: &Tile<'_>, group: usize) -> Sums<__m256i, ROWS> {
    let (input, weights) = (tile.input, tile.weights);
    let groups = weights.groups();
    let mut sums = [[_mm256_setzero_si256(); PARTS]; ROWS];
    for (row, sums) in sums.iter_mut().enumerate() {
        let correction = input.corrections[(tile.first + row) * groups + group];
        *sums = [_mm256_set1_epi32(correction); PARTS];
    }
    let place = (tile.block * groups + group) * GROUP * BLOCK;
    for four in 0..GROUP / 4 {
        // SAFETY: 64 codes a block, group and four inputs.
        let factors: [_; PARTS] = std::array::from_fn(|part| unsafe {
            let from = weights.codes.as_ptr().add(place + four * 4 * BLOCK + part * 32);
            _mm256_loadu_si256(from.cast())
        });
        for (row, sums) in sums.iter_mut().enumerate() {
            let place = (tile.first + row) * input.width + group * GROUP + four * 4;
            // SAFETY: four codes are left in the group.
            let codes = unsafe { input.codes.as_ptr().add(place).cast::<i32>().read_unaligned() };
            let codes = _mm256_set1_epi32(codes);
            for (sum, &factors) in sums.iter_mut().zip(&factors) {
                *sum = _mm256_dpbusd_avx_epi32(*sum, factors, codes);
            }
        }
    }
    sums
}
