//! `import` from other tools: each file is checked whole, taken in or named as broken, and known
//! again the next time.

mod bonds;
mod bookmark;
mod found;
mod intake;
mod report;

pub use found::Unfound;
pub use mnemic_exchange::import::{Format as ImportFormat, Source as ImportSource, Spot};
pub use report::{FileImport, Takeover};

use crate::{CaptureAsk, Engine, Error, ErrorKind, Note, Result, StoreName};
use bookmark::Bookmark;
use intake::Intake;
use mnemic_exchange::import::{Arrival, Broken, Origin, read};
use mnemic_model::{Digest, RecordId, ScopeLevel};
use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// How files are to be read.
#[derive(Debug, Clone, Default)]
pub struct ImportAsk {
    /// The person's home directory, which sources name as `~`.
    pub home: Option<PathBuf>,
    /// Of files that hold many projects, only what belongs to this one.
    pub only_here: bool,
    /// Into this store, whatever the source.
    pub store: Option<StoreName>,
    /// Count what would come in and store nothing.
    pub dry_run: bool,
}

impl Engine {
    /// Takes files in, one after the other. A broken one is named in the answer and stops nothing;
    /// an error is a store that failed. `progress` is told the bytes that are done.
    pub fn import_files(
        &self,
        sources: &[ImportSource],
        ask: &ImportAsk,
        note: &Note,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Takeover> {
        let mut run = Run { engine: self, ask, intake: Intake::new(self, ask, note), done: 0 };
        for source in sources {
            let size = std::fs::metadata(&source.path).map_or(0, |file| file.len());
            run.file(source, progress)?;
            run.done += size;
            progress(run.done);
        }
        run.intake.finish()
    }

    /// A file as sources name it: from the project or from home, else as it is.
    fn name_of(&self, path: &Path, ask: &ImportAsk) -> String {
        let project = self.project_root();
        if let Some(inside) = project.and_then(|root| path.strip_prefix(root).ok()) {
            return inside.to_string_lossy().into_owned();
        }
        let home = ask.home.as_deref().and_then(|home| home.canonicalize().ok());
        match home.and_then(|home| path.strip_prefix(home).ok().map(Path::to_owned)) {
            Some(inside) => format!("~/{}", inside.to_string_lossy()),
            None => path.to_string_lossy().into_owned(),
        }
    }

    /// The directory of the project whose store is open.
    pub(in crate::verbs) fn project_root(&self) -> Option<PathBuf> {
        let place = self.settings.project.as_ref().filter(|_| self.project.is_some())?;
        place.dir.parent()?.canonicalize().ok()
    }
}

/// One call that takes files in.
struct Run<'e> {
    engine: &'e Engine,
    ask: &'e ImportAsk,
    intake: Intake<'e>,
    done: u64,
}

