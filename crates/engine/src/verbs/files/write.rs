//! `files write`: brings a directory to what the store believes, and never over an edit that was not
//! read yet.

use super::read::{Look, newer};
use super::{
    Links, Standing, believed, is_shown, last_write, links_from, links_now, name_of, shown, source,
    tree,
};
use crate::{Engine, Result, StoreName};
use mnemic_exchange::files::{IGNORED, Tree, file_of, lists, place_of, read_file};
use mnemic_model::{RecordId, Timestamp, Version};
use mnemic_store::Read;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilesWritten {
    /// Files that now say something else, lists included.
    pub written: usize,
    pub removed: usize,
    /// Memories that have a file.
    pub memories: usize,
    /// Files that hold an edit which was not read yet, or cannot be read: left as they are.
    pub held: Vec<String>,
    /// Files of somebody else where a list of ours would go: left as they are.
    pub theirs: Vec<String>,
}

const GITIGNORE: &str = ".gitignore";

/// Written last; what is newer than it was changed by somebody else.
pub(super) const MARKER: &str = ".written";

impl Engine {
    /// Writes all of it: what is not believed any more goes, what somebody edited stays.
    pub fn files_write(&self, store: StoreName, dir: &Path) -> Result<FilesWritten> {
        let (done, at) = {
            let read = self.store(store)?.read()?;
            let versions = shown(read.as_ref())?;
            let tree = tree(dir);
            let done = write_all(read.as_ref(), &tree, versions, Sweep::Yes)?;
            (done, last_write(read.as_ref())?)
        };
        self.note_files(store, dir, at)?;
        Ok(done)
    }

    /// Writes what changed since the last time; all of it the first time.
    pub fn files_follow(&self, store: StoreName, dir: &Path) -> Result<FilesWritten> {
        let (done, at) = {
            let read = self.store(store)?.read()?;
            let Some(standing) = Standing::of(read.as_ref(), dir)? else {
                drop(read);
                return self.files_write(store, dir);
            };
            let now = last_write(read.as_ref())?;
            let changed = changed(read.as_ref(), standing.at, now)?;
            if changed.is_empty() {
                return Ok(FilesWritten::default());
            }
            (write_changed(read.as_ref(), &tree(dir), &changed)?, now)
        };
        self.note_files(store, dir, at)?;
        Ok(done)
    }

    /// Writes the layout for another program: everything, archived memories too.
    pub fn export_layout(&self, store: StoreName, dir: &Path) -> Result<FilesWritten> {
        let read = self.store(store)?.read()?;
        let versions = believed(read.as_ref())?;
        write_all(read.as_ref(), &tree(dir), versions, Sweep::No)
    }

    fn note_files(&self, store: StoreName, dir: &Path, at: mnemic_model::Timestamp) -> Result<()> {
        let sqlite = self.store(store)?;
        if sqlite.read_only_because().is_some() {
            return Ok(());
        }
        let text = serde_json::to_string(&Standing { at }).unwrap_or_default();
        let mut tx = sqlite.write()?;
        tx.set_bookmark(&name_of(dir), Some(&text))?;
        Ok(tx.commit()?)
    }
}

/// Whether files that no memory stands for are taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sweep {
    Yes,
    No,
}

fn write_all(
    read: &dyn Read,
    tree: &Tree,
    versions: Vec<Version>,
    sweep: Sweep,
) -> Result<FilesWritten> {
    let mut done = FilesWritten { memories: versions.len(), ..FilesWritten::default() };
    let links = links_now(read)?;
    let mut wanted = BTreeSet::new();
    let lying: Vec<String> = if tree.root().is_dir() { tree.files()? } else { Vec::new() };
    for version in &versions {
        if let Some(place) = place_of(version) {
            write_one(read, tree, &place, version, &links, &mut done)?;
            wanted.insert(place);
        }
    }
    write_lists(tree, lists(&source(read, versions)?), &mut wanted, &mut done)?;
    if sweep == Sweep::Yes {
        for place in lying.into_iter().filter(|place| !wanted.contains(place)) {
            sweep_away(read, tree, &place, &mut done)?;
        }
    }
    match tree.read(GITIGNORE) {
        Ok(there) if !there.trim().is_empty() && !made_here(&there) => {
            done.theirs.push(GITIGNORE.to_owned());
        }
        _ => drop(tree.write(GITIGNORE, IGNORED)?),
    }
    mark(tree, wanted, &done.held)?;
    Ok(done)
}

/// Rewritten each time, so that its own age is that of the last writing; but not where somebody else
/// wrote in the meantime: that must still be noticed.
fn mark(tree: &Tree, ours: BTreeSet<String>, held: &[String]) -> Result<()> {
    let is_ours = |place: &String| ours.contains(place) && !held.contains(place);
    if !newer(tree, Look::Newer)?.iter().all(is_ours) {
        return Ok(());
    }
    tree.remove(MARKER)?;
    tree.write(MARKER, "mnemic looks for edits in what is newer than this file\n")?;
    Ok(())
}

