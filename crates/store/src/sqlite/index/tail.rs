//! The tail: rows that no segment covers yet, indexed in memory and brought up row by row.

use super::document::Documents;
use super::{Segment, vector};
use crate::Result;
use mnemic_index::meaning::{Coded, MeaningSegment};
use mnemic_index::words::{Document, WordsSegment};
use rusqlite::Connection;
use std::sync::Arc;

/// The last row of a table.
pub(super) fn last_row(connection: &Connection, table: &'static str) -> Result<u64> {
    let sql = format!("SELECT coalesce(max(seq), 0) FROM {table}");
    let last: i64 = connection.prepare_cached(&sql)?.query_row([], |row| row.get(0))?;
    Ok(last.unsigned_abs())
}

/// The rows after `after` up to `upto` as segments in memory, the older the larger: what is new is
/// merged with the few youngest, so that a write costs the next question little.
#[derive(Debug)]
struct Tail<S> {
    after: u64,
    upto: u64,
    segments: Vec<Arc<S>>,
}

impl<S: Segment> Tail<S> {
    fn beginning(after: u64) -> Tail<S> {
        Tail { after, upto: after, segments: Vec::new() }
    }

    /// Whether it still is a part of the tail after `after` in a table that ends with `last`.
    fn holds(&self, after: u64, last: u64) -> bool {
        self.after == after && self.upto <= last
    }

    fn add(&mut self, bytes: Vec<u8>, upto: u64) -> Result<()> {
        let mut newest = S::in_memory(bytes)?;
        while let Some(last) = self.segments.pop_if(|last| last.size() <= 2 * newest.size()) {
            newest = S::in_memory(S::merged(&[&last, &newest]))?;
        }
        if newest.size() > 0 {
            self.segments.push(Arc::new(newest));
        }
        self.upto = upto;
        Ok(())
    }
}

#[derive(Debug)]
pub(super) struct WordsTail {
    reader: Documents,
    tail: Tail<WordsSegment>,
}

impl WordsTail {
    /// The tail after `after` as it stands now, with as much of the old one as still holds.
    pub(super) fn brought_up(
        old: Option<WordsTail>,
        connection: &Connection,
        after: u64,
    ) -> Result<WordsTail> {
        let last = last_row(connection, "version")?;
        let fresh = || WordsTail { reader: Documents::default(), tail: Tail::beginning(after) };
        let mut words = old.filter(|old| old.tail.holds(after, last)).unwrap_or_else(fresh);
        let WordsTail { reader, tail } = &mut words;
        if tail.upto < last {
            let mut documents: Vec<Document> = Vec::new();
            reader.each(connection, tail.upto, last, &mut |document| documents.push(document))?;
            tail.add(WordsSegment::build(documents), last)?;
        }
        Ok(words)
    }

    /// The last row that segments on the shelf cover.
    pub(super) fn after(&self) -> u64 {
        self.tail.after
    }

    pub(super) fn segments(&self) -> Vec<Arc<WordsSegment>> {
        self.tail.segments.clone()
    }
}

#[derive(Debug)]
pub(super) struct MeaningTail(Tail<MeaningSegment>);

impl MeaningTail {
    pub(super) fn brought_up(
        old: Option<MeaningTail>,
        connection: &Connection,
        model: i64,
        after: u64,
    ) -> Result<MeaningTail> {
        let last = last_row(connection, "vector")?;
        let old = old.filter(|old| old.0.holds(after, last));
        let mut tail = old.map_or_else(|| Tail::beginning(after), |old| old.0);
        if tail.upto < last {
            let mut vectors: Vec<Coded> = Vec::new();
            vector::each(connection, model, tail.upto, last, &mut |coded| vectors.push(coded))?;
            tail.add(MeaningSegment::build(vectors), last)?;
        }
        Ok(MeaningTail(tail))
    }

    /// The last row that segments on the shelf cover.
    pub(super) fn after(&self) -> u64 {
        self.0.after
    }

    pub(super) fn segments(&self) -> Vec<Arc<MeaningSegment>> {
        self.0.segments.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(row: u64) -> Document {
        Document { row, facets: 0, length: 1, terms: vec![(format!("term{row}"), 1)] }
    }

    #[test]
    fn a_tail_that_grows_row_by_row_has_few_segments_and_every_row_once() {
        let mut tail: Tail<WordsSegment> = Tail::beginning(10);
        for row in 11..=522 {
            tail.add(WordsSegment::build([document(row)]), row).expect("added");
            assert!(tail.segments.len() <= 9, "{} segments", tail.segments.len());
        }
        let rows = |segment: &Arc<WordsSegment>| -> Vec<u64> {
            (0..segment.documents()).map(|slot| segment.row(slot)).collect()
        };
        let all: Vec<u64> = tail.segments.iter().flat_map(rows).collect();
        assert_eq!(all, (11..=522).collect::<Vec<u64>>());
        assert!(tail.holds(10, 522) && !tail.holds(11, 522) && !tail.holds(10, 521));
    }
}
