//! A small file of nothing, given up when the disk is full so that forgetting still works: on a
//! full disk even a DELETE needs room for its journal.

use super::files;
use crate::{Error, Result};
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Room for erasing a memory with its words and versions, measured at some 300 KB.
pub const BALLAST_BYTES: usize = 2 * 1024 * 1024;

fn ballast_path(store: &Path) -> PathBuf {
    files::directory_of(store).join("ballast")
}

pub(super) fn is_laid(store: &Path) -> bool {
    fs::metadata(ballast_path(store)).is_ok_and(|file| file.len() >= BALLAST_BYTES as u64)
}

/// Writes the ballast if it is missing. Not having room for it is no error: it is tried again.
pub(super) fn lay(store: &Path) -> Result<()> {
    if is_laid(store) {
        return Ok(());
    }
    let path = ballast_path(store);
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

pub(super) fn lift(store: &Path) -> Result<()> {
    let path = ballast_path(store);
    match fs::remove_file(&path) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::file("remove", &path)(cause))
        }
        _ => Ok(()),
    }
}
