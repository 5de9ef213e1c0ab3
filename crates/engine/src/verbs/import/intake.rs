//! Takes arrivals of files into the stores by batches, and tells each file what became of its own.

use super::super::capture::keep::{Keeper, Kept};
use super::bonds::Bonds;
use super::bookmark::Bookmark;
use super::report::{FileImport, Takeover};
use super::{ImportAsk, level_of, short};
use crate::{CaptureAsk, Captured, Engine, Imported, Note, Result, StoreName};
use mnemic_exchange::import::{Arrival, Format, Left, Origin};
use mnemic_lifecycle::capture::stable_id;
use mnemic_model::{Draft, Kind, RecordId};
use std::collections::HashMap;
use std::path::Path;

/// A file that is longer than this comes in by several commits, after it was checked whole.
const MOST_WAITING: usize = 2_000;
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// A draft that waits, to be told of when it is written.
struct Waiting {
    file: usize,
    title: String,
    id: Option<RecordId>,
}

/// Everything on its way into one store.
struct Door<'e> {
    store: StoreName,
    keeper: Keeper<'e>,
    waiting: Vec<Waiting>,
    bytes: usize,
}

pub(super) struct Intake<'e> {
    engine: &'e Engine,
    ask: &'e ImportAsk,
    /// One change a store, so that each can be taken back.
    notes: [Note; 2],
    doors: Vec<Door<'e>>,
    bonds: Bonds,
    /// The file of each note, as two of them may have one title.
    owners: HashMap<RecordId, String>,
    marks: Vec<(usize, Bookmark)>,
    told: Takeover,
    wrote: [bool; 2],
}

