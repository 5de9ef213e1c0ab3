//! The words index: derived from the current versions, never the truth, rebuilt when in doubt.

use super::row::Stored;
use super::{meta, row};
use crate::{Error, Result};
use mnemic_model::{Content, Version};
use mnemic_text::words::{QueryChunk, WORDS_GENERATION, index_terms, query_chunks};
use rusqlite::{Connection, params};
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

const LONGEST_NAME: usize = 80;

/// What the index holds of one record.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    columns: [String; 3],
}

impl Entry {
    /// `None` for what never enters an index: the vault.
    pub(super) fn of(content: &Content) -> Option<Entry> {
        if !content.kind().is_indexed() {
            return None;
        }
        let tags: Vec<&str> =
            content.tags.iter().map(String::as_str).chain(content.category.as_deref()).collect();
        let terms = |text: &str| index_terms(text).join(" ");
        // A title that is a whole sentence is the text itself; it is not a name to be found by.
        let title = Some(content.body.title()).filter(|title| title.len() <= LONGEST_NAME);
        Some(Entry {
            columns: [
                terms(title.unwrap_or_default()),
                terms(&content.body.full_text()),
                terms(&tags.join(" ")),
            ],
        })
    }

    /// A sum over all (term, column, place), the same in whichever order they are read.
    fn checksum(&self) -> u64 {
        self.columns
            .iter()
            .enumerate()
            .flat_map(|(column, terms)| {
                terms
                    .split(' ')
                    .filter(|term| !term.is_empty())
                    .enumerate()
                    .map(move |(place, term)| instance_hash(term, column as i64, place as i64))
            })
            .fold(0, u64::wrapping_add)
    }
}

/// What a transaction will change in the index, done all at once just before it commits: between
/// other statements the index would write out a tiny piece of itself each time.
#[derive(Debug, Default)]
pub(super) struct Pending {
    ops: Vec<Op>,
    /// Records that must leave no word behind, with every word that they ever had.
    erased: Vec<(i64, BTreeSet<String>)>,
}

#[derive(Debug)]
enum Op {
    Add(i64, Entry),
    Remove(i64, Entry),
}

impl Pending {
    pub(super) fn add(&mut self, record: i64, content: &Content) {
        let Some(entry) = Entry::of(content) else { return };
        // A version that says the same in the same words leaves the index as it is; taking words
        // out costs as much as all who have them.
        match self.ops.last() {
            Some(Op::Remove(same, old)) if *same == record && *old == entry => {
                self.ops.pop();
            }
            _ => self.ops.push(Op::Add(record, entry)),
        }
    }

    /// A contentless index must be told exactly what it was given.
    pub(super) fn remove(&mut self, record: i64, content: &Content) {
        self.ops.extend(Entry::of(content).map(|entry| Op::Remove(record, entry)));
    }

    /// After this no word of any of its versions leads to the record.
    pub(super) fn erase(&mut self, record: i64, versions: &[Version]) {
        let entries = versions.iter().filter_map(|version| Entry::of(&version.content));
        let terms = entries.flat_map(|entry| entry.columns).flat_map(|terms| {
            terms.split(' ').filter(|term| !term.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        });
        self.erased.push((record, terms.collect()));
    }

    pub(super) fn carry_out(&mut self, connection: &Connection) -> Result<()> {
        let Pending { ops, erased } = std::mem::take(self);
        for op in ops {
            let (sql, record, Entry { columns: [title, text, tags] }) = match op {
                Op::Add(record, entry) => (INSERT, record, entry),
                Op::Remove(record, entry) => (DELETE, record, entry),
            };
            connection.prepare_cached(sql)?.execute(params![record, title, text, tags])?;
        }
        // Taking words out of many edits has left one behind before now: SQLite's index is then made
        // anew.
        for (record, terms) in &erased {
            if any_left(connection, *record, terms)? {
                return refill(connection);
            }
        }
        Ok(())
    }
}

fn any_left(connection: &Connection, record: i64, terms: &BTreeSet<String>) -> Result<bool> {
    let mut finds =
        connection.prepare_cached("SELECT 1 FROM words WHERE words MATCH ?1 AND rowid = ?2")?;
    for term in terms {
        if finds.exists(params![quoted(term), record])? {
            return Ok(true);
        }
    }
    Ok(false)
}

const INSERT: &str = "INSERT INTO words (rowid, title, text, tags) VALUES (?1, ?2, ?3, ?4)";
const DELETE: &str =
    "INSERT INTO words (words, rowid, title, text, tags) VALUES ('delete', ?1, ?2, ?3, ?4)";

const GENERATION: &str = "words_generation";

/// Fills an empty index from the current versions, inside the caller's transaction.
pub(super) fn fill(connection: &Connection) -> Result<()> {
    row::each_current(connection, &mut |record, version| {
        let mut entry = Pending::default();
        entry.add(record, &version.content);
        entry.carry_out(connection)
    })?;
    meta::set(connection, GENERATION, &WORDS_GENERATION.to_string())
}

/// The same index from nothing, inside the caller's transaction.
fn refill(connection: &Connection) -> Result<()> {
    drop_table(connection)?;
    connection.execute_batch(include_str!("migrations/002_words.sql"))?;
    fill(connection)
}

/// Throws the index away and fills it again; the number of records read.
pub(super) fn rebuild(connection: &Connection) -> Result<u64> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let rebuilt = (|| {
        refill(connection)?;
        let count = "SELECT count(*) FROM version WHERE expired_at IS NULL";
        Ok(connection.query_row(count, [], |row| row.get::<_, i64>(0))?)
    })();
    match rebuilt {
        Ok(records) => {
            connection.execute_batch("COMMIT")?;
            Ok(records.unsigned_abs())
        }
        Err(cause) => {
            let _ = connection.execute_batch("ROLLBACK");
            Err(cause)
        }
    }
}

