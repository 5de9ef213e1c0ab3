//! How the indexes grow: the tail becomes a segment, small segments become larger ones. Built from
//! a snapshot, swapped in by renaming; whoever finds another at it leaves it to them.

use super::document::Documents;
use super::tail::last_row;
use super::{Lookup, Segment, WORDS_FAMILY, broken, cover, meaning_family, vector};
use crate::Result;
use mnemic_index::meaning::{Coded, MeaningSegment};
use mnemic_index::shelf::{SegmentFile, to_merge};
use mnemic_index::words::{Document, WordsSegment};
use rusqlite::Connection;
use std::collections::HashMap;

/// Rows in one newly built segment at most: what is being built is held in memory.
const LARGEST_STEP: u64 = 50_000;

/// Rows that no segment covers, over all families. The folder is read only where this process has
/// not looked before: what others have covered since only makes it less.
pub(in crate::sqlite) fn uncovered(connection: &Connection, lookup: &Lookup) -> Result<u64> {
    let listed = |family: &str| lookup.shelf.list(family).last().map_or(0, |file| file.last);
    let covered = lookup.words_covered().unwrap_or_else(|| listed(WORDS_FAMILY));
    let words = last_row(connection, "version")?.saturating_sub(covered);
    let last = last_row(connection, "vector")?;
    let vectors = models(connection)?.into_iter().map(|model| {
        let known = lookup.meaning_covered(model);
        last.saturating_sub(known.unwrap_or_else(|| listed(&meaning_family(model))))
    });
    Ok(vectors.fold(words, u64::max))
}

fn models(connection: &Connection) -> Result<Vec<i64>> {
    crate::sqlite::query::rows(connection, "SELECT seq FROM model", [], |row| Ok(row.get(0)?))
}

/// Puts the tail on the shelf where it has reached `least` rows. `false` when another process is at
/// it already.
pub(in crate::sqlite) fn grow(
    connection: &Connection,
    lookup: &Lookup,
    least: u64,
) -> Result<bool> {
    let Some(_claim) = lookup.shelf.try_claim() else { return Ok(false) };
    connection.execute_batch("BEGIN")?;
    let grown = grow_all(connection, lookup, least);
    connection.execute_batch("ROLLBACK")?;
    grown.map(|()| true)
}

fn grow_all(connection: &Connection, lookup: &Lookup, least: u64) -> Result<()> {
    let mut words = Growth::<WordsSegment>::of(connection, lookup, WORDS_FAMILY.to_owned());
    let mut reader = Documents::default();
    words.grow(last_row(connection, "version")?, least, &mut |after, upto| {
        let mut documents: Vec<Document> = Vec::new();
        reader.each(connection, after, upto, &mut |document| documents.push(document))?;
        Ok(WordsSegment::build(documents))
    })?;
    let last = last_row(connection, "vector")?;
    for model in models(connection)? {
        let mut meaning = Growth::<MeaningSegment>::of(connection, lookup, meaning_family(model));
        meaning.grow(last, least, &mut |after, upto| {
            let mut vectors: Vec<Coded> = Vec::new();
            vector::each(connection, model, after, upto, &mut |coded| vectors.push(coded))?;
            Ok(MeaningSegment::build(vectors))
        })?;
    }
    Ok(())
}

/// One family of segments, being brought up to date.
struct Growth<'l, S> {
    connection: &'l Connection,
    lookup: &'l Lookup,
    family: String,
    kind: std::marker::PhantomData<S>,
}

impl<'l, S: Segment> Growth<'l, S> {
    fn of(connection: &'l Connection, lookup: &'l Lookup, family: String) -> Growth<'l, S> {
        Growth { connection, lookup, family, kind: std::marker::PhantomData }
    }

    fn grow(
        &mut self,
        last: u64,
        least: u64,
        build: &mut dyn FnMut(u64, u64) -> Result<Vec<u8>>,
    ) -> Result<()> {
        self.drop_unusable(last)?;
        let mut covered = self.files().last().map_or(0, |file| file.last);
        while last > covered && last - covered >= least.max(1) {
            let upto = last.min(covered + LARGEST_STEP);
            self.publish(covered + 1, upto, &build(covered, upto)?)?;
            covered = upto;
        }
        while self.merge_once()? {}
        self.lookup.shelf.remove_covered(&self.family).map(drop).map_err(broken)
    }

    fn files(&self) -> Vec<SegmentFile> {
        self.lookup.shelf.list(&self.family)
    }

    fn publish(&self, first: u64, last: u64, bytes: &[u8]) -> Result<()> {
        self.lookup.shelf.publish(&self.family, first, last, bytes).map_err(broken)?;
        Ok(())
    }

    /// What cannot be opened, lies behind a gap, or knows rows that the store does not have (an
    /// older copy was put in its place) is thrown away with all that follows.
    fn drop_unusable(&self, last: u64) -> Result<()> {
        let files = self.files();
        let usable = cover::<S>(self.connection, &mut HashMap::new(), files.clone());
        let overtaken = usable.upto > last;
        for file in files {
            if overtaken || file.last > usable.upto {
                std::fs::remove_file(&file.path)
                    .map_err(crate::Error::file("remove", &file.path))?;
            }
        }
        Ok(())
    }

    fn merge_once(&self) -> Result<bool> {
        let files = self.files();
        let cover = cover::<S>(self.connection, &mut HashMap::new(), files.clone());
        let sizes: Vec<u64> = cover.segments.iter().map(|segment| segment.size()).collect();
        let Some(range) = to_merge(&sizes) else { return Ok(false) };
        let parts: Vec<&S> = cover.segments[range.clone()].iter().map(|s| s.as_ref()).collect();
        let bytes = S::merged(&parts);
        self.publish(files[range.start].first, files[range.end - 1].last, &bytes)?;
        Ok(true)
    }
}

/// Reads every segment against its checksum; what is wrong, by file.
pub(in crate::sqlite) fn verify(lookup: &Lookup, connection: &Connection) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let mut check = |file: &SegmentFile, checked: std::result::Result<(), mnemic_index::Error>| {
        if let Err(cause) = checked {
            wrong.push(format!("`{}`: {cause}", file.path.display()));
        }
    };
    for file in lookup.shelf.list(WORDS_FAMILY) {
        check(&file, WordsSegment::open(&file.path).and_then(|segment| segment.verify()));
    }
    for model in models(connection)? {
        for file in lookup.shelf.list(&meaning_family(model)) {
            check(&file, MeaningSegment::open(&file.path).and_then(|segment| segment.verify()));
        }
    }
    Ok(wrong)
}
