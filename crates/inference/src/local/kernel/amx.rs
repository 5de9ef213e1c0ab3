//! The product of whole numbers with AMX: sixteen rows by sixteen outputs by one group of inputs
//! in one instruction. The weights already lie as it wants them.
//!
//! The standard library does not offer these instructions yet, so they are written out here.

// Tiles are loaded through pointers; `Quantised::check` has compared all sizes before.
#![allow(unsafe_code)]

use std::arch::asm;
use std::arch::x86_64::*;
use std::ops::Range;
use std::sync::LazyLock;

use super::Quantised;
use crate::local::packed::{BLOCK, GROUP, Linear};

/// Rows of one tile, the most that there can be.
const ROWS: usize = 16;
/// Blocks that share one load of inputs, and groups that are summed before they are scaled: with
/// inputs, weights and sums these are 30 KiB, which the nearest cache holds.
const BLOCKS: usize = 2;
const GROUPS: usize = 6;
/// Rows that are scaled abreast, their sums in registers.
const ABREAST: usize = 4;

/// Whether the processor has tiles, and the system lets this process use them.
pub(super) fn granted() -> bool {
    // What is in tiles has to be kept when a thread sleeps; for that room a process asks once.
    static GRANTED: LazyLock<bool> = LazyLock::new(|| has_tiles() && ask_for_room());
    *GRANTED
}

fn has_tiles() -> bool {
    const TILES_AND_BYTES: u32 = 1 << 24 | 1 << 25;
    __cpuid(0).eax >= 7 && __cpuid_count(7, 0).edx & TILES_AND_BYTES == TILES_AND_BYTES
}

#[cfg(target_os = "linux")]
fn ask_for_room() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const REQUEST_PERMISSION: u64 = 0x1023;
    const TILE_DATA: u64 = 18;
    let answer: i64;
    // SAFETY: the call takes two numbers and touches no memory of ours; a system that does not
    // know it answers with an error.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => answer,
            in("rdi") REQUEST_PERMISSION,
            in("rsi") TILE_DATA,
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    answer == 0
}

/// Other systems have ways of their own, which nobody has tried.
#[cfg(not(target_os = "linux"))]
fn ask_for_room() -> bool {
    false
}

/// # Safety
/// The sizes of all parts fit: see `Quantised::check`. The tiles are granted.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) unsafe fn multiply(input: &Quantised, weights: &Linear<'_>, output: &mut [f32]) {
    let (blocks, groups) = (weights.outputs / BLOCK, weights.groups());
    // SAFETY: the caller vouches for the tiles.
    let tiles = unsafe { Tiles::lay_out(input.rows % ROWS) };
    let mut sums = [const { [Sums::NONE; GROUPS] }; BLOCKS];
    for block in (0..blocks).step_by(BLOCKS) {
        for group in (0..groups).step_by(GROUPS) {
            for row in (0..input.rows).step_by(ROWS) {
                let part = Part {
                    input,
                    weights,
                    rows: row..input.rows.min(row + ROWS),
                    blocks: block..blocks.min(block + BLOCKS),
                    groups: group..groups.min(group + GROUPS),
                };
                // SAFETY: all ranges are within the sizes that the caller vouches for, and the
                // tiles are laid out for them.
                unsafe {
                    part.sum_up(&tiles, &mut sums);
                    part.add_scaled(&sums, output);
                }
            }
        }
    }
}

/// The tile registers of this thread, laid out as [`Part::sum_up`] uses them.
struct Tiles;

/// What each register holds, in the form that the processor reads.
#[repr(C, align(64))]
struct Layout {
    palette: u8,
    first_row: u8,
    reserved: [u8; 14],
    bytes_a_row: [u16; 16],
    rows: [u8; 16],
}

impl Tiles {
    /// Registers 0 and 1 are for inputs and sums of whole tiles, 2 and 3 for those of the last
    /// rows where these are fewer, 4 for weights.
    unsafe fn lay_out(last: usize) -> Tiles {
        let (all, last) = (ROWS as u8, last.max(1) as u8);
        let mut layout = Layout {
            palette: 1,
            first_row: 0,
            reserved: [0; 14],
            bytes_a_row: [0; 16],
            rows: [0; 16],
        };
        layout.bytes_a_row[..5].fill(GROUP as u16);
        layout.rows[..5].copy_from_slice(&[all, all, last, last, all]);
        // SAFETY: this is a layout that the processor takes; `drop` gives the tiles back.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &layout, options(nostack, readonly)) };
        Tiles
    }
}

impl Drop for Tiles {
    /// A thread that holds no tiles is switched to and from faster.
    fn drop(&mut self) {
        // SAFETY: whoever has this has tiles, and nobody else of this thread uses them.
        unsafe { asm!("tilerelease", options(nostack, nomem)) };
    }
}

/// Whole sums of one group, by row and output.
#[repr(C, align(64))]
struct Sums([[i32; BLOCK]; ROWS]);

impl Sums {
    const NONE: Sums = Sums([[0; BLOCK]; ROWS]);
}

