//! A segment of meaning: vectors, whose they are, and their codes.

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::path::Path;

use super::codes::{LANES, block_bytes, can_code};
use super::scan::will_read;
use super::{Coded, build};
use crate::Error;
use crate::frame::{Frame, Kind, f32_at, find_row, u32_at, u64_at};
use crate::mapped::Bytes;

const COUNTS: usize = 0;
const RECORDS: usize = 1;
const BY_OWNER: usize = 2;
const COMPONENTS: usize = 3;
const MEAN: usize = 4;
const CODES: usize = 5;
/// The last three are empty where vectors are not divided into cells.
const CELLS: usize = 6;
const CELL_MEANS: usize = 7;
const CELL_SLOTS: usize = 8;

/// How far from where it is guessed a slot is looked for first.
const NEAR_GUESS: usize = 16;

/// Slots on either side that are taken for one memory: to learn what is usual nobody reads a whole log.
const BESIDE: usize = 32;

/// The slot of a code that only fills up a block.
pub(super) const NOBODY: u32 = u32::MAX;

/// What is asked of a candidate lies together, in half a cache line.
#[derive(Clone, Copy)]
pub(super) struct Record {
    pub(super) row: u64,
    pub(super) owner: u64,
    pub(super) facets: u64,
    pub(super) scale: f32,
}

impl Record {
    pub(super) const BYTES: usize = 32;

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for number in [self.row, self.owner, self.facets, u64::from(self.scale.to_bits())] {
            out.extend_from_slice(&number.to_le_bytes());
        }
    }
}

/// Where the codes of a cell begin, and where its vectors lie. They reach up to the next cell.
#[derive(Clone, Copy)]
pub(super) struct CellRecord {
    pub(super) first_block: u32,
    /// Of the components of its mean.
    pub(super) scale: f32,
    /// How far its vectors are from their mean, as the square root of the mean square.
    pub(super) spread: f32,
}

impl CellRecord {
    const BYTES: usize = 12;

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for number in [self.first_block, self.scale.to_bits(), self.spread.to_bits()] {
            out.extend_from_slice(&number.to_le_bytes());
        }
    }
}

/// Codes that lie together because their vectors do.
pub(super) struct Cell<'a> {
    pub(super) blocks: Range<usize>,
    pub(super) mean: &'a [u8],
    pub(super) scale: f32,
    pub(super) spread: f32,
}

/// Immutable vectors over a range of rows, in memory or mapped from a file.
///
/// Vectors are numbered by slot, from zero in the order of their rows. Damaged content gives
/// wrong answers, never a panic.
pub struct MeaningSegment {
    frame: Frame,
    len: u32,
    dimensions: usize,
}

impl MeaningSegment {
    /// The bytes of a segment. Rows must ascend and all vectors have the dimensions of the first;
    /// others are left out. Dimensions that are no multiple of 8 up to 4096 work, but slowly.
    pub fn build(vectors: impl IntoIterator<Item = Coded>) -> Vec<u8> {
        build::build(vectors)
    }

    /// The bytes of one segment for several. The parts ascend by row and do not overlap.
    pub fn merge(parts: &[&MeaningSegment]) -> Vec<u8> {
        build::merge(parts, &|_, _| true)
    }

    /// As [`merge`](Self::merge), leaving out by row and owner what has been erased; also for one
    /// part.
    pub fn merge_keeping(parts: &[&MeaningSegment], keep: &dyn Fn(u64, u64) -> bool) -> Vec<u8> {
        build::merge(parts, keep)
    }

    pub fn from_bytes(bytes: Vec<u8>) -> Result<MeaningSegment, Error> {
        MeaningSegment::read(Bytes::Held(bytes))
    }

    /// Maps a file. Costs the same for any size: only the header is read and checked.
    pub fn open(path: &Path) -> Result<MeaningSegment, Error> {
        MeaningSegment::read(Bytes::map(path)?)
    }

