//! The inbox: files in which events wait until somebody has the time and the store to take them in.

use super::event::Event;
use super::reserve;
use crate::settings::environment;
use mnemic_engine::place::Place;
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const DIR: &str = "inbox";
const ENDING: &str = ".json";
/// Where entries go that can never be taken in.
const REFUSED: &str = "refused";

/// Where the events of one project wait: beside its store, or where else there was room.
#[derive(Debug, Clone)]
pub(crate) struct Inbox {
    /// Of the project.
    store: PathBuf,
    dirs: Vec<PathBuf>,
}

/// What waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Item {
    Event(Event),
    /// Memories were put before the agent.
    Shown {
        session: String,
        shown: Vec<Shown>,
    },
}

/// One memory as it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shown {
    pub(crate) id: String,
    pub(crate) tier: String,
    pub(crate) level: String,
    pub(crate) tokens: usize,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// The directory of the store that it is for: several may share a last resort.
    store: PathBuf,
    item: Item,
}

/// An item with its file.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) path: PathBuf,
    /// When it happened, in microseconds since 1970.
    pub(crate) at: i64,
    pub(crate) item: Item,
}

impl Inbox {
    pub(crate) fn of(project: &Place, personal: Option<&Place>) -> Inbox {
        let runtime = environment::path(environment::XDG_RUNTIME_DIR);
        let runtime = runtime.filter(|dir| dir.is_absolute()).map(|dir| dir.join("mnemic"));
        let places = [Some(project.dir.clone()), personal.map(|place| place.dir.clone()), runtime];
        let dirs = places.into_iter().flatten().map(|place| place.join(DIR)).collect();
        Inbox { store: project.dir.clone(), dirs }
    }

    /// The directories in which something may wait, the store's own first.
    pub(crate) fn dirs(&self) -> &[PathBuf] {
        &self.dirs
    }

    /// Writes an item down, in the first place that has room. Not synced: a process that is killed
    /// loses nothing, and nobody waits for a disk.
    pub(crate) fn keep(&self, at: i64, item: Item) -> io::Result<PathBuf> {
        let entry = Entry { store: self.store.clone(), item };
        let bytes = serde_json::to_vec(&entry)?;
        let name = name(at);
        let mut failed = None;
        for dir in &self.dirs {
            match put(dir, &name, &bytes) {
                Ok(path) => return Ok(path),
                Err(cause) => failed = failed.or(Some(cause)),
            }
        }
        Err(failed.unwrap_or_else(|| io::ErrorKind::NotFound.into()))
    }

    /// Whether anything waits, without reading it.
    pub(crate) fn is_empty(&self) -> bool {
        self.dirs.iter().all(|dir| names(dir).is_empty())
    }

    /// Everything that waits for this project, in the order in which it happened. What cannot be
    /// read is put aside.
    pub(crate) fn waiting(&self) -> Vec<Waiting> {
        let mut waiting = Vec::new();
        for dir in &self.dirs {
            for name in names(dir) {
                let path = dir.join(&name);
                let Ok(bytes) = fs::read(&path) else { continue };
                match serde_json::from_slice::<Entry>(&bytes) {
                    Ok(entry) if entry.store != self.store => {}
                    Ok(entry) => {
                        let at = name.split('-').next().and_then(|at| at.parse().ok());
                        waiting.push(Waiting { path, at: at.unwrap_or(0), item: entry.item });
                    }
                    Err(_) => refuse(&path),
                }
            }
        }
        waiting.sort_by(|a, b| (a.at, a.path.file_name()).cmp(&(b.at, b.path.file_name())));
        waiting
    }

    /// How many entries could never be taken in.
    pub(crate) fn refused(&self) -> usize {
        self.dirs.iter().map(|dir| names(&dir.join(REFUSED)).len()).sum()
    }

    /// Held by whoever takes in; none while somebody else does, or where nothing can be locked.
    pub(crate) fn lock(&self) -> Option<File> {
        let open = |dir: &PathBuf| {
            let path = dir.join("lock");
            OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path).ok()
        };
        let file = self.dirs.iter().find_map(open)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
        Some(file)
    }

    /// Makes sure that some events find room on a full disk.
    pub(crate) fn provide(&self) {
        if let Some(dir) = self.dirs.first().filter(|dir| dir.is_dir()) {
            reserve::provide(dir);
        }
    }
}

/// Puts an entry aside that can never be taken in: it is shown by `doctor` and not lost.
pub(crate) fn refuse(path: &Path) {
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else { return };
    let aside = dir.join(REFUSED);
    // Where it cannot be moved it stays, and is refused again next time.
    let _ = make(&aside).and_then(|()| fs::rename(path, aside.join(name)));
}

/// Sorts by time; two of the same microsecond differ by process and number.
fn name(at: i64) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("{at:020}-{}-{number}{ENDING}", std::process::id())
}

fn names(dir: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| name.ends_with(ENDING) && !name.starts_with('.')).collect()
}

/// One directory, only for us; what is above it must be there.
pub(super) fn make(dir: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(dir) {
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

fn put(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    make(dir)?;
    let path = dir.join(name);
    match replace(&path, bytes) {
        Err(cause) if is_full(&cause) && reserve::spend(dir, &path, bytes).is_ok() => Ok(path),
        written => written.map(|()| path),
    }
}

/// Writes a file beside and renames it, so that nobody ever reads half of it.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(&beside)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

fn is_full(cause: &io::Error) -> bool {
    matches!(cause.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
