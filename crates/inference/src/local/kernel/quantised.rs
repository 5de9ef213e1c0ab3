//! Rows rounded to whole numbers: each group by the largest number in it.

use super::curves::{ROUNDER, gelu};
use super::fused::Fused;
use super::{LANES, fold, greater};
use crate::local::aligned::Aligned;
use crate::local::packed::{BLOCK, GROUP, Linear};

/// The largest code. Negative ones go as far, never to -128: kernels negate.
const MOST: f32 = 127.0;

/// Below this a group counts as zero, lest the inverse of its scale become infinite.
const LEAST: f32 = 1e-30;

#[derive(Debug, Default)]
pub(crate) struct Quantised {
    pub(super) rows: usize,
    pub(super) width: usize,
    /// Row by row.
    pub(super) codes: Aligned<i8>,
    /// One a group: what a code of one is worth.
    pub(super) scales: Vec<f32>,
    /// One a group: -128 × the sum of its codes. Weights are stored with 128 added, and this
    /// takes it off again.
    pub(super) corrections: Vec<i32>,
}

impl Quantised {
    pub(super) fn groups(&self) -> usize {
        self.width / GROUP
    }

    /// The kernels rely on these sizes and do not look again.
    pub(super) fn check(&self, weights: &Linear<'_>, output: usize) {
        let Linear { inputs, outputs, .. } = *weights;
        assert!(inputs == self.width && inputs % GROUP == 0 && outputs % BLOCK == 0);
        assert_eq!(self.codes.len(), self.rows * inputs);
        assert_eq!(self.scales.len(), self.rows * self.groups());
        assert_eq!(self.corrections.len(), self.rows * self.groups());
        assert_eq!(weights.codes.len(), inputs * outputs);
        assert_eq!(weights.scales.len(), weights.groups() * outputs);
        assert_eq!(weights.bias.len(), outputs);
        assert_eq!(output, self.rows * outputs);
    }

    fn resize(&mut self, rows: usize, width: usize) {
        assert!(width > 0 && width.is_multiple_of(GROUP), "rows are made of whole groups");
        (self.rows, self.width) = (rows, width);
        self.codes.resize(rows * width);
        self.scales.resize(rows * self.groups(), 0.0);
        self.corrections.resize(rows * self.groups(), 0);
    }
}

#[inline(always)]
pub(super) fn quantise<F: Fused>(rows: &[f32], width: usize, into: &mut Quantised) {
    into.resize(rows.len() / width, width);
    let groups = rows.as_chunks::<GROUP>().0.iter();
    let codes = into.codes.as_chunks_mut::<GROUP>().0.iter_mut();
    let scales = into.scales.iter_mut().zip(&mut into.corrections);
    for ((group, codes), (scale, correction)) in groups.zip(codes).zip(scales) {
        (*scale, *correction) = quantise_group::<F>(group, codes);
    }
}

#[inline(always)]
pub(super) fn gelu_and_quantise<F: Fused>(rows: &mut [f32], width: usize, into: &mut Quantised) {
    into.resize(rows.len() / width, width);
    let groups = rows.as_chunks_mut::<GROUP>().0.iter_mut();
    let codes = into.codes.as_chunks_mut::<GROUP>().0.iter_mut();
    let scales = into.scales.iter_mut().zip(&mut into.corrections);
    for ((group, codes), (scale, correction)) in groups.zip(codes).zip(scales) {
        for x in group.iter_mut() {
            *x = gelu::<F>(*x);
        }
        (*scale, *correction) = quantise_group::<F>(group, codes);
    }
}

/// The scale and the correction of one group.
#[inline(always)]
fn quantise_group<F: Fused>(group: &[f32; GROUP], codes: &mut [i8; GROUP]) -> (f32, i32) {
    let largest = largest(group);
    let inverse = if largest > LEAST { MOST / largest } else { 0.0 };
    let mut sum = 0_i32;
    for (code, &x) in codes.iter_mut().zip(group) {
        // Wrapping for the sake of damaged weights alone: what is no number gives no sense here,
        // and is found in the end.
        let bits = F::fused(x, inverse, ROUNDER).to_bits() as i32;
        let rounded = bits.wrapping_sub(ROUNDER.to_bits() as i32);
        sum = sum.wrapping_add(rounded);
        *code = rounded as i8;
    }
    (largest / MOST, sum.wrapping_mul(-128))
}

#[inline(always)]
fn largest(group: &[f32; GROUP]) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    for chunk in group.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            lanes[lane] = greater(chunk[lane].abs(), lanes[lane]);
        }
    }
    fold(lanes, greater)
}
