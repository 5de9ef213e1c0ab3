//! The product of whole numbers with AMX: sixteen rows by sixteen outputs by 64 inputs in one
//! instruction. The weights already lie as it wants them.
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
/// Inputs of one tile.
const INPUTS: usize = 64;
/// Tiles of rows, and blocks, that are multiplied with each other: whatever is loaded is used
/// twice.
const TALL: usize = 2;
const BLOCKS: usize = 2;
/// Groups that are summed before they are scaled: with inputs and weights these are 32 KiB, which
/// the nearest cache holds.
const GROUPS: usize = 2;
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
    if input.rows == 0 {
        return;
    }
    let (blocks, groups) = (weights.outputs / BLOCK, weights.groups());
    // Nearly the same height: 90 rows are six tiles of 15 rather than five of 16 and one of 10.
    let height = input.rows.div_ceil(input.rows.div_ceil(ROWS));
    // SAFETY: the caller vouches for the tiles.
    let tiles = unsafe { Tiles::lay_out(height) };
    let mut sums = [const { [const { [Sums::NONE; GROUPS] }; BLOCKS] }; TALL];
    for block in (0..blocks).step_by(BLOCKS) {
        for group in (0..groups).step_by(GROUPS) {
            for row in (0..input.rows).step_by(height * TALL) {
                let part = Part {
                    input,
                    weights,
                    height,
                    rows: row..input.rows.min(row + height * TALL),
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
    /// Registers 0 to 3 are for sums, 4 and 5 for inputs, 6 and 7 for weights.
    unsafe fn lay_out(height: usize) -> Tiles {
        let mut layout = Layout {
            palette: 1,
            first_row: 0,
            reserved: [0; 14],
            bytes_a_row: [0; 16],
            rows: [0; 16],
        };
        layout.bytes_a_row[..8].fill(INPUTS as u16);
        layout.rows[..6].fill(height as u8);
        layout.rows[6..8].fill(ROWS as u8);
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

/// By tile of rows, block and group.
type AllSums = [[[Sums; GROUPS]; BLOCKS]; TALL];

struct Part<'a> {
    input: &'a Quantised,
    weights: &'a Linear<'a>,
    /// Of each tile of rows.
    height: usize,
    rows: Range<usize>,
    blocks: Range<usize>,
    groups: Range<usize>,
}

macro_rules! zero {
    ($($tile:literal)*) => {
        asm!($(concat!("tilezero ", $tile),)* options(nostack, nomem))
    };
}

macro_rules! load {
    ($tile:literal, $from:expr, $line:expr) => {
        asm!(
            concat!("tileloadd ", $tile, ", [{from} + {line}*1]"),
            from = in(reg) $from,
            line = in(reg) $line,
            options(nostack, readonly),
        )
    };
}

macro_rules! add_product {
    ($sums:literal, $inputs:literal, $weights:literal) => {
        asm!(concat!("tdpbsud ", $sums, ", ", $inputs, ", ", $weights), options(nostack, nomem))
    };
}

macro_rules! store {
    ($tile:literal, $to:expr) => {
        asm!(
            concat!("tilestored [{to} + {line}*1], ", $tile),
            to = in(reg) $to,
            line = in(reg) 4 * BLOCK,
            options(nostack),
        )
    };
}

impl Part<'_> {
    /// Where a tile of rows is loaded from. The last one reaches back to rows that another has
    /// summed already, for all are of one height.
    fn start(&self, tile: usize) -> usize {
        (self.rows.start + tile * self.height).min(self.input.rows - self.height)
    }

    /// The share of this part in asking for the weights of those after it, of the lines of every
    /// tile: when all rows have had their turn, the next weights have come.
    fn lines_ahead(&self) -> Range<usize> {
        let tall = self.height * TALL;
        let (turn, turns) = (self.rows.start / tall, self.input.rows.div_ceil(tall));
        ROWS * turn / turns..ROWS * (turn + 1) / turns
    }

    /// Asks for weights that are wanted next, when these inputs are wanted again.
    #[inline]
    fn fetch_ahead(&self, at: usize, lines: &Range<usize>) {
        let groups_ahead = if self.weights.groups() > GROUPS { GROUPS } else { BLOCKS * GROUPS };
        for block in self.blocks.clone() {
            let place = (block * self.weights.inputs + at + groups_ahead * GROUP) * BLOCK;
            for line in lines.clone() {
                let place = self.weights.codes.as_ptr().wrapping_add(place + line * 4 * BLOCK);
                // SAFETY: asking for what is not there, beyond the last weights, does nothing.
                unsafe { _mm_prefetch::<_MM_HINT_T1>(place.cast()) };
            }
        }
    }

    /// The exact sums of each group, but for the corrections.
    unsafe fn sum_up(&self, _: &Tiles, sums: &mut AllSums) {
        let Part { input, weights, .. } = self;
        let ahead = self.lines_ahead();
        let is_tall = self.rows.len() > self.height;
        let is_wide = self.blocks.len() > 1;
        for (nth, group) in self.groups.clone().enumerate() {
            // SAFETY: as many rows begin at a start as the registers were laid out for, each with
            // a whole group; the weights of a block and 64 inputs are 16 lines of 64 bytes; sums
            // have room for a whole tile.
            unsafe {
                zero!("tmm0" "tmm1" "tmm2" "tmm3");
                for at in (group * GROUP..(group + 1) * GROUP).step_by(INPUTS) {
                    let codes =
                        |tile| input.codes.as_ptr().add(self.start(tile) * input.width + at);
                    let factors = |nth| {
                        let place = (self.blocks.start + nth) * weights.inputs + at;
                        weights.codes.as_ptr().add(place * BLOCK)
                    };
                    self.fetch_ahead(at, &ahead);
                    load!("tmm4", codes(0), input.width);
                    load!("tmm6", factors(0), 4 * BLOCK);
                    add_product!("tmm0", "tmm4", "tmm6");
                    if is_wide {
                        load!("tmm7", factors(1), 4 * BLOCK);
                        add_product!("tmm1", "tmm4", "tmm7");
                    }
                    if is_tall {
                        load!("tmm5", codes(1), input.width);
                        add_product!("tmm2", "tmm5", "tmm6");
                        if is_wide {
                            add_product!("tmm3", "tmm5", "tmm7");
                        }
                    }
                }
                let [first, second] = sums;
                store!("tmm0", &mut first[0][nth]);
                store!("tmm1", &mut first[1][nth]);
                if is_tall {
                    store!("tmm2", &mut second[0][nth]);
                    store!("tmm3", &mut second[1][nth]);
                }
            }
        }
    }

    /// Corrects and scales the sums, and adds them to what earlier groups have left in the
    /// output; the last group brings the bias.
    #[target_feature(enable = "avx512f")]
    unsafe fn add_scaled(&self, sums: &AllSums, output: &mut [f32]) {
        for (tile, sums) in sums.iter().enumerate() {
            let first = self.rows.start + tile * self.height;
            let end = self.rows.end.min(first + self.height);
            for (sums, block) in sums.iter().zip(self.blocks.clone()) {
                let mut row = first;
                // SAFETY: as the caller's.
                unsafe {
                    while row + ABREAST <= end {
                        self.add_rows::<ABREAST>(row, row - self.start(tile), block, sums, output);
                        row += ABREAST;
                    }
                    while row < end {
                        self.add_rows::<1>(row, row - self.start(tile), block, sums, output);
                        row += 1;
                    }
                }
            }
        }
    }

    /// Rows of output from `row` on, whose sums are those from `line` on.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn add_rows<const MANY: usize>(
        &self,
        row: usize,
        line: usize,
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
                    let sum = sums.0.as_ptr().add(line + nth);
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

const _: () = assert!(GROUP.is_multiple_of(INPUTS) && INPUTS == 4 * BLOCK, "tiles fill a group");