impl<'e> Intake<'e> {
    pub(super) fn new(engine: &'e Engine, ask: &'e ImportAsk, note: &Note) -> Intake<'e> {
        let fresh = || Note { change: Some(engine.new_change_id()), ..note.clone() };
        let (doors, marks, bonds) = (Vec::new(), Vec::new(), Bonds::default());
        let mut notes = [fresh(), fresh()];
        let home = ask.store.unwrap_or_else(|| Engine::home_of(engine.usual_scope().level));
        if let Some(change) = &note.change {
            notes[home as usize].change = Some(change.clone());
        }
        let (told, wrote, owners) = (Takeover::default(), [false; 2], HashMap::new());
        Intake { engine, ask, notes, doors, bonds, owners, marks, told, wrote }
    }

    /// For what other verbs store on the way.
    pub(super) fn note(&self) -> Note {
        self.notes[self.home() as usize].clone()
    }

    /// The store that keeps the bookmarks: where most of it goes.
    pub(super) fn home(&self) -> StoreName {
        let usual = Engine::home_of(self.engine.usual_scope().level);
        self.ask.store.unwrap_or(usual)
    }

    pub(super) fn open(&mut self, file: FileImport) {
        self.told.files.push(file);
    }

    fn file(&mut self) -> &mut FileImport {
        self.told.files.last_mut().expect("a file is opened before anything is said of it")
    }

    pub(super) fn broken(&mut self, why: &str) -> Result<()> {
        let file = self.told.files.len() - 1;
        self.marks.retain(|(of, _)| *of != file);
        self.file().broken = Some(why.to_owned());
        Ok(())
    }

    pub(super) fn unchanged(&mut self) {
        self.file().unchanged = true;
    }

    pub(super) fn left(&mut self, what: &Path, why: &str) {
        self.file().skip(format!("{}: {why}", what.display()));
    }

    pub(super) fn take(&mut self, arrival: Arrival, origin: &Origin) -> Result<()> {
        match arrival {
            Arrival::Memory(draft) => self.memory(*draft),
            Arrival::Bond(bond) => {
                self.bonds.add(self.told.files.len() - 1, bond);
                Ok(())
            }
            Arrival::Named { name, id } => {
                if name != id {
                    self.bonds.is_called(Some(name), id);
                }
                Ok(())
            }
            Arrival::Left(Left { what, why }) => {
                self.file().skip(format!("{what}: {why}"));
                Ok(())
            }
            Arrival::Conversation(value) => self.conversation(&value, origin),
        }
    }

    fn memory(&mut self, mut draft: Draft) -> Result<()> {
        if let Some(store) = self.ask.store {
            draft.about.scope = Some(level_of(store));
        }
        let level = draft.about.scope.unwrap_or(self.engine.usual_scope().level);
        let mut store = Engine::home_of(level);
        // Without a store of their own, what a person keeps goes where everything goes.
        if self.ask.store.is_none() && self.engine.store(store).is_err() {
            draft.about.scope = None;
            store = self.home();
        }
        self.settle_name(&mut draft, store)?;
        let file = self.told.files.len() - 1;
        let (title, id) = (short(draft.body.title()).to_owned(), draft.about.id.clone());
        let bytes = draft.body.full_text().len();
        let door = self.door(store)?;
        door.waiting.push(Waiting { file, title, id });
        door.bytes += bytes;
        door.keeper.add(draft);
        if door.waiting.len() >= MOST_WAITING || door.bytes >= MOST_BYTES {
            return self.flush();
        }
        Ok(())
    }

    /// A note is named by its title; a second one of the same title by its file as well.
    fn settle_name(&mut self, draft: &mut Draft, store: StoreName) -> Result<()> {
        let (Some(id), Some(source)) = (&draft.about.id, &draft.about.source) else {
            return Ok(());
        };
        let is_note = self.told.files.last().is_some_and(|file| file.format == Format::Notes);
        if !is_note || draft.body.kind() != Kind::Resource {
            return Ok(());
        }
        let held = self.engine.store(store)?.read()?.version(id, None)?;
        let held = held.and_then(|held| held.content.provenance.source);
        let owner = self.owners.get(id).or(held.as_ref()).unwrap_or(source);
        if owner != source {
            let kind = draft.body.kind();
            draft.about.id = Some(stable_id(kind, &[id.as_str(), source]));
        } else {
            self.owners.insert(id.clone(), source.clone());
        }
        Ok(())
    }

    fn door(&mut self, store: StoreName) -> Result<&mut Door<'e>> {
        if let Some(at) = self.doors.iter().position(|door| door.store == store) {
            return Ok(&mut self.doors[at]);
        }
        let keeper =
            Keeper::new(self.engine, store, &self.notes[store as usize], self.ask.dry_run)?
                .importing();
        self.doors.push(Door { store, keeper, waiting: Vec::new(), bytes: 0 });
        Ok(self.doors.last_mut().expect("it was just put there"))
    }

    /// A conversation becomes episodes as any transcript does.
    fn conversation(&mut self, value: &serde_json::Value, origin: &Origin) -> Result<()> {
        self.flush()?;
        let id = value.get("id").and_then(serde_json::Value::as_str);
        let name = match id {
            Some(id) => format!("{}:{id}", origin.name),
            None => origin.name.clone(),
        };
        let ask = CaptureAsk { name, dry_run: self.ask.dry_run, ..CaptureAsk::default() };
        let line = format!("{value}\n");
        let note = self.note();
        let captured = self.engine.capture(&mut line.as_bytes(), &ask, &note, &mut |_| ())?;
        self.captured(captured);
        Ok(())
    }

    pub(super) fn captured(&mut self, captured: Captured) {
        self.wrote[self.home() as usize] |= captured.change.is_some();
        self.told.quarantined += captured.quarantined;
        let file = self.file();
        // Of a file with many conversations, each was read.
        file.unchanged |= captured.unchanged;
        file.sessions += captured.sessions;
        file.add(Kind::Episode, captured.new);
        file.renewed += captured.grown;
        file.known += captured.same;
        captured.refused.into_iter().for_each(|why| file.skip(why));
        for problem in captured.report.problems {
            file.skip(format!("line {}: {}", problem.line, problem.what));
        }
        for _ in 0..captured.forgotten {
            file.skip("an episode: forgotten here on request".to_owned());
        }
    }

    pub(super) fn imported(&mut self, imported: Imported) {
        self.wrote[self.home() as usize] |= imported.records + imported.links > 0;
        self.told.links += imported.links;
        let file = self.file();
        file.renewed += imported.records;
        file.known += imported.known;
        imported.skipped.into_iter().for_each(|why| file.skip(why));
    }

    /// A file is whole: it is written with others, so that small ones share a commit.
    pub(super) fn close(&mut self) -> Result<()> {
        if self.doors.iter().any(|door| door.keeper.is_full()) { self.flush() } else { Ok(()) }
    }

    pub(super) fn mark(&mut self, mark: Bookmark) {
        self.marks.push((self.told.files.len() - 1, mark));
    }

    pub(super) fn flush(&mut self) -> Result<()> {
        for door in &mut self.doors {
            let kept = door.keeper.flush()?;
            door.bytes = 0;
            for ((kind, kept), waiting) in kept.into_iter().zip(door.waiting.drain(..)) {
                let Waiting { file, title, id } = waiting;
                let mark = self.marks.iter_mut().find(|(of, _)| *of == file);
                if let (Some((_, mark)), Kept::New | Kept::Grown | Kept::Same) = (mark, &kept) {
                    mark.last.clone_from(&id);
                }
                let report = &mut self.told.files[file];
                match kept {
                    Kept::New => report.add(kind, 1),
                    Kept::Grown => report.renewed += 1,
                    Kept::Same => report.known += 1,
                    Kept::Elsewhere(other) => {
                        report.known += 1;
                        self.bonds.is_called(id, other);
                    }
                    Kept::Contested => {
                        report.skip(format!("{title}: a person says otherwise here"))
                    }
                    Kept::Forgotten => report.skip(format!("{title}: forgotten here on request")),
                    Kept::Refused(why) => report.skip(why),
                }
            }
            self.wrote[door.store as usize] |= door.keeper.change().is_some();
            self.told.quarantined += door.keeper.take_quarantined();
        }
        Ok(())
    }

    /// Links come last, when everything that they could lead to is here; then the bookmarks.
    pub(super) fn finish(mut self) -> Result<Takeover> {
        self.flush()?;
        let linked = match self.ask.dry_run {
            true => self.bonds.count(),
            false => self.bonds.connect(self.engine, &self.notes)?,
        };
        self.told.links += linked.made.iter().sum::<u64>();
        self.told.loose_links = linked.loose.len() as u64;
        // A link may find its other end the next time.
        self.marks.retain(|(file, _)| !linked.loose.contains(file));
        if !self.ask.dry_run {
            Bookmark::keep_all(self.engine, self.home(), self.marks.iter().map(|(_, mark)| mark))?;
        }
        for ((note, wrote), made) in self.notes.into_iter().zip(self.wrote).zip(linked.made) {
            let written = !self.ask.dry_run && (wrote || made > 0);
            self.told.changes.extend(note.change.filter(|_| written));
        }
        Ok(self.told)
    }
}
