//! Saving what can be saved: every row of a damaged file that is still readable and whose seal is
//! intact, poured over the last good backup of the same store.

use super::seal::{ALL, CHANGE, LINK, Table, VERSION};
use super::{audit, cold, connection, words};
use crate::Result;
use mnemic_model::{Actor, Author, ChangeId, Verb};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Statement, params, params_from_iter};
use std::collections::HashSet;
use std::path::Path;

/// Rows of one table, each with its seal as the last value.
#[derive(Debug)]
struct Rows {
    table: &'static Table,
    rows: Vec<Vec<Value>>,
}

/// What was saved from a damaged file.
#[derive(Debug, Default)]
pub struct Salvage {
    tables: Vec<Rows>,
    audit: Vec<Vec<Value>>,
    /// Rows that were there but could not be read or were not what had been written.
    pub lost: u64,
    /// Whether the end of a table is gone: nobody knows how many rows it had, and `lost` counts it
    /// as one.
    pub more_lost: bool,
}

impl Salvage {
    /// Versions saved.
    pub fn versions(&self) -> u64 {
        let versions = self.tables.iter().find(|rows| rows.table.name == "version");
        versions.map_or(0, |rows| rows.rows.len() as u64)
    }

    /// Puts the rows into `base`, a copy of a backup of the same store (or an empty store). A row
    /// saved is newer than the backup's row of the same key.
    pub fn pour_into(&self, base: &Path) -> Result<()> {
        let (connection, _) = connection::open(base)?;
        connection.pragma_update(None, "foreign_keys", "OFF")?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        // Rows of two ages meet here; what must hold of them holds again at the end.
        let guards = take_guards_away(&connection)?;
        let cold = self.cold();
        for Rows { table, rows } in &self.tables {
            let columns = format!("{}, digest", table.columns.join(", "));
            let sql = replace_sql(table.name, &columns, table.columns.len() + 1);
            for row in rows {
                if table.name != VERSION.name || !is_worse(&connection, row, &cold)? {
                    connection.prepare_cached(&sql)?.execute(params_from_iter(row))?;
                }
            }
        }
        let audit = replace_sql("audit", "seq, at, actor, verb, subject, content, hash", 7);
        for row in &self.audit {
            connection.prepare_cached(&audit)?.execute(params_from_iter(row))?;
        }
        stand_in_for_lost_changes(&connection)?;
        // A version whose record was lost cannot be understood by itself.
        connection.execute_batch(
            "DELETE FROM version WHERE record NOT IN (SELECT seq FROM record); \
             DELETE FROM cold WHERE version NOT IN (SELECT seq FROM version); \
             DELETE FROM usage WHERE record NOT IN (SELECT seq FROM record); \
             DELETE FROM arrival WHERE record NOT IN (SELECT seq FROM record); \
             DELETE FROM shown WHERE record NOT IN (SELECT seq FROM record); \
             DELETE FROM record WHERE seq NOT IN (SELECT record FROM version);",
        )?;
        end_what_was_succeeded(&connection)?;
        connection.execute_batch(&guards.join(";\n"))?;
        audit::rechain(&connection)?;
        connection.execute_batch("COMMIT")?;
        words::rebuild(&connection)?;
        super::index::start_over(&connection)?;
        super::topic::rebuild(&connection)
    }

    /// Versions whose whole text was saved from cold storage.
    fn cold(&self) -> HashSet<i64> {
        let cold = self.tables.iter().filter(|rows| rows.table.name == "cold");
        let keys = cold.flat_map(|rows| &rows.rows).filter_map(|row| key_of(row));
        keys.collect()
    }
}

fn key_of(row: &[Value]) -> Option<i64> {
    match row.first() {
        Some(Value::Integer(key)) => Some(*key),
        _ => None,
    }
}

/// Whether the backup knows more of a version than its saved row: that one is a short form, and its
/// whole text in cold storage was lost.
fn is_worse(base: &Connection, version: &[Value], cold: &HashSet<i64>) -> Result<bool> {
    let at = VERSION.columns.iter().position(|column| *column == "content");
    let (Some(key), Some(Value::Text(content))) =
        (key_of(version), at.and_then(|at| version.get(at)))
    else {
        return Ok(false);
    };
    if cold.contains(&key) || !cold::is_short(content) {
        return Ok(false);
    }
    Ok(base.prepare_cached("SELECT 1 FROM version WHERE seq = ?1")?.exists([key])?)
}

