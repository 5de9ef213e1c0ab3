//! A folder of segment files: which of them to read, how to add one, what to throw away.

mod claim;
mod cover;
mod file;
mod merging;
mod publish;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use claim::Claim;
pub use file::SegmentFile;
pub use merging::to_merge;

use crate::Error;

/// Segment files of one or several families, such as `words-1`, in one folder.
///
/// Any process may publish and nobody waits: a file is complete the moment its name appears, and
/// it is never written again. A reader that still has a removed file mapped keeps what it has; one
/// that comes too late to open it (see [`Error::is_gone`]) lists again.
#[derive(Debug, Clone)]
pub struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    /// The folder need not exist yet.
    pub fn at(folder: &Path) -> Shelf {
        Shelf { folder: folder.to_owned() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The files to read, ascending and without overlap. Where ranges overlap the widest wins: a
    /// merge has been published whose parts are not yet removed. Between files may be gaps.
    pub fn list(&self, family: &str) -> Vec<SegmentFile> {
        self.cover(family).chosen
    }

    /// When a file last appeared or vanished here; `None` where there is no folder.
    pub fn changed_at(&self) -> Option<SystemTime> {
        self.folder.metadata().and_then(|about| about.modified()).ok()
    }

    /// Makes a segment of the rows `first` to `last` visible to all. Replaces a file of the same
    /// family and range.
    pub fn publish(
        &self,
        family: &str,
        first: u64,
        last: u64,
        bytes: &[u8],
    ) -> Result<PathBuf, Error> {
        claim::make(&self.folder).map_err(Error::io("create", &self.folder))?;
        let path = publish::publish(&self.folder, family, first, last, bytes)?;
        for other in self.files(family) {
            if other.range() == (first, last) && other.path != path {
                remove(&other.path)?;
            }
        }
        Ok(path)
    }

    /// Removes files whose rows all lie in a wider one, and what processes left behind that died
    /// while publishing. Tells how many files are gone.
    pub fn remove_covered(&self, family: &str) -> Result<usize, Error> {
        let covered = self.cover(family).covered.into_iter().map(|file| file.path);
        let stale = self.entries().filter(|path| publish::is_left_behind(path));
        let mut removed = 0;
        for path in covered.chain(stale) {
            remove(&path)?;
            removed += 1;
        }
        Ok(removed)
    }

    /// Removes one file, for instance a damaged one; that it is already gone is no error.
    pub fn discard(&self, file: &SegmentFile) -> Result<(), Error> {
        remove(&file.path)
    }

    /// Removes every segment of every family and all temporary files: erasure. Hold a claim, or
    /// another process may publish what it has just built from rows that are now gone.
    pub fn clear(&self) -> Result<(), Error> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(Error::io("read", &self.folder))?,
        };
        for entry in entries {
            let path = entry.map_err(Error::io("read", &self.folder))?.path();
            if publish::is_temporary(&path) || SegmentFile::is_segment(&path) {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// The right to build here, if no other holder has it: two processes need not build the same.
    /// `None` also if the folder cannot be written. It ends when dropped, or with the process.
    pub fn try_claim(&self) -> Option<Claim> {
        Claim::take(&self.folder)
    }

    fn cover(&self, family: &str) -> cover::Cover {
        let written = |file: &SegmentFile| file.path.metadata().and_then(|about| about.modified());
        cover::cover(self.files(family), |file| written(file).ok())
    }

    fn files(&self, family: &str) -> Vec<SegmentFile> {
        self.entries().filter_map(|path| SegmentFile::parse(&path, family)).collect()
    }

    /// A folder that cannot be read holds nothing: what is derived can be built anew.
    fn entries(&self) -> impl Iterator<Item = PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten();
        entries.filter_map(|entry| Some(entry.ok()?.path()))
    }
}

/// That another process was faster is no error.
fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::io("remove", path)(error)),
        _ => Ok(()),
    }
}
