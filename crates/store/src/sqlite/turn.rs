//! A queue in front of the write lock. SQLite lets waiters poll, and whoever has just written is the
//! quickest to come again; here each waits behind those who came before. The queue is for fairness
//! alone: SQLite's own lock still decides who may write.

use super::files;
use super::waiting::{self, SILENT, patience};
use crate::{Error, Result};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

/// One connection's place at the door: a waiting room for all, and a threshold for one.
#[derive(Debug)]
pub(super) struct Door(Option<(Arc<File>, Arc<File>)>);

/// A file lock, let go when dropped.
#[derive(Debug)]
struct Held(Arc<File>);

/// Held while writing; the next in line enters when it is dropped.
#[derive(Debug)]
pub struct Turn(#[expect(dead_code, reason = "held for its drop")] Option<Held>);

fn paths(store: &Path) -> [PathBuf; 2] {
    ["-queue", "-turn"].map(|suffix| files::sibling(store, suffix))
}

/// Takes the door away from a copy that nobody will write to.
pub(super) fn tidy(store: &Path) -> Result<()> {
    for path in paths(store) {
        match std::fs::remove_file(&path) {
            Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::file("remove", &path)(cause));
            }
            _ => {}
        }
    }
    Ok(())
}

impl Door {
    /// Where the files cannot be made, one does without: writers poll.
    pub(super) fn at(store: &Path) -> Door {
        let open = |path: &PathBuf| {
            OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path).ok()
        };
        let [queue, turn] = paths(store);
        let files = open(&queue).zip(open(&turn));
        Door(files.map(|(queue, turn)| (Arc::new(queue), Arc::new(turn))))
    }

    pub(super) fn wait(&self) -> Result<Turn> {
        let Some((queue, turn)) = &self.0 else { return Ok(Turn(None)) };
        match try_now(queue).and_then(|_first_in_line| try_now(turn)) {
            Ok(held) => Ok(Turn(Some(held))),
            Err(Errno::WOULDBLOCK) => stand_in_line(queue.clone(), turn.clone()),
            // A file system without locks.
            Err(_) => Ok(Turn(None)),
        }
    }
}

fn try_now(file: &Arc<File>) -> Result<Held, Errno> {
    flock(file, FlockOperation::NonBlockingLockExclusive)?;
    Ok(Held(file.clone()))
}

fn wait_for(file: Arc<File>) -> Option<Held> {
    flock(&file, FlockOperation::LockExclusive).ok()?;
    Some(Held(file))
}

/// The kernel's queue cannot be left after a while, so a thread stands in it for us. Should we give
/// up first, it lets the turn go as soon as it gets it.
fn stand_in_line(queue: Arc<File>, turn: Arc<File>) -> Result<Turn> {
    let (give, take) = mpsc::channel();
    thread::spawn(move || {
        // First in line until the threshold is ours: nobody can slip in between.
        let first_in_line = wait_for(queue);
        let turn = Turn(wait_for(turn));
        drop(first_in_line);
        // Refused when nobody waits any more; the turn comes back in the error and is dropped.
        let _ = give.send(turn);
    });
    let patience = patience();
    if let Ok(turn) = take.recv_timeout(SILENT.min(patience)) {
        return Ok(turn);
    }
    let rest = patience.saturating_sub(SILENT);
    if !rest.is_zero() {
        waiting::tell();
    }
    take.recv_timeout(rest).map_err(|_| Error::Busy(patience.as_secs()))
}

impl Drop for Held {
    fn drop(&mut self) {
        // Nothing to be done about a failure; the kernel lets go when the process ends.
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}
