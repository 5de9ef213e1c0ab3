//! `forget`: gone from rows, words, journal, free pages and backups; a tombstone stays, and a search
//! through the raw bytes proves the rest.

use super::edit::{believed, require_base};
use super::files::Cleaned;
use super::jobs::describe;
use super::theirs::is_theirs;
use crate::{Engine, Error, ErrorKind, Note, Result, StoreName};
use mnemic_model::job::{Job, JobKind, Whose};
use mnemic_model::policy::Deed;
use mnemic_model::tombstone::subject_digest;
use mnemic_model::{Body, Kind, RecordId, Tombstone, Trust, Verb, Version};
use mnemic_store::sqlite::{self, SqliteStore};
use mnemic_store::{Read, Write, fingerprint};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgotten {
    pub ids: Vec<RecordId>,
    pub proof: Proof,
    /// What could not be cleaned yet and why, e.g. a backup on a disk that is not there.
    pub waiting: Vec<String>,
    /// What may hold the text and is for a person to clean, such as what git keeps.
    pub unreached: Vec<String>,
}

/// The search for the forgotten text after it was erased.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proof {
    pub files: usize,
    pub bytes: u64,
    /// Distinct pieces of text that were looked for.
    pub pieces: usize,
    /// Where one was still found, and which other memory says it too.
    pub traces: Vec<String>,
}

/// Shorter pieces would be found in any file.
const SHORTEST_PIECE: usize = 8;
const MOST_PIECES: usize = 200;

impl Engine {
    pub fn forget(&self, ids: &[&str], note: &Note) -> Result<Forgotten> {
        self.require(Deed::Forget, Trust::Trusted)?;
        let located: BTreeSet<(StoreName, RecordId)> =
            ids.iter().map(|id| self.locate(id)).collect::<Result<_>>()?;
        for (store, id) in &located {
            self.refuse_to_erase(*store, id)?;
        }
        let mut forgotten = Forgotten {
            ids: Vec::new(),
            proof: Proof::default(),
            waiting: Vec::new(),
            unreached: Vec::new(),
        };
        for name in [StoreName::Project, StoreName::User] {
            let here: Vec<&RecordId> =
                located.iter().filter(|(store, _)| *store == name).map(|(_, id)| id).collect();
            if here.is_empty() {
                continue;
            }
            let store = self.store(name)?;
            // What tells about a group repeats words of its members.
            let groups = super::graph::groups_of(store.read()?.as_ref(), &here)?;
            let disputes = disputes_of(store.read()?.as_ref(), &here)?;
            let here: Vec<&RecordId> = here.into_iter().chain(&groups).chain(&disputes).collect();
            let pieces = pieces(store.read()?.as_ref(), &here)?;
            self.erase_all(store, &here, note)?;
            forgotten.waiting.extend(self.finish_jobs_of(
                store,
                Whose::Free,
                JobKind::SCRUBBING,
            )?);
            let files = self.clean_files(name)?;
            prove(store, &files, &pieces, &mut forgotten.proof)?;
            forgotten.unreached.extend(files.left);
            // Given up for a full disk, it is wanted again as soon as there is room.
            store.lay_ballast()?;
            forgotten.ids.extend(here.into_iter().cloned());
        }
        Ok(forgotten)
    }

    /// What a person wrote, vouched for or pinned is theirs to erase.
    fn refuse_to_erase(&self, store: StoreName, id: &RecordId) -> Result<()> {
        if self.require(Deed::ForgetTheirs, Trust::Trusted).is_ok() {
            return Ok(());
        }
        let read = self.store(store)?.read()?;
        let Some(last) = read.versions(id)?.pop() else { return Ok(()) };
        if last.content.pinned || is_theirs(read.as_ref(), &last)? {
            let theirs = format!("`{id}` belongs to a person, and an agent cannot erase it");
            let hint = format!("ask them; at a terminal it is `mnemic forget {id}`");
            return Err(Error::new(ErrorKind::Denied, theirs).hint(hint));
        }
        Ok(())
    }

    /// Does the work that was left waiting, also that of a process which may have died over it: doing
    /// a job twice is harmless. What still could not be done.
    pub fn finish_jobs(&self) -> Result<Vec<String>> {
        let kinds = [JobKind::SCRUBBING, JobKind::OF_SESSIONS].concat();
        let mut waiting = Vec::new();
        for (_, store) in self.stores() {
            waiting.extend(self.finish_jobs_of(store, Whose::Anyone, &kinds)?);
        }
        self.retry_jobs(&|view| !kinds.contains(&view.job.kind))?;
        waiting.extend(self.work(&mut || true)?.failed);
        Ok(waiting)
    }

    /// One transaction: rows out, tombstones in, and the jobs that clean what lies outside of rows.
    fn erase_all(&self, store: &SqliteStore, ids: &[&RecordId], note: &Note) -> Result<()> {
        match self.try_erase(store, ids, note) {
            Err(full) if full.kind == ErrorKind::DiskFull && store.has_ballast() => {
                store.drop_ballast()?;
                // The journal's own room is the first to be won back; if it is not, we try as we are.
                let _ = store.scrub(false);
                self.try_erase(store, ids, note)
            }
            done => done,
        }
    }