fn write_one(
    read: &dyn Read,
    tree: &Tree,
    place: &str,
    version: &Version,
    links: &Links,
    done: &mut FilesWritten,
) -> Result<()> {
    let text = file_of(version, &links_from(links, version), &read.versions(&version.id)?);
    if is_held(tree, place, &text) {
        done.held.push(place.to_owned());
    } else {
        done.written += usize::from(tree.write(place, &text)?);
    }
    Ok(())
}

fn write_lists(
    tree: &Tree,
    lists: Vec<(String, String)>,
    seen: &mut BTreeSet<String>,
    done: &mut FilesWritten,
) -> Result<()> {
    for (place, text) in lists {
        if is_theirs(tree, &place, &text) {
            done.theirs.push(place.clone());
        } else {
            done.written += usize::from(tree.write(&place, &text)?);
        }
        seen.insert(place);
    }
    Ok(())
}

/// Whether a file that lies where a list goes speaks of something else: `index.json` is a name that
/// many programs use. A list of the layout, whoever wrote it, has fields of ours, or is bare.
fn is_theirs(tree: &Tree, place: &str, text: &str) -> bool {
    let Ok(there) = tree.read(place) else { return tree.has(place) };
    if there.trim().is_empty() {
        return false;
    }
    let ours: Value = serde_json::from_str(text).unwrap_or_default();
    match serde_json::from_str(&there) {
        Ok(Value::Object(fields)) => {
            let is_ours = |name: &String| name != "version" && ours.get(name).is_some();
            !fields.is_empty() && !fields.keys().any(is_ours)
        }
        Ok(Value::Array(entries)) => entries.iter().any(|entry| entry.get("id").is_none()),
        _ => true,
    }
}

/// The first line of what git is told says who wrote it.
fn made_here(there: &str) -> bool {
    there.lines().next() == IGNORED.lines().next()
}

/// Whether a file holds what a person wrote and nobody has read: then it is not ours to change.
fn is_held(tree: &Tree, place: &str, text: &str) -> bool {
    if !tree.has(place) {
        return false;
    }
    match tree.read(place) {
        Ok(there) if there == text => false,
        Ok(there) => match read_file(place, &there) {
            Some(Ok(reading)) => reading.is_edited(),
            _ => true,
        },
        Err(_) => true,
    }
}

/// A file that no memory stands for: it goes when it says only what the store once knew, or what
/// somebody asked to forget.
fn sweep_away(read: &dyn Read, tree: &Tree, place: &str, done: &mut FilesWritten) -> Result<()> {
    let Ok(text) = tree.read(place) else { return Ok(()) };
    let is_list = serde_json::from_str::<Value>(&text)
        .is_ok_and(|value| value.get("derived") == Some(&true.into()));
    let goes = is_list
        || match read_file(place, &text) {
            Some(Ok(reading)) => {
                let known = read.versions(&reading.id)?;
                let stones = read.tombstones()?;
                let forgotten = stones.iter().any(|stone| stone.id == reading.id);
                forgotten || (!known.is_empty() && !reading.is_edited())
            }
            _ => false,
        };
    if goes {
        done.removed += usize::from(tree.remove(place)?);
    }
    Ok(())
}

/// Memories that say something else since then, or are linked differently.
fn changed(read: &dyn Read, since: Timestamp, now: Timestamp) -> Result<BTreeSet<RecordId>> {
    let mut changed: BTreeSet<RecordId> = read.changed_between(since, now)?.into_iter().collect();
    for link in read.all_links()? {
        if link.recorded.from() > since || link.recorded.to().is_some_and(|end| end > since) {
            changed.insert(link.from);
        }
    }
    Ok(changed)
}

fn write_changed(
    read: &dyn Read,
    tree: &Tree,
    changed: &BTreeSet<RecordId>,
) -> Result<FilesWritten> {
    let mut done = FilesWritten::default();
    let links = links_now(read)?;
    let mut kept: BTreeMap<String, Version> = BTreeMap::new();
    let mut left = BTreeSet::new();
    for id in changed {
        for version in read.versions(id)? {
            let Some(place) = place_of(&version) else { continue };
            match version.is_current() && is_shown(&version) {
                true => drop(kept.insert(place, version)),
                false => drop(left.insert(place)),
            }
        }
    }
    for (place, version) in &kept {
        done.memories += 1;
        write_one(read, tree, place, version, &links, &mut done)?;
    }
    for place in left.iter().filter(|place| !kept.contains_key(*place)) {
        sweep_away(read, tree, place, &mut done)?;
    }
    let mut ours: BTreeSet<String> = kept.into_keys().collect();
    write_lists(tree, lists(&source(read, shown(read)?)?), &mut ours, &mut done)?;
    mark(tree, ours, &done.held)?;
    Ok(done)
}
