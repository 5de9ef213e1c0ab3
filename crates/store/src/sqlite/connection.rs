//! Opening the file so that nothing acknowledged is lost and nobody sees "locked".

use super::waiting::{self, SILENT, patience};
use super::{PATIENCE, ballast, files, migrate, seal};
use crate::{Error, Result};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::cell::Cell;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Whether this connection may write, and why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mode {
    ReadWrite,
    ReadOnly(String),
}

/// Earlier ones can corrupt a file when several connections write and checkpoint (WAL-reset race).
const OLDEST_SQLITE: i32 = 3_051_003;

pub(super) fn open(path: &Path) -> Result<(Connection, Mode)> {
    assert!(
        rusqlite::version_number() >= OLDEST_SQLITE,
        "mnemic must be built with SQLite 3.51.3 or newer"
    );
    let opened = match open_for_writing(path) {
        // On a full disk there is not even room for the index of the journal: the ballast makes it.
        Err(Error::Disk(_) | Error::Full) if !is_locked_away(path) && ballast::trim(path)? => {
            open_for_writing(path)
        }
        opened => opened,
    };
    match opened {
        Ok(connection) => Ok((connection, Mode::ReadWrite)),
        Err(Error::ReadOnly(_)) => read_only(path, "it cannot be written"),
        Err(Error::Disk(_)) if is_locked_away(path) => {
            read_only(path, "its directory cannot be written")
        }
        Err(Error::Full) => read_only(path, "the disk is full"),
        Err(other) => Err(other),
    }
}

fn read_only(path: &Path, why: &str) -> Result<(Connection, Mode)> {
    Ok((open_for_reading(path)?, Mode::ReadOnly(why.to_owned())))
}

/// Whether we may not write beside the file, by permission or by medium.
fn is_locked_away(path: &Path) -> bool {
    let dir = files::directory_of(path);
    rustix::fs::access(&dir, rustix::fs::Access::WRITE_OK).is_err()
}

fn open_for_writing(path: &Path) -> Result<Connection> {
    migrate::check_header(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    // SQLite falls back to reading when the file may not be written, without saying so.
    if connection.is_readonly("main")? {
        return Err(Error::ReadOnly(path.display().to_string()));
    }
    configure(&mut connection)?;
    enter_wal(&connection)?;
    // FULL syncs the journal at every commit: what is acknowledged survives a power cut.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    // Deleted text is overwritten, not just unlinked from its page.
    connection.pragma_update(None, "secure_delete", "ON")?;
    Ok(connection)
}

fn configure(connection: &mut Connection) -> Result<()> {
    connection.busy_handler(Some(wait_for_turn))?;
    // Without this, SQLite plans every statement anew for each value bound to it, in case a partial
    // index would serve that value better: a third of the time of a batch.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(96);
    // Recall reads a few hundred rows from anywhere in the file: 32 MB instead of SQLite's 2.
    connection.pragma_update(None, "cache_size", -32_768)?;
    // What a query puts aside is text of memories: it does not touch the disk.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    super::cold::register(connection)?;
    seal::register(connection)
}

/// Changing into WAL mode takes a lock that the busy handler is not asked about.
fn enter_wal(connection: &Connection) -> Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let mode: rusqlite::Result<String> =
            connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0));
        match mode {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(mode) => return Err(Error::ReadOnly(format!("journal mode stays `{mode}`"))),
            Err(cause) if is_busy(&cause) && Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(2));
            }
            Err(cause) => return Err(cause.into()),
        }
    }
}

fn is_busy(cause: &rusqlite::Error) -> bool {
    matches!(cause.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Called while another process holds the lock. Short, uneven pauses: with SQLite's own growing
/// ones the unlucky wait for seconds while others come and go.
fn wait_for_turn(attempt: i32) -> bool {
    thread_local!(static WAIT: Cell<Option<(Instant, bool)>> = const { Cell::new(None) });
    let now = Instant::now();
    let (since, was_told) = match WAIT.get() {
        Some(wait) if attempt > 0 => wait,
        _ => (now, false),
    };
    let waited = now.duration_since(since);
    let is_long = waited > SILENT;
    WAIT.set(Some((since, was_told || is_long)));
    if waited > patience() {
        return false;
    }
    if is_long && !was_told {
        waiting::tell();
    }
    let uneven = u64::from(now.duration_since(since).subsec_nanos() % 400);
    thread::sleep(Duration::from_micros(200 + uneven));
    true
}

/// Reading without being able to write anything, not even beside the file.
fn open_for_reading(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let plain = Connection::open_with_flags(path, flags).and_then(|c| {
        c.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).map(|()| c)
    });
    let mut connection = match plain {
        Ok(connection) => connection,
        // Without a journal beside it the file is complete, and on a medium that cannot be written
        // nobody changes it under us: the one case in which `immutable` is safe.
        Err(_) if !has_journal(path) && on_read_only_medium(path) => {
            let uri = format!("file:{}?immutable=1", percent_encoded(path));
            Connection::open_with_flags(uri, flags)?
        }
        Err(_) => open_copy(path)?,
    };
    configure(&mut connection)?;
    Ok(connection)
}

fn has_journal(path: &Path) -> bool {
    std::fs::metadata(files::sibling(path, "-wal")).is_ok_and(|wal| wal.len() > 0)
}

fn on_read_only_medium(path: &Path) -> bool {
    rustix::fs::statvfs(path)
        .is_ok_and(|fs| fs.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY))
}

/// The last resort: file and journal are copied where we may write, and read there.
fn open_copy(path: &Path) -> Result<Connection> {
    let dir = new_private_dir("read")?;
    let copy = dir.join("memory.db");
    copy_with_journal(path, &copy)?;
    let connection = Connection::open(&copy)?;
    // Reading once opens the files; unlinked, they go away with the connection.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    std::fs::remove_dir_all(&dir).map_err(Error::file("tidy", &dir))?;
    Ok(connection)
}

/// File and journal, as they lie there.
pub(super) fn copy_with_journal(from: &Path, to: &Path) -> Result<()> {
    let copied = std::fs::copy(from, to).and_then(|_| {
        let journal = files::sibling(from, "-wal");
        if journal.exists() { std::fs::copy(journal, files::sibling(to, "-wal")) } else { Ok(0) }
    });
    copied.map(drop).map_err(Error::file("copy the store to", to))
}

/// A directory that nobody else could have prepared.
pub(super) fn new_private_dir(purpose: &str) -> Result<PathBuf> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let name = format!("mnemic-{purpose}-{}-{}", std::process::id(), since.as_nanos());
    let dir = std::env::temp_dir().join(name);
    DirBuilder::new().mode(0o700).create(&dir).map_err(Error::file("create", &dir))?;
    Ok(dir)
}

fn percent_encoded(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let mut uri = String::new();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}
