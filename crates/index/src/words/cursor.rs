//! A walk along the list of one term, forwards only, unpacking no block that can be passed by.

use super::block::{BLOCK, Unpacked};
use super::bm25::Formula;
use super::postings::PostingList;
use crate::frame::u32_at;

pub(super) struct Cursor<'a> {
    list: PostingList<'a>,
    lengths: &'a [u8],
    formula: Formula,
    top: f32,
    /// The block that bounds are asked for; may run ahead of the unpacked one.
    bounded: usize,
    block: Option<usize>,
    unpacked: Unpacked,
    position: usize,
    /// What each posting of the unpacked block adds; computed for all at once when needed.
    parts: [f32; BLOCK],
    parts_of: Option<usize>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(
        list: PostingList<'a>,
        lengths: &'a [u8],
        formula: Formula,
        top: f32,
    ) -> Cursor<'a> {
        Cursor {
            list,
            lengths,
            formula,
            top,
            bounded: 0,
            block: None,
            unpacked: Unpacked::EMPTY,
            position: 0,
            parts: [0.0; BLOCK],
            parts_of: None,
        }
    }

    /// What no posting from slot `from` up to and without `to` exceeds. Ask ascending.
    pub(super) fn bound(&mut self, from: u32, to: u32) -> f32 {
        self.bounded = self.list.block_of(from, self.bounded);
        let mut bound = 0f32;
        for block in self.bounded..self.list.block_count() {
            let Some(summary) = self.list.summary(block) else {
                return self.bound_of_short(from, to);
            };
            let ceiling = summary.ceiling;
            let frequency = ceiling.frequency.max(1);
            bound = bound.max(self.formula.part(self.top, frequency, ceiling.length));
            if summary.last >= to - 1 {
                break;
            }
        }
        bound
    }

    fn bound_of_short(&mut self, from: u32, to: u32) -> f32 {
        let passed = self.block.is_some_and(|block| block > 0);
        if passed || !self.load(0) {
            return 0.0;
        }
        self.prepare_parts();
        let slots = self.unpacked.slots();
        let start = slots.partition_point(|&slot| slot < from);
        let end = slots.partition_point(|&slot| slot < to);
        self.parts[start..end].iter().fold(0.0, |highest, &part| highest.max(part))
    }

    /// Adds the part of every posting from slot `base` up to `end` to its score. There is one
    /// score for each of these slots; their number is a power of two.
    pub(super) fn add_up(&mut self, base: u32, end: u32, scores: &mut [f32]) {
        let mask = scores.len() - 1;
        while self.move_to(base) {
            self.prepare_parts();
            let slots = self.unpacked.slots();
            let stop = self.position + slots[self.position..].partition_point(|&slot| slot < end);
            let parts = &self.parts[self.position..stop];
            for (slot, part) in slots[self.position..stop].iter().zip(parts) {
                // The mask changes nothing but for damaged lists that go backwards.
                scores[slot.wrapping_sub(base) as usize & mask] += part;
            }
            self.position = stop;
            if stop < slots.len() {
                return;
            }
        }
    }

    /// What the posting of this slot adds, zero if there is none. Ask ascending.
    pub(super) fn part_at(&mut self, slot: u32) -> f32 {
        if !self.move_to(slot) || self.unpacked.slots()[self.position] != slot {
            return 0.0;
        }
        let length = u32_at(self.lengths, slot as usize);
        self.formula.part(self.top, self.unpacked.frequencies()[self.position], length)
    }

    /// Goes to the first posting at or after `slot`; false if there is none.
    fn move_to(&mut self, slot: u32) -> bool {
        let rest = self.unpacked.slots().get(self.position..).unwrap_or_default();
        if rest.last().is_none_or(|&last| last < slot) {
            // A block that was passed is not looked at again, even if a damaged summary claims
            // that it still has what is sought: the walk must come to an end.
            let next = self.block.map_or(0, |block| block + 1);
            let block = self.list.block_of(slot, next);
            if !self.load(block) {
                return false;
            }
        }
        let rest = &self.unpacked.slots()[self.position..];
        self.position += rest.partition_point(|&at| at < slot);
        self.position < self.unpacked.slots().len()
    }

    /// False behind the last block and for a damaged one, which ends the walk.
    fn load(&mut self, block: usize) -> bool {
        if self.block == Some(block) {
            return !self.unpacked.slots().is_empty();
        }
        self.block = Some(block.min(self.list.block_count()));
        self.position = 0;
        block < self.list.block_count() && self.list.read(block, &mut self.unpacked)
    }

    fn prepare_parts(&mut self) {
        if self.parts_of == self.block {
            return;
        }
        let postings = self.unpacked.slots().iter().zip(self.unpacked.frequencies());
        for (part, (&slot, &frequency)) in self.parts.iter_mut().zip(postings) {
            let length = u32_at(self.lengths, slot as usize);
            *part = self.formula.part(self.top, frequency, length);
        }
        self.parts_of = self.block;
    }
}
