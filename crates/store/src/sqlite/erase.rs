//! Erasing: rows out of every table, text out of free pages and journal, and the search that proves
//! it.

use super::row::{Stored, select};
use super::version::{current, record_key};
use super::words::Pending;
use super::{change, files, raw, topic, trace};
use crate::{Error, Result};
use memchr::memmem::Finder;
use mnemic_model::RecordId;
use rusqlite::Connection;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Removes a record from every table; what is derived from it goes with it.
pub(super) fn erase(connection: &Connection, id: &RecordId, words: &mut Pending) -> Result<()> {
    let Some(record) = record_key(connection, id)? else { return Ok(()) };
    if let Some(stored) = current(connection, record)? {
        words.remove(record, &stored.version.content);
    }
    let past = select(connection, "version.record = ?1", [record])?;
    let past: Vec<_> = past.into_iter().map(|Stored { version, .. }| version).collect();
    words.erase(record, &past);
    trace::erase(connection, id, &past)?;
    topic::remove(connection, record)?;
    topic::erase(connection, &past)?;
    change::drop_reasons(connection, record, id)?;
    let versions = "(SELECT seq FROM version WHERE record = ?1)";
    for table in ["vector", "turn", "unembedded", "cold"] {
        let sql = format!("DELETE FROM {table} WHERE version IN {versions}");
        connection.prepare_cached(&sql)?.execute([record])?;
    }
    for sql in [
        "DELETE FROM shown WHERE record = ?1",
        "DELETE FROM usage WHERE record = ?1",
        "DELETE FROM arrival WHERE record = ?1",
        "DELETE FROM version WHERE record = ?1",
        "DELETE FROM record WHERE seq = ?1",
    ] {
        connection.prepare_cached(sql)?.execute([record])?;
    }
    for sql in [
        "DELETE FROM link WHERE from_id = ?1 OR to_id = ?1",
        "DELETE FROM answer WHERE instr(result, ?1) > 0",
    ] {
        connection.prepare_cached(sql)?.execute([id.as_str()])?;
    }
    Ok(())
}

/// Writes the journal into the file and empties it; `rewrite` leaves the free pages behind too.
pub(super) fn scrub(connection: &Connection, rewrite: bool) -> Result<()> {
    if rewrite {
        connection.execute_batch("VACUUM")?;
    }
    let busy: i64 =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    match busy {
        0 => Ok(()),
        _ => Err(Error::Busy(super::PATIENCE.as_secs())),
    }
}

/// One file in which pieces were looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    pub path: PathBuf,
    pub bytes: u64,
    /// Which pieces were found there.
    pub found: Vec<usize>,
}

/// Searches the store's file, its journal, and everything else in its directory.
pub(super) fn traces(path: &Path, pieces: &[Vec<u8>]) -> Result<Vec<Trace>> {
    match path.is_file() {
        true => traces_below(&files::directory_of(path), pieces),
        false => Ok(Vec::new()),
    }
}

/// Searches every file below a directory.
pub(super) fn traces_below(dir: &Path, pieces: &[Vec<u8>]) -> Result<Vec<Trace>> {
    let finders: Vec<Finder<'_>> = pieces.iter().map(Finder::new).collect();
    let longest = pieces.iter().map(Vec::len).max().unwrap_or(0);
    let mut paths = Vec::new();
    collect_files(dir, &mut paths)?;
    paths.retain(|found| found.file_name() != Some("ballast".as_ref()));
    paths.iter().map(|path| search(path, &finders, longest)).collect()
}

fn collect_files(dir: &Path, into: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(dir).map_err(Error::file("list", dir))? {
        let path = entry.map_err(Error::file("list", dir))?.path();
        if path.is_dir() {
            collect_files(&path, into)?;
        } else if path.is_file() {
            into.push(path);
        }
    }
    into.sort();
    Ok(())
}

/// Reads in steps that overlap by the longest piece, so that none hides on a border.
fn search(path: &Path, finders: &[Finder<'_>], longest: usize) -> Result<Trace> {
    const STEP: usize = 1 << 20;
    let mut file = match raw::open(path) {
        Ok(file) => file,
        // Journals come and go with other processes.
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Trace { path: path.to_owned(), bytes: 0, found: Vec::new() });
        }
        Err(cause) => return Err(Error::file("read", path)(cause)),
    };
    let mut window = Vec::with_capacity(STEP + longest);
    let mut trace = Trace { path: path.to_owned(), bytes: 0, found: Vec::new() };
    loop {
        let kept = window.len().min(longest);
        window.drain(..window.len() - kept);
        let read = (&mut file)
            .take(STEP as u64)
            .read_to_end(&mut window)
            .map_err(Error::file("read", path))?;
        if read == 0 {
            return Ok(trace);
        }
        trace.bytes += read as u64;
        for (index, finder) in finders.iter().enumerate() {
            if !trace.found.contains(&index) && finder.find(&window).is_some() {
                trace.found.push(index);
            }
        }
    }
}
