//! What can go wrong with a derived file: it is gone, unreadable, foreign or damaged.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot {doing} `{}`", path.display())]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("not a segment of {expected}")]
    Foreign { expected: &'static str },
    #[error("segment format `{found}` is not `{known}`, the one this version reads")]
    Version { found: u32, known: u32 },
    #[error("damaged segment: {what}")]
    Damaged { what: &'static str },
}

impl Error {
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { doing, path, source }
    }

    /// Whether the file was not there: another process replaced it since it was listed, so that
    /// listing again will help.
    pub fn is_gone(&self) -> bool {
        matches!(self, Error::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// Whether the file will never be readable by this version: discard it and build it anew.
    pub fn is_useless(&self) -> bool {
        !matches!(self, Error::Io { .. })
    }
}
