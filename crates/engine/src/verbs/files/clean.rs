//! Takes what was forgotten or redacted out of the directories of files that we know of, and names
//! those that it cannot reach.

use super::NAME;
use crate::{Engine, Result, StoreName};
use std::path::{Path, PathBuf};

/// What became of the directories of a store's files.
#[derive(Debug, Default)]
pub(in crate::verbs) struct Cleaned {
    /// Those that were written anew.
    pub(in crate::verbs) dirs: Vec<PathBuf>,
    /// What may still hold the text, and why.
    pub(in crate::verbs) left: Vec<String>,
}

impl Engine {
    /// Brings every directory to what the store says now.
    pub(in crate::verbs) fn clean_files(&self, store: StoreName) -> Result<Cleaned> {
        let home = self.path_of(store)?.parent().map(Path::to_owned).unwrap_or_default();
        let known = self.store(store)?.read()?.bookmarks(NAME)?;
        let mut cleaned = Cleaned::default();
        for (dir, _) in known {
            let dir = PathBuf::from(dir);
            let named = dir.display();
            if !dir.is_dir() {
                // Deleted is as good as clean; a disk that is not there is not.
                if !dir.parent().is_some_and(Path::is_dir) {
                    let hint = "when it is back, run `mnemic files write` for it";
                    cleaned.left.push(format!("the files in `{named}` are out of reach; {hint}"));
                }
                continue;
            }
            match self.files_write(store, &dir) {
                Ok(_) if dir.starts_with(&home) => {}
                Ok(_) => {
                    cleaned.left.extend(in_git(&dir));
                    cleaned.dirs.push(dir);
                }
                Err(failed) => {
                    let why = failed.chain().join(": ");
                    cleaned.left.push(format!("the files in `{named}` were not cleaned: {why}"));
                }
            }
        }
        Ok(cleaned)
    }
}

/// Git keeps what it was once given, and so do all that pulled it.
fn in_git(dir: &Path) -> Option<String> {
    let repository = dir.ancestors().find(|above| above.join(".git").exists())?;
    let (dir, repository) = (dir.display(), repository.display());
    Some(format!("git in `{repository}` may hold earlier texts of the files in `{dir}`"))
}