/// Drops what guards the present; the statements that bring it back.
fn take_guards_away(connection: &Connection) -> Result<Vec<String>> {
    let names = ["version_current", "link_current", "version_one_value_per_slot"];
    let mut guards = Vec::new();
    for name in names {
        let (kind, sql): (String, String) = connection.query_row(
            "SELECT type, sql FROM sqlite_schema WHERE name = ?1",
            [name],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        connection.execute_batch(&format!("DROP {kind} {name}"))?;
        guards.push(sql);
    }
    Ok(guards)
}

/// A version says what it says whoever wrote it: where only the row of its change was lost, another
/// stands for it, which knows when it happened and not who did it or why.
fn stand_in_for_lost_changes(connection: &Connection) -> Result<()> {
    let lost = "SELECT seq, min(at) FROM ( \
           SELECT change AS seq, recorded_at AS at FROM version \
           UNION ALL SELECT expired_by, expired_at FROM version \
           UNION ALL SELECT change, recorded_at FROM link \
           UNION ALL SELECT expired_by, expired_at FROM link) \
         WHERE seq IS NOT NULL AND seq NOT IN (SELECT seq FROM change) GROUP BY seq";
    let lost = connection
        .prepare(lost)?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<Vec<(i64, i64)>>>()?;
    for (key, at) in lost {
        let id = ChangeId(format!("chg-lost-{key}"));
        let actor = Actor::new(Author::Tool, "mnemic").to_string();
        let why = "what was known of this change was lost; a restore kept what it wrote";
        let row = params![key, id.0, at, actor, Verb::Restore.as_str(), why, None::<String>];
        connection.prepare_cached(CHANGE.insert())?.execute(row)?;
    }
    Ok(())
}

/// Where the row that ended something was lost and the row that came after it was saved, the end is
/// written again: it lies where the successor begins.
fn end_what_was_succeeded(connection: &Connection) -> Result<()> {
    let successors = [
        // The next version of the same record.
        (
            &VERSION,
            "SELECT old.seq, new.recorded_at, new.change FROM version AS old JOIN version AS new \
             ON new.record = old.record AND new.n = old.n + 1 WHERE old.expired_at IS NULL",
        ),
        // The value that took its slot.
        (
            &VERSION,
            "SELECT old.seq, min(new.recorded_at), new.change FROM version AS old \
             JOIN version AS new ON new.slot = old.slot AND new.namespace = old.namespace \
             AND new.level = old.level AND new.record <> old.record \
             AND new.recorded_at > old.recorded_at \
             AND (old.invalid_at IS NULL OR new.valid_at < old.invalid_at) \
             AND (new.invalid_at IS NULL OR old.valid_at < new.invalid_at) \
             WHERE old.expired_at IS NULL AND new.expired_at IS NULL GROUP BY old.seq",
        ),
        (
            &LINK,
            "SELECT old.seq, min(new.recorded_at), new.change FROM link AS old JOIN link AS new \
             ON new.from_id = old.from_id AND new.to_id = old.to_id \
             AND new.relation = old.relation AND new.recorded_at > old.recorded_at \
             WHERE old.expired_at IS NULL GROUP BY old.seq",
        ),
    ];
    for (table, question) in successors {
        let mut statement = connection.prepare(question)?;
        let ends = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<rusqlite::Result<Vec<(i64, i64, i64)>>>()?;
        let end =
            format!("UPDATE {} SET expired_at = ?2, expired_by = ?3 WHERE seq = ?1", table.name);
        for (key, at, change) in ends {
            connection.execute(&end, [key, at, change])?;
            connection.execute(table.reseal(), [key])?;
        }
    }
    Ok(())
}

fn replace_sql(table: &str, columns: &str, count: usize) -> String {
    let marks = vec!["?"; count].join(", ");
    format!("INSERT OR REPLACE INTO {table} ({columns}) VALUES ({marks})")
}

/// So many keys in a row without a row end the search where the end of a table is gone: more than
/// lie on a hundred pages.
const MOST_MISSED: u64 = 10_000;

/// What was read of one table.
#[derive(Debug, Default)]
struct Found {
    rows: Vec<Vec<Value>>,
    lost: u64,
    more_lost: bool,
}

pub(super) fn salvage(damaged: &Path) -> Result<Salvage> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut saved = Salvage::default();
    let Ok(connection) = Connection::open_with_flags(damaged, flags) else { return Ok(saved) };
    read_what_is_left(&connection)?;
    super::seal::register(&connection)?;
    for table in ALL {
        let columns = format!("{}, digest", table.columns.join(", "));
        let intact =
            format!("digest IS row_digest('{}', {})", table.name, table.columns.join(", "));
        let found = read_rows(&connection, table.name, table.key(), &columns, &intact);
        let rows = saved.count(found);
        saved.tables.push(Rows { table, rows });
    }
    let columns = "seq, at, actor, verb, subject, content, hash";
    let found = read_rows(&connection, "audit", "seq", columns, "true");
    saved.audit = saved.count(found);
    Ok(saved)
}