    fn read(bytes: Bytes) -> Result<MeaningSegment, Error> {
        let damaged = |what| Error::Damaged { what };
        let frame = Frame::open(bytes, Kind::Meaning)?;
        let counts = frame.section(COUNTS);
        let len = u32::try_from(u64_at(counts, 0)).map_err(|_| damaged("counts"))?;
        let dimensions = u32::try_from(u64_at(counts, 1)).map_err(|_| damaged("counts"))?;
        let vector = u64::from(dimensions);
        let record = Record::BYTES as u64;
        for (section, bytes) in [(RECORDS, record), (BY_OWNER, 4), (COMPONENTS, vector)] {
            if frame.section(section).len() as u64 != u64::from(len).saturating_mul(bytes) {
                return Err(damaged("columns"));
            }
        }
        let segment = MeaningSegment { frame, len, dimensions: dimensions as usize };
        let has_room = segment.codes().is_empty() || segment.codes_fit();
        has_room.then_some(segment).ok_or(damaged("codes"))
    }

    fn codes_fit(&self) -> bool {
        let slots = self.frame.section(CELL_SLOTS).len() / 4;
        let lanes = if slots > 0 { slots } else { self.len as usize };
        can_code(self.dimensions)
            && self.codes().len() == lanes.div_ceil(LANES) * block_bytes(self.dimensions)
            && self.mean().len() == self.dimensions * 4
    }

    /// Blocks of codes, used up or not.
    pub(super) fn blocks(&self) -> usize {
        self.codes().len() / block_bytes(self.dimensions).max(1)
    }

