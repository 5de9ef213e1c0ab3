//! The product of whole numbers with AVX-512: 64 multiplications in two instructions.

// Registers are loaded through pointers; `Quantised::check` has compared all sizes before.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::Quantised;
use super::attention::{self, Heads, Line, Span, WIDE, Weigh};
use super::fused::ByInstruction;
use crate::local::packed::{BLOCK, GROUP, HEAD, Linear};

/// Rows of one tile. With two blocks, six rows need 12 registers for whole sums, 12 for scaled
/// ones and 2 for weights, out of 32; and twelve sums in flight hide the latency of adding.
pub(super) const ROWS: usize = 6;

/// By row and block: sums as they grow.
pub(super) type Sums<T, const ROWS: usize, const BLOCKS: usize> = [[T; BLOCKS]; ROWS];

/// Some rows of some blocks. Shared with the path that differs in its sums only.
pub(super) struct Tile<'a> {
    pub(super) input: &'a Quantised,
    pub(super) weights: &'a Linear<'a>,
    /// The first row.
    pub(super) first: usize,
    /// The first block.
    pub(super) block: usize,
}

/// The loops around `sums`. A macro, for the compiler merges a function only into one that knows
/// all its extensions: as functions, the loops of one path could not hold the sums of both.
macro_rules! product {
    ($extensions:literal) => {
        /// # Safety
        /// The sizes of all parts fit: see `Quantised::check`.
        #[target_feature(enable = $extensions)]
        pub(in super::super) unsafe fn multiply(
            input: &Quantised,
            weights: &Linear<'_>,
            output: &mut [f32],
        ) {
            let blocks = weights.outputs / BLOCK;
            let tiles = input.rows.div_ceil(ROWS);
            for block in (0..blocks).step_by(2) {
                for nth in 0..tiles {
                    // Nearly the same height: 16 rows are 6 + 5 + 5 rather than 6 + 6 + 4.
                    let first = nth * input.rows / tiles;
                    let rows = (nth + 1) * input.rows / tiles - first;
                    let tile = Tile { input, weights, first, block };
                    // SAFETY: rows and blocks are within the sizes that the caller vouches for.
                    unsafe {
                        if block + 1 < blocks {
                            run_rows::<2>(&tile, rows, output);
                        } else {
                            run_rows::<1>(&tile, rows, output);
                        }
                    }
                }
            }
        }

        #[target_feature(enable = $extensions)]
        unsafe fn run_rows<const BLOCKS: usize>(tile: &Tile<'_>, rows: usize, output: &mut [f32]) {
            // SAFETY: as the caller's.
            unsafe {
                match rows {
                    1 => run::<1, BLOCKS>(tile, output),
                    2 => run::<2, BLOCKS>(tile, output),
                    3 => run::<3, BLOCKS>(tile, output),
                    4 => run::<4, BLOCKS>(tile, output),
                    5 => run::<5, BLOCKS>(tile, output),
                    _ => run::<ROWS, BLOCKS>(tile, output),
                }
            }
        }

        #[target_feature(enable = $extensions)]
        unsafe fn run<const ROWS: usize, const BLOCKS: usize>(tile: &Tile<'_>, output: &mut [f32]) {
            let mut total = [[_mm512_setzero_ps(); BLOCKS]; ROWS];
            for group in 0..tile.weights.groups() {
                // SAFETY: as the caller's.
                unsafe {
                    let sums = sums::<ROWS, BLOCKS>(tile, group);
                    tile.add_scaled(group, &sums, &mut total);
                }
            }
            // SAFETY: as the caller's.
            unsafe { tile.store(&total, output) };
        }
    };
}
pub(super) use product;

product!("avx512f,avx512bw,avx512dq,avx512vl");

impl Tile<'_> {
    /// # Safety
    /// As `multiply`'s.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn add_scaled<const ROWS: usize, const BLOCKS: usize>(
        &self,
        group: usize,
        sums: &Sums<__m512i, ROWS, BLOCKS>,
        total: &mut Sums<__m512, ROWS, BLOCKS>,
    ) {
        let groups = self.weights.groups();
        for block in 0..BLOCKS {
            let place = ((self.block + block) * groups + group) * BLOCK;
            // SAFETY: one scale a block, group and lane.
            let scales = unsafe { _mm512_loadu_ps(self.weights.scales.as_ptr().add(place)) };
            for row in 0..ROWS {
                let scale = self.input.scales[(self.first + row) * groups + group];
                let worth = _mm512_mul_ps(scales, _mm512_set1_ps(scale));
                let part = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[row][block]), worth);
                total[row][block] = _mm512_add_ps(total[row][block], part);
            }
        }
    }

    /// # Safety
    /// As `multiply`'s.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn store<const ROWS: usize, const BLOCKS: usize>(
        &self,
        total: &Sums<__m512, ROWS, BLOCKS>,
        output: &mut [f32],
    ) {
        for (row, blocks) in total.iter().enumerate() {
            for (block, &total) in blocks.iter().enumerate() {
                let lane = (self.block + block) * BLOCK;
                let at = (self.first + row) * self.weights.outputs + lane;
                // SAFETY: one bias a lane; one number of output a row and lane.
                unsafe {
                    let bias = _mm512_loadu_ps(self.weights.bias.as_ptr().add(lane));
                    _mm512_storeu_ps(output.as_mut_ptr().add(at), _mm512_add_ps(total, bias));
                }
            }
        }
    }

    /// The weights of four inputs, by block.
    ///
    /// # Safety
    /// As `multiply`'s.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn factors<const BLOCKS: usize>(
        &self,
        group: usize,
        four: usize,
    ) -> [__m512i; BLOCKS] {
        let mut factors = [_mm512_setzero_si512(); BLOCKS];
        for (block, factors) in factors.iter_mut().enumerate() {
            let place = (self.block + block) * self.weights.groups() + group;
            // SAFETY: 64 codes a block, group and four inputs.
            *factors = unsafe {
                let from = self.weights.codes.as_ptr().add((place * GROUP + four * 4) * BLOCK);
                _mm512_loadu_si512(from.cast())
            };
        }
        factors
    }

    /// Four codes of one row, in every lane.
    ///
    /// # Safety
    /// As `multiply`'s.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn codes(&self, row: usize, group: usize, four: usize) -> __m512i {
        let place = (self.first + row) * self.input.width + group * GROUP + four * 4;
        // SAFETY: four codes are left in the group.
        let codes = unsafe { self.input.codes.as_ptr().add(place).cast::<i32>().read_unaligned() };
        _mm512_set1_epi32(codes)
    }
}

