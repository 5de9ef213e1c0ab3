//! The scan without special instructions, and what all scans share.

use super::Scan;
use crate::meaning::codes::LANES;

#[cfg_attr(target_arch = "aarch64", allow(dead_code))]
pub(super) fn next_promising(
    scan: &Scan<'_>,
    block: usize,
    threshold: f32,
    estimates: &mut [f32; LANES],
) -> Option<usize> {
    walk(scan, block, threshold, estimates, sums)
}

/// Goes from block to block. Inlined into each scan, so that it is compiled for its instructions.
#[inline(always)]
pub(super) fn walk(
    scan: &Scan<'_>,
    block: usize,
    threshold: f32,
    estimates: &mut [f32; LANES],
    sums: impl Fn(&[u8], &[u8]) -> [u16; LANES],
) -> Option<usize> {
    let tables = scan.tables;
    let patterns = tables.entries.len();
    let block_bytes = patterns + 2 * LANES * 4;
    let threshold = threshold - tables.along_mean;
    let rest = scan.codes.get(block * block_bytes..)?;
    for (passed, bytes) in rest.chunks_exact(block_bytes).enumerate() {
        let (patterns, numbers) = bytes.split_at(patterns);
        let sums = sums(patterns, &tables.entries);
        estimate(&sums, numbers, (tables.step, tables.lowest), estimates);
        if estimates.iter().fold(false, |any, &estimate| any | (estimate > threshold)) {
            estimates.iter_mut().for_each(|estimate| *estimate += tables.along_mean);
            return Some(block + passed);
        }
    }
    None
}

/// From sums of table entries to estimates, but for what the query has along the mean.
#[inline(always)]
fn estimate(
    sums: &[u16; LANES],
    numbers: &[u8],
    (step, lowest): (f32, f32),
    estimates: &mut [f32; LANES],
) {
    let (slopes, shifts) = numbers.split_at(LANES * 4);
    let (slopes, _) = slopes.as_chunks::<4>();
    let (shifts, _) = shifts.as_chunks::<4>();
    let numbers = slopes.iter().zip(shifts);
    for ((estimate, &sum), (&slope, &shift)) in estimates.iter_mut().zip(sums).zip(numbers) {
        let along = f32::from(sum) * step + lowest;
        *estimate = f32::from_le_bytes(shift) + f32::from_le_bytes(slope) * along;
    }
}

/// For each of the 32 vectors the sum, over the groups, of what the tables say to its pattern.
#[cfg_attr(target_arch = "aarch64", allow(dead_code))]
pub(super) fn sums(patterns: &[u8], tables: &[u8]) -> [u16; LANES] {
    let mut sums = [0u16; LANES];
    for (patterns, table) in patterns.as_chunks::<16>().0.iter().zip(tables.as_chunks::<16>().0) {
        for (lane, pattern) in patterns.iter().enumerate() {
            sums[lane] += u16::from(table[usize::from(pattern & 15)]);
            sums[lane + 16] += u16::from(table[usize::from(pattern >> 4)]);
        }
    }
    sums
}