    /// None where codes lie in the order of their slots.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let cells = self.frame.section(CELLS);
        let means = self.frame.section(CELL_MEANS).chunks_exact(self.dimensions.max(1));
        let begins = move |cell: usize| u32_at(cells, cell * 3) as usize;
        let count = cells.len() / CellRecord::BYTES;
        means.take(count).enumerate().map(move |(cell, mean)| {
            let end = if cell + 1 < count { begins(cell + 1) } else { self.blocks() };
            Cell {
                blocks: begins(cell)..end,
                mean,
                scale: f32_at(cells, cell * 3 + 1),
                spread: f32_at(cells, cell * 3 + 2),
            }
        })
    }

    /// Whose code this is, counted over all blocks.
    pub(super) fn slot_of_code(&self, code: usize) -> u32 {
        let slots = self.frame.section(CELL_SLOTS);
        if slots.is_empty() { code as u32 } else { u32_at(slots, code) }
    }

    /// Reads the whole file and compares it to its digest.
    pub fn verify(&self) -> Result<(), Error> {
        self.frame.verify()
    }

    /// How many vectors there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Zero if there are no vectors.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Of the file, in bytes.
    pub fn size(&self) -> u64 {
        self.frame.size()
    }

    /// Zero for a slot that there is not, as are [`owner`](Self::owner) and
    /// [`facets`](Self::facets).
    pub fn row(&self, slot: u32) -> u64 {
        u64_at(self.records(), slot as usize * 4)
    }

    pub fn slot_of(&self, row: u64) -> Option<u32> {
        find_row(self.records(), Record::BYTES, row)
    }

    pub fn owner(&self, slot: u32) -> u64 {
        u64_at(self.records(), slot as usize * 4 + 1)
    }

    pub fn facets(&self, slot: u32) -> u64 {
        u64_at(self.records(), slot as usize * 4 + 2)
    }

    /// The slots of the vectors that belong to an owner, ascending.
    pub fn slots_of_owner(&self, owner: u64) -> impl Iterator<Item = u32> {
        let by_owner = self.frame.section(BY_OWNER);
        let slot = move |at: usize| u32_at(by_owner, at);
        let Range { start: mut low, end: mut high } = self.around_owner(owner, &slot);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.owner(slot(middle)) < owner {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        (low..self.len as usize).map(slot).take_while(move |&slot| self.owner(slot) == owner)
    }

    /// From the least to the greatest; `None` where there are no vectors.
    pub(super) fn owners(&self) -> Option<RangeInclusive<u64>> {
        let by_owner = self.frame.section(BY_OWNER);
        let last = (self.len as usize).checked_sub(1)?;
        Some(self.owner(u32_at(by_owner, 0))..=self.owner(u32_at(by_owner, last)))
    }

    /// Where among all, by owner, the first slot of this one must lie.
    fn around_owner(&self, owner: u64, slot: &impl Fn(usize) -> u32) -> Range<usize> {
        let len = self.len as usize;
        let Some(guess) = self.guess(owner) else { return len..len };
        let owner_at = |at: usize| self.owner(slot(at));
        let mut reach = NEAR_GUESS;
        loop {
            let (low, high) = (guess.saturating_sub(reach), (guess + reach).min(len));
            let begins_before = low == 0 || owner_at(low) < owner;
            if begins_before && (high == len || owner_at(high) >= owner) {
                return low..high;
            }
            reach *= 4;
        }
    }

    /// Owners are numbered nearly without gaps and have about as many vectors each. `None` where
    /// this one lies in another segment, before or behind all of this one.
    fn guess(&self, owner: u64) -> Option<usize> {
        let all = self.owners().filter(|all| all.contains(&owner))?;
        let share = (owner - all.start()) as f64 / (all.end() - all.start()).max(1) as f64;
        Some((share * f64::from(self.len)) as usize)
    }

    /// Asks memory for where the slots of an owner are looked for first.
    pub(super) fn will_seek(&self, owner: u64) {
        if let Some(guess) = self.guess(owner) {
            let by_owner = self.frame.section(BY_OWNER);
            will_read(by_owner.get(4 * guess..4 * guess + 4).unwrap_or_default());
            // Vectors come in owner by owner, but for those that were embedded again.
            will_read(self.record_bytes(guess as u32));
        }
    }

    /// The slots that stand beside this one and have the same owner, itself among them: all of its
    /// vectors, when they came in together, and of a book those around this one.
    pub fn slots_beside(&self, slot: u32) -> impl Iterator<Item = u32> {
        let owner = self.owner(slot);
        let is_its = move |slot: &u32| self.owner(*slot) == owner;
        let before = (0..slot).rev().take_while(is_its).take(BESIDE);
        before.chain((slot..self.len()).take_while(is_its).take(BESIDE))
    }

    pub fn scale(&self, slot: u32) -> f32 {
        f32_at(self.records(), slot as usize * 8 + 6)
    }

    pub(super) fn record(&self, slot: u32) -> Record {
        let (row, owner) = (self.row(slot), self.owner(slot));
        Record { row, owner, facets: self.facets(slot), scale: self.scale(slot) }
    }

    /// Row, owner, facets and scale of a slot, as they lie there; empty for one that there is not.
    pub(super) fn record_bytes(&self, slot: u32) -> &[u8] {
        let start = (slot as usize).saturating_mul(Record::BYTES);
        self.records().get(start..start.saturating_add(Record::BYTES)).unwrap_or_default()
    }

    fn records(&self) -> &[u8] {
        self.frame.section(RECORDS)
    }

    /// Each byte is a component with sign; empty for a slot that there is not.
    pub(super) fn components(&self, slot: u32) -> &[u8] {
        let start = (slot as usize).saturating_mul(self.dimensions);
        let end = start.saturating_add(self.dimensions);
        self.frame.section(COMPONENTS).get(start..end).unwrap_or_default()
    }

    pub(super) fn mean(&self) -> &[u8] {
        self.frame.section(MEAN)
    }

    /// The codes of these blocks; empty where there are none.
    pub(super) fn codes_of(&self, blocks: Range<usize>) -> &[u8] {
        let bytes = |block: usize| block.saturating_mul(block_bytes(self.dimensions));
        self.codes().get(bytes(blocks.start)..bytes(blocks.end)).unwrap_or_default()
    }

    /// Empty for a small segment: compare all of its vectors.
    pub(super) fn codes(&self) -> &[u8] {
        self.frame.section(CODES)
    }
}

impl fmt::Debug for MeaningSegment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("MeaningSegment");
        shown.field("vectors", &self.len).field("dimensions", &self.dimensions);
        shown.field("bytes", &self.size()).finish()
    }
}
