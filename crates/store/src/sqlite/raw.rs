//! Raw looks at the files of a database that SQLite has open.
//!
//! Closing any descriptor of a file ends all locks that this process holds on it, SQLite's own among
//! them; another process would then take itself for the last one and remove the journal. So a file
//! that was looked at stays open as long as it has a name, and is looked at again through the same
//! descriptor.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

type Identity = (u64, u64);

static HELD: Mutex<Option<HashMap<Identity, Arc<File>>>> = Mutex::new(None);

/// So many may be held before those that nobody can open any more are let go.
const MANY: usize = 64;

/// Opens a file for reading; one of a database stays open.
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if is_of_database(path) {
        return Ok(Box::new(Look { file: held(path)?, at: 0 }));
    }
    Ok(Box::new(File::open(path)?))
}

fn is_of_database(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    [".db", ".db-wal", ".db-shm"].iter().any(|end| name.ends_with(end))
}

fn held(path: &Path) -> io::Result<Arc<File>> {
    let mut guard = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let files = guard.get_or_insert_default();
    let about = std::fs::metadata(path)?;
    if let Some(file) = files.get(&(about.dev(), about.ino())) {
        return Ok(file.clone());
    }
    if files.len() >= MANY {
        files.retain(|_, file| file.metadata().is_ok_and(|about| about.nlink() > 0));
    }
    let file = Arc::new(File::open(path)?);
    let about = file.metadata()?;
    files.insert((about.dev(), about.ino()), file.clone());
    Ok(file)
}

/// Reads from the beginning without moving anybody else's place.
struct Look {
    file: Arc<File>,
    at: u64,
}

impl Read for Look {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(into, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_opened_once_and_read_from_its_beginning_each_time() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("memory.db");
        std::fs::write(&path, b"first").expect("it is written");
        for said in ["first", "later"] {
            std::fs::write(&path, said).expect("it is written");
            let mut text = String::new();
            open(&path).and_then(|mut file| file.read_to_string(&mut text)).expect("it is read");
            assert_eq!(text, said);
        }
        let same = held(&path).expect("it is there");
        assert!(Arc::ptr_eq(&same, &held(&path).expect("it is there")));
    }

    #[test]
    fn files_that_are_gone_are_let_go() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for n in 0..4 * MANY {
            let path = dir.path().join(format!("{n}.db"));
            std::fs::write(&path, b"x").expect("it is written");
            held(&path).expect("it is there");
            std::fs::remove_file(&path).expect("it is removed");
        }
        let guard = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = guard.iter().flat_map(HashMap::values);
        let gone = gone.filter(|file| file.metadata().is_ok_and(|about| about.nlink() == 0));
        assert!(gone.count() <= MANY);
    }
}
