//! The first bytes of a packed file: what it is, how large, where everything lies.

use std::ops::Range;

use super::{ALIGN, FORMAT, Section, Shape};
use crate::Error;

const MAGIC: [u8; 8] = *b"mnemicWT";
const NAME: Range<usize> = 64..128;
const BODY_DIGEST: Range<usize> = 128..160;
/// Covers every byte of the header but itself.
const OWN_DIGEST: Range<usize> = 160..192;
const TABLE: usize = 192;
/// Offset and length of a section, eight bytes each.
const ENTRY: usize = 16;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Header {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    /// Of everything behind the header.
    pub(crate) body_digest: [u8; 32],
}

/// Where each section of a shape lies, and the length of the whole file.
pub(crate) fn places(shape: &Shape) -> (Vec<(Section, Range<usize>)>, usize) {
    let sections = shape.sections();
    let mut next = body_start(sections.len());
    let mut places = Vec::with_capacity(sections.len());
    for (section, length) in sections {
        places.push((section, next..next + length));
        next = (next + length).next_multiple_of(ALIGN);
    }
    (places, next)
}

pub(crate) fn body_start(sections: usize) -> usize {
    (TABLE + sections * ENTRY).next_multiple_of(ALIGN)
}

impl Header {
    /// Everything before the first section. The name is cut to its room.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let (places, length) = places(&self.shape);
        let shape = &self.shape;
        let mut bytes = vec![0; body_start(places.len())];
        bytes[..8].copy_from_slice(&MAGIC);
        put_u32(&mut bytes, 8, FORMAT);
        put_u32(&mut bytes, 12, places.len() as u32);
        put_u64(&mut bytes, 16, length as u64);
        let measures = [
            shape.hidden,
            shape.layers,
            shape.inner,
            shape.vocabulary,
            shape.window,
            shape.merge_slots,
            shape.start.into(),
            shape.end.into(),
        ];
        for (nth, measure) in measures.into_iter().enumerate() {
            put_u32(&mut bytes, 24 + 4 * nth, measure as u32);
        }
        put_u32(&mut bytes, 56, shape.epsilon.to_bits());
        let name = &self.name.as_bytes()[..self.name.floor_char_boundary(NAME.len())];
        bytes[NAME][..name.len()].copy_from_slice(name);
        bytes[BODY_DIGEST].copy_from_slice(&self.body_digest);
        for (nth, (_, range)) in places.iter().enumerate() {
            put_u64(&mut bytes, TABLE + nth * ENTRY, range.start as u64);
            put_u64(&mut bytes, TABLE + nth * ENTRY + 8, range.len() as u64);
        }
        let digest = own_digest(&bytes);
        bytes[OWN_DIGEST].copy_from_slice(&digest);
        bytes
    }

    /// Reads and checks the header. What it says afterwards holds for the whole file, so that
    /// sections are cut out without further questions.
    pub(crate) fn read(file: &[u8], called: &str) -> Result<Header, Error> {
        let damaged = |why: &str| Error::damaged(called, why);
        if !file.starts_with(&MAGIC) {
            return Err(damaged("it begins with other bytes"));
        }
        if file.len() < TABLE {
            return Err(damaged("it is cut off within its header"));
        }
        let found = u32_at(file, 8);
        if found != FORMAT {
            return Err(Error::OtherFormat { file: called.to_owned(), found, known: FORMAT });
        }
        let end = body_start(u32_at(file, 12).min(4_096) as usize);
        let bytes = file.get(..end).ok_or_else(|| damaged("it is cut off within its header"))?;
        if own_digest(bytes) != bytes[OWN_DIGEST] {
            return Err(damaged("its header does not match its checksum"));
        }
        let header = Header::from_sound(bytes).map_err(damaged)?;
        let length = places(&header.shape).1;
        if file.len() != length {
            let have = file.len();
            return Err(damaged(&format!("it has {have} bytes where {length} are due")));
        }
        Ok(header)
    }

    /// From bytes that match their checksum. They may still come from a careless writer.
    fn from_sound(bytes: &[u8]) -> Result<Header, &'static str> {
        let measure = |nth: usize| u32_at(bytes, 24 + 4 * nth) as usize;
        let mark = |nth| u16::try_from(measure(nth)).map_err(|_| "its marks are no tokens");
        let shape = Shape {
            hidden: measure(0),
            layers: measure(1),
            inner: measure(2),
            vocabulary: measure(3),
            window: measure(4),
            merge_slots: measure(5),
            start: mark(6)?,
            end: mark(7)?,
            epsilon: f32::from_bits(u32_at(bytes, 56)),
        };
        if let Some(fault) = shape.fault() {
            return Err(fault);
        }
        let name = String::from_utf8_lossy(&bytes[NAME]).trim_end_matches('\0').to_owned();
        let mut body_digest = [0; 32];
        body_digest.copy_from_slice(&bytes[BODY_DIGEST]);
        let header = Header { name, shape, body_digest };
        // The table follows from the measures; it is written for readers who do not know how.
        if header.to_bytes() != bytes {
            return Err("its table of sections does not fit its measures");
        }
        Ok(header)
    }
}

fn own_digest(header: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&header[..OWN_DIGEST.start]).update(&header[OWN_DIGEST.end..]);
    *hasher.finalize().as_bytes()
}

fn put_u32(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn put_u64(bytes: &mut [u8], at: usize, value: u64) {
    bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(four)
}
