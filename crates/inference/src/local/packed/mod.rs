//! One file that holds a whole model the way the kernels want it: mapped, checked, used.
//!
//! Opening reads the header alone; numbers come from disk when they are first needed. The
//! digest of the body is therefore checked only by [`verify`].

mod header;
mod shape;
mod write;

use std::ops::Range;
use std::path::Path;

pub(crate) use header::Header;
pub(crate) use shape::{BLOCK, FINE, GROUP, HEAD, Place, Shape};
pub(crate) use write::write;

use crate::Error;
use crate::mapped::{self, Bytes, Plain};

/// Bump whenever the same bytes would give other vectors, or other bytes the same.
pub(crate) const FORMAT: u32 = 3;

/// A cache line, and the widest register.
const ALIGN: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// The token of each single byte: 256 × u16.
    FirstTokens,
    /// Which two tokens become one: see `tokens::merges`.
    Merges,
    /// One row a token: i8, in groups of 64 with one scale each.
    TokenCodes,
    TokenScales,
    /// One row a position: f32, the constant part of the token type already added.
    Positions,
    /// Norms are f32: all gains, then all offsets.
    FirstNorm,
    /// By block of 16 outputs, four inputs at a time: 16 outputs × 4 bytes,
    /// each the weight + 128, because the processor multiplies unsigned by signed.
    Codes(usize, Place),
    /// By block, group, output: f32.
    Scales(usize, Place),
    Bias(usize, Place),
    AttentionNorm(usize),
    LastNorm(usize),
}

/// A matrix in the layout of the kernels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Linear<'a> {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    pub(crate) codes: &'a [u8],
    pub(crate) scales: &'a [f32],
    pub(crate) bias: &'a [f32],
}

impl Linear<'_> {
    pub(crate) fn groups(&self) -> usize {
        self.inputs / GROUP
    }
}

/// Where in `Codes` the weight of one output for one input lies.
pub(crate) fn code_place(inputs: usize, output: usize, input: usize) -> usize {
    let (block, lane) = (output / BLOCK, output % BLOCK);
    block * BLOCK * inputs + input / 4 * (4 * BLOCK) + lane * 4 + input % 4
}

/// Where in `Scales` the scale of one output for one group lies.
pub(crate) fn scale_place(groups: usize, output: usize, group: usize) -> usize {
    (output / BLOCK * groups + group) * BLOCK + output % BLOCK
}

/// An opened file. Its sections lie where its shape says, or it would not have opened.
#[derive(Debug)]
pub(crate) struct Packed {
    bytes: Bytes,
    header: Header,
    places: Vec<(Section, Range<usize>)>,
    /// What messages call it.
    called: String,
}

impl Packed {
    pub(crate) fn open(bytes: Bytes, called: &str) -> Result<Packed, Error> {
        let header = Header::read(bytes.all(), called)?;
        let (places, _) = header::places(&header.shape);
        let packed = Packed { bytes, header, places, called: called.to_owned() };
        if mapped::numbers::<u64>(packed.section(Section::Merges)).is_none() {
            return Err(Error::damaged(called, "it does not begin at a multiple of eight bytes"));
        }
        Ok(packed)
    }

    pub(crate) fn map(path: &Path) -> Result<Packed, Error> {
        Packed::open(Bytes::map(path)?, &path.display().to_string())
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.header.shape
    }

    pub(crate) fn called(&self) -> &str {
        &self.called
    }

    pub(crate) fn numbers<T: Plain>(&self, section: Section) -> &[T] {
        mapped::numbers(self.section(section)).expect("sections are aligned and of whole numbers")
    }

    pub(crate) fn linear(&self, layer: usize, place: Place) -> Linear<'_> {
        let (inputs, outputs) = place.widths(self.shape());
        Linear {
            inputs,
            outputs,
            codes: self.numbers(Section::Codes(layer, place)),
            scales: self.numbers(Section::Scales(layer, place)),
            bias: self.numbers(Section::Bias(layer, place)),
        }
    }

    fn section(&self, section: Section) -> &[u8] {
        let (_, range) = self
            .places
            .iter()
            .find(|(other, _)| *other == section)
            .expect("a shape has every section of its layers");
        &self.bytes.all()[range.clone()]
    }

    fn body(&self) -> &[u8] {
        &self.bytes.all()[header::body_start(self.places.len())..]
    }
}

/// Reads a packed file from end to end and compares its digest, which is returned in hex.
pub fn verify(path: &Path) -> Result<String, Error> {
    let packed = Packed::map(path)?;
    let digest = blake3::hash(packed.body());
    if *digest.as_bytes() != packed.header.body_digest {
        return Err(Error::damaged(packed.called(), "its content does not match its digest"));
    }
    Ok(digest.to_hex().to_string())
}
