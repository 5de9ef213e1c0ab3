//! `files read`: what people edited comes back as versions of theirs; what both sides changed is
//! shown and left alone.

use super::judge::{Judgement, Keep, judge};
use super::layout::{connect_files, take_new};
use super::write::MARKER;
use super::{Hands, Standing, is_shown, links_from, links_now, patch, shown, tree};
use crate::{Engine, Note, Result, StoreName};
use mnemic_exchange::files::{
    FileLink, Gathered, Item, Reading, Tree, file_of, gather, place_of, read_file,
};
use mnemic_model::{Actor, At, Change, Link, Patch, RecordId, Tier, Verb};
use mnemic_store::{Read, Write};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file that says something else than the store, which changed as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileConflict {
    pub place: String,
    pub id: RecordId,
    pub why: String,
}

/// How files are to be read.
#[derive(Debug, Clone)]
pub struct FilesAsk {
    pub hands: Hands,
    /// Tell what would happen, and do nothing.
    pub dry_run: bool,
    /// Who wins where both changed; without it nobody does.
    pub keep: Option<Keep>,
    /// These files alone, by their places; all where none is named.
    pub only: Vec<String>,
}

impl FilesAsk {
    pub fn by(hands: Hands) -> FilesAsk {
        FilesAsk { hands, dry_run: false, keep: None, only: Vec::new() }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilesRead {
    /// Memories that got a version, and by whom.
    pub edited: Vec<(RecordId, Actor)>,
    /// Memories that came with a new file.
    pub new: Vec<RecordId>,
    pub conflicts: Vec<FileConflict>,
    /// Files that cannot be read, and why; nothing of them was taken.
    pub broken: Vec<(String, String)>,
    /// What a file said and no file may say, such as whom to trust: set back, field by field.
    pub set_back: Vec<(String, RecordId, Vec<&'static str>)>,
    /// Files that were written anew, because the store was said to hold.
    pub overruled: Vec<(String, RecordId)>,
    /// Memories whose file was deleted. Nothing happens to them unless somebody says so.
    pub deleted: Vec<(RecordId, String)>,
}

impl FilesRead {
    pub fn is_quiet(&self) -> bool {
        *self == FilesRead::default()
    }
}

/// Which files are looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    All,
    /// Those that are newer than the last writing.
    Newer,
}

/// An edit that may be taken over.
struct Edit {
    id: RecordId,
    place: String,
    reading: Reading,
    by: Actor,
    own: bool,
}

impl Engine {
    /// Takes over what was edited in a directory. A dry run tells what it would do.
    pub fn files_read(
        &self,
        store: StoreName,
        dir: &Path,
        ask: &FilesAsk,
        note: &Note,
    ) -> Result<FilesRead> {
        self.read_files(store, dir, ask, Look::All, note)
    }

    /// The same for the files that changed since they were written: cheap enough for every command.
    pub fn files_notice(&self, store: StoreName, dir: &Path, hands: Hands) -> Result<FilesRead> {
        let note = Note::because("edited in its file");
        self.read_files(store, dir, &FilesAsk::by(hands), Look::Newer, &note)
    }

    /// Archives memories whose files were deleted: they can still be found, and brought back.
    pub fn files_archive(&self, ids: &[RecordId], note: &Note) -> Result<usize> {
        let change = note.change.clone().unwrap_or_else(|| self.new_change_id());
        let note = Note { change: Some(change), ..note.clone() };
        for id in ids {
            let patch =
                Patch { tier: Some(Tier::Archive), pinned: Some(false), ..Patch::default() };
            self.edit(id.as_str(), &patch, &note)?;
        }
        Ok(ids.len())
    }

    fn read_files(
        &self,
        store: StoreName,
        dir: &Path,
        ask: &FilesAsk,
        look: Look,
        note: &Note,
    ) -> Result<FilesRead> {
        let tree = tree(dir);
        let mut done = FilesRead::default();
        if !dir.is_dir() {
            return Ok(done);
        }
        let Sorted { edits, new, mut unsettled } = {
            let read = self.store(store)?.read()?;
            let mut places = newer(&tree, look)?;
            if ask.only.is_empty() {
                find_deleted(read.as_ref(), &tree, dir, &mut done)?;
            } else {
                places.retain(|place| ask.only.contains(place));
            }
            sort_out(self, read.as_ref(), &tree, &places, ask, &mut done)?
        };
        for edit in edits {
            self.take_edit(store, edit, ask.dry_run, note, &mut done)?;
        }
        let sources: Vec<String> =
            new.iter().filter(|item| item.single).map(|item| item.place.clone()).collect();
        let taken = take_new(self, store, new, ask.dry_run, note)?;
        done.new = taken.created;
        done.broken.extend(taken.refused);
        if !ask.dry_run {
            for (place, id) in &done.overruled {
                tree.remove(place)?;
                unsettled.push(id.clone());
            }
            self.settle_files(store, &tree, &done, &unsettled, &sources)?;
        }
        Ok(done)
    }

    /// What was taken over is written anew at once, in its place: nothing of it is an edit any more.
    fn settle_files(
        &self,
        store: StoreName,
        tree: &Tree,
        done: &FilesRead,
        unsettled: &[RecordId],
        sources: &[String],
    ) -> Result<()> {
        let taken = done.edited.iter().map(|(id, _)| id).chain(&done.new).chain(unsettled);
        let taken: Vec<&RecordId> = taken.collect();
        if taken.is_empty() {
            return Ok(());
        }
        let read = self.store(store)?.read()?;
        let links = links_now(read.as_ref())?;
        let mut kept = Vec::new();
        for id in taken {
            let versions = read.versions(id)?;
            for past in versions.iter().filter(|version| !version.is_current()) {
                let left = place_of(past).filter(|place| tree.has(place));
                left.map(|place| tree.remove(&place)).transpose()?;
            }
            let Some(version) = versions.iter().find(|version| version.is_current()) else {
                continue;
            };
            if let Some(place) = place_of(version).filter(|_| is_shown(version)) {
                tree.write(&place, &file_of(version, &links_from(&links, version), &versions))?;
                kept.push(place);
            }
        }
        let refused: Vec<&String> = done.broken.iter().map(|(place, _)| place).collect();
        for place in sources.iter().filter(|place| !kept.contains(place)) {
            if !refused.contains(&place) {
                tree.remove(place)?;
            }
        }
        Ok(())
    }

    fn take_edit(
        &self,
        store: StoreName,
        edit: Edit,
        dry_run: bool,
        note: &Note,
        done: &mut FilesRead,
    ) -> Result<()> {
        let Edit { id, place, reading, by, own } = edit;
        let mut tx = self.store(store)?.write()?;
        let change = Change {
            id: self.new_change_id(),
            at: tx.tick()?,
            actor: by.clone(),
            verb: Verb::Edit,
            reason: note.reason.clone().or_else(|| Some("edited in its file".into())),
            undoes: None,
        };
        tx.begin(&change)?;
        let note = Note { change: Some(change.id.clone()), ..note.clone() };
        let Some(held) = tx.version(&id, None)? else { return Ok(()) };
        let patch = match own {
            true => patch::between(&held.content, &reading.content),
            false => patch::of_a_stranger(&held.content, &reading.content),
        };
        let edited = self.patch_in(tx.as_mut(), store, &id, &patch, Verb::Edit, &note);
        match edited {
            Err(failed) if failed.is_of_the_store() => return Err(failed),
            Err(refused) => {
                done.broken.push((place, refused.to_string()));
                return Ok(());
            }
            Ok(_) => {}
        }
        if reading.links_edited {
            change_links(tx.as_mut(), &id, &reading.links, &change)?;
        }
        let beyond = patch::beyond(&held.content, &reading.content);
        if !beyond.is_empty() {
            done.set_back.push((place, id.clone(), beyond));
        }
        done.edited.push((id, by));
        if !dry_run {
            tx.commit()?;
            self.tend(self.store(store)?);
        }
        Ok(())
    }
}

/// Files that may have been edited.
pub(super) fn newer(tree: &Tree, look: Look) -> Result<Vec<String>> {
    let age = |place: &str| tree.path(place).metadata().and_then(|file| file.modified()).ok();
    let marked = age(MARKER);
    let mut places = tree.files()?;
    if look == Look::Newer {
        places.retain(|place| match (age(place), marked) {
            (Some(file), Some(marked)) => file > marked,
            _ => true,
        });
    }
    Ok(places)
}

/// What was written once, is still believed, and has no file.
fn find_deleted(read: &dyn Read, tree: &Tree, dir: &Path, done: &mut FilesRead) -> Result<()> {
    let Some(standing) = Standing::of(read, dir)? else { return Ok(()) };
    for version in shown(read)? {
        let Some(place) = place_of(&version) else { continue };
        if version.recorded.from() <= standing.at && !tree.has(&place) {
            done.deleted.push((version.id, place));
        }
    }
    Ok(())
}

/// Files by what is to be done with them.
#[derive(Default)]
struct Sorted {
    edits: Vec<Edit>,
    new: Vec<Item>,
    /// Memories whose file is to be written anew.
    unsettled: Vec<RecordId>,
}

/// Tells edits from new memories, from conflicts and from what is as it was.
fn sort_out(
    engine: &Engine,
    read: &dyn Read,
    tree: &Tree,
    places: &[String],
    ask: &FilesAsk,
    done: &mut FilesRead,
) -> Result<Sorted> {
    let mut sorted = Sorted::default();
    let mut strange = false;
    for place in places {
        let text = match tree.read(place) {
            Ok(text) => text,
            Err(why) => {
                done.broken.push((place.clone(), why));
                continue;
            }
        };
        let reading = match read_file(place, &text) {
            None => {
                strange = true;
                continue;
            }
            Some(Err(why)) => {
                done.broken.push((place.clone(), why));
                continue;
            }
            Some(Ok(reading)) => reading,
        };
        let versions = read.versions(&reading.id)?;
        if versions.is_empty() {
            strange = true;
            continue;
        }
        match judge(&versions, &reading, ask.keep) {
            Judgement::Same => {}
            Judgement::Unsettled => {
                let current = versions.iter().find(|version| version.is_current());
                let beyond = current.map(|held| patch::beyond(&held.content, &reading.content));
                if let Some(beyond) = beyond.filter(|beyond| !beyond.is_empty()) {
                    done.set_back.push((place.clone(), reading.id.clone(), beyond));
                }
                sorted.unsettled.push(reading.id);
            }
            Judgement::Edit => {
                let (by, own) = ask.hands.of(&tree.path(place), &engine.settings.actor);
                let (id, place) = (reading.id.clone(), place.clone());
                sorted.edits.push(Edit { id, place, reading, by, own });
            }
            Judgement::Overruled => done.overruled.push((place.clone(), reading.id)),
            Judgement::Conflict(why) => {
                let (id, why) = (reading.id, why.to_owned());
                done.conflicts.push(FileConflict { place: place.clone(), id, why });
            }
        }
    }
    if strange {
        sorted.new = strangers(read, tree, places, ask.keep, done)?;
    }
    Ok(sorted)
}

/// Files of memories that the store does not have.
fn strangers(
    read: &dyn Read,
    tree: &Tree,
    places: &[String],
    keep: Option<Keep>,
    done: &mut FilesRead,
) -> Result<Vec<Item>> {
    let Gathered { items, broken, .. } = gather(tree)?;
    let places: BTreeSet<&String> = places.iter().collect();
    let stones: BTreeSet<RecordId> = read.tombstones()?.into_iter().map(|one| one.id).collect();
    let mut new = Vec::new();
    for item in items.into_iter().filter(|item| places.contains(&item.place)) {
        let Some(id) = &item.draft.about.id else { continue };
        if !read.versions(id)?.is_empty() {
            continue;
        }
        if stones.contains(id) && keep == Some(Keep::Store) && item.single {
            done.overruled.push((item.place, id.clone()));
            continue;
        }
        if stones.contains(id) {
            let why = "it was forgotten on request".to_owned();
            done.conflicts.push(FileConflict { place: item.place, id: id.clone(), why });
            continue;
        }
        new.push(item);
    }
    let known: Vec<String> = done.broken.iter().map(|(place, _)| place.clone()).collect();
    let told = broken.into_iter().filter(|one| places.contains(&one.place));
    done.broken
        .extend(told.filter(|one| !known.contains(&one.place)).map(|one| (one.place, one.why)));
    Ok(new)
}

fn change_links(
    tx: &mut dyn Write,
    id: &RecordId,
    wanted: &[FileLink],
    change: &Change,
) -> Result<()> {
    let here: Vec<Link> =
        tx.links(id, At::LATEST)?.into_iter().filter(|link| link.from == *id).collect();
    for link in &here {
        let stays = wanted.iter().any(|one| one.relation == link.relation && one.to == link.to);
        if !stays {
            tx.disconnect(id, link.relation, &link.to, &change.id)?;
        }
    }
    let by_record = BTreeMap::from([(id.clone(), wanted.to_vec())]);
    connect_files(tx, &by_record, &change.id)?;
    Ok(())
}
