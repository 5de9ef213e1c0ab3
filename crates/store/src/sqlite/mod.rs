//! The embedded store: one SQLite file, any number of processes, no daemon.

mod audit;
mod backup;
mod ballast;
mod change;
mod cold;
mod connection;
mod erase;
mod files;
mod index;
mod job;
mod link;
mod list;
mod meta;
mod migrate;
mod query;
mod raw;
mod read;
mod redact;
mod row;
mod salvage;
mod seal;
mod session;
mod statistics;
mod tombstone;
mod topic;
mod trace;
mod turn;
mod usage;
mod verify;
mod version;
mod waiting;
mod words;
mod write;

pub use ballast::BALLAST_BYTES;
pub use erase::Trace;
pub use files::{BACKUP_DIR, Guards};
pub use migrate::SCHEMA;
pub use salvage::Salvage;
pub use turn::Turn;
pub(crate) use waiting::patience;
pub use waiting::{Holder, Wait, tell_of_waiting, waiting_at_most};

use crate::{Error, Read, Result, Screen, Upkeep, Write};
use connection::Mode;
use index::Lookup;
use mnemic_model::Clock;
use read::Reading;
use rusqlite::Connection;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use turn::Door;
use write::Writing;

/// How long a writer waits for its turn before it gives up.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// One open store file.
pub struct SqliteStore {
    path: PathBuf,
    connection: Mutex<Connection>,
    /// Which file it was when we opened it.
    identity: AtomicU64,
    mode: Mode,
    door: OnceLock<Door>,
    lookup: Lookup,
    clock: Arc<dyn Clock>,
    /// What is kept out of every row.
    screen: Arc<Screen>,
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").field("path", &self.path).field("mode", &self.mode).finish()
    }
}

impl SqliteStore {
    /// Opens a store that exists, bringing an older one up to date first (after a backup).
    pub fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<SqliteStore> {
        files::refuse_unreadable(path)?;
        files::refuse_empty(path)?;
        waiting::asks_for(path);
        let (connection, mode) =
            open_at_all(path, clock.as_ref()).map_err(|cause| cause.of_the_whole(path))?;
        Ok(SqliteStore::over(path, connection, mode, clock))
    }

    /// Makes a store where there is none: its directory, its guards, the empty file.
    pub fn create(path: &Path, clock: Arc<dyn Clock>, guards: Guards) -> Result<SqliteStore> {
        if path.exists() && ballast::is_left(path) {
            files::refuse_empty(path)?;
        }
        files::prepare(path, guards)?;
        let (connection, mode) = connection::open(path)?;
        migrate::bring_up_to_date(&connection, path, clock.as_ref())?;
        ballast::lay(path)?;
        Ok(SqliteStore::over(path, connection, mode, clock))
    }

    fn over(path: &Path, connection: Connection, mode: Mode, clock: Arc<dyn Clock>) -> Self {
        let identity = AtomicU64::new(files::identity(path).unwrap_or_default());
        let (connection, door) = (Mutex::new(connection), OnceLock::new());
        let lookup = Lookup::beside(path);
        let screen = Arc::default();
        SqliteStore {
            path: path.to_owned(),
            connection,
            identity,
            mode,
            door,
            lookup,
            clock,
            screen,
        }
    }

    /// The same store behind another screen.
    pub fn behind(self, screen: Arc<Screen>) -> SqliteStore {
        SqliteStore { screen, ..self }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why nothing can be written here, when nothing can.
    pub fn read_only_because(&self) -> Option<&str> {
        match &self.mode {
            Mode::ReadWrite => None,
            Mode::ReadOnly(why) => Some(why),
        }
    }

    /// A consistent view: what is committed while it is held stays unseen.
    pub fn read(&self) -> Result<Box<dyn Read + '_>> {
        let mut connection = self.lock();
        self.follow(&mut connection)?;
        Ok(Box::new(Reading::begin(connection, &self.lookup, self.clock.now())?))
    }

