//! What a file was before we touched it, kept until we are out of it again.

use crate::report;
use mnemic_engine::Result;
use mnemic_engine::model::Digest;
use serde::{Deserialize, Serialize};
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

const DIR: &str = "connected";

/// A file before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    /// None when there was no file.
    pub(super) before: Option<Vec<u8>>,
    pub(super) after: Vec<u8>,
    /// Directories that we made for it, the innermost last.
    pub(super) made: Vec<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Card {
    path: PathBuf,
    existed: bool,
    made: Vec<PathBuf>,
}

/// The records in a person's data directory.
#[derive(Debug, Clone)]
pub(crate) struct Records {
    dir: PathBuf,
}

impl Records {
    pub(crate) fn at(personal: &Path) -> Records {
        Records { dir: personal.join(DIR) }
    }

    fn file(&self, path: &Path, ending: &str) -> PathBuf {
        let name = Digest::of("connected", [path.as_os_str().as_encoded_bytes()]).to_hex();
        self.dir.join(format!("{}.{ending}", &name[..32]))
    }

    pub(super) fn find(&self, path: &Path) -> Option<Record> {
        let card: Card = serde_json::from_slice(&fs::read(self.file(path, "json")).ok()?).ok()?;
        let before = match card.existed {
            true => Some(fs::read(self.file(path, "before")).ok()?),
            false => None,
        };
        Some(Record { before, after: fs::read(self.file(path, "after")).ok()?, made: card.made })
    }

    /// Where a person finds what their file was.
    pub(crate) fn backup(&self, path: &Path) -> PathBuf {
        self.file(path, "before")
    }

    pub(super) fn keep(&self, path: &Path, record: &Record) -> Result<()> {
        let failed = |cause| report::file("write a backup to", self.dir.display(), cause);
        // A host's file may hold keys, and so may its backup.
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.dir).map_err(failed)?;
        if let Some(before) = &record.before {
            write(&self.file(path, "before"), before).map_err(failed)?;
        }
        write(&self.file(path, "after"), &record.after).map_err(failed)?;
        let card = Card {
            path: path.to_owned(),
            existed: record.before.is_some(),
            made: record.made.clone(),
        };
        let card = serde_json::to_vec_pretty(&card).map_err(|cause| failed(cause.into()))?;
        write(&self.file(path, "json"), &card).map_err(failed)
    }

    pub(super) fn drop(&self, path: &Path) {
        for ending in ["json", "before", "after"] {
            // Some of them were never there.
            let _ = fs::remove_file(self.file(path, ending));
        }
        let _ = fs::remove_dir(&self.dir);
    }
}

/// Only for us to read, since a host's file may hold keys.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mut open = fs::OpenOptions::new();
    let mut file = open.create(true).truncate(true).write(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
