//! The directory itself: files are written beside and renamed, only where they differ, and never
//! through a link that leads elsewhere.

use mnemic_store::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// What git is told to leave alone: lists that are made from the other files.
pub const IGNORED: &str = "\
# mnemic: these lists are made from the other files by `mnemic files write`
!*
.tmp_*
*.lock
index.json
timeline.json
token_economics.json
namespaces.json
semantic/*.json
skills/*.json
learnings/
**/semantic/*.json
**/skills/*.json
**/learnings/
";

/// No file of the layout is longer.
const LONGEST_FILE: u64 = 64 * 1024 * 1024;

/// Deeper trees are no layout.
const DEEPEST: usize = 16;

/// One directory of plain files.
#[derive(Debug, Clone)]
pub struct Tree {
    root: PathBuf,
}

impl Tree {
    pub fn at(root: &Path) -> Tree {
        Tree { root: root.to_owned() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn path(&self, place: &str) -> PathBuf {
        self.root.join(place)
    }

    pub fn has(&self, place: &str) -> bool {
        self.path(place).symlink_metadata().is_ok_and(|found| found.is_file())
    }

    /// Writes a file whole or not at all; `false` when it says that already.
    pub fn write(&self, place: &str, text: &str) -> Result<bool> {
        let path = self.path(place);
        if fs::read(&path).is_ok_and(|bytes| bytes == text.as_bytes()) {
            return Ok(false);
        }
        let dir = path.parent().unwrap_or(&self.root).to_owned();
        self.refuse_links(&dir)?;
        fs::create_dir_all(&dir).map_err(Error::file("create", &dir))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut short = name;
        short.truncate(short.floor_char_boundary(100));
        let beside = dir.join(format!(".tmp_{}_{short}", std::process::id()));
        let written =
            fs::write(&beside, text).and_then(|()| fs::rename(&beside, &path)).map(|()| true);
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written.map_err(Error::file("write", &path))
    }

    /// A directory inside that is a link would let a file be written anywhere.
    fn refuse_links(&self, dir: &Path) -> Result<()> {
        let inside = dir.strip_prefix(&self.root).unwrap_or(Path::new(""));
        let mut at = self.root.clone();
        for part in inside {
            at.push(part);
            if at.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
                let cause = std::io::Error::other("it is a symbolic link");
                return Err(Error::File { doing: "write below", path: at, cause });
            }
        }
        Ok(())
    }

    /// Takes a file away, and the directories that it leaves empty.
    pub fn remove(&self, place: &str) -> Result<bool> {
        let path = self.path(place);
        match fs::remove_file(&path) {
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            done => done.map_err(Error::file("remove", &path))?,
        }
        let mut dir = path.parent();
        while let Some(empty) = dir.filter(|dir| *dir != self.root) {
            if fs::remove_dir(empty).is_err() {
                break; // Something else lies there.
            }
            dir = empty.parent();
        }
        Ok(true)
    }

    /// The text of a file; the reason when it cannot be had.
    pub fn read(&self, place: &str) -> std::result::Result<String, String> {
        let path = self.path(place);
        let length = fs::metadata(&path).map_err(|cause| cause.to_string())?.len();
        if length > LONGEST_FILE {
            return Err(format!("its {length} bytes are too many"));
        }
        let bytes = fs::read(&path).map_err(|cause| cause.to_string())?;
        String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
    }

    /// Every file, by name; what is locked, half written or hidden is left out.
    pub fn files(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        self.walk("", 0, &mut found)?;
        found.sort();
        Ok(found)
    }

    fn walk(&self, below: &str, depth: usize, found: &mut Vec<String>) -> Result<()> {
        let dir = self.path(below);
        let entries = match fs::read_dir(&dir) {
            Err(cause) if depth > 0 && cause.kind() == std::io::ErrorKind::PermissionDenied => {
                return Ok(());
            }
            entries => entries.map_err(Error::file("read", &dir))?,
        };
        for entry in entries {
            let entry = entry.map_err(Error::file("read", &dir))?;
            // A name that is not UTF-8 was not given by any harness.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let Ok(kind) = entry.file_type() else { continue };
            if name.starts_with('.') || name.ends_with(".lock") {
                continue;
            }
            let place = format!("{below}{name}");
            if kind.is_dir() && depth < DEEPEST {
                self.walk(&format!("{place}/"), depth + 1, found)?;
            } else if kind.is_file() {
                found.push(place);
            }
        }
        Ok(())
    }
}
