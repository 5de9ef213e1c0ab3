//! Copies of the store: made while others write, whole or not at all, and known to the store so
//! that what is forgotten can be erased from them too.

use super::change::next_key;
use super::seal::BACKUP;
use super::{files, seal};
use crate::{Error, Result};
use mnemic_model::Timestamp;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, params};
use std::fs;
use std::path::{Path, PathBuf};

/// Copies everything to `to`; the bytes written.
pub(super) fn copy(from: &Connection, to: &Path) -> Result<u64> {
    files::make_private_dir(&files::directory_of(to))?;
    let part = files::sibling(to, ".part");
    remove_if_there(&part)?;
    let written = write_copy(from, &part).and_then(|()| {
        let file = fs::File::open(&part).map_err(Error::file("open", &part))?;
        file.sync_all().map_err(Error::file("sync", &part))?;
        fs::rename(&part, to).map_err(Error::file("rename to", to))?;
        files::sync_directory(to)?;
        Ok(fs::metadata(to).map_err(Error::file("read", to))?.len())
    });
    if written.is_err() {
        let _ = remove_if_there(&part);
    }
    written
}

fn write_copy(from: &Connection, part: &Path) -> Result<()> {
    fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(part)
        .map_err(Error::file("create", part))?;
    files::make_private(part)?;
    let mut copy = Connection::open(part)?;
    run(&Backup::new(from, &mut copy)?)?;
    // One file, complete in itself: without a journal beside it.
    copy.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))?;
    copy.close().map_err(|(_, cause)| cause)?;
    Ok(())
}

/// All pages in one step: a copy in several would start again whenever somebody writes.
fn run(backup: &Backup<'_, '_>) -> Result<()> {
    let deadline = std::time::Instant::now() + super::PATIENCE;
    loop {
        match backup.step(-1)? {
            StepResult::Done => return Ok(()),
            _ if std::time::Instant::now() > deadline => {
                return Err(Error::Busy(super::PATIENCE.as_secs()));
            }
            _ => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    }
}

/// Overwrites the whole store with another file's pages; others see it change at once.
pub(super) fn replace(connection: &mut Connection, from: &Path) -> Result<()> {
    let source = Connection::open(from)?;
    seal::register(&source)?;
    run(&Backup::new(&source, connection)?)?;
    connection.flush_prepared_statement_cache();
    Ok(())
}

fn remove_if_there(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::file("remove", path)(cause))
        }
        _ => Ok(()),
    }
}

/// Inside the store's own directory a name is enough, and stays right when the project moves.
fn known_as(connection: &Connection, path: &Path) -> String {
    let home = connection.path().map(|store| files::directory_of(Path::new(store)));
    let inside = home.as_deref().and_then(|home| path.strip_prefix(home).ok());
    inside.unwrap_or(path).to_string_lossy().into_owned()
}

pub(super) fn drop_note(connection: &Connection, path: &Path) -> Result<()> {
    let name = known_as(connection, path);
    connection.execute("DELETE FROM backup WHERE path = ?1", params![name])?;
    Ok(())
}

pub(super) fn note(connection: &Connection, path: &Path, at: Timestamp) -> Result<()> {
    let name = known_as(connection, path);
    connection.execute("DELETE FROM backup WHERE path = ?1", params![name])?;
    let key = next_key(connection, "backup")?;
    connection.execute(BACKUP.insert(), params![key, name, at.micros()])?;
    Ok(())
}

pub(super) fn known(connection: &Connection) -> Result<Vec<(PathBuf, Timestamp)>> {
    let store = connection.path().unwrap_or_default();
    let home = files::directory_of(Path::new(store));
    let mut statement =
        connection.prepare_cached("SELECT path, at FROM backup ORDER BY at, seq")?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let at = Timestamp::from_micros(row.get(1)?)
            .map_err(|cause| Error::Damaged(format!("a backup: {cause}")))?;
        found.push((home.join(row.get::<_, String>(0)?), at));
    }
    Ok(found)
}
