//! The files around a store: who may read them, what git may see, where backups lie.

use crate::{Error, Result};
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Beside the store.
pub const BACKUP_DIR: &str = "backups";

/// Whether the directory lies inside a repository and must stay out of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guards {
    Plain,
    IgnoredByGit,
}

/// Makes directory and file, readable by their owner alone, before SQLite opens them: the journal
/// files take their permissions from the database.
pub(super) fn prepare(path: &Path, guards: Guards) -> Result<()> {
    let dir = directory_of(path);
    make_private_dir(&dir)?;
    if guards == Guards::IgnoredByGit {
        let ignore = dir.join(".gitignore");
        if !ignore.exists() {
            fs::write(&ignore, "# mnemic: memories stay out of the repository\n*\n")
                .map_err(Error::file("write", &ignore))?;
        }
    }
    OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path)
        .map_err(Error::file("create", path))?;
    Ok(())
}

pub(super) fn directory_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

pub(super) fn backup_dir(path: &Path) -> PathBuf {
    directory_of(path).join(BACKUP_DIR)
}

pub(super) fn make_private_dir(dir: &Path) -> Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(Error::file("create the directory", dir))
}

pub(super) fn make_private(path: &Path) -> Result<()> {
    fs::set_permissions(path, Permissions::from_mode(0o600)).map_err(Error::file("protect", path))
}

/// A sibling of the store's file: `memory.db` + `-wal`.
pub(super) fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// A file without a byte was cut off: taken for a new store, it would be rebuilt empty in silence.
/// Somebody may just be making one here, so it gets a moment.
pub(super) fn refuse_empty(path: &Path) -> Result<()> {
    for _ in 0..100 {
        if fs::metadata(path).map_err(Error::file("read", path))?.len() > 0 {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(10));
    }
    Err(Error::Unopened { path: path.to_owned(), why: "it is empty".to_owned() })
}

/// What SQLite has but one answer for, "unable to open database file". Asked without opening it:
/// see `raw.rs`.
pub(super) fn refuse_unreadable(path: &Path) -> Result<()> {
    use std::io::{Error as Cause, ErrorKind};
    let refused = match fs::metadata(path) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => {
            return Err(Error::Missing(path.to_owned()));
        }
        Err(cause) => Err(cause),
        Ok(file) if file.is_dir() => Err(Cause::from_raw_os_error(IS_A_DIRECTORY)),
        Ok(_) => rustix::fs::access(path, rustix::fs::Access::READ_OK).map_err(Cause::from),
    };
    refused.map_err(Error::file("open", path))
}

/// As `open` answers where it is asked to write into one.
const IS_A_DIRECTORY: i32 = rustix::io::Errno::ISDIR.raw_os_error();

/// Tells one file from another that came in its place.
pub(super) fn identity(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().map(|file| file.ino())
}

/// Makes a rename or a new file in `path`'s directory survive a power cut.
pub(super) fn sync_directory(path: &Path) -> Result<()> {
    let dir = directory_of(path);
    fs::File::open(&dir).and_then(|dir| dir.sync_all()).map_err(Error::file("sync", &dir))
}