/// SQLite refuses a file that is shorter than its header says, whole as its other pages may be.
/// Allowed to write the schema, which we do not, it takes the length for the truth, and only what
/// lay on a page that is gone cannot be read.
fn read_what_is_left(connection: &Connection) -> Result<()> {
    Ok(connection.pragma_update(None, "writable_schema", "ON")?)
}

/// Reads a table front to back; where a page cannot be read, goes on key by key behind it.
fn read_rows(
    connection: &Connection,
    table: &str,
    key: &str,
    columns: &str,
    intact: &str,
) -> Found {
    let mut found = Found::default();
    let all = format!("SELECT {columns}, {intact} FROM {table} ORDER BY {key}");
    let Ok(mut all) = connection.prepare(&all) else { return found };
    let mut after = Value::Null;
    let whole = (|| -> rusqlite::Result<()> {
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            after = row.get(0)?;
            found.keep(row)?;
        }
        Ok(())
    })();
    let from = match (whole, after) {
        (Err(_), Value::Integer(key)) => key.saturating_add(1),
        (Err(_), Value::Null) => 1,
        // Tables keyed by text hold nothing that a backup does not hold too.
        _ => return found,
    };
    let one = format!("SELECT {columns}, {intact} FROM {table} WHERE {key} = ?1");
    if let Ok(mut one) = connection.prepare(&one) {
        found.go_on(&mut one, from, last_key(connection, table, key));
    }
    found
}

/// The last key of a table; `None` where its last page cannot be read.
fn last_key(connection: &Connection, table: &str, key: &str) -> Option<i64> {
    let sql = format!("SELECT max({key}) FROM {table}");
    match connection.query_row(&sql, [], |row| row.get::<_, Option<i64>>(0)) {
        Ok(key) => Some(key.unwrap_or(0)),
        // A text: such a table is not read key by key.
        Err(rusqlite::Error::InvalidColumnType(..)) => Some(0),
        Err(_) => None,
    }
}

impl Salvage {
    /// Counts what was lost of a table; its rows.
    fn count(&mut self, found: Found) -> Vec<Vec<Value>> {
        self.lost += found.lost;
        self.more_lost |= found.more_lost;
        found.rows
    }
}

impl Found {
    fn keep(&mut self, row: &rusqlite::Row<'_>) -> rusqlite::Result<()> {
        let width = row.as_ref().column_count() - 1;
        if row.get::<_, bool>(width)? {
            self.rows.push((0..width).map(|index| row.get(index)).collect::<Result<_, _>>()?);
        } else {
            self.lost += 1;
        }
        Ok(())
    }

    /// Reads key by key up to the last one, or to where nothing comes any more.
    fn go_on(&mut self, one: &mut Statement<'_>, from: i64, last: Option<i64>) {
        let (mut unread, mut missed) = (0, 0);
        for key in from..=last.unwrap_or(i64::MAX) {
            if last.is_none() && missed == MOST_MISSED {
                break;
            }
            match one.query_row([key], |row| self.keep(row)).optional() {
                Ok(Some(())) => {
                    self.lost += std::mem::take(&mut unread);
                    missed = 0;
                }
                Ok(None) => missed += 1,
                Err(_) => {
                    unread += 1;
                    missed += 1;
                }
            }
        }
        self.more_lost = last.is_none();
        // Behind the last row that can be read every key fails, also those that never were.
        self.lost += if last.is_none() { unread.min(1) } else { unread };
    }
}
