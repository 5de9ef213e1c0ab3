//! The product of whole numbers with what every processor has.

// Registers are loaded through pointers into arrays of known size.
#![allow(unsafe_code)]

use super::Quantised;
use super::attention::{Line, WIDE, Weigh};
#[cfg(target_arch = "aarch64")]
pub(super) use super::fused::ByInstruction as Adding;
#[cfg(not(target_arch = "aarch64"))]
pub(super) use super::fused::BySteps as Adding;
use super::fused::Fused;
use crate::local::packed::{BLOCK, GROUP, Linear};

/// Rows whose sums are kept at a time.
const ROWS: usize = 64;

/// The weights of one block and group, two inputs a line. In this order, and in 16 bits, even
/// old processors multiply pairs and add them at once.
type Plane = [[[i16; 2]; BLOCK]; GROUP / 2];

pub(super) fn multiply(input: &Quantised, weights: &Linear<'_>, output: &mut [f32]) {
    for first in (0..input.rows).step_by(ROWS) {
        let rows = first..input.rows.min(first + ROWS);
        for block in 0..weights.outputs / BLOCK {
            let total = block_of(input, weights, rows.clone(), block);
            for (row, total) in rows.clone().zip(total) {
                let bias = &weights.bias[block * BLOCK..][..BLOCK];
                let output = &mut output[row * weights.outputs + block * BLOCK..][..BLOCK];
                for lane in 0..BLOCK {
                    output[lane] = total[lane] + bias[lane];
                }
            }
        }
    }
}

/// Sixteen outputs of several rows, without the bias.
fn block_of(
    input: &Quantised,
    weights: &Linear<'_>,
    rows: std::ops::Range<usize>,
    block: usize,
) -> [[f32; BLOCK]; ROWS] {
    let groups = weights.groups();
    let mut total = [[0.0; BLOCK]; ROWS];
    for group in 0..groups {
        let place = block * groups + group;
        let plane = spread(&weights.codes[place * GROUP * BLOCK..][..GROUP * BLOCK]);
        let scales = &weights.scales[place * BLOCK..][..BLOCK];
        for (row, total) in rows.clone().zip(&mut total) {
            let at = row * groups + group;
            let sums = dot(&input.codes.as_chunks().0[at], &plane);
            for lane in 0..BLOCK {
                total[lane] += sums[lane] as f32 * (scales[lane] * input.scales[at]);
            }
        }
    }
    total
}

/// Takes off the 128 that the file has added.
fn spread(codes: &[u8]) -> Plane {
    let mut plane = [[[0; 2]; BLOCK]; GROUP / 2];
    for (four, lines) in codes.as_chunks::<64>().0.iter().zip(plane.as_chunks_mut::<2>().0) {
        for (lane, factors) in four.as_chunks::<4>().0.iter().enumerate() {
            let [a, b, c, d] = factors.map(|factor| i16::from(factor) - 128);
            lines[0][lane] = [a, b];
            lines[1][lane] = [c, d];
        }
    }
    plane
}

/// In plain Rust, which compilers sometimes turn into vector instructions and sometimes not.
#[cfg(any(test, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn dot_plain(codes: &[i8; GROUP], plane: &Plane) -> [i32; BLOCK] {
    let mut sums = [0; BLOCK];
    for (two, line) in codes.as_chunks::<2>().0.iter().zip(plane) {
        let [one, other] = two.map(i32::from);
        for (sum, [a, b]) in sums.iter_mut().zip(line) {
            *sum += i32::from(*a) * one + i32::from(*b) * other;
        }
    }
    sums
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use dot_plain as dot;

/// With SSE2, which every processor of this kind has.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn dot(codes: &[i8; GROUP], plane: &Plane) -> [i32; BLOCK] {
    use std::arch::x86_64::*;
    // SAFETY: a line is 64 bytes, four registers; the sums are as many.
    unsafe {
        let mut sums = [_mm_setzero_si128(); 4];
        for (two, line) in codes.as_chunks::<2>().0.iter().zip(plane) {
            let [one, other] = two.map(|code| i32::from(code) & 0xffff);
            let pair = _mm_set1_epi32(one | other << 16);
            for (part, sum) in sums.iter_mut().enumerate() {
                let line = _mm_loadu_si128(line.as_ptr().cast::<__m128i>().add(part));
                *sum = _mm_add_epi32(*sum, _mm_madd_epi16(line, pair));
            }
        }
        let mut stored = [0; BLOCK];
        for (part, sum) in sums.into_iter().enumerate() {
            _mm_storeu_si128(stored.as_mut_ptr().cast::<__m128i>().add(part), sum);
        }
        stored
    }
}

/// With NEON, which every processor of this kind has.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn dot(codes: &[i8; GROUP], plane: &Plane) -> [i32; BLOCK] {
    use std::arch::aarch64::*;
    // SAFETY: a line is two times eight pairs; the sums are four registers of four.
    unsafe {
        let mut sums = [vdupq_n_s32(0); 4];
        for (two, line) in codes.as_chunks::<2>().0.iter().zip(plane) {
            let [one, other] = two.map(|code| vdupq_n_s16(i16::from(code)));
            for half in 0..2 {
                let int16x8x2_t(a, b) = vld2q_s16(line.as_ptr().cast::<i16>().add(half * 16));
                let (low, high) = (sums[2 * half], sums[2 * half + 1]);
                let low = vmlal_s16(low, vget_low_s16(a), vget_low_s16(one));
                let high = vmlal_high_s16(high, a, one);
                sums[2 * half] = vmlal_s16(low, vget_low_s16(b), vget_low_s16(other));
                sums[2 * half + 1] = vmlal_high_s16(high, b, other);
            }
        }
        let mut stored = [0; BLOCK];
        for (part, sum) in sums.into_iter().enumerate() {
            vst1q_s32(stored.as_mut_ptr().add(part * 4), sum);
        }
        stored
    }
}

/// See [`Weigh`].
pub(super) struct Plain;

impl Weigh for Plain {
    type Adding = Adding;

    #[inline(always)]
    fn weigh<const ROWS: usize>(shares: [&[f32]; ROWS], lines: &[Line]) -> [[f32; WIDE]; ROWS] {
        shares.map(|shares| weigh(shares, lines))
    }
}

#[inline(never)]
fn weigh(shares: &[f32], lines: &[Line]) -> [f32; WIDE] {
    let mut sums = [0.0; WIDE];
    for (&share, line) in shares.iter().zip(lines) {
        for (sum, x) in sums.iter_mut().zip(&line.0) {
            *sum = Adding::fused(share, *x, *sum);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn dot_is_what_it_says(codes: [i8; GROUP], weights: [[[i8; 2]; BLOCK]; GROUP / 2]) {
            let plane = weights.map(|line| line.map(|pair| pair.map(i16::from)));
            prop_assert_eq!(dot(&codes, &plane), dot_plain(&codes, &plane));
        }
    }
}
