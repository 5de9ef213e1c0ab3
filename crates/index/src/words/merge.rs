//! Several segments into one, term by term, without looking at any text again.

use super::block::Posting;
use super::build::{Columns, SegmentWriter};
use super::dictionary::Dictionary;
use super::segment::WordsSegment;

pub(super) fn merge(parts: &[&WordsSegment], keep: &dyn Fn(u64) -> bool) -> Vec<u8> {
    let mut columns = Columns::default();
    let mut readers: Vec<Reader<'_>> =
        parts.iter().map(|part| Reader::new(part, &mut columns, keep)).collect();
    let mut writer = SegmentWriter::new(columns);
    let mut postings = Vec::new();
    while let Some(term) = readers.iter().filter_map(Reader::term).min() {
        postings.clear();
        for reader in readers.iter_mut().filter(|reader| reader.term() == Some(term)) {
            reader.take_postings(&mut postings);
        }
        writer.add_term(term, &postings);
    }
    writer.finish()
}

/// Walks the dictionary of one part and knows where its documents went.
struct Reader<'a> {
    segment: &'a WordsSegment,
    dictionary: Dictionary<'a>,
    next_term: usize,
    /// For each slot the one it has in the merged segment.
    moved: Vec<Option<u32>>,
}

impl<'a> Reader<'a> {
    fn new(
        segment: &'a WordsSegment,
        columns: &mut Columns,
        keep: &dyn Fn(u64) -> bool,
    ) -> Reader<'a> {
        let moved = (0..segment.documents())
            .map(|slot| {
                let row = segment.row(slot);
                let kept = keep(row);
                kept.then(|| columns.add(row, segment.facets(slot), segment.length(slot)))?
            })
            .collect();
        Reader { segment, dictionary: segment.dictionary(), next_term: 0, moved }
    }

    fn term(&self) -> Option<&'a [u8]> {
        (self.next_term < self.dictionary.terms()).then(|| self.dictionary.term(self.next_term))
    }

    fn take_postings(&mut self, into: &mut Vec<Posting>) {
        let entry = self.dictionary.entry(self.next_term);
        self.next_term += 1;
        let Some(list) = self.segment.list_at(entry.offset, entry.count) else { return };
        let mut after = into.last().map_or(0, |last| last.slot + 1);
        list.for_each(|posting| {
            // Blocks of a damaged list may go backwards, which the writer could not express.
            if let Some(slot) = self.moved[posting.slot as usize].filter(|&slot| slot >= after) {
                after = slot + 1;
                into.push(Posting { slot, ..posting });
            }
        });
    }
}
