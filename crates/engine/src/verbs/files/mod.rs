//! `files`: the store as a directory of plain files, and the way back of what people edit there.

mod clean;
mod hands;
mod judge;
mod layout;
mod patch;
mod read;
mod write;

pub(in crate::verbs) use clean::Cleaned;
pub use hands::Hands;
pub use judge::Keep;
pub use layout::LayoutImported;
pub use read::{FileConflict, FilesAsk, FilesRead};
pub use write::FilesWritten;

use crate::{Engine, Result, StoreName};
use mnemic_exchange::files::{FileLink, Source, Tree};
use mnemic_model::{At, Filter, Kind, Link, RecordId, Tier, Timestamp, Trust, Version};
use mnemic_store::Read;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Beside the store, unless the person names another place.
pub const FILES_DIR: &str = "files";

const NAME: &str = "files/";

/// How far the files of a directory follow the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Standing {
    at: Timestamp,
}

impl Standing {
    fn of(read: &dyn Read, dir: &Path) -> Result<Option<Standing>> {
        let noted = read.bookmark(&name_of(dir))?;
        Ok(noted.and_then(|text| serde_json::from_str(&text).ok()))
    }
}

/// The time of the last write: whatever comes is later, even where the clock stands still.
fn last_write(read: &dyn Read) -> Result<Timestamp> {
    Ok(read.last_audit()?.map_or(Timestamp::EPOCH, |entry| entry.at))
}

fn name_of(dir: &Path) -> String {
    format!("{NAME}{}", dir.display())
}

/// All that a directory shows: what is believed, without secrets, what was archived, and what is in
/// quarantine, which an agent would read there without its fence.
fn shown(read: &dyn Read) -> Result<Vec<Version>> {
    let mut shown = believed(read)?;
    shown.retain(is_shown);
    Ok(shown)
}

fn is_shown(version: &Version) -> bool {
    version.content.tier != Tier::Archive && version.content.trust() != Trust::Quarantined
}

/// All that is believed but secrets, by id.
fn believed(read: &dyn Read) -> Result<Vec<Version>> {
    let kinds = Kind::ALL.iter().copied().filter(|kind| *kind != Kind::Secret).collect();
    let mut found = read.list(&Filter { kinds, ..Filter::new(At::LATEST) })?;
    found.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(found)
}

/// Links that hold now, by the record that they begin at.
type Links = BTreeMap<RecordId, Vec<Link>>;

fn links_now(read: &dyn Read) -> Result<Links> {
    let mut links = Links::new();
    for link in read.all_links()? {
        if link.recorded.is_open() {
            links.entry(link.from.clone()).or_default().push(link);
        }
    }
    Ok(links)
}

fn links_from(links: &Links, version: &Version) -> Vec<FileLink> {
    let from = links.get(&version.id).into_iter().flatten();
    from.map(|link| FileLink {
        relation: link.relation,
        to: link.to.clone(),
        strength: link.strength,
    })
    .collect()
}

fn source(read: &dyn Read, versions: Vec<Version>) -> Result<Source> {
    let mut usage = BTreeMap::new();
    for version in &versions {
        usage.insert(version.id.to_string(), read.usage(&version.id)?);
    }
    let links = links_now(read)?;
    let session = match read.sessions(1)?.pop() {
        Some(session) => {
            let economics = read.economics(&session.id)?;
            Some((session, economics))
        }
        None => None,
    };
    Ok(Source { versions, links, usage, topics: read.topics(&[])?, session })
}

impl Engine {
    /// The directory of a store's files when nobody named another.
    pub fn files_dir(&self, store: StoreName) -> Result<std::path::PathBuf> {
        Ok(self.path_of(store)?.with_file_name(FILES_DIR))
    }

    /// Whether files of this store were written here before.
    pub fn has_files(&self, store: StoreName, dir: &Path) -> Result<bool> {
        Ok(Standing::of(self.store(store)?.read()?.as_ref(), dir)?.is_some())
    }
}

/// The tree at a directory.
fn tree(dir: &Path) -> Tree {
    Tree::at(dir)
}
