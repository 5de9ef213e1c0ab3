//! A queue in front of the write lock. SQLite lets waiters poll, and the unlucky starve; the kernel
//! hands a file lock on in the order of asking. The queue is for fairness alone: SQLite's own lock
//! still decides who may write.

use super::{PATIENCE, files};
use crate::{Error, Result};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

/// One connection's place at the door.
#[derive(Debug)]
pub(super) struct Door(Option<Arc<File>>);

/// Held while writing; the next in line enters when it is dropped.
#[derive(Debug)]
pub struct Turn(Option<Arc<File>>);

/// Takes the door away from a copy that nobody will write to.
pub(super) fn tidy(store: &Path) -> Result<()> {
    let path = files::sibling(store, "-turn");
    match std::fs::remove_file(&path) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::file("remove", &path)(cause))
        }
        _ => Ok(()),
    }
}

impl Door {
    /// Where the file cannot be made, one does without: writers poll.
    pub(super) fn at(store: &Path) -> Door {
        let path = files::sibling(store, "-turn");
        let file =
            OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path);
        Door(file.ok().map(Arc::new))
    }

    pub(super) fn wait(&self) -> Result<Turn> {
        let Some(file) = &self.0 else { return Ok(Turn(None)) };
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Turn(Some(file.clone()))),
            Err(Errno::WOULDBLOCK) => queue(file),
            // A file system without locks.
            Err(_) => Ok(Turn(None)),
        }
    }
}

/// The kernel's queue cannot be left after a while, so a thread stands in it for us. Should we give
/// up first, it lets the turn go as soon as it gets it.
fn queue(file: &Arc<File>) -> Result<Turn> {
    let (give, take) = mpsc::channel();
    let stand_in = file.clone();
    thread::spawn(move || {
        let locked = flock(&stand_in, FlockOperation::LockExclusive).is_ok();
        let turn = Turn(locked.then_some(stand_in));
        // Refused when nobody waits any more; the turn comes back in the error and is dropped.
        let _ = give.send(turn);
    });
    take.recv_timeout(PATIENCE).map_err(|_| Error::Busy(PATIENCE.as_secs()))
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(file) = &self.0 {
            // Nothing to be done about a failure; the kernel lets go when the process ends.
            let _ = flock(file, FlockOperation::Unlock);
        }
    }
}
