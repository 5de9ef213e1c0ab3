//! Where reading stopped, and whether the file is still the one that was read.

use super::transcript::State;
use mnemic_model::Digest;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io::{self, Read, Seek, SeekFrom};

/// How much of a file's beginning and of the part before the stop is compared.
const EDGE_BYTES: usize = 4096;

/// Where reading stopped and what the rest depends on. Kept beside the store between captures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resume {
    pub bytes: u64,
    pub lines: u64,
    /// Digest of the first and the last few thousand bytes before `bytes`.
    pub tail: Digest,
    /// A file that is no list of lines cannot grow: it is the same or it is read anew.
    pub(super) whole: bool,
    pub(super) state: State,
}

/// A place where reading could stop. Most are passed, so that the digest waits until one is kept.
#[derive(Debug, Clone)]
pub struct Stop {
    pub(super) lines: u64,
    pub(super) edges: Edges,
    pub(super) whole: bool,
    pub(super) state: State,
}

impl Stop {
    pub fn bytes(&self) -> u64 {
        self.edges.bytes
    }

    pub fn kept(self) -> Resume {
        let Stop { lines, edges, whole, state } = self;
        Resume { bytes: edges.bytes, lines, tail: edges.digest(), whole, state }
    }
}

/// What became of a file since it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Same,
    Grown,
    /// Not the file that was read: read it from its beginning.
    Rewritten,
}

impl Resume {
    /// Compares a file with what was read, and leaves a grown one where reading goes on.
    pub fn standing(&self, file: &mut (impl Read + Seek)) -> io::Result<Standing> {
        let length = file.seek(SeekFrom::End(0))?;
        let fits = length >= self.bytes && self.edges(file)?.digest() == self.tail;
        // As long as nothing told the layout, it may turn out to be any.
        let can_grow = !self.whole && self.state.format.is_some();
        let standing = match fits {
            true if length == self.bytes => Standing::Same,
            true if can_grow => Standing::Grown,
            _ => Standing::Rewritten,
        };
        let begin = if standing == Standing::Rewritten { 0 } else { self.bytes };
        file.seek(SeekFrom::Start(begin))?;
        Ok(standing)
    }

    /// The edges of the part that was read, from the file as it is now.
    pub(super) fn edges(&self, file: &mut (impl Read + Seek)) -> io::Result<Edges> {
        let mut edges = Edges::default();
        let edge = (EDGE_BYTES as u64).min(self.bytes);
        file.seek(SeekFrom::Start(0))?;
        file.take(edge).read_to_end(&mut edges.head)?;
        file.seek(SeekFrom::Start(self.bytes - edge))?;
        let mut last = Vec::new();
        file.take(edge).read_to_end(&mut last)?;
        edges.tail = last.into();
        edges.bytes = self.bytes;
        Ok(edges)
    }
}

/// The beginning and the end of what has been read so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Edges {
    pub(super) bytes: u64,
    head: Vec<u8>,
    tail: VecDeque<u8>,
}

impl Edges {
    pub(super) fn see(&mut self, read: &[u8]) {
        self.bytes += read.len() as u64;
        let room = EDGE_BYTES - self.head.len();
        self.head.extend_from_slice(&read[..room.min(read.len())]);
        let last = &read[read.len().saturating_sub(EDGE_BYTES)..];
        let surplus = (self.tail.len() + last.len()).saturating_sub(EDGE_BYTES);
        self.tail.drain(..surplus);
        self.tail.extend(last);
    }

    pub(super) fn digest(&self) -> Digest {
        let (front, back) = self.tail.as_slices();
        let tail = [front, back].concat();
        Digest::of("transcript-edges", [self.head.as_slice(), tail.as_slice()])
    }
}