/// The exact sums of one group, in the way of the narrower path: `maddubs` would saturate with
/// weights up to 255, so the 128 is taken off and the sign moves from the weight to the input.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn sums<const ROWS: usize, const BLOCKS: usize>(
    tile: &Tile<'_>,
    group: usize,
) -> Sums<__m512i, ROWS, BLOCKS> {
    let ones = _mm512_set1_epi16(1);
    let offset = _mm512_set1_epi8(i8::MIN);
    let mut sums = [[_mm512_setzero_si512(); BLOCKS]; ROWS];
    for four in 0..GROUP / 4 {
        // SAFETY: as the caller's.
        let factors = unsafe { tile.factors::<BLOCKS>(group, four) };
        let factors = factors.map(|factors| _mm512_xor_si512(factors, offset));
        let are_negative = factors.map(|factors| _mm512_movepi8_mask(factors));
        let sizes = factors.map(|factors| _mm512_abs_epi8(factors));
        for (row, sums) in sums.iter_mut().enumerate() {
            // SAFETY: as the caller's.
            let codes = unsafe { tile.codes(row, group, four) };
            for block in 0..BLOCKS {
                let none = _mm512_setzero_si512();
                let signed = _mm512_mask_sub_epi8(codes, are_negative[block], none, codes);
                let pairs = _mm512_maddubs_epi16(sizes[block], signed);
                sums[block] = _mm512_add_epi32(sums[block], _mm512_madd_epi16(pairs, ones));
            }
        }
    }
    sums
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
pub(super) fn attend(heads: &Heads<'_>, text: Span<'_>, output: &mut [f32]) {
    attention::attend::<Registers, 8>(heads, text, output);
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

    #[inline(always)]
    fn turn<'k>(keys: impl ExactSizeIterator<Item = &'k [f32; HEAD]>, lines: &mut [Line; HEAD]) {
        assert!(keys.len() <= WIDE);
        // Tokens that are not there have keys of nothing.
        let mut rows = [&[0.0; HEAD]; WIDE];
        rows.iter_mut().zip(keys).for_each(|(row, key)| *row = key);
        // SAFETY: see the type.
        unsafe { turn(&rows, lines) }
    }
}

/// Sixteen by sixteen numbers at a time.
#[inline]
#[target_feature(enable = "avx512f")]
fn turn(rows: &[&[f32; HEAD]; WIDE], lines: &mut [Line; HEAD]) {
    for token in (0..WIDE).step_by(16) {
        for dimension in (0..HEAD).step_by(16) {
            // SAFETY: sixteen numbers are left in every row, and in every line.
            let square: [_; 16] = std::array::from_fn(|row| unsafe {
                _mm512_loadu_ps(rows[token + row].as_ptr().add(dimension))
            });
            for (line, turned) in lines[dimension..].iter_mut().zip(turned(square)) {
                // SAFETY: as above.
                unsafe { _mm512_storeu_ps(line.0.as_mut_ptr().add(token), turned) };
            }
        }
    }
}

/// Rows become columns: first within pairs of rows, then within fours, then between them.
#[inline]
#[target_feature(enable = "avx512f")]
fn turned(rows: [__m512; 16]) -> [__m512; 16] {
    let (mut fours, mut columns) = ([_mm512_setzero_ps(); 16], [_mm512_setzero_ps(); 16]);
    for at in (0..16).step_by(4) {
        let pair = |one: usize, other: usize| {
            let (one, other) = (rows[at + one], rows[at + other]);
            let (low, high) = (_mm512_unpacklo_ps(one, other), _mm512_unpackhi_ps(one, other));
            (_mm512_castps_pd(low), _mm512_castps_pd(high))
        };
        let ((low, high), (next_low, next_high)) = (pair(0, 1), pair(2, 3));
        fours[at] = _mm512_castpd_ps(_mm512_unpacklo_pd(low, next_low));
        fours[at + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low, next_low));
        fours[at + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high, next_high));
        fours[at + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high, next_high));
    }
    for at in 0..4 {
        let even = |one, other| _mm512_shuffle_f32x4::<0x88>(one, other);
        let odd = |one, other| _mm512_shuffle_f32x4::<0xdd>(one, other);
        let (front, behind) = ((fours[at], fours[at + 4]), (fours[at + 8], fours[at + 12]));
        let (evens, odds) = (even(front.0, front.1), odd(front.0, front.1));
        let (more_evens, more_odds) = (even(behind.0, behind.1), odd(behind.0, behind.1));
        columns[at] = even(evens, more_evens);
        columns[at + 4] = even(odds, more_odds);
        columns[at + 8] = odd(evens, more_evens);
        columns[at + 12] = odd(odds, more_odds);
    }
    columns
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
