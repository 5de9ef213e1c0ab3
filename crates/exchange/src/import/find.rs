//! Which files a path means: itself, or everything below a directory that some format claims.

use super::{Format, Source, detect};
use std::path::{Path, PathBuf};

/// Directories below each other that are gone into.
const DEEPEST: usize = 16;

/// Directories that hold nobody's memory.
const PASSED_OVER: &[&str] =
    &["node_modules", "target", ".git", ".mnemic", ".obsidian", ".trash", "dist", "__pycache__"];

/// A path that nothing can be made of, said of the path: `does not exist`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfound {
    pub path: PathBuf,
    pub why: String,
}

/// The files that a path means. `otherwise` is asked where no format of ours claims a file.
pub fn find(
    path: &Path,
    format: Option<Format>,
    otherwise: &dyn Fn(&Path) -> Option<Format>,
) -> Result<Vec<Source>, Unfound> {
    let unfound = |why: String| Unfound { path: path.to_owned(), why };
    let unreadable = |cause: std::io::Error| unfound(format!("cannot be read: {cause}"));
    // The same file by whatever way one comes to it: that is how it is known again.
    let whole = path.canonicalize().map_err(unreadable)?;
    // What may not be read shows no format either; that is not what is wrong with it.
    look(&whole).map_err(unreadable)?;
    let told = |path: &Path| format.or_else(|| detect(path)).or_else(|| otherwise(path));
    if !whole.is_dir() {
        let format =
            told(&whole).ok_or_else(|| unfound("is in no format that mnemic reads".to_owned()))?;
        return Ok(vec![Source { path: whole, format }]);
    }
    let mut files = Vec::new();
    below(&whole, 0, &mut files);
    let fits = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        format.is_none_or(|format| {
            let only = format == Format::Skills && name != "SKILL.md";
            !only && format.endings().iter().any(|ending| name.ends_with(&format!(".{ending}")))
        })
    };
    let sources: Vec<Source> = files
        .into_iter()
        .filter(|path| fits(path))
        .filter_map(|path| told(&path).map(|format| Source { path, format }))
        .collect();
    match sources.is_empty() {
        true => Err(unfound("holds nothing that mnemic reads".to_owned())),
        false => Ok(sources),
    }
}

/// Whether a file or a directory may be looked into.
pub fn look(path: &Path) -> std::io::Result<()> {
    match path.is_dir() {
        true => std::fs::read_dir(path).map(drop),
        false => std::fs::File::open(path).map(drop),
    }
}

/// Every file below, in the order of their names.
pub(super) fn below(dir: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(dir).into_iter().flatten().filter_map(Result::ok);
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // A link may lead back to where it stands.
        if path.is_dir() && !path.is_symlink() {
            if depth < DEEPEST && !PASSED_OVER.contains(&name.as_str()) {
                below(&path, depth + 1, files);
            }
        } else if path.is_file() && !name.ends_with(".lock") && !name.starts_with(".tmp_") {
            files.push(path);
        }
    }
}
