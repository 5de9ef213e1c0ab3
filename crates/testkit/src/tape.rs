//! Everything a process did to its files, written down, and what a loss of power could leave of it.
//!
//! A disk keeps what was synced. Of what was not, it may keep any part: a write whole, torn at a
//! sector, or not at all, in any order; names of files in the order they were made, up to any point.

use crate::{SplitMix, preload};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What a disk writes in one piece.
const SECTOR: usize = 512;

/// The compiled library and the tape it writes.
#[derive(Debug)]
pub struct Tape {
    dir: TempDir,
}

impl Tape {
    /// Compiles the library; says why when that is impossible here.
    pub fn compile() -> Result<Tape, String> {
        let dir = tempfile::tempdir().map_err(|cause| cause.to_string())?;
        preload::compile(include_str!("tape.c"), &dir.path().join("tape.so"))?;
        Ok(Tape { dir })
    }

    /// Writes down what this command does below `watched`.
    pub fn record<'c>(&self, command: &'c mut Command, watched: &Path) -> &'c mut Command {
        command
            .env("LD_PRELOAD", self.dir.path().join("tape.so"))
            .env("MNEMIC_TAPE", self.dir.path().join("tape"))
            .env("MNEMIC_TAPE_DIR", watched)
    }

    /// The tape, from its beginning.
    pub fn events(&self) -> io::Result<Vec<Event>> {
        let bytes = std::fs::read(self.dir.path().join("tape"))?;
        let mut rest = bytes.as_slice();
        let mut events = Vec::new();
        while !rest.is_empty() {
            events.push(Event::read(&mut rest).ok_or(io::ErrorKind::InvalidData)?);
        }
        Ok(events)
    }
}

/// One thing that happened.
#[derive(Debug, Clone)]
pub enum Event {
    Write {
        path: PathBuf,
        at: usize,
        data: Vec<u8>,
    },
    Truncate {
        path: PathBuf,
        to: usize,
    },
    Sync {
        path: PathBuf,
    },
    SyncDirectory,
    Create {
        path: PathBuf,
    },
    Unlink {
        path: PathBuf,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
    },
    Link {
        from: PathBuf,
        to: PathBuf,
    },
    /// Said on standard output: from here on somebody relies on it.
    Answer(Vec<u8>),
}

impl Event {
    fn read(rest: &mut &[u8]) -> Option<Event> {
        let letter = take(rest, 1)?[0];
        let mut number = || Some(u64::from_le_bytes(take(rest, 8)?.try_into().ok()?) as usize);
        let (length, at, size) = (number()?, number()?, number()?);
        let path = path_of(take(rest, length)?);
        let data = take(rest, size)?;
        Some(match letter {
            b'W' => Event::Write { path, at, data: data.to_vec() },
            b'T' => Event::Truncate { path, to: at },
            b'S' => Event::Sync { path },
            b'D' => Event::SyncDirectory,
            b'C' => Event::Create { path },
            b'U' => Event::Unlink { path },
            b'R' => Event::Rename { from: path, to: path_of(data) },
            b'L' => Event::Link { from: path, to: path_of(data) },
            b'A' => Event::Answer(data.to_vec()),
            _ => return None,
        })
    }
}

fn take<'b>(rest: &mut &'b [u8], n: usize) -> Option<&'b [u8]> {
    let (taken, left) = rest.split_at_checked(n)?;
    *rest = left;
    Some(taken)
}

fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// A change of a file's bytes that no sync has confirmed.
#[derive(Debug, Clone)]
enum Unsynced {
    Write { at: usize, data: Vec<u8> },
    Truncate { to: usize },
}

impl Unsynced {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Unsynced::Truncate { to } => bytes.resize(*to, 0),
            Unsynced::Write { at, data } => {
                let end = at + data.len();
                if bytes.len() < end {
                    bytes.resize(end, 0);
                }
                bytes[*at..end].copy_from_slice(data);
            }
        }
    }

    /// What may be left of it.
    fn torn(&self, random: &mut SplitMix) -> Option<Unsynced> {
        match (self, random.below(3)) {
            (_, 0) => None,
            (Unsynced::Write { at, data }, 1) => {
                let sectors = data.len().div_ceil(SECTOR) as u64;
                let kept = (random.below(sectors + 1) as usize * SECTOR).min(data.len());
                Some(Unsynced::Write { at: *at, data: data[..kept].to_vec() })
            }
            _ => Some(self.clone()),
        }
    }
}

#[derive(Debug, Clone, Default)]
struct File {
    synced: Vec<u8>,
    unsynced: Vec<Unsynced>,
}

impl File {
    fn sync(&mut self) {
        for change in self.unsynced.drain(..) {
            change.apply(&mut self.synced);
        }
    }

    fn after_the_cut(&self, fate: Fate, random: &mut SplitMix) -> Vec<u8> {
        let mut bytes = self.synced.clone();
        for change in &self.unsynced {
            let left = match fate {
                Fate::Nothing => None,
                Fate::Everything => Some(change.clone()),
                Fate::Anything => change.torn(random),
            };
            if let Some(left) = left {
                left.apply(&mut bytes);
            }
        }
        bytes
    }
}

/// What becomes of the unsynced at a cut.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Nothing,
    Everything,
    Anything,
}

