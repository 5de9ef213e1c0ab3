//! The list of one term: its blocks, and for all but the shortest a summary of each in front.
//!
//! A list of one block has no summary, as its few postings are unpacked in any case.

use super::block::{BLOCK, Ceiling, Posting, Summary, Unpacked, write_block};

/// Appends the list of a term to `out`. `lengths` are those of all documents, by slot.
pub(super) fn write_list(postings: &[Posting], lengths: &[u32], out: &mut Vec<u8>) {
    if postings.len() <= BLOCK {
        return write_block(postings, 0, out);
    }
    let mut blocks = Vec::new();
    let mut after = 0;
    for block in postings.chunks(BLOCK) {
        write_block(block, after, &mut blocks);
        let last = block.last().map_or(0, |posting| posting.slot);
        after = last + 1;
        let mut ceiling = Ceiling::LOWEST;
        for posting in block {
            ceiling.raise(posting.frequency, lengths[posting.slot as usize]);
        }
        // At most 32 bits each for 2^32 postings of two numbers: a list may in theory outgrow
        // this, but not before memory for building it has run out.
        Summary { last, end: blocks.len() as u32, ceiling }.write(out);
    }
    out.extend_from_slice(&blocks);
}

/// A list as it lies in a segment; nothing in it is trusted.
#[derive(Clone, Copy)]
pub(super) struct PostingList<'a> {
    summaries: &'a [u8],
    blocks: &'a [u8],
    count: u32,
    documents: u32,
}

impl<'a> PostingList<'a> {
    /// The list that starts `bytes`; `None` if it cannot be one.
    pub(super) fn at(bytes: &'a [u8], count: u32, documents: u32) -> Option<PostingList<'a>> {
        let blocks = (count as usize).div_ceil(BLOCK);
        let summarised = if blocks > 1 { blocks * Summary::BYTES } else { 0 };
        let (summaries, blocks) = bytes.split_at_checked(summarised)?;
        (count <= documents).then_some(PostingList { summaries, blocks, count, documents })
    }

    pub(super) fn block_count(&self) -> usize {
        (self.count as usize).div_ceil(BLOCK)
    }

    /// `None` for the only block of a short list.
    #[inline]
    pub(super) fn summary(&self, block: usize) -> Option<Summary> {
        (!self.summaries.is_empty()).then(|| Summary::read(self.summaries, block))
    }

    /// Unpacks a block; false if it is damaged.
    pub(super) fn read(&self, block: usize, into: &mut Unpacked) -> bool {
        let (start, after) = match block.checked_sub(1).and_then(|before| self.summary(before)) {
            Some(before) => (before.end as usize, before.last.saturating_add(1)),
            None => (0, 0),
        };
        let count = (self.count as usize - block * BLOCK).min(BLOCK);
        let bytes = self.blocks.get(start..).unwrap_or_default();
        into.read(bytes, count, after, self.documents)
    }

    /// All postings, one block after the other; damaged blocks are left out.
    pub(super) fn for_each(&self, mut visit: impl FnMut(Posting)) {
        let mut unpacked = Unpacked::EMPTY;
        for block in 0..self.block_count() {
            if self.read(block, &mut unpacked) {
                unpacked.postings().for_each(&mut visit);
            }
        }
    }

    /// The first block from `from` on that may hold `slot`; the number of blocks if none does.
    pub(super) fn block_of(&self, slot: u32, from: usize) -> usize {
        if self.summaries.is_empty() {
            return from;
        }
        let blocks = self.block_count();
        let mut low = from;
        let mut step = 1;
        while low + step < blocks && Summary::read(self.summaries, low + step - 1).last < slot {
            low += step;
            step *= 2;
        }
        let mut high = (low + step).min(blocks);
        while low < high {
            let middle = low + (high - low) / 2;
            match Summary::read(self.summaries, middle).last < slot {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }

    pub(super) fn frequencies(self) -> Frequencies<'a> {
        Frequencies { list: self, block: None, is_sound: false, unpacked: Unpacked::EMPTY }
    }
}

/// How often a term stands in each of some documents. A block is unpacked once for all of them that
/// are asked for one after the other.
pub(super) struct Frequencies<'a> {
    list: PostingList<'a>,
    block: Option<usize>,
    is_sound: bool,
    unpacked: Unpacked,
}

impl Frequencies<'_> {
    pub(super) fn of(&mut self, slot: u32) -> u32 {
        let block = self.list.block_of(slot, 0);
        if block >= self.list.block_count() {
            return 0;
        }
        if self.block != Some(block) {
            self.is_sound = self.list.read(block, &mut self.unpacked);
            self.block = Some(block);
        }
        let slots = if self.is_sound { self.unpacked.slots() } else { &[] };
        slots.binary_search(&slot).map_or(0, |index| self.unpacked.frequencies()[index])
    }
}