    fn try_erase(&self, store: &SqliteStore, ids: &[&RecordId], note: &Note) -> Result<()> {
        let mut tx = store.write()?;
        let actor = &self.settings.actor;
        for (at, id) in ids.iter().enumerate() {
            // What goes with it was not looked at by whoever named a version.
            if note.base.is_some() && at == 0 {
                require_base(&believed(tx.as_ref(), id)?, note)?;
            }
            for stone in tombstones(tx.as_mut(), id, self, note)? {
                tx.bury(&stone)?;
            }
            tx.erase(id)?;
            tx.audit(actor, Verb::Forget, id.as_str(), None)?;
        }
        tx.enqueue(JobKind::ScrubStore, "")?;
        for backup in backups(store.path(), tx.as_ref())? {
            tx.enqueue(JobKind::ScrubBackup, &backup)?;
        }
        Ok(tx.commit()?)
    }

    pub(super) fn finish_jobs_of(
        &self,
        store: &SqliteStore,
        whose: Whose,
        kinds: &[JobKind],
    ) -> Result<Vec<String>> {
        let mut tried = BTreeSet::new();
        loop {
            let mut tx = store.write()?;
            // One that failed is offered again to whoever takes anybody's.
            let Some(job) = tx.lease(whose, kinds)?.filter(|job| tried.insert(job.seq)) else {
                break;
            };
            tx.commit()?;
            let done = self.run(store, &job);
            let mut tx = store.write()?;
            match &done {
                Ok(()) => tx.finish(&job)?,
                Err(cause) => tx.fail(&job, &cause.chain().join(": "))?,
            }
            tx.commit()?;
        }
        let jobs = store.read()?.jobs()?;
        Ok(jobs.iter().filter(|job| kinds.contains(&job.kind)).map(describe).collect())
    }

    pub(super) fn run(&self, store: &SqliteStore, job: &Job) -> Result<()> {
        match job.kind {
            JobKind::ScrubStore => {
                remove_damaged_copies(store.path())?;
                store.clear_indexes()?;
                // Rewriting leaves free pages behind; without room for that, emptying the journal
                // must do: deleted rows are overwritten in place. Without room even for that, the
                // ballast gives it; it is laid again when the store is opened next.
                let emptied = store.scrub(true).or_else(|_| store.scrub(false));
                if emptied.is_err() && store.has_ballast() {
                    store.drop_ballast()?;
                    return Ok(store.scrub(false)?);
                }
                Ok(emptied?)
            }
            JobKind::ScrubBackup => {
                self.scrub_backup(store, &store.path().with_file_name(&job.payload))
            }
            upkeep => self.rearrange(store, upkeep, &job.payload),
        }
    }

    /// Erases from a backup what has a tombstone in the store it is a backup of.
    fn scrub_backup(&self, store: &SqliteStore, path: &Path) -> Result<()> {
        if !path.exists() {
            // Deleted is as good as clean; a disk that is not there is not.
            if path.parent().is_some_and(Path::is_dir) {
                let mut tx = store.write()?;
                tx.drop_backup(path)?;
                return Ok(tx.commit()?);
            }
            return Err(Error::new(
                ErrorKind::NotFound,
                format!("the backup `{}` is out of reach", path.display()),
            )
            .hint("bring its disk back and run `mnemic doctor --fix`"));
        }
        let stones = store.read()?.tombstones()?;
        let backup = SqliteStore::open(path, self.settings.clock.clone())?;
        bury_in(&backup, &stones)?;
        backup.scrub(true)?;
        Ok(backup.leave_as_single_file()?)
    }
}

/// Applies tombstones to another copy of a store.
pub(super) fn bury_in(store: &SqliteStore, stones: &[Tombstone]) -> Result<()> {
    let mut tx = store.write()?;
    for stone in stones {
        tx.erase(&stone.id)?;
        tx.bury(stone)?;
        tx.audit(&stone.actor, Verb::Forget, stone.id.as_str(), None)?;
    }
    Ok(tx.commit()?)
}

/// One per text that any version had.
fn tombstones(
    tx: &mut dyn Write,
    id: &RecordId,
    engine: &Engine,
    note: &Note,
) -> Result<Vec<Tombstone>> {
    let at = tx.tick()?;
    Ok(tx
        .versions(id)?
        .iter()
        .map(|version| Tombstone {
            id: id.clone(),
            content: fingerprint::forgotten(&version.content.body),
            // An agent that takes a slip of its own back asks nobody to be silent.
            subject: match engine.settings.actor.is_human() {
                true => version.content.slot().as_ref().map(subject_digest),
                false => None,
            },
            at,
            actor: engine.settings.actor.clone(),
            reason: note.reason.clone(),
        })
        .collect())
}

