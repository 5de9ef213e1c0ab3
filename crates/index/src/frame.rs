//! The frame every segment file has: magic, version, a table of sections, digests.
//!
//! ```text
//! magic 8 | version 4 | kind 4 | file length 8 | sections 4 | zero 4
//! (offset 8 | length 8) per section | digest of the body 32 | digest of all before 32
//! sections, each starting at a multiple of 64
//! ```
//! Numbers are little-endian. Opening reads the header only; [`Frame::verify`] reads everything.

use std::ops::Range;

use crate::Error;
use crate::mapped::Bytes;

const MAGIC: &[u8; 8] = b"mnemseg\n";
/// Bump whenever the meaning of any section changes: older files are then built anew.
const VERSION: u32 = 2;
/// The oldest version that is still read: it has no cells, and all else is the same.
const OLDEST: u32 = 1;
const FIXED: usize = 32;
const DIGEST: usize = 32;
/// A cache line, so that codes scanned in lines do not straddle two.
const ALIGNMENT: usize = 64;
/// More than any kind has; keeps a damaged count from asking for memory.
const MOST_SECTIONS: usize = 64;

/// What a segment holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Words,
    Meaning,
}

impl Kind {
    fn code(self) -> u32 {
        match self {
            Kind::Words => 1,
            Kind::Meaning => 2,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Words => "words",
            Kind::Meaning => "meaning",
        }
    }
}

/// Puts sections into one file.
pub(crate) fn assemble(kind: Kind, sections: &[&[u8]]) -> Vec<u8> {
    let header = header_length(sections.len());
    let mut table = Vec::with_capacity(sections.len());
    let mut end = header;
    for section in sections {
        let start = end.next_multiple_of(ALIGNMENT);
        end = start + section.len();
        table.push(start..end);
    }
    let mut bytes = vec![0; end];
    for (range, section) in table.iter().zip(sections) {
        bytes[range.clone()].copy_from_slice(section);
    }
    let body = blake3::hash(&bytes[header..]);
    let mut head = Vec::with_capacity(header);
    head.extend_from_slice(MAGIC);
    head.extend_from_slice(&VERSION.to_le_bytes());
    head.extend_from_slice(&kind.code().to_le_bytes());
    head.extend_from_slice(&(end as u64).to_le_bytes());
    head.extend_from_slice(&(sections.len() as u64).to_le_bytes());
    for range in &table {
        head.extend_from_slice(&(range.start as u64).to_le_bytes());
        head.extend_from_slice(&(range.len() as u64).to_le_bytes());
    }
    head.extend_from_slice(body.as_bytes());
    let digest = blake3::hash(&head);
    head.extend_from_slice(digest.as_bytes());
    bytes[..header].copy_from_slice(&head);
    bytes
}

fn header_length(sections: usize) -> usize {
    FIXED + sections * 16 + 2 * DIGEST
}

/// A file whose header has been checked; its sections lie within it.
pub(crate) struct Frame {
    bytes: Bytes,
    sections: Vec<Range<usize>>,
}

impl Frame {
    pub(crate) fn open(bytes: Bytes, kind: Kind) -> Result<Frame, Error> {
        let damaged = |what| Error::Damaged { what };
        if bytes.get(..8) != Some(MAGIC) {
            return Err(Error::Foreign { expected: kind.name() });
        }
        let version = u32_at(&bytes, 2);
        if !(OLDEST..=VERSION).contains(&version) {
            return Err(Error::Version { found: version, known: VERSION });
        }
        let count = u64_at(&bytes, 3) as usize;
        if count > MOST_SECTIONS {
            return Err(damaged("header"));
        }
        let header = header_length(count);
        let signed = bytes.get(..header - DIGEST).ok_or(damaged("cut short"))?;
        let digest = bytes.get(header - DIGEST..header).ok_or(damaged("cut short"))?;
        if blake3::hash(signed).as_bytes() != digest {
            return Err(damaged("header"));
        }
        if u32_at(&bytes, 3) != kind.code() {
            return Err(Error::Foreign { expected: kind.name() });
        }
        if u64_at(&bytes, 2) != bytes.len() as u64 {
            return Err(damaged("cut short"));
        }
        let sections = read_table(&bytes, count).ok_or(damaged("section bounds"))?;
        Ok(Frame { bytes, sections })
    }

