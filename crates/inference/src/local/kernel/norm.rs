//! Layer norm: each row brought to mean zero and spread one, then stretched as learnt.

use super::fused::Fused;
use super::{LANES, fold, sum};

/// `rows = norm(rows + added)`; gains come first in `norm`, then offsets.
#[inline(always)]
pub(super) fn add_and_norm<F: Fused>(rows: &mut [f32], added: &[f32], norm: &[f32], epsilon: f32) {
    let width = norm.len() / 2;
    let (gains, offsets) = norm.split_at(width);
    for (row, added) in rows.chunks_exact_mut(width).zip(added.chunks_exact(width)) {
        for (x, add) in row.iter_mut().zip(added) {
            *x += add;
        }
        let count = width as f32;
        let mean = total(row, |sum, x| sum + x) / count;
        let variance = total(row, |sum, x| F::fused(x - mean, x - mean, sum)) / count;
        let inverse = 1.0 / (variance + epsilon).sqrt();
        for ((x, gain), offset) in row.iter_mut().zip(gains).zip(offsets) {
            *x = F::fused((*x - mean) * inverse, *gain, *offset);
        }
    }
}

#[inline(always)]
fn total(row: &[f32], add: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    for chunk in row.as_chunks::<LANES>().0 {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = add(*lane, x);
        }
    }
    fold(lanes, sum)
}