struct Part<'a> {
    input: &'a Quantised,
    weights: &'a Linear<'a>,
    rows: Range<usize>,
    blocks: Range<usize>,
    groups: Range<usize>,
}

/// One group of one block, with the registers named.
macro_rules! sum_up {
    ($inputs:literal, $sums:literal, $factors:expr, $to:expr) => {
        asm!(
            concat!("tilezero ", $sums),
            "tileloadd tmm4, [{factors} + {line}*1]",
            concat!("tdpbsud ", $sums, ", ", $inputs, ", tmm4"),
            concat!("tilestored [{to} + {line}*1], ", $sums),
            factors = in(reg) $factors,
            line = in(reg) 4 * BLOCK,
            to = in(reg) $to,
            options(nostack),
        )
    };
}

macro_rules! load {
    ($inputs:literal, $codes:expr, $width:expr) => {
        asm!(
            concat!("tileloadd ", $inputs, ", [{codes} + {width}*1]"),
            codes = in(reg) $codes,
            width = in(reg) $width,
            options(nostack, readonly),
        )
    };
}

impl Part<'_> {
    /// The exact sums of each group, but for the corrections.
    unsafe fn sum_up(&self, _: &Tiles, sums: &mut [[Sums; GROUPS]; BLOCKS]) {
        let Part { input, weights, .. } = self;
        let whole = self.rows.len() == ROWS;
        for (nth, group) in self.groups.clone().enumerate() {
            // SAFETY: as many rows of input begin here as the register was laid out for, each
            // with a whole group; the weights of a block and group are 16 lines of 64 bytes;
            // sums have room for a whole tile.
            unsafe {
                let codes = input.codes.as_ptr().add(self.rows.start * input.width + group * GROUP);
                if whole {
                    load!("tmm0", codes, input.width);
                } else {
                    load!("tmm2", codes, input.width);
                }
                for (sums, block) in sums.iter_mut().zip(self.blocks.clone()) {
                    let place = (block * weights.groups() + group) * GROUP * BLOCK;
                    let factors = weights.codes.as_ptr().add(place);
                    if whole {
                        sum_up!("tmm0", "tmm1", factors, &mut sums[nth]);
                    } else {
                        sum_up!("tmm2", "tmm3", factors, &mut sums[nth]);
                    }
                }
            }
        }
    }

    /// Corrects and scales the sums, and adds them to what earlier groups have left in the
    /// output; the last group brings the bias.
    #[target_feature(enable = "avx512f")]
    unsafe fn add_scaled(&self, sums: &[[Sums; GROUPS]; BLOCKS], output: &mut [f32]) {
        for (sums, block) in sums.iter().zip(self.blocks.clone()) {
            let mut row = self.rows.start;
            // SAFETY: as the caller's.
            unsafe {
                while row + ABREAST <= self.rows.end {
                    self.add_rows::<ABREAST>(row, block, sums, output);
                    row += ABREAST;
                }
                while row < self.rows.end {
                    self.add_rows::<1>(row, block, sums, output);
                    row += 1;
                }
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn add_rows<const MANY: usize>(
        &self,
        row: usize,
        block: usize,
        sums: &[Sums; GROUPS],
        output: &mut [f32],
    ) {
        let Part { input, weights, .. } = self;
        let groups = weights.groups();
        // SAFETY: one number of output a row and output, one scale a block, group and output,
        // one scale and one correction a row and group, one bias an output; a row of sums is as
        // wide as a register.
        unsafe {
            let output = output.as_mut_ptr().add(row * weights.outputs + block * BLOCK);
            let mut total = [_mm512_setzero_ps(); MANY];
            if self.groups.start > 0 {
                for (nth, total) in total.iter_mut().enumerate() {
                    *total = _mm512_loadu_ps(output.add(nth * weights.outputs));
                }
            }
            for (sums, group) in sums.iter().zip(self.groups.clone()) {
                let scales = weights.scales.as_ptr().add((block * groups + group) * BLOCK);
                let scales = _mm512_loadu_ps(scales);
                for (nth, total) in total.iter_mut().enumerate() {
                    let at = (row + nth) * groups + group;
                    let sum = sums.0.as_ptr().add(row + nth - self.rows.start);
                    let correction = _mm512_set1_epi32(*input.corrections.as_ptr().add(at));
                    let sum = _mm512_add_epi32(_mm512_load_si512(sum.cast()), correction);
                    let scale = _mm512_set1_ps(*input.scales.as_ptr().add(at));
                    let part = _mm512_mul_ps(_mm512_cvtepi32_ps(sum), _mm512_mul_ps(scales, scale));
                    *total = _mm512_add_ps(*total, part);
                }
            }
            if self.groups.end == groups {
                let bias = _mm512_loadu_ps(weights.bias.as_ptr().add(block * BLOCK));
                total = total.map(|total| _mm512_add_ps(total, bias));
            }
            for (nth, total) in total.into_iter().enumerate() {
                _mm512_storeu_ps(output.add(nth * weights.outputs), total);
            }
        }
    }
}
