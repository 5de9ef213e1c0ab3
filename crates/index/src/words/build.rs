//! From documents to the bytes of a segment.

use std::collections::HashMap;

use super::Document;
use super::bits::SLACK;
use super::block::Posting;
use super::dictionary::{DictionaryWriter, Entry};
use super::postings::write_list;
use crate::frame::{Kind, assemble};

/// The columns of the documents, by slot.
#[derive(Default)]
pub(super) struct Columns {
    rows: Vec<u64>,
    facets: Vec<u64>,
    lengths: Vec<u32>,
}

impl Columns {
    /// The slot of the added document; `None` if its row does not come after the last one, as
    /// lookups by row depend on their order.
    pub(super) fn add(&mut self, row: u64, facets: u64, length: u32) -> Option<u32> {
        if self.rows.last().is_some_and(|&last| last >= row) {
            return None;
        }
        let slot = u32::try_from(self.rows.len()).ok().filter(|&slot| slot < u32::MAX)?;
        self.rows.push(row);
        self.facets.push(facets);
        self.lengths.push(length);
        Some(slot)
    }
}

/// Writes a segment, term after term in ascending order.
pub(super) struct SegmentWriter {
    columns: Columns,
    dictionary: DictionaryWriter,
    lists: Vec<u8>,
}

impl SegmentWriter {
    pub(super) fn new(columns: Columns) -> SegmentWriter {
        SegmentWriter { columns, dictionary: DictionaryWriter::default(), lists: Vec::new() }
    }

    /// Postings ascend by slot.
    pub(super) fn add_term(&mut self, term: &[u8], postings: &[Posting]) {
        if postings.is_empty() {
            return;
        }
        let entry = Entry { count: postings.len() as u32, offset: self.lists.len() as u64 };
        self.dictionary.add(term, entry);
        write_list(postings, &self.columns.lengths, &mut self.lists);
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.lists.extend_from_slice(&[0; SLACK]);
        let Columns { rows, facets, lengths } = &self.columns;
        let total: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
        let mut counts = Vec::new();
        counts.extend_from_slice(&(rows.len() as u64).to_le_bytes());
        counts.extend_from_slice(&total.to_le_bytes());
        let rows: Vec<u8> = rows.iter().flat_map(|row| row.to_le_bytes()).collect();
        let facets: Vec<u8> = facets.iter().flat_map(|facets| facets.to_le_bytes()).collect();
        let lengths: Vec<u8> = lengths.iter().flat_map(|length| length.to_le_bytes()).collect();
        let DictionaryWriter { entries, text } = &self.dictionary;
        // The order is that of the constants in `segment.rs`.
        assemble(Kind::Words, &[&counts, &rows, &facets, &lengths, entries, text, &self.lists])
    }
}

pub(super) fn build(documents: impl IntoIterator<Item = Document>) -> Vec<u8> {
    let mut columns = Columns::default();
    let mut lists: HashMap<String, Vec<Posting>> = HashMap::new();
    for document in documents {
        let slot = columns.add(document.row, document.facets, document.length);
        let Some(slot) = slot else { continue };
        for (term, frequency) in document.terms {
            add_posting(lists.entry(term).or_default(), slot, frequency);
        }
    }
    let mut lists: Vec<_> = lists.into_iter().collect();
    lists.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    let mut writer = SegmentWriter::new(columns);
    for (term, postings) in lists {
        writer.add_term(term.as_bytes(), &postings);
    }
    writer.finish()
}

/// Adds up should a term be named twice, as a slot may stand only once in a list.
fn add_posting(list: &mut Vec<Posting>, slot: u32, frequency: u32) {
    if frequency == 0 {
        return;
    }
    match list.last_mut() {
        Some(last) if last.slot == slot => {
            last.frequency = last.frequency.saturating_add(frequency);
        }
        _ => list.push(Posting { slot, frequency }),
    }
}
