//! The product of whole numbers with AVX2: 32 multiplications an instruction.

// Registers are loaded through pointers; `Quantised::check` has compared all sizes before.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::Quantised;
use super::attention::{self, Heads, Line, Span, WIDE, Weigh};
use super::fused::ByInstruction;
use crate::local::packed::{BLOCK, GROUP, Linear};

/// Rows of one tile, which share the loading of weights.
pub(super) const ROWS: usize = 3;

/// Registers of eight lanes that make up a block.
pub(super) const PARTS: usize = BLOCK / LANES;
const LANES: usize = 8;

/// # Safety
/// The sizes of all parts fit: see `Quantised::check`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn multiply(input: &Quantised, weights: &Linear<'_>, output: &mut [f32]) {
    for block in 0..weights.outputs / BLOCK {
        for first in (0..input.rows).step_by(ROWS) {
            let job = Tile { input, weights, first, block };
            // SAFETY: rows and block are within the sizes that the caller vouches for.
            unsafe {
                match input.rows - first {
                    1 => job.run::<1>(output),
                    2 => job.run::<2>(output),
                    _ => job.run::<ROWS>(output),
                }
            }
        }
    }
}

/// Some rows of one block. Shared with the path that differs in its sums only.
pub(super) struct Tile<'a> {
    pub(super) input: &'a Quantised,
    pub(super) weights: &'a Linear<'a>,
    /// The first row.
    pub(super) first: usize,
    pub(super) block: usize,
}

/// By row and part: sums as they grow.
pub(super) type Sums<T, const ROWS: usize> = [[T; PARTS]; ROWS];

impl Tile<'_> {
    #[target_feature(enable = "avx2")]
    unsafe fn run<const ROWS: usize>(&self, output: &mut [f32]) {
        let mut total = [[_mm256_setzero_ps(); PARTS]; ROWS];
        for group in 0..self.weights.groups() {
            // SAFETY: as the caller's.
            unsafe {
                let sums = self.sums::<ROWS>(group);
                self.add_scaled(group, &sums, &mut total);
            }
        }
        // SAFETY: as the caller's.
        unsafe { self.store(&total, output) };
    }

    /// # Safety
    /// As `multiply`'s.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn add_scaled<const ROWS: usize>(
        &self,
        group: usize,
        sums: &Sums<__m256i, ROWS>,
        total: &mut Sums<__m256, ROWS>,
    ) {
        let groups = self.weights.groups();
        for part in 0..PARTS {
            let place = (self.block * groups + group) * BLOCK + part * LANES;
            // SAFETY: one scale a block, group and lane.
            let scales = unsafe { _mm256_loadu_ps(self.weights.scales.as_ptr().add(place)) };
            for row in 0..ROWS {
                let scale = self.input.scales[(self.first + row) * groups + group];
                let worth = _mm256_mul_ps(scales, _mm256_set1_ps(scale));
                let add = _mm256_mul_ps(_mm256_cvtepi32_ps(sums[row][part]), worth);
                total[row][part] = _mm256_add_ps(total[row][part], add);
            }
        }
    }

    /// # Safety
    /// As `multiply`'s.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn store<const ROWS: usize>(
        &self,
        total: &Sums<__m256, ROWS>,
        output: &mut [f32],
    ) {
        for (row, parts) in total.iter().enumerate() {
            for (part, &total) in parts.iter().enumerate() {
                let lane = self.block * BLOCK + part * LANES;
                let at = (self.first + row) * self.weights.outputs + lane;
                // SAFETY: one bias a lane; one number of output a row and lane.
                unsafe {
                    let bias = _mm256_loadu_ps(self.weights.bias.as_ptr().add(lane));
                    _mm256_storeu_ps(output.as_mut_ptr().add(at), _mm256_add_ps(total, bias));
                }
            }
        }
    }

    /// The exact sums of one group.
    ///
    /// `maddubs` multiplies unsigned by signed and adds pairs in 16 bits, which would saturate
    /// with weights up to 255. So the 128 is taken off, and the sign moves from the weight to
    /// the input: two products of at most 127 × 127 fit.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn sums<const ROWS: usize>(&self, group: usize) -> Sums<__m256i, ROWS> {
        let (input, weights) = (self.input, self.weights);
        let ones = _mm256_set1_epi16(1);
        let offset = _mm256_set1_epi8(i8::MIN);
        let mut sums = [[_mm256_setzero_si256(); PARTS]; ROWS];
        let place = (self.block * weights.groups() + group) * GROUP * BLOCK;
        for four in 0..GROUP / 4 {
            for part in 0..PARTS {
                // SAFETY: 64 codes a block, group and four inputs.
                let factors = unsafe {
                    let from = weights.codes.as_ptr().add(place + four * 4 * BLOCK + part * 32);
                    _mm256_xor_si256(_mm256_loadu_si256(from.cast()), offset)
                };
                let sizes = _mm256_abs_epi8(factors);
                for (row, sums) in sums.iter_mut().enumerate() {
                    let place = (self.first + row) * input.width + group * GROUP + four * 4;
                    // SAFETY: four codes are left in the group.
                    let codes =
                        unsafe { input.codes.as_ptr().add(place).cast::<i32>().read_unaligned() };
                    let signed = _mm256_sign_epi8(_mm256_set1_epi32(codes), factors);
                    let pairs = _mm256_maddubs_epi16(sizes, signed);
                    sums[part] = _mm256_add_epi32(sums[part], _mm256_madd_epi16(pairs, ones));
                }
            }
        }
        sums
    }
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn attend(heads: &Heads<'_>, text: Span<'_>, output: &mut [f32]) {
    attention::attend::<Registers, 4>(heads, text, output);
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

/// Half a line at a time: the sums of four whole lines would need all sixteen registers.
#[inline]
#[target_feature(enable = "avx2,fma")]
unsafe fn weigh<const ROWS: usize>(shares: [&[f32]; ROWS], lines: &[Line]) -> [[f32; WIDE]; ROWS] {
    let mut stored = [[0.0; WIDE]; ROWS];
    for half in [0, WIDE / 2] {
        let mut sums = [[_mm256_setzero_ps(); 2]; ROWS];
        for (nth, line) in lines.iter().enumerate() {
            // SAFETY: half a line is as wide as two registers.
            let line = unsafe {
                let from = line.0.as_ptr().add(half);
                [_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(LANES))]
            };
            for (sums, shares) in sums.iter_mut().zip(shares) {
                // SAFETY: the caller has counted.
                let share = _mm256_set1_ps(unsafe { *shares.get_unchecked(nth) });
                for (sum, line) in sums.iter_mut().zip(line) {
                    *sum = _mm256_fmadd_ps(share, line, *sum);
                }
            }
        }
        for (stored, sums) in stored.iter_mut().zip(sums) {
            // SAFETY: as above.
            unsafe {
                let to = stored.as_mut_ptr().add(half);
                _mm256_storeu_ps(to, sums[0]);
                _mm256_storeu_ps(to.add(LANES), sums[1]);
            }
        }
    }
    stored
}

const _: () = assert!(WIDE == 4 * LANES, "half a line is two registers");
