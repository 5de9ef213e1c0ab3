//! A small file of nothing, given up when the disk is full so that forgetting still works: on a
//! full disk even a DELETE needs room for its journal.

use super::files;
use crate::{Error, Result};
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Room to write a full journal (1,000 pages of 4 KB) back into the file, and then to erase a memory
/// with its words and versions, measured at some 300 KB.
pub const BALLAST_BYTES: usize = 6 * 1024 * 1024;

fn ballast_path(store: &Path) -> PathBuf {
    files::directory_of(store).join("ballast")
}

fn bytes(store: &Path) -> u64 {
    fs::metadata(ballast_path(store)).map_or(0, |file| file.len())
}

/// Whether all of it is there.
pub(super) fn is_laid(store: &Path) -> bool {
    bytes(store) >= BALLAST_BYTES as u64
}

/// Whether there is anything left to give up.
pub(super) fn is_left(store: &Path) -> bool {
    bytes(store) > 0
}

/// What SQLite needs beside a store to open it: 32 KB of index for the journal, and a header. Not a
/// page more, so that no writer lives on what is kept for forgetting.
const ROOM_TO_OPEN: u64 = 40 * 1024;

/// Gives up just enough to open the store; `false` when there is not as much left.
pub(super) fn trim(store: &Path) -> Result<bool> {
    let Some(rest) = bytes(store).checked_sub(ROOM_TO_OPEN) else { return Ok(false) };
    let path = ballast_path(store);
    let file =
        fs::OpenOptions::new().write(true).open(&path).map_err(Error::file("open", &path))?;
    file.set_len(rest).map_err(Error::file("shorten", &path))?;
    Ok(true)
}

/// What stays free beside the ballast: room for the journal of some writes. A reserve that takes the
/// last room makes the disk full by itself.
const ROOM_TO_WRITE: u64 = 1024 * 1024;

/// Writes the ballast if it is missing. Not having room for it is no error: it is tried again.
pub(super) fn lay(store: &Path) -> Result<()> {
    let path = ballast_path(store);
    if is_laid(store) || !has_room(store) {
        return Ok(());
    }
    let laid = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&path)
        // Real bytes, not a hole: a sparse file would free nothing.
        .and_then(|mut file| file.write_all(&vec![0x6d; BALLAST_BYTES]));
    match laid {
        Ok(()) => Ok(()),
        Err(_) => lift(store),
    }
}

/// Whether the disk holds what is missing and still has room to write; as far as it can be asked.
fn has_room(store: &Path) -> bool {
    let missing = (BALLAST_BYTES as u64).saturating_sub(bytes(store));
    rustix::fs::statvfs(files::directory_of(store))
        .map_or(true, |disk| disk.f_bavail.saturating_mul(disk.f_frsize) >= missing + ROOM_TO_WRITE)
}

pub(super) fn lift(store: &Path) -> Result<()> {
    let path = ballast_path(store);
    match fs::remove_file(&path) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::file("remove", &path)(cause))
        }
        _ => Ok(()),
    }
}
