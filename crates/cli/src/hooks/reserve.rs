//! A few files of a page each, kept only to be written over when the disk is full.

use super::inbox::replace;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Events that a full disk still takes.
const SLOTS: usize = 32;
/// Bytes of each: an event without words is a few hundred.
const SIZE: usize = 4_096;

fn slot(dir: &Path, number: usize) -> PathBuf {
    dir.join(format!(".reserve-{number}"))
}

/// Fills the empty slots. Where there is no room, there is none.
pub(super) fn provide(dir: &Path) {
    for number in 0..SLOTS {
        let path = slot(dir, number);
        if !path.exists() && replace(&path, &[b' '; SIZE]).is_err() {
            return;
        }
    }
}

/// Writes into a slot and gives it the name of what it holds now. No new page is needed for that.
pub(super) fn spend(dir: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    if bytes.len() > SIZE {
        return Err(io::ErrorKind::StorageFull.into());
    }
    let taken = path.with_extension("taken");
    // Renaming decides between two that want the same slot.
    let free = (0..SLOTS).find(|number| fs::rename(slot(dir, *number), &taken).is_ok());
    free.ok_or(io::ErrorKind::StorageFull)?;
    // The rest of the slot stays as it is, spaces: JSON does not mind, and cutting could need room.
    OpenOptions::new().write(true).open(&taken)?.write_all(bytes)?;
    fs::rename(&taken, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_spent_one_by_one_and_made_again() {
        let dir = tempfile::tempdir().unwrap();
        provide(dir.path());
        for number in 0..SLOTS {
            let path = dir.path().join(format!("{number}.json"));
            spend(dir.path(), &path, b"{\"a\": 1}").unwrap();
            let read: serde_json::Value =
                serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            assert_eq!(read, serde_json::json!({"a": 1}));
        }
        let none_left = dir.path().join("more.json");
        assert!(spend(dir.path(), &none_left, b"{}").is_err());
        provide(dir.path());
        assert!(spend(dir.path(), &none_left, b"{}").is_ok());
        assert!(spend(dir.path(), &dir.path().join("long.json"), &[b'x'; SIZE + 1]).is_err());
    }
}