/// A damaged index may refuse to be dropped in the ordinary way; then its tables are cut out of the
/// schema, and the pages come free with the next rewrite.
fn drop_table(connection: &Connection) -> Result<()> {
    if connection.execute_batch("DROP TABLE IF EXISTS words").is_ok() {
        return Ok(());
    }
    connection.pragma_update(None, "writable_schema", "ON")?;
    connection.execute("DELETE FROM sqlite_schema WHERE name GLOB 'words*'", [])?;
    connection.pragma_update(None, "writable_schema", "RESET")?;
    Ok(())
}

/// Whether the index was made by this program's way of cutting words.
pub(super) fn is_current(connection: &Connection) -> Result<bool> {
    Ok(meta::get(connection, GENERATION)? == Some(WORDS_GENERATION.to_string()))
}

pub(super) fn refresh_if_older(connection: &Connection) -> Result<()> {
    if !is_current(connection)? {
        rebuild(connection)?;
    }
    Ok(())
}

/// A MATCH expression for a person's words, or `None` when they hold nothing to search for. Every
/// term is quoted, so that no query is ever a syntax error.
pub(super) fn match_expression(query: &str) -> Option<String> {
    let chunks = query_chunks(query);
    let all: Vec<String> = chunks.iter().filter_map(chunk_expression).collect();
    (!all.is_empty()).then(|| all.join(" AND "))
}

/// A term that is nothing but itself in a question.
fn quoted(term: &str) -> String {
    format!("\"{}\"", term.replace('"', "\"\""))
}

fn chunk_expression(chunk: &QueryChunk) -> Option<String> {
    let phrase = chunk.parts.iter().map(|term| quoted(term)).collect::<Vec<_>>().join(" + ");
    match (&chunk.whole, phrase.is_empty()) {
        (Some(whole), true) => Some(quoted(whole)),
        (Some(whole), false) => Some(format!("({} OR {phrase})", quoted(whole))),
        (None, false) => Some(phrase),
        (None, true) => None,
    }
}

/// Where the index and the current rows part ways.
#[derive(Debug, Default)]
pub(super) struct Disagreements {
    /// Records whose entry in the index is not what their row says, and what is wrong.
    pub(super) wrong: Vec<(i64, &'static str)>,
    /// Rows that could not be read: not the index's fault.
    pub(super) unreadable: Vec<Error>,
}

pub(super) fn disagreements(connection: &Connection) -> Result<Disagreements> {
    let mut found = indexed_checksums(connection)?;
    let Disagreements { mut wrong, mut unreadable } = Disagreements::default();
    // The plus keeps SQLite from reading the column out of an index instead of the row.
    row::each_stored(connection, "+version.expired_at IS NULL", &mut |read| {
        let Stored { record, version } = match read {
            Ok(stored) => stored,
            Err(cause) => {
                unreadable.push(cause);
                return Ok(());
            }
        };
        let expected = Entry::of(&version.content).map_or(0, |entry| entry.checksum());
        match found.remove(&record).unwrap_or(0) {
            sum if sum == expected => {}
            0 => wrong.push((record, "its words are missing")),
            _ => wrong.push((record, "its words differ from its row")),
        }
        Ok(())
    })?;
    if unreadable.is_empty() {
        wrong.extend(found.into_keys().map(|record| (record, "indexed, but not a current record")));
    }
    Ok(Disagreements { wrong, unreadable })
}

fn indexed_checksums(connection: &Connection) -> Result<HashMap<i64, u64>> {
    connection.execute_batch(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_places USING fts5vocab (main, words, instance)",
    )?;
    let mut sums: HashMap<i64, u64> = HashMap::new();
    let mut statement =
        connection.prepare("SELECT term, doc, col, offset FROM temp.word_places")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let term = row.get_ref(0)?.as_str().unwrap_or_default();
        let column = match row.get_ref(2)?.as_str().unwrap_or_default() {
            "title" => 0,
            "text" => 1,
            _ => 2,
        };
        let sum = sums.entry(row.get(1)?).or_default();
        *sum = sum.wrapping_add(instance_hash(term, column, row.get(3)?));
    }
    Ok(sums)
}

/// Against damage, not against malice: millions of them are summed in one check.
fn instance_hash(term: &str, column: i64, place: i64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (term, column, place).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_model::body::Pattern;
    use mnemic_model::{Actor, Author, Body, Draft, Scope, ScopeLevel, Tier, Timestamp};

    fn said(text: &str) -> Content {
        let body = Body::Pattern(Pattern { statement: text.to_owned(), ..Pattern::default() });
        let scope = Scope::private(ScopeLevel::Project);
        let actor = Actor::new(Author::Agent, "a");
        Draft::new(body).resolve(&actor, Timestamp::EPOCH, &scope).expect("a sound draft")
    }

    #[test]
    fn the_same_words_are_not_taken_out_and_put_back() {
        let mut pending = Pending::default();
        let (old, new) = (said("pin the toolchain"), said("pin the compiler"));
        pending.remove(1, &old);
        pending.add(1, &Content { tier: Tier::Archive, ..old.clone() });
        assert!(pending.ops.is_empty());
        pending.remove(1, &old);
        pending.add(1, &new);
        assert_eq!(pending.ops.len(), 2);
        pending.remove(2, &old);
        pending.add(3, &old);
        assert_eq!(pending.ops.len(), 4, "another record has words of its own");
    }
}
