//! Which files were taken in as they are now, so that they need not be read again.

use crate::{Engine, Result, StoreName};
use mnemic_exchange::import::Source;
use mnemic_model::{Digest, RecordId};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

const NAME: &str = "import/";

/// Raised when a reader learns to read more: files are then read again.
const READER: u32 = 1;

/// Up to this size a file is known by its bytes, beyond by its length and time.
const SMALL: u64 = 256 * 1024;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Note {
    reader: u32,
    print: Digest,
    /// Something that came from it, to see whether it was undone.
    last: Option<RecordId>,
}

/// A file as it is now.
#[derive(Debug, Clone)]
pub(super) struct Bookmark {
    name: String,
    print: Digest,
    pub(super) last: Option<RecordId>,
}

impl Bookmark {
    pub(super) fn of(source: &Source) -> io::Result<Bookmark> {
        let mut prints = vec![print(&source.path)?];
        // What a database was told last may stand in its journal.
        let mut journal = source.path.as_os_str().to_owned();
        journal.push("-wal");
        prints.extend(print(&PathBuf::from(journal)).ok());
        let print = Digest::of("files", prints.iter().map(|print| print.0.as_slice()));
        let name = format!("{NAME}{}/{}", source.format.as_str(), source.path.display());
        Ok(Bookmark { name, print, last: None })
    }

    /// Whether this very file was taken in and nobody took it back since.
    pub(super) fn is_known(&self, engine: &Engine, store: StoreName) -> Result<bool> {
        let text = engine.store(store)?.read()?.bookmark(&self.name)?;
        let Some(text) = text else { return Ok(false) };
        let Ok(note) = serde_json::from_str::<Note>(&text) else { return Ok(false) };
        let same = note.reader == READER && note.print == self.print;
        let Some(id) = note.last.filter(|_| same) else { return Ok(same) };
        for (_, store) in engine.stores() {
            if store.read()?.version(&id, None)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn keep_all<'m>(
        engine: &Engine,
        store: StoreName,
        marks: impl Iterator<Item = &'m Bookmark>,
    ) -> Result<()> {
        let mut tx = engine.store(store)?.write()?;
        let mut any = false;
        for Bookmark { name, print, last } in marks {
            let note = Note { reader: READER, print: *print, last: last.clone() };
            let text = serde_json::to_string(&note).unwrap_or_default();
            if tx.bookmark(name)?.as_deref() != Some(&text) {
                tx.set_bookmark(name, Some(&text))?;
                any = true;
            }
        }
        if any {
            tx.commit()?;
        }
        Ok(())
    }
}

fn print(path: &Path) -> io::Result<Digest> {
    let file = std::fs::metadata(path)?;
    if file.len() <= SMALL {
        return Ok(Digest::of("bytes", [std::fs::read(path)?.as_slice()]));
    }
    let time = file.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let parts = [file.len().to_le_bytes().to_vec(), time.to_le_bytes().to_vec()];
    Ok(Digest::of("length and time", parts.iter().map(Vec::as_slice)))
}
