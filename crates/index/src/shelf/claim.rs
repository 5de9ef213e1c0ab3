//! The right to build, held by at most one process at a time.

use std::fs::{self, File};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

const NAME: &str = "claim";

/// Held until dropped. The lock is the system's: it ends with its process, however that ends.
#[derive(Debug)]
pub struct Claim {
    _locked: File,
}

/// A folder for its owner alone: postings are the words of memories.
pub(super) fn make(folder: &Path) -> std::io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

impl Claim {
    pub(super) fn take(folder: &Path) -> Option<Claim> {
        make(folder).ok()?;
        let mut options = File::options();
        let file = options.create(true).append(true).mode(0o600).open(folder.join(NAME)).ok()?;
        file.try_lock().ok()?;
        Some(Claim { _locked: file })
    }
}
