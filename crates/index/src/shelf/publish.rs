//! How a file appears all at once: written under a temporary name, made durable, renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use super::SegmentFile;
use crate::Error;

const SUFFIX: &str = ".part";

/// Tells temporary files of threads apart.
static COUNTER: AtomicU64 = AtomicU64::new(0);

pub(super) fn publish(
    folder: &Path,
    family: &str,
    first: u64,
    last: u64,
    bytes: &[u8],
) -> Result<PathBuf, Error> {
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!("{family}.{count}.{}{SUFFIX}", process::id()));
    let path = folder.join(SegmentFile::name(family, first, last, bytes));
    let written = write_durably(&temporary, bytes).and_then(|()| fs::rename(&temporary, &path));
    if let Err(error) = written {
        // Best effort: what cannot be removed now is left for `remove_covered`.
        let _ = fs::remove_file(&temporary);
        return Err(Error::io("publish", &path)(error));
    }
    sync_folder(folder);
    Ok(path)
}

fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Should the new name be lost in a crash, the segment is built again; so a file system that
/// cannot sync a folder is no reason to fail.
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

pub(super) fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(SUFFIX))
}

/// Whether this is the temporary file of a process that is no more. Where it only seems so (the
/// process lives in another container), that process fails to publish and tries again.
pub(super) fn is_left_behind(path: &Path) -> bool {
    writer_of(path).is_some_and(|process| !is_running(process))
}

fn writer_of(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?.strip_suffix(SUFFIX)?;
    name.rsplit('.').next()?.parse().ok()
}

#[cfg(unix)]
fn is_running(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    let Some(process) = process else { return false };
    // Not being allowed to signal it also means that it is there.
    rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH)
}

#[cfg(not(unix))]
fn is_running(_process: u32) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_dead_processes_are_left_behind() {
        let file = |process: u32| PathBuf::from(format!("words-1.0.{process}{SUFFIX}"));
        assert!(!is_left_behind(&file(process::id())));
        #[cfg(unix)]
        assert!(is_left_behind(&file(i32::MAX as u32)));
        assert!(!is_left_behind(Path::new("words-1-0-9-0123456789abcdef.seg")));
        assert!(!is_left_behind(Path::new("something.part")));
    }
}
