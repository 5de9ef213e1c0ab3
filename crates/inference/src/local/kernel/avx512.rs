//! The product of whole numbers with AVX-512 VNNI: 64 multiplications an instruction.

// Registers are loaded through pointers; `Quantised::check` has compared all sizes before.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::Quantised;
use super::attention::{self, Heads, Line, Span, WIDE, Weigh};
use super::fused::ByInstruction;
use crate::local::packed::{BLOCK, GROUP, Linear};

/// Rows of one tile. With two blocks, six rows need 12 registers for whole sums, 12 for scaled
/// ones and 2 for weights, out of 32; and twelve sums in flight hide the latency of adding.
const ROWS: usize = 6;

/// # Safety
/// The sizes of all parts fit: see `Quantised::check`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
pub(super) unsafe fn multiply(input: &Quantised, weights: &Linear<'_>, output: &mut [f32]) {
    let blocks = weights.outputs / BLOCK;
    let tiles = input.rows.div_ceil(ROWS);
    for block in (0..blocks).step_by(2) {
        for tile in 0..tiles {
            // Tiles of nearly the same height: 16 rows are 6 + 5 + 5 rather than 6 + 6 + 4.
            let first = tile * input.rows / tiles;
            let rows = (tile + 1) * input.rows / tiles - first;
            let job = Tile { input, weights, first, block };
            // SAFETY: rows and blocks are within the sizes that the caller vouches for.
            unsafe {
                if block + 1 < blocks {
                    job.run_rows::<2>(rows, output);
                } else {
                    job.run_rows::<1>(rows, output);
                }
            }
        }
    }
}

struct Tile<'a> {
    input: &'a Quantised,
    weights: &'a Linear<'a>,
    /// The first row.
    first: usize,
    /// The first block.
    block: usize,
}

impl Tile<'_> {
    #[target_feature(enable = "avx512f,avx512vnni")]
    unsafe fn run_rows<const BLOCKS: usize>(&self, rows: usize, output: &mut [f32]) {
        // SAFETY: as the caller's.
        unsafe {
            match rows {
                1 => self.run::<1, BLOCKS>(output),
                2 => self.run::<2, BLOCKS>(output),
                3 => self.run::<3, BLOCKS>(output),
                4 => self.run::<4, BLOCKS>(output),
                5 => self.run::<5, BLOCKS>(output),
                _ => self.run::<6, BLOCKS>(output),
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512vnni")]
    unsafe fn run<const ROWS: usize, const BLOCKS: usize>(&self, output: &mut [f32]) {
        let (input, weights) = (self.input, self.weights);
        let groups = weights.groups();
        let mut total = [[_mm512_setzero_ps(); BLOCKS]; ROWS];
        for group in 0..groups {
            // SAFETY: as the caller's.
            let sums = unsafe { self.sums::<ROWS, BLOCKS>(group) };
            for block in 0..BLOCKS {
                let place = ((self.block + block) * groups + group) * BLOCK;
                // SAFETY: one scale a block, group and lane.
                let scales = unsafe { _mm512_loadu_ps(weights.scales.as_ptr().add(place)) };
                for row in 0..ROWS {
                    let scale = input.scales[(self.first + row) * groups + group];
                    let worth = _mm512_mul_ps(scales, _mm512_set1_ps(scale));
                    let part = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[row][block]), worth);
                    total[row][block] = _mm512_add_ps(total[row][block], part);
                }
            }
        }
        for (row, blocks) in total.iter().enumerate() {
            for (block, &total) in blocks.iter().enumerate() {
                let lane = (self.block + block) * BLOCK;
                let at = (self.first + row) * weights.outputs + lane;
                // SAFETY: one bias a lane; one number of output a row and lane.
                unsafe {
                    let bias = _mm512_loadu_ps(weights.bias.as_ptr().add(lane));
                    _mm512_storeu_ps(output.as_mut_ptr().add(at), _mm512_add_ps(total, bias));
                }
            }
        }
    }

    /// The exact sums of one group.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vnni")]
    unsafe fn sums<const ROWS: usize, const BLOCKS: usize>(
        &self,
        group: usize,
    ) -> [[__m512i; BLOCKS]; ROWS] {
        let (input, weights) = (self.input, self.weights);
        let groups = weights.groups();
        let mut sums = [[_mm512_setzero_si512(); BLOCKS]; ROWS];
        for (row, sums) in sums.iter_mut().enumerate() {
            let correction = input.corrections[(self.first + row) * groups + group];
            *sums = [_mm512_set1_epi32(correction); BLOCKS];
        }
        for four in 0..GROUP / 4 {
            let mut factors = [_mm512_setzero_si512(); BLOCKS];
            for (block, factor) in factors.iter_mut().enumerate() {
                let place = ((self.block + block) * groups + group) * GROUP * BLOCK;
                // SAFETY: 64 codes a block, group and four inputs.
                let from = unsafe { weights.codes.as_ptr().add(place + four * 4 * BLOCK) };
                *factor = unsafe { _mm512_loadu_si512(from.cast()) };
            }
            for (row, sums) in sums.iter_mut().enumerate() {
                let place = (self.first + row) * input.width + group * GROUP + four * 4;
                // SAFETY: four codes are left in the group.
                let codes =
                    unsafe { input.codes.as_ptr().add(place).cast::<i32>().read_unaligned() };
                let codes = _mm512_set1_epi32(codes);
                for (sum, &factor) in sums.iter_mut().zip(&factors) {
                    *sum = _mm512_dpbusd_epi32(*sum, factor, codes);
                }
            }
        }
        sums
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
pub(super) fn attend(heads: &Heads<'_>, text: Span, output: &mut [f32]) {
    attention::attend::<Registers>(heads, text, output);
}

/// Named only by [`attend`], where the processor is known to have the extension.
struct Registers;

impl Weigh for Registers {
    type Adding = ByInstruction;

    #[inline(always)]
    fn weigh<const ROWS: usize>(shares: [&[f32]; ROWS], lines: &[Line]) -> [[f32; WIDE]; ROWS] {
        assert!(shares.iter().all(|shares| shares.len() >= lines.len()));
        // SAFETY: see the type; and there is a share for every line.
        unsafe { weigh(shares, lines) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,fma")]
unsafe fn weigh<const ROWS: usize>(shares: [&[f32]; ROWS], lines: &[Line]) -> [[f32; WIDE]; ROWS] {
    const REGISTERS: usize = WIDE / 16;
    let mut sums = [[_mm512_setzero_ps(); REGISTERS]; ROWS];
    for (nth, line) in lines.iter().enumerate() {
        // SAFETY: a line is as wide as its registers together.
        let line: [_; REGISTERS] =
            std::array::from_fn(|part| unsafe { _mm512_loadu_ps(line.0.as_ptr().add(part * 16)) });
        for (sums, shares) in sums.iter_mut().zip(shares) {
            // SAFETY: the caller has counted.
            let share = _mm512_set1_ps(unsafe { *shares.get_unchecked(nth) });
            for part in 0..REGISTERS {
                sums[part] = _mm512_fmadd_ps(share, line[part], sums[part]);
            }
        }
    }
    let mut stored = [[0.0; WIDE]; ROWS];
    for (stored, sums) in stored.iter_mut().zip(sums) {
        for (part, sum) in sums.into_iter().enumerate() {
            // SAFETY: as above.
            unsafe { _mm512_storeu_ps(stored.as_mut_ptr().add(part * 16), sum) };
        }
    }
    stored
}