/// Contradictions that one of these is a side of: they repeat what it says, and are about nothing
/// without it.
fn disputes_of(read: &dyn Read, ids: &[&RecordId]) -> Result<Vec<RecordId>> {
    let prefix = format!("{}-", Kind::Contradiction.prefix());
    let mut disputes = Vec::new();
    for id in read.ids_starting_with(&prefix, usize::MAX)? {
        let names = |version: &Version| match &version.content.body {
            Body::Contradiction(found) => ids.contains(&&found.a) || ids.contains(&&found.b),
            _ => false,
        };
        if !ids.contains(&&id) && read.versions(&id)?.iter().any(names) {
            disputes.push(id);
        }
    }
    Ok(disputes)
}

/// Copies that the store knows of, and those that lie beside it all the same. Inside the store's
/// directory they go by name, which stays right when the project moves.
pub(super) fn backups(store: &Path, read: &dyn Write) -> Result<BTreeSet<String>> {
    let home = store.parent().unwrap_or(Path::new("."));
    let known = read.backups()?.into_iter().map(|(path, _)| path);
    let beside = std::fs::read_dir(home.join(sqlite::BACKUP_DIR)).into_iter().flatten().flatten();
    let lying =
        beside.map(|entry| entry.path()).filter(|path| path.extension() == Some("db".as_ref()));
    Ok(known
        .chain(lying)
        .map(|path| path.strip_prefix(home).unwrap_or(&path).to_string_lossy().into_owned())
        .collect())
}

/// Files that a restore set aside cannot be cleaned row by row; what could be saved of them is in
/// the store.
fn remove_damaged_copies(store: &Path) -> Result<()> {
    let Some(dir) = store.parent() else { return Ok(()) };
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().contains(".damaged-") {
            std::fs::remove_file(entry.path()).map_err(|cause| {
                Error::new(
                    ErrorKind::Io,
                    format!("cannot remove the damaged copy `{}`", entry.path().display()),
                )
                .because(cause)
                .hint("remove it by hand: it may still hold what was forgotten")
            })?;
        }
    }
    Ok(())
}

/// Every line of every text that any version says, as it would lie in a file.
fn pieces(read: &dyn Read, ids: &[&RecordId]) -> Result<Vec<Vec<u8>>> {
    let mut pieces = BTreeSet::new();
    for id in ids {
        for Version { content, .. } in read.versions(id)? {
            let mut fields = content.body.to_fields();
            if content.kind() == Kind::Contradiction {
                // The ids of its sides are no text, and one of them may well stay.
                fields.retain(|name, _| name == "note");
            }
            collect(&Value::Object(fields), &mut pieces);
        }
    }
    let mut pieces: Vec<Vec<u8>> = pieces.into_iter().map(String::into_bytes).collect();
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.len()));
    pieces.truncate(MOST_PIECES);
    Ok(pieces)
}

fn collect(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            for line in text.lines().map(str::trim).filter(|line| line.len() >= SHORTEST_PIECE) {
                // In a row, text is JSON; in the words index, it is lower case.
                into.insert(in_json(line));
                into.insert(line.to_owned());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, into)),
        _ => {}
    }
}

/// Searches the store's directory, and those of its files that lie elsewhere.
pub(super) fn prove(
    store: &SqliteStore,
    files: &Cleaned,
    pieces: &[Vec<u8>],
    proof: &mut Proof,
) -> Result<()> {
    let mut searched = sqlite::traces(store.path(), pieces)?;
    for dir in &files.dirs {
        searched.extend(sqlite::traces_below(dir, pieces)?);
    }
    proof.pieces += pieces.len();
    proof.files += searched.len();
    for trace in searched {
        proof.bytes += trace.bytes;
        for index in trace.found {
            let sayer = who_says(store.read()?.as_ref(), &pieces[index])?;
            let also = match sayer {
                Some(id) => format!(", which `{id}` says too"),
                None => String::new(),
            };
            let length = pieces[index].len();
            proof
                .traces
                .push(format!("{} still holds {length} bytes of it{also}", trace.path.display()));
        }
    }
    Ok(())
}

/// A text as it stands between the quotes of JSON.
fn in_json(text: &str) -> String {
    let quoted = Value::String(text.to_owned()).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Another memory that holds the same piece of text, now or in an earlier version.
fn who_says(read: &dyn Read, piece: &[u8]) -> Result<Option<RecordId>> {
    let wanted = String::from_utf8_lossy(piece).into_owned();
    // Rows hold JSON; elsewhere the same text stands as it is.
    let quoted = in_json(&wanted);
    let mut sayer = None;
    read.each_record(&mut |id| {
        if sayer.is_none() {
            let says = read.versions(id)?.iter().any(|version| {
                let said = Value::Object(version.content.to_fields()).to_string();
                said.contains(&wanted) || said.contains(&quoted)
            });
            if says {
                sayer = Some(id.clone());
            }
        }
        Ok(())
    })?;
    Ok(sayer)
}
