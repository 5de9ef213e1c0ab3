//! The right to build, held by at most one process at a time.

use std::fs::{self, File};
use std::path::Path;

const NAME: &str = "claim";

/// Held until dropped. The lock is the system's: it ends with its process, however that ends.
#[derive(Debug)]
pub struct Claim {
    _locked: File,
}

impl Claim {
    pub(super) fn take(folder: &Path) -> Option<Claim> {
        fs::create_dir_all(folder).ok()?;
        let file = File::options().create(true).append(true).open(folder.join(NAME)).ok()?;
        file.try_lock().ok()?;
        Some(Claim { _locked: file })
    }
}