impl Run<'_> {
    fn file(&mut self, source: &ImportSource, progress: &mut dyn FnMut(u64)) -> Result<()> {
        let name = self.engine.name_of(&source.path, self.ask);
        self.intake.open(FileImport::new(&name, source.format));
        match source.format {
            ImportFormat::Transcript => return self.transcript(source, progress),
            ImportFormat::Mnemic => return self.ours(source),
            _ => {}
        }
        let mark = match Bookmark::of(source) {
            Ok(mark) => mark,
            Err(cause) => return self.intake.broken(&format!("cannot be read: {cause}")),
        };
        if mark.is_known(self.engine, self.intake.home())? {
            self.intake.unchanged();
            return Ok(());
        }
        let origin = Origin {
            name,
            person: self.person(),
            reader: self.engine.settings.actor.clone(),
            only_in: self.engine.project_root().filter(|_| self.ask.only_here),
        };
        if let Err(Broken(why)) = self.check(source, &origin) {
            return self.intake.broken(&why);
        }
        self.intake.mark(mark);
        self.take(source, &origin)
    }

    fn person(&self) -> String {
        let actor = &self.engine.settings.actor;
        if actor.is_human() { actor.name.clone() } else { "user".to_owned() }
    }

    /// Reads a file to its end before anything of it is stored: all of it comes in, or nothing.
    fn check(&self, source: &ImportSource, origin: &Origin) -> Result<(), Broken> {
        let usual = self.engine.usual_scope();
        let (actor, now) = (&self.engine.settings.actor, self.engine.now());
        let mut seen: HashMap<RecordId, Digest> = HashMap::new();
        let mut sink = |arrival: Arrival| {
            let Arrival::Memory(draft) = arrival else { return Ok(()) };
            let print = mnemic_store::fingerprint::content(&draft.body);
            if let Some(id) = &draft.about.id
                && seen.insert(id.clone(), print).is_some_and(|before| before != print)
            {
                return Err(Broken::new(format!("`{id}` stands in it twice and says two things")));
            }
            let title = draft.body.title().to_owned();
            let checked = draft.resolve(actor, now, &usual);
            checked.map_err(|wrong| Broken::new(format!("`{}`: {wrong}", short(&title))))?;
            Ok(())
        };
        read(source, origin, &mut sink)
    }

    fn take(&mut self, source: &ImportSource, origin: &Origin) -> Result<()> {
        let mut failed = None;
        let intake = &mut self.intake;
        let mut take = |arrival: Arrival| {
            intake.take(arrival, origin).map_err(|error| {
                failed = Some(error);
                Broken::new("stopped")
            })
        };
        let outcome = read(source, origin, &mut take);
        match (failed, outcome) {
            (Some(error), _) => Err(error),
            // It was whole a moment ago: somebody is writing to it.
            (None, Err(Broken(why))) => self.intake.broken(&format!("it changed: {why}")),
            (None, Ok(())) => self.intake.close(),
        }
    }

    /// Transcripts have bookmarks of their own, and grow.
    fn transcript(&mut self, source: &ImportSource, progress: &mut dyn FnMut(u64)) -> Result<()> {
        self.intake.flush()?;
        let name = source.path.to_string_lossy().into_owned();
        let dry_run = self.ask.dry_run;
        let ask = CaptureAsk { name, dry_run, ..CaptureAsk::default() };
        let opened = found::whole_document(&source.path).and_then(|()| File::open(&source.path));
        let file = match opened {
            Ok(file) => file,
            Err(cause) => return self.intake.broken(&format!("cannot be read: {cause}")),
        };
        let note = self.intake.note();
        let done = self.done;
        let captured =
            self.engine.capture_file(file, &ask, &note, &mut |read| progress(done + read));
        match captured {
            Ok(captured) => self.intake.captured(captured),
            Err(error) if error.kind == ErrorKind::Invalid => {
                return self.intake.broken(&error.chain().join(": "));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn ours(&mut self, source: &ImportSource) -> Result<()> {
        self.intake.flush()?;
        if self.ask.dry_run {
            self.intake.left(&source.path, "mnemic's own export has no dry run");
            return Ok(());
        }
        let store = self.ask.store.map_or_else(|| self.engine.main_store(), Ok)?;
        let file = File::open(&source.path).map_err(|cause| {
            Error::new(ErrorKind::Io, format!("`{}` cannot be read", source.path.display()))
                .because(cause)
        })?;
        let note = self.intake.note();
        let imported = self.engine.import(store, &mut BufReader::new(file), &note, &mut |_| ());
        match imported {
            Ok(imported) => self.intake.imported(imported),
            Err(error) if error.kind == ErrorKind::Invalid => {
                return self.intake.broken(&error.chain().join(": "));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// A title that fits into a message.
fn short(title: &str) -> &str {
    let line = title.lines().next().unwrap_or_default();
    &line[..line.floor_char_boundary(60)]
}

/// The level that a draft belongs to in a store of this name.
fn level_of(store: StoreName) -> ScopeLevel {
    match store {
        StoreName::Project => ScopeLevel::Project,
        StoreName::User => ScopeLevel::User,
    }
}
