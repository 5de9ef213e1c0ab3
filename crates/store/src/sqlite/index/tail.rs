//! The tail: rows that no segment covers yet, indexed in memory and brought up row by row.

use super::document::Documents;
use super::{broken, vector};
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

#[derive(Debug)]
pub(super) struct WordsTail {
    after: u64,
    upto: u64,
    reader: Documents,
    documents: Vec<Document>,
    segment: Option<Arc<WordsSegment>>,
}

impl WordsTail {
    /// The tail after `after` as it stands now, with as much of the old one as still holds.
    pub(super) fn brought_up(
        old: Option<WordsTail>,
        connection: &Connection,
        after: u64,
    ) -> Result<WordsTail> {
        let last = last_row(connection, "version")?;
        let fresh = || WordsTail {
            after,
            upto: after,
            reader: Documents::default(),
            documents: Vec::new(),
            segment: None,
        };
        let mut tail =
            old.filter(|old| old.after == after && old.upto <= last).unwrap_or_else(fresh);
        if tail.upto < last {
            let WordsTail { reader, documents, upto, .. } = &mut tail;
            reader.each(connection, *upto, last, &mut |document| documents.push(document))?;
            tail.upto = last;
            tail.segment = None;
        }
        if tail.segment.is_none() && !tail.documents.is_empty() {
            let bytes = WordsSegment::build(tail.documents.iter().cloned());
            tail.segment = Some(Arc::new(WordsSegment::from_bytes(bytes).map_err(broken)?));
        }
        Ok(tail)
    }

    pub(super) fn segment(&self) -> Option<Arc<WordsSegment>> {
        self.segment.clone()
    }
}

#[derive(Debug)]
pub(super) struct MeaningTail {
    after: u64,
    upto: u64,
    vectors: Vec<Coded>,
    segment: Option<Arc<MeaningSegment>>,
}

impl MeaningTail {
    pub(super) fn brought_up(
        old: Option<MeaningTail>,
        connection: &Connection,
        model: i64,
        after: u64,
    ) -> Result<MeaningTail> {
        let last = last_row(connection, "vector")?;
        let fresh = || MeaningTail { after, upto: after, vectors: Vec::new(), segment: None };
        let mut tail =
            old.filter(|old| old.after == after && old.upto <= last).unwrap_or_else(fresh);
        if tail.upto < last {
            let MeaningTail { vectors, upto, .. } = &mut tail;
            vector::each(connection, model, *upto, last, &mut |coded| vectors.push(coded))?;
            tail.upto = last;
            tail.segment = None;
        }
        if tail.segment.is_none() && !tail.vectors.is_empty() {
            let bytes = MeaningSegment::build(tail.vectors.iter().cloned());
            tail.segment = Some(Arc::new(MeaningSegment::from_bytes(bytes).map_err(broken)?));
        }
        Ok(tail)
    }

    pub(super) fn segment(&self) -> Option<Arc<MeaningSegment>> {
        self.segment.clone()
    }
}
