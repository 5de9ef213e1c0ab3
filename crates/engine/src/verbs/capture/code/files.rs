//! Finds the source files of a project, within bounds, the same in every run.

use crate::{Error, ErrorKind, Result};
use mnemic_syntax::{Language, Source};
use std::fs;
use std::path::{Path, PathBuf};

/// What may be read at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    pub(super) files: usize,
    pub(super) bytes: usize,
    pub(super) seconds: i64,
}

#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) sources: Vec<Source>,
    pub(super) is_cut: bool,
    bytes: usize,
}

/// Directories with code that nobody here wrote.
const NOT_OURS: &[&str] = &[
    "target",
    "node_modules",
    "vendor",
    "third_party",
    "dist",
    "build",
    "out",
    "venv",
    "__pycache__",
    "site-packages",
];

/// A single file larger than this is not written by hand.
const LARGEST: u64 = 256 * 1024;

/// The sources in these files and directories, named by their paths from the root.
pub(super) fn sources(root: &Path, paths: &[PathBuf], budget: Budget) -> Result<Found> {
    let mut found = Found::default();
    for path in paths {
        if !path.exists() {
            let message = format!("there is no `{}`", path.display());
            return Err(Error::new(ErrorKind::NotFound, message).hint("check the path"));
        }
        walk(root, path, budget, &mut found);
    }
    Ok(found)
}

fn walk(root: &Path, path: &Path, budget: Budget, found: &mut Found) {
    // A link may lead anywhere, also back.
    let Ok(about) = fs::symlink_metadata(path) else { return };
    if about.is_dir() {
        let Ok(entries) = fs::read_dir(path) else { return };
        let mut inner: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        inner.sort();
        for path in inner.iter().filter(|path| is_ours(path)) {
            walk(root, path, budget, found);
        }
    } else if about.is_file() && about.len() <= LARGEST {
        read(root, path, budget, found);
    }
}

fn is_ours(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    !name.starts_with('.') && !NOT_OURS.contains(&name.as_ref())
}

fn read(root: &Path, path: &Path, budget: Budget, found: &mut Found) {
    let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
    let is_known = found.sources.iter().any(|source| source.path == name);
    if Language::of(&name).is_none() || is_known {
        return;
    }
    if found.sources.len() >= budget.files || found.bytes >= budget.bytes {
        found.is_cut = true;
        return;
    }
    // What is no text is no code.
    if let Ok(text) = fs::read_to_string(path) {
        found.bytes += text.len();
        found.sources.push(Source { path: name, text });
    }
}
