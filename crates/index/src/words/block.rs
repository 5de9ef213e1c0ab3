//! A block of postings: up to 128 slots with frequencies, packed, and what bounds their score.

use super::bits::{SLACK, pack, packed_length, unpack, width_of};
use crate::frame::u32_at;

/// Enough to pay for the widths and the summary, few enough to skip past often.
pub(super) const BLOCK: usize = 128;

/// One occurrence of a term: where, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) slot: u32,
    pub(super) frequency: u32,
}

/// No posting of a block scores above one with this frequency in a document of this length.
/// Kept raw, not as a score: what a score is depends on statistics over all segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ceiling {
    pub(super) frequency: u32,
    pub(super) length: u32,
}

impl Ceiling {
    pub(super) const LOWEST: Ceiling = Ceiling { frequency: 0, length: u32::MAX };

    pub(super) fn raise(&mut self, frequency: u32, length: u32) {
        self.frequency = self.frequency.max(frequency);
        self.length = self.length.min(length);
    }
}

/// What is known of a block without unpacking it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    pub(super) last: u32,
    /// Where its bytes end, from the start of the list's blocks.
    pub(super) end: u32,
    pub(super) ceiling: Ceiling,
}

impl Summary {
    pub(super) const BYTES: usize = 16;

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for number in [self.last, self.end, self.ceiling.frequency, self.ceiling.length] {
            out.extend_from_slice(&number.to_le_bytes());
        }
    }

    #[inline]
    pub(super) fn read(summaries: &[u8], block: usize) -> Summary {
        let at = block * 4;
        Summary {
            last: u32_at(summaries, at),
            end: u32_at(summaries, at + 1),
            ceiling: Ceiling {
                frequency: u32_at(summaries, at + 2),
                length: u32_at(summaries, at + 3),
            },
        }
    }
}

/// Packs up to [`BLOCK`] postings that follow the slots below `after`.
pub(super) fn write_block(postings: &[Posting], after: u32, out: &mut Vec<u8>) {
    let mut gaps = [0; BLOCK];
    let mut counts = [0; BLOCK];
    let mut expected = after;
    for (index, posting) in postings.iter().enumerate() {
        gaps[index] = posting.slot - expected;
        counts[index] = posting.frequency - 1;
        expected = posting.slot + 1;
    }
    let (gaps, counts) = (&gaps[..postings.len()], &counts[..postings.len()]);
    let (gap_width, count_width) = (width_of(gaps), width_of(counts));
    out.extend_from_slice(&[gap_width, count_width]);
    pack(gaps, gap_width, out);
    pack(counts, count_width, out);
}

/// An unpacked block.
pub(super) struct Unpacked {
    slots: [u32; BLOCK],
    frequencies: [u32; BLOCK],
    count: usize,
}

impl Unpacked {
    pub(super) const EMPTY: Unpacked =
        Unpacked { slots: [0; BLOCK], frequencies: [0; BLOCK], count: 0 };

    pub(super) fn slots(&self) -> &[u32] {
        &self.slots[..self.count]
    }

    pub(super) fn frequencies(&self) -> &[u32] {
        &self.frequencies[..self.count]
    }

    pub(super) fn postings(&self) -> impl Iterator<Item = Posting> {
        let pairs = self.slots().iter().zip(self.frequencies());
        pairs.map(|(&slot, &frequency)| Posting { slot, frequency })
    }

    /// Reads `count` postings from the start of `bytes`. Left empty, and false, if they are
    /// damaged: what has been read is ascending and below `documents`.
    pub(super) fn read(&mut self, bytes: &[u8], count: usize, after: u32, documents: u32) -> bool {
        self.count = 0;
        if self.unpack(bytes, count).is_some() && self.sum_up(count, after, documents) {
            self.count = count;
        }
        self.count == count
    }

    fn unpack(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        let (&[gap_width, count_width], packed) = bytes.split_first_chunk::<2>()?;
        let gaps = packed_length(count, gap_width);
        unpack(packed.get(..gaps + SLACK)?, gap_width, self.slots.get_mut(..count)?)?;
        unpack(packed.get(gaps..)?, count_width, self.frequencies.get_mut(..count)?)
    }

    fn sum_up(&mut self, count: usize, after: u32, documents: u32) -> bool {
        let mut expected = u64::from(after);
        for slot in &mut self.slots[..count] {
            // At most 128 times 2^32: a sum of 64 bits cannot overflow.
            expected += u64::from(*slot);
            *slot = expected as u32;
            expected += 1;
        }
        for frequency in &mut self.frequencies[..count] {
            *frequency = frequency.saturating_add(1);
        }
        expected <= u64::from(documents)
    }
}
