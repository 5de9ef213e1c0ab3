//! A segment of words: who it holds, and which documents name a term.

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use foldhash::HashMap;

use super::dictionary::{Dictionary, Entry};
use super::postings::PostingList;
use super::{Document, build, merge};
use crate::Error;
use crate::frame::{Frame, Kind, find_row, u32_at, u64_at};
use crate::mapped::Bytes;

const COUNTS: usize = 0;
const ROWS: usize = 1;
const FACETS: usize = 2;
const LENGTHS: usize = 3;
const ENTRIES: usize = 4;
const TEXT: usize = 5;
const LISTS: usize = 6;

/// Immutable postings over a range of rows, in memory or mapped from a file.
///
/// Documents are numbered by slot, from zero in the order of their rows. Damaged content gives
/// wrong answers, never a panic.
pub struct WordsSegment {
    frame: Frame,
    documents: u32,
    total_length: u64,
    /// Where the terms of late are found: a question asks for each of its own several times.
    asked: Mutex<HashMap<String, Option<Entry>>>,
}

/// As many terms are remembered as some hundred questions have.
const MOST_ASKED: usize = 2_048;

impl WordsSegment {
    /// The bytes of a segment. Rows must ascend; a document out of order is left out.
    pub fn build(documents: impl IntoIterator<Item = Document>) -> Vec<u8> {
        build::build(documents)
    }

    /// The bytes of one segment for several. The parts ascend by row and do not overlap.
    pub fn merge(parts: &[&WordsSegment]) -> Vec<u8> {
        merge::merge(parts, &|_| true)
    }

    /// As [`merge`](Self::merge), leaving out rows that have been erased; also for one part.
    pub fn merge_keeping(parts: &[&WordsSegment], keep: &dyn Fn(u64) -> bool) -> Vec<u8> {
        merge::merge(parts, keep)
    }

    pub fn from_bytes(bytes: Vec<u8>) -> Result<WordsSegment, Error> {
        WordsSegment::read(Bytes::Held(bytes))
    }

    /// Maps a file. Costs the same for any size: only the header is read and checked.
    pub fn open(path: &Path) -> Result<WordsSegment, Error> {
        WordsSegment::read(Bytes::map(path)?)
    }

    fn read(bytes: Bytes) -> Result<WordsSegment, Error> {
        let frame = Frame::open(bytes, Kind::Words)?;
        let documents = u64_at(frame.section(COUNTS), 0);
        let total_length = u64_at(frame.section(COUNTS), 1);
        let documents = u32::try_from(documents).map_err(|_| Error::Damaged { what: "counts" })?;
        for (section, bytes) in [(ROWS, 8), (FACETS, 8), (LENGTHS, 4)] {
            if frame.section(section).len() as u64 != u64::from(documents) * bytes {
                return Err(Error::Damaged { what: "columns" });
            }
        }
        Ok(WordsSegment { frame, documents, total_length, asked: Mutex::default() })
    }

    /// Reads the whole file and compares it to its digest.
    pub fn verify(&self) -> Result<(), Error> {
        self.frame.verify()
    }

    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// The sum of the lengths of all documents.
    pub fn total_length(&self) -> u64 {
        self.total_length
    }

    /// Of the file, in bytes.
    pub fn size(&self) -> u64 {
        self.frame.size()
    }

    /// How many documents name the term.
    pub fn document_frequency(&self, term: &str) -> u32 {
        self.entry_of(term).map_or(0, |entry| entry.count.min(self.documents))
    }

    /// Every term that begins so, in byte order, with how many documents name it.
    pub fn each_beginning<'a>(&'a self, beginning: &str, see: &mut dyn FnMut(&'a str, u32)) {
        let most = self.documents;
        self.dictionary().each_beginning(beginning, &mut |term, count| see(term, count.min(most)));
    }

    /// How often a term occurs in one document.
    pub fn frequency(&self, term: &str, slot: u32) -> u32 {
        self.list_of(term).map_or(0, |list| list.frequencies().of(slot))
    }

    /// Zero for a slot that there is not, as are [`facets`](Self::facets) and
    /// [`length`](Self::length).
    pub fn row(&self, slot: u32) -> u64 {
        u64_at(self.frame.section(ROWS), slot as usize)
    }

    pub fn slot_of(&self, row: u64) -> Option<u32> {
        find_row(self.frame.section(ROWS), 8, row)
    }

    pub fn facets(&self, slot: u32) -> u64 {
        u64_at(self.frame.section(FACETS), slot as usize)
    }

    pub fn length(&self, slot: u32) -> u32 {
        u32_at(self.lengths(), slot as usize)
    }

    pub(super) fn lengths(&self) -> &[u8] {
        self.frame.section(LENGTHS)
    }

    pub(super) fn dictionary(&self) -> Dictionary<'_> {
        Dictionary { entries: self.frame.section(ENTRIES), text: self.frame.section(TEXT) }
    }

    fn entry_of(&self, term: &str) -> Option<Entry> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = asked.get(term) {
            return *known;
        }
        let found = self.dictionary().find(term);
        if asked.len() >= MOST_ASKED {
            asked.clear();
        }
        asked.insert(term.to_owned(), found);
        found
    }

    pub(super) fn list_of(&self, term: &str) -> Option<PostingList<'_>> {
        let entry = self.entry_of(term)?;
        self.list_at(entry.offset, entry.count)
    }

    pub(super) fn list_at(&self, offset: u64, count: u32) -> Option<PostingList<'_>> {
        let lists = self.frame.section(LISTS).get(usize::try_from(offset).ok()?..)?;
        PostingList::at(lists, count, self.documents)
    }
}

impl fmt::Debug for WordsSegment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("WordsSegment");
        shown.field("documents", &self.documents).field("bytes", &self.size()).finish()
    }
}
