//! Adding rows up, and the product of two sums. The same bits on every processor: each component is
//! multiplied and added by itself, row by row, and products are added in a fixed order.

// The widest registers are used where they are there, which the compiler cannot know beforehand.
#![allow(unsafe_code)]

/// Components that are added up together: as many as stay in registers, and a line of the cache.
const BLOCK: usize = 64;

/// Rows of codes, each with its scale.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) codes: &'a [i8],
    pub(super) scales: &'a [f32],
}

impl Rows<'_> {
    /// Says that the row of a token, so wide, will be added.
    pub(super) fn will_add(&self, id: u16, width: usize) {
        let start = usize::from(id) * width;
        will_read(self.codes.get(start..start + width).unwrap_or_default());
    }
}

/// Adds the rows of these tokens to the sum, which is as wide as they are. Tokens without a row add
/// nothing.
pub(super) fn add(sum: &mut [f32], rows: Rows<'_>, ids: &[u16]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { add_wide(sum, rows, ids) };
    }
    add_each(sum, rows, ids);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_wide(sum: &mut [f32], rows: Rows<'_>, ids: &[u16]) {
    add_each(sum, rows, ids);
}

#[inline(always)]
fn add_each(sum: &mut [f32], rows: Rows<'_>, ids: &[u16]) {
    let width = sum.len();
    let row = |id: u16| {
        let start = usize::from(id) * width;
        Some((rows.codes.get(start..start + width)?, *rows.scales.get(usize::from(id))?))
    };
    let (blocks, rest) = sum.as_chunks_mut::<BLOCK>();
    for (nth, block) in blocks.iter_mut().enumerate() {
        // A copy of its own stays in registers.
        let mut own = *block;
        for (codes, scale) in ids.iter().filter_map(|id| row(*id)) {
            let codes = &codes[nth * BLOCK..][..BLOCK];
            for lane in 0..BLOCK {
                own[lane] += f32::from(codes[lane]) * scale;
            }
        }
        *block = own;
    }
    let start = width - rest.len();
    for (codes, scale) in ids.iter().filter_map(|id| row(*id)).filter(|_| start < width) {
        for (sum, code) in rest.iter_mut().zip(&codes[start..]) {
            *sum += f32::from(*code) * scale;
        }
    }
}

/// Says that these numbers will be read. A hint, and no more: nothing depends on it.
#[inline]
pub(super) fn will_read<T>(numbers: &[T]) {
    #[cfg(target_arch = "x86_64")]
    for line in numbers.chunks((BLOCK / size_of::<T>()).max(1)) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is always there, and reads nothing that can be seen.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = numbers;
}

/// Sums that are kept apart until the end, so that they need not wait for each other.
const LANES: usize = 16;

pub(super) fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (ones, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    for (one, other) in ones.zip(others) {
        for lane in 0..LANES {
            sums[lane] += one[lane] * other[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_narrow_are_the_same_bits_for_any_width() {
        for width in [1, 16, 63, 64, 65, 256] {
            let codes: Vec<i8> = (0..5 * width).map(|at| (at * 37 % 255) as u8 as i8).collect();
            let rows = Rows { codes: &codes, scales: &[0.0123, 0.5, -1.0, 0.25, 3.0] };
            let start: Vec<f32> = (0..width).map(|at| (at as f32).sin()).collect();
            let (mut wide, mut narrow, mut plain) = (start.clone(), start.clone(), start);
            let ids = [4, 0, 2, 2, 99, 1];
            add(&mut wide, rows, &ids);
            add_each(&mut narrow, rows, &ids);
            for id in [4, 0, 2, 2, 1] {
                let row = &codes[id * width..][..width];
                for (sum, code) in plain.iter_mut().zip(row) {
                    *sum += f32::from(*code) * rows.scales[id];
                }
            }
            assert_eq!(wide, narrow);
            assert_eq!(wide, plain);
        }
    }

    #[test]
    fn products_of_any_length() {
        for length in [0, 1, 15, 16, 17, 256] {
            let ones = vec![1.0; length];
            assert_eq!(dot(&ones, &ones), length as f32);
        }
    }
}
