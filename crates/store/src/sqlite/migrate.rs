//! Bringing an older file up to date: forward only, after a backup, in one transaction, and by
//! exactly one of the processes that find it old.

use super::query::in_transaction;
use super::{backup, files, index, raw, seal, topic, words};
use crate::{Error, Result};
use mnemic_model::Clock;
use rusqlite::Connection;
use std::io::Read as _;
use std::path::Path;

/// The schema that this program reads and writes.
pub const SCHEMA: i64 = 12;

/// Marks the file as ours for `file(1)` and for ourselves: "mnem".
const APPLICATION_ID: i64 = 0x6d6e_656d;

struct Step {
    to: i64,
    sql: &'static str,
    /// Fills new derived tables from rows.
    fill: fn(&Connection) -> Result<()>,
}

const COLD: &str = include_str!("migrations/007_cold.sql");

const STEPS: &[Step] = &[
    Step { to: 1, sql: include_str!("migrations/001_records.sql"), fill: |_| Ok(()) },
    Step { to: 2, sql: include_str!("migrations/002_words.sql"), fill: words::fill },
    Step { to: 3, sql: include_str!("migrations/003_vectors.sql"), fill: index::await_vectors },
    Step { to: 4, sql: include_str!("migrations/004_rotated.sql"), fill: index::rotate_vectors },
    Step { to: 5, sql: include_str!("migrations/005_sessions.sql"), fill: topic::fill },
    Step { to: 6, sql: include_str!("migrations/006_at_hand.sql"), fill: |_| Ok(()) },
    Step { to: 7, sql: COLD, fill: |_| Ok(()) },
    Step { to: 8, sql: include_str!("migrations/008_touching.sql"), fill: index::remake_touched },
    // Filled by the next step, which fills it anew.
    Step { to: 9, sql: include_str!("migrations/009_stated.sql"), fill: |_| Ok(()) },
    Step { to: 10, sql: include_str!("migrations/010_speakers.sql"), fill: index::note_turns },
    Step { to: 11, sql: include_str!("migrations/011_always.sql"), fill: |_| Ok(()) },
    Step { to: 12, sql: include_str!("migrations/012_pinned.sql"), fill: |_| Ok(()) },
];

pub(super) fn bring_up_to_date(
    connection: &Connection,
    path: &Path,
    clock: &dyn Clock,
) -> Result<()> {
    if schema_of(connection, path)? == SCHEMA {
        return Ok(());
    }
    // From here on nobody else writes; whoever waited here finds the work done.
    in_transaction(connection, |connection| migrate(connection, path, clock))
}

/// What the first bytes of a file say, before SQLite is let near it: opening a database in our way
/// changes it, and what is not ours must not be changed.
pub(super) fn check_header(path: &Path) -> Result<()> {
    let mut header = [0; 100];
    let read = raw::open(path).and_then(|mut file| file.read_exact(&mut header));
    if read.is_err() || !header.starts_with(b"SQLite format 3\0") {
        // New, or damaged: SQLite tells which.
        return Ok(());
    }
    let number = |at: usize| {
        i64::from(u32::from_be_bytes(header[at..at + 4].try_into().expect("four of a hundred")))
    };
    let (changes_of_schema, found, owner) = (number(40), number(60), number(68));
    // Somebody may just be making a store here: without any table it is nobody's yet.
    let is_empty = changes_of_schema == 0 && found == 0;
    if owner != APPLICATION_ID && !is_empty {
        return Err(Error::Foreign(path.to_owned()));
    }
    if found > SCHEMA {
        return Err(Error::Newer { found, known: SCHEMA });
    }
    Ok(())
}

/// A store that cannot be written can be read when its schema is ours.
pub(super) fn check_readable(connection: &Connection, path: &Path) -> Result<()> {
    match schema_of(connection, path)? {
        SCHEMA => Ok(()),
        older => Err(Error::ReadOnly(format!(
            "it has the older schema {older} and must be writable once to be brought up to date"
        ))),
    }
}

/// The file's schema; refuses what is not ours or newer than us.
fn schema_of(connection: &Connection, path: &Path) -> Result<i64> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let owner: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if owner != APPLICATION_ID && (tables > 0 || found > 0) {
        return Err(Error::Foreign(path.to_owned()));
    }
    if found > SCHEMA {
        return Err(Error::Newer { found, known: SCHEMA });
    }
    Ok(found)
}

fn migrate(connection: &Connection, path: &Path, clock: &dyn Clock) -> Result<()> {
    let found = schema_of(connection, path)?;
    if found == SCHEMA {
        return Ok(());
    }
    let copy = match found {
        0 => None,
        _ => Some(back_up_first(path, found, clock)?),
    };
    // Steps that fill tables read versions as they are read today.
    connection.execute_batch(COLD)?;
    for step in STEPS.iter().filter(|step| step.to > found) {
        connection.execute_batch(step.sql)?;
        (step.fill)(connection)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", SCHEMA)?;
    if let Some(copy) = copy {
        backup::note(connection, &copy, clock.now())?;
    }
    Ok(())
}

/// Reads through a second connection: it sees the last committed state while we hold the lock.
fn back_up_first(path: &Path, found: i64, clock: &dyn Clock) -> Result<std::path::PathBuf> {
    let stamp = clock.now().to_jiff().strftime("%Y%m%dT%H%M%SZ").to_string();
    let to =
        files::backup_dir(path).join(format!("before-schema-{SCHEMA}-from-{found}-{stamp}.db"));
    let reader = Connection::open(path)?;
    seal::register(&reader)?;
    backup::copy(&reader, &to)?;
    Ok(to)
}
