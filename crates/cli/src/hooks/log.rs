//! What went wrong in hooks: silent to the host, and told here for `doctor`.

use super::inbox::{Inbox, make};
use mnemic_engine::Error;
use mnemic_engine::model::Timestamp;
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

const FILE: &str = "failures.jsonl";
/// Beyond this the log begins anew; the one before is kept.
const LARGEST: u64 = 256 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mishap {
    pub(crate) at: String,
    /// The host and its event.
    pub(crate) during: String,
    pub(crate) message: String,
}

/// Writes one line, in the first place where that is possible; where it is not, nobody is told.
pub(crate) fn note(inbox: &Inbox, at: Timestamp, during: &str, message: &str) {
    let mishap =
        Mishap { at: at.to_string(), during: during.to_owned(), message: message.to_owned() };
    let Ok(mut line) = serde_json::to_vec(&mishap) else { return };
    line.push(b'\n');
    for dir in inbox.dirs() {
        if append(dir, &line).is_ok() {
            return;
        }
    }
}

fn append(dir: &Path, line: &[u8]) -> std::io::Result<()> {
    make(dir)?;
    let path = dir.join(FILE);
    if fs::metadata(&path).is_ok_and(|file| file.len() > LARGEST) {
        fs::rename(&path, dir.join(format!("{FILE}.1")))?;
    }
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)?.write_all(line)
}

/// The failures on record, oldest first.
pub(crate) fn read(inbox: &Inbox) -> Vec<Mishap> {
    let mut mishaps = Vec::new();
    for path in paths(inbox) {
        let text = fs::read_to_string(path).unwrap_or_default();
        mishaps.extend(text.lines().filter_map(|line| serde_json::from_str::<Mishap>(line).ok()));
    }
    mishaps.sort_by(|a, b| a.at.cmp(&b.at));
    mishaps
}

/// Puts the failures aside that somebody has seen.
pub(crate) fn acknowledge(inbox: &Inbox) {
    for path in paths(inbox) {
        let _ = fs::rename(&path, path.with_extension("jsonl.1"));
    }
}

fn paths(inbox: &Inbox) -> impl Iterator<Item = PathBuf> + '_ {
    inbox.dirs().iter().map(|dir| dir.join(FILE)).filter(|path| path.exists())
}

/// An error on one line with its causes.
pub(crate) fn told(error: &Error) -> String {
    error.chain().join(": ")
}
