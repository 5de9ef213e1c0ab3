//! A version as the words index sees it: its own text, when it was, and what was said just before.

use super::facets::Facets;
use super::thread;
use crate::Result;
use crate::sqlite::row::{self, COLUMNS, Stored, TABLES};
use jiff::tz::TimeZone;
use mnemic_index::words::Document;
use mnemic_model::{Content, Version};
use mnemic_text::dates;
use mnemic_text::stems::recall_terms;
use rusqlite::{Connection, params};
use std::collections::HashMap;

/// Reads documents in the order of their rows; remembers the last text of each thread.
#[derive(Debug, Default)]
pub(super) struct Documents {
    last_said: HashMap<i64, String>,
}

impl Documents {
    /// The documents of the rows after `after` and up to `upto`, one at a time.
    pub(super) fn each(
        &mut self,
        connection: &Connection,
        after: u64,
        upto: u64,
        each: &mut dyn FnMut(Document),
    ) -> Result<()> {
        let sql = format!(
            "SELECT {COLUMNS}, version.seq, version.fingerprint, turn.thread \
             FROM {TABLES} LEFT JOIN turn ON turn.version = version.seq \
             WHERE version.seq > ?1 AND version.seq <= ?2 ORDER BY version.seq"
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![after as i64, upto as i64])?;
        while let Some(row) = rows.next()? {
            let (seq, thread): (i64, Option<i64>) = (row.get(15)?, row.get(17)?);
            // What cannot be read cannot be found; `verify` names it.
            let Ok(Stored { version, .. }) = row::stored(row) else { continue };
            let print = row.get_ref(16)?.as_blob().unwrap_or_default();
            let before = self.before(connection, seq, thread, &version)?;
            if let Some(document) = document(seq, &version, print, before.as_deref()) {
                each(document);
            }
        }
        Ok(())
    }

    /// What was said before this turn; keeps what this turn says for the next one.
    fn before(
        &mut self,
        connection: &Connection,
        seq: i64,
        thread: Option<i64>,
        version: &Version,
    ) -> Result<Option<String>> {
        let Some(thread) = thread else { return Ok(None) };
        let said = version.content.body.substance();
        let before = match self.last_said.insert(thread, said) {
            Some(before) => Some(before),
            None => thread::said_before(connection, thread, seq)?,
        };
        let is_short = |said: &String| said.split_whitespace().count() <= thread::SHORT_TURN;
        Ok(before.filter(is_short))
    }
}

fn document(seq: i64, version: &Version, print: &[u8], before: Option<&str>) -> Option<Document> {
    let content = &version.content;
    if !content.kind().is_indexed() {
        return None;
    }
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut add = |text: &str| {
        for (term, count) in recall_terms(text) {
            *counts.entry(term).or_default() += count;
        }
    };
    add(&own_text(content));
    add(&dates::words(content.valid.from().to_jiff(), &TimeZone::UTC));
    before.into_iter().for_each(&mut add);
    let mut terms: Vec<(String, u32)> = counts.into_iter().collect();
    terms.sort_unstable();
    let length = terms.iter().map(|(_, count)| count).sum();
    let scope = &content.scope;
    let facets =
        Facets::new(content.kind(), scope.level, content.trust(), scope.namespace.as_str(), print);
    Some(Document { row: seq as u64, facets: facets.0, terms, length })
}

/// Its text, and the labels it was given.
fn own_text(content: &Content) -> String {
    let mut text = content.body.substance();
    for label in content.tags.iter().chain(&content.category) {
        text.push('\n');
        text.push_str(label);
    }
    text
}