    /// Begins a write transaction; waits for its turn.
    pub fn write(&self) -> Result<Box<dyn Write + '_>> {
        if let Some(why) = self.read_only_because() {
            return Err(Error::ReadOnly(why.to_owned()));
        }
        let mut connection = self.lock();
        let turn = self.turn()?;
        self.follow(&mut connection)?;
        let (clock, screen) = (self.clock.as_ref(), self.screen.as_ref());
        Ok(Box::new(Writing::begin(connection, turn, clock, screen, &self.lookup)?))
    }

    /// Keeps every other writer waiting until it is dropped.
    pub fn hold_writers(&self) -> Result<Turn> {
        self.turn()
    }

    fn turn(&self) -> Result<Turn> {
        waiting::asks_for(&self.path);
        self.door.get_or_init(|| Door::at(&self.path)).wait()
    }

    /// A restore may have put another file in the place of the one that we opened: what is written
    /// to the old one would be lost, and what is read from it is out of date.
    fn follow(&self, connection: &mut Connection) -> Result<()> {
        let there = files::identity(&self.path);
        if there.is_some() && self.identity.load(Ordering::Relaxed) != there.unwrap_or_default() {
            *connection = connection::open(&self.path)?.0;
            self.identity.store(there.unwrap_or_default(), Ordering::Relaxed);
        }
        Ok(())
    }

    pub fn upkeep(&self) -> Result<Upkeep> {
        statistics::upkeep(&self.lock(), &self.path)
    }

    pub fn verify(&self) -> Result<crate::Verification> {
        verify::verify(&self.lock(), &self.lookup)
    }

    /// Makes everything derived anew from rows, indexes and words; the number of records read.
    pub fn rebuild_derived(&self) -> Result<u64> {
        let connection = self.lock();
        self.lookup.clear()?;
        let records = words::rebuild(&connection)?;
        index::start_over(&connection)?;
        topic::rebuild(&connection)?;
        connection.execute_batch("REINDEX; VACUUM")?;
        Ok(records)
    }

    /// Rows that the segments beside the file do not cover yet.
    pub fn uncovered(&self) -> Result<u64> {
        index::uncovered(&self.lock(), &self.lookup)
    }

    /// Puts rows that no segment covers into one, where there are `least` of them. `false` when it
    /// was left to another process, or cannot be done here.
    pub fn grow_indexes(&self, least: u64) -> Result<bool> {
        match self.mode {
            Mode::ReadWrite => index::grow(&self.lock(), &self.lookup, least),
            Mode::ReadOnly(_) => Ok(false),
        }
    }

    /// Throws the segments away; they are built again from rows.
    pub fn clear_indexes(&self) -> Result<()> {
        self.lookup.clear()
    }

    /// A complete copy at `to`, consistent while others write.
    pub fn copy_to(&self, to: &Path) -> Result<u64> {
        backup::copy(&self.lock(), to)
    }

    /// Replaces everything in this store by the rows of another file, in one transaction.
    pub fn replace_with(&self, from: &Path) -> Result<()> {
        backup::replace(&mut self.lock(), from)
    }

    /// Empties the journal and, if `rewrite`, writes the file anew without its free pages.
    pub fn scrub(&self, rewrite: bool) -> Result<()> {
        erase::scrub(&self.lock(), rewrite)
    }

    /// Leaves WAL mode, so that the file can be copied or moved alone. For copies that nobody else
    /// has open.
    pub fn leave_as_single_file(&self) -> Result<()> {
        self.lock().query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))?;
        turn::tidy(&self.path)
    }

    /// Frees the ballast so that a deletion has room on a full disk.
    pub fn drop_ballast(&self) -> Result<()> {
        ballast::lift(&self.path)
    }

    pub fn lay_ballast(&self) -> Result<()> {
        ballast::lay(&self.path)
    }

    /// Whether there is ballast to give up.
    pub fn has_ballast(&self) -> bool {
        ballast::is_left(&self.path)
    }

    pub fn has_all_ballast(&self) -> bool {
        ballast::is_laid(&self.path)
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A panic while the lock was held has rolled its transaction back already.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open_at_all(path: &Path, clock: &dyn Clock) -> Result<(Connection, Mode)> {
    let (connection, mode) = connection::open(path)?;
    if mode == Mode::ReadWrite {
        migrate::bring_up_to_date(&connection, path, clock)?;
        words::refresh_if_older(&connection)?;
    } else {
        migrate::check_readable(&connection, path)?;
    }
    Ok((connection, mode))
}

/// Looks for pieces of text in the raw bytes of a store and of what lies beside it.
pub fn traces(path: &Path, pieces: &[Vec<u8>]) -> Result<Vec<Trace>> {
    erase::traces(path, pieces)
}

/// The same for a directory elsewhere that says what a store says.
pub fn traces_below(dir: &Path, pieces: &[Vec<u8>]) -> Result<Vec<Trace>> {
    erase::traces_below(dir, pieces)
}

/// Keeps every writer of a store waiting that may be too damaged to be opened.
pub fn hold_writers(path: &Path) -> Result<Turn> {
    Door::at(path).wait()
}

/// Collects from a damaged file every row that can still be read and whose seal is intact.
pub fn salvage(damaged: &Path) -> Result<Salvage> {
    salvage::salvage(damaged)
}

/// A new directory in the system's temporary place that only we may read.
pub fn private_dir(purpose: &str) -> Result<PathBuf> {
    connection::new_private_dir(purpose)
}

/// Copies a store that is only to be read, with its journal. The file itself is not opened, so that
/// nothing of it or beside it changes; where somebody writes meanwhile, it is copied again.
pub fn copy_files(from: &Path, to: &Path) -> Result<()> {
    migrate::check_header(from)?;
    let journal = files::sibling(from, "-wal");
    let stand = || {
        let look = |path: &Path| std::fs::metadata(path).ok();
        let age = |path: &Path| look(path).map(|file| (file.len(), file.modified().ok()));
        (age(from), age(&journal))
    };
    for _ in 0..50 {
        let before = stand();
        connection::copy_with_journal(from, to)?;
        if stand() == before {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Err(Error::Busy(1))
}