/// A change of names that no sync of a directory has confirmed.
#[derive(Debug, Clone)]
enum Naming {
    Name { path: PathBuf, file: usize },
    Unname { path: PathBuf },
}

type Names = BTreeMap<PathBuf, usize>;

/// A disk that follows a tape.
#[derive(Debug, Default)]
pub struct Disk {
    files: Vec<File>,
    /// As the running process sees them.
    names: Names,
    synced_names: Names,
    unsynced_names: Vec<Naming>,
}

impl Disk {
    /// A disk on which everything below `dir` is safe.
    pub fn of(dir: &Path) -> io::Result<Disk> {
        let mut disk = Disk::default();
        disk.load(dir)?;
        disk.synced_names = disk.names.clone();
        Ok(disk)
    }

    fn load(&mut self, dir: &Path) -> io::Result<()> {
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            if path.is_dir() {
                self.load(&path)?;
                continue;
            }
            let synced = std::fs::read(&path)?;
            self.names.insert(path, self.files.len());
            self.files.push(File { synced, unsynced: Vec::new() });
        }
        Ok(())
    }

    pub fn follow(&mut self, event: &Event) {
        match event {
            Event::Write { path, at, data } => {
                self.change(path, Unsynced::Write { at: *at, data: data.clone() });
            }
            Event::Truncate { path, to } => self.change(path, Unsynced::Truncate { to: *to }),
            Event::Sync { path } => {
                if let Some(file) = self.names.get(path) {
                    self.files[*file].sync();
                }
            }
            Event::SyncDirectory => {
                for naming in std::mem::take(&mut self.unsynced_names) {
                    apply(&naming, &mut self.synced_names);
                }
            }
            Event::Create { path } => {
                self.files.push(File::default());
                self.name(path, self.files.len() - 1);
            }
            Event::Unlink { path } => self.unname(path),
            Event::Link { from, to } => self.same(from, to),
            Event::Rename { from, to } => {
                self.same(from, to);
                self.unname(from);
            }
            Event::Answer(_) => {}
        }
    }

    fn change(&mut self, path: &Path, change: Unsynced) {
        // A file without a name cannot be found after a cut.
        if let Some(file) = self.names.get(path) {
            self.files[*file].unsynced.push(change);
        }
    }

    fn same(&mut self, from: &Path, to: &Path) {
        if let Some(file) = self.names.get(from).copied() {
            self.name(to, file);
        }
    }

    fn name(&mut self, path: &Path, file: usize) {
        let naming = Naming::Name { path: path.to_owned(), file };
        apply(&naming, &mut self.names);
        self.unsynced_names.push(naming);
    }

    fn unname(&mut self, path: &Path) {
        let naming = Naming::Unname { path: path.to_owned() };
        apply(&naming, &mut self.names);
        self.unsynced_names.push(naming);
    }

    /// Lays what a cut at this moment could leave of the files below `from` down below `to`.
    pub fn cut(&self, from: &Path, to: &Path, random: &mut SplitMix) -> io::Result<()> {
        let fate = match random.below(6) {
            0 => Fate::Nothing,
            1 => Fate::Everything,
            _ => Fate::Anything,
        };
        let mut names = self.synced_names.clone();
        let kept = match fate {
            Fate::Nothing => 0,
            Fate::Everything => self.unsynced_names.len(),
            Fate::Anything => random.below(self.unsynced_names.len() as u64 + 1) as usize,
        };
        for naming in &self.unsynced_names[..kept] {
            apply(naming, &mut names);
        }
        for (path, file) in names {
            let Ok(below) = path.strip_prefix(from) else { continue };
            let target = to.join(below);
            if let Some(parent) = target.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(target, self.files[file].after_the_cut(fate, random))?;
        }
        Ok(())
    }
}

fn apply(naming: &Naming, names: &mut Names) {
    match naming {
        Naming::Name { path, file } => names.insert(path.clone(), *file),
        Naming::Unname { path } => names.remove(path),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(at: usize, text: &str) -> Event {
        Event::Write { path: "/d/f".into(), at, data: text.as_bytes().to_vec() }
    }

    /// Every content that the file has after one of many cuts.
    fn left(disk: &Disk) -> std::collections::BTreeSet<Option<String>> {
        let cut = |seed| {
            let dir = tempfile::tempdir().expect("a temporary directory");
            disk.cut(Path::new("/d"), dir.path(), &mut SplitMix::new(seed)).expect("it is written");
            std::fs::read_to_string(dir.path().join("f")).ok()
        };
        (0..60).map(cut).collect()
    }

    #[test]
    fn the_synced_stays_and_the_rest_may_go() {
        let mut disk = Disk::default();
        disk.follow(&Event::Create { path: "/d/f".into() });
        disk.follow(&write(0, "safe"));
        disk.follow(&Event::Sync { path: "/d/f".into() });
        assert!(left(&disk).contains(&None), "its name was not synced");
        disk.follow(&Event::SyncDirectory);
        assert_eq!(left(&disk), [Some("safe".to_owned())].into());
        disk.follow(&write(4, "r"));
        assert_eq!(left(&disk), [Some("safe".to_owned()), Some("safer".to_owned())].into());
    }
}