    /// Empty if there is no such section.
    pub(crate) fn section(&self, index: usize) -> &[u8] {
        let range = self.sections.get(index).cloned().unwrap_or_default();
        &self.bytes[range]
    }

    pub(crate) fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Reads the whole file and compares it to the digest it was written with.
    pub(crate) fn verify(&self) -> Result<(), Error> {
        let header = header_length(self.sections.len());
        let written = &self.bytes[header - 2 * DIGEST..header - DIGEST];
        if blake3::hash(&self.bytes[header..]).as_bytes() == written {
            return Ok(());
        }
        Err(Error::Damaged { what: "content" })
    }
}

fn read_table(bytes: &[u8], count: usize) -> Option<Vec<Range<usize>>> {
    let table = &bytes[FIXED..FIXED + count * 16];
    (0..count)
        .map(|index| {
            let start = usize::try_from(u64_at(table, 2 * index)).ok()?;
            let length = usize::try_from(u64_at(table, 2 * index + 1)).ok()?;
            let end = start.checked_add(length)?;
            (end <= bytes.len()).then_some(start..end)
        })
        .collect()
}

/// The number at `index` of a column, zero beyond its end: a damaged index must not panic.
#[inline]
pub(crate) fn u32_at(column: &[u8], index: usize) -> u32 {
    let start = index.wrapping_mul(4);
    column
        .get(start..start.wrapping_add(4))
        .and_then(|bytes| bytes.try_into().ok())
        .map_or(0, u32::from_le_bytes)
}

#[inline]
pub(crate) fn u64_at(column: &[u8], index: usize) -> u64 {
    let start = index.wrapping_mul(8);
    column
        .get(start..start.wrapping_add(8))
        .and_then(|bytes| bytes.try_into().ok())
        .map_or(0, u64::from_le_bytes)
}

#[inline]
pub(crate) fn f32_at(column: &[u8], index: usize) -> f32 {
    f32::from_bits(u32_at(column, index))
}

/// The slot of a row among records of `width` bytes that start with their rows, ascending.
pub(crate) fn find_row(records: &[u8], width: usize, row: u64) -> Option<u32> {
    let (mut low, mut high) = (0, records.len() / width);
    while low < high {
        let middle = low + (high - low) / 2;
        match u64_at(records, middle * width / 8).cmp(&row) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return u32::try_from(middle).ok(),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        assemble(Kind::Words, &[b"first", b"", b"third"])
    }

    #[test]
    fn sections_come_back() {
        let frame = Frame::open(Bytes::Held(sample()), Kind::Words).expect("intact");
        assert_eq!(frame.section(0), b"first");
        assert_eq!(frame.section(1), b"");
        assert_eq!(frame.section(2), b"third");
        assert_eq!(frame.section(3), b"");
        frame.verify().expect("intact");
    }

    #[test]
    fn every_flipped_or_missing_byte_is_noticed() {
        let intact = sample();
        for at in 0..intact.len() {
            let mut flipped = intact.clone();
            flipped[at] ^= 0x10;
            let noticed = match Frame::open(Bytes::Held(flipped), Kind::Words) {
                Ok(frame) => frame.verify().is_err(),
                Err(_) => true,
            };
            assert!(noticed, "byte {at}");
            let cut = intact[..at].to_vec();
            assert!(Frame::open(Bytes::Held(cut), Kind::Words).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn a_segment_of_another_kind_is_foreign() {
        let opened = Frame::open(Bytes::Held(sample()), Kind::Meaning);
        assert!(matches!(opened, Err(Error::Foreign { expected: "meaning" })));
    }
}
