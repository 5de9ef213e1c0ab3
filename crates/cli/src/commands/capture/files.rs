//! Which transcripts a path means: itself, or everything below a directory that may be one.

use crate::report;
use mnemic_engine::Error;
use std::path::{Path, PathBuf};

/// How files end that may be transcripts.
const ENDINGS: &[&str] = &["jsonl", "json"];

/// Directories below each other that are gone into; nobody nests transcripts deeper.
const DEEPEST: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    Stdin,
    File(PathBuf),
}

/// A path that could not be looked at.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub(super) name: String,
    pub(super) error: Error,
}

/// A transcript, and whether it was named itself.
pub(super) type Found = Result<(Source, bool), Unreadable>;

pub(super) fn under(path: &Path) -> Vec<Found> {
    if path == Path::new("-") {
        return vec![Ok((Source::Stdin, true))];
    }
    // The same file by whatever way one comes to it: that is how it is known again.
    let whole = match path.canonicalize() {
        Ok(whole) => whole,
        Err(cause) => return vec![Err(unreadable(path, cause))],
    };
    if !whole.is_dir() {
        return vec![Ok((Source::File(whole), true))];
    }
    let mut found = Vec::new();
    collect(&whole, 0, &mut found);
    if found.is_empty() {
        let error = report::invalid(
            format!("there is no transcript in `{}`", path.display()),
            "transcripts end in .jsonl or .json; name the file itself if yours does not",
        );
        return vec![Err(Unreadable { name: path.display().to_string(), error })];
    }
    found
}

fn collect(dir: &Path, depth: usize, found: &mut Vec<Found>) {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(cause) => return found.push(Err(unreadable(dir, cause))),
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.sort();
    for path in paths {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        // A link may lead back to where it stands.
        if path.is_dir() && !path.is_symlink() && depth < DEEPEST {
            collect(&path, depth + 1, found);
        } else if path.is_file() && ENDINGS.contains(&ending) {
            found.push(Ok((Source::File(path), false)));
        }
    }
}

fn unreadable(path: &Path, cause: std::io::Error) -> Unreadable {
    let error = report::file("read", path.display(), cause);
    Unreadable { name: path.display().to_string(), error }
}
