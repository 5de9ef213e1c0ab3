//! `merge`: takes in all that another store knows; the other store is only read.

use super::theirs::is_theirs;
use crate::{Engine, Error, ErrorKind, Note, Result, StoreName};
use mnemic_exchange::merge::{self, Plan, State};
use mnemic_model::job::{JobKind, Whose};
use mnemic_model::policy::Deed;
use mnemic_model::{Change, ChangeId, Digest, RecordId, Trust, Usage, Verb};
use mnemic_store::Write;
use mnemic_store::sqlite::{self, SqliteStore};
use std::path::{Path, PathBuf};

/// What a merge did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merged {
    /// Records that only the other store had.
    pub new: usize,
    /// Records of both that got versions from the other store.
    pub grown: usize,
    /// Memories that said the same and are one now.
    pub one_memory: usize,
    /// Contradictions that wait for a person.
    pub contradictions: usize,
    pub links: usize,
    /// Memories that were forgotten there and are gone here now.
    pub forgotten: usize,
    /// What could not be cleaned yet, and why.
    pub waiting: Vec<String>,
    /// Undo this to take it back; none when there was nothing to do.
    pub change: Option<ChangeId>,
}

impl Engine {
    /// Merges another store into one of ours. Twice is once; a dry run writes nothing.
    pub fn merge(
        &self,
        store: StoreName,
        other: &Path,
        dry_run: bool,
        note: &Note,
    ) -> Result<Merged> {
        let sqlite = self.store(store)?;
        self.refuse_itself(sqlite, other)?;
        let copy = Copied::of(other)?;
        let other = SqliteStore::open(&copy.file, self.settings.clock.clone())?;
        let other = other.read()?;
        let theirs = merge::load(other.as_ref())?;
        refuse_other_home(store, &theirs)?;
        if dry_run {
            let ours = merge::load(sqlite.read()?.as_ref())?;
            return Ok(told(&merge::plan(&ours, &theirs)));
        }
        let mut tx = sqlite.write()?;
        let ours = merge::load(&*tx)?;
        self.refuse_foreign_trust(&ours, &theirs, note)?;
        let plan = merge::plan(&ours, &theirs);
        self.refuse_against_a_person(tx.as_ref(), &plan)?;
        let mut done = told(&plan);
        if plan.is_empty() {
            return Ok(done);
        }
        // The changes of the other store come before ours: the latest is what `undo` means.
        for change in other.used_changes()? {
            tx.import_change(&change)?;
        }
        let change = self.begin(tx.as_mut(), Verb::Merge, note)?;
        merge::apply(&plan, tx.as_mut(), other.as_ref(), &change.id, &self.settings.actor)?;
        if !plan.erased().is_empty() {
            tx.enqueue(JobKind::ScrubStore, "")?;
            for backup in super::forget::backups(sqlite.path(), tx.as_ref())? {
                tx.enqueue(JobKind::ScrubBackup, &backup)?;
            }
        }
        tx.commit()?;
        if !plan.erased().is_empty() {
            done.waiting = self.finish_jobs_of(sqlite, Whose::Free, JobKind::SCRUBBING)?;
            done.waiting.extend(self.clean_files(store)?.left);
        }
        self.tend(sqlite);
        done.change = Some(change.id);
        Ok(done)
    }

    /// The fingerprint of all that a store knows and believes: equal for stores that say the same.
    pub fn content_digest(&self, store: StoreName) -> Result<Digest> {
        Ok(self.state_of(store)?.digest())
    }

    fn state_of(&self, store: StoreName) -> Result<State> {
        Ok(merge::load(self.store(store)?.read()?.as_ref())?)
    }

    fn refuse_itself(&self, store: &SqliteStore, other: &Path) -> Result<()> {
        let there = other.canonicalize().map_err(|cause| {
            Error::new(ErrorKind::NotFound, format!("there is no store `{}`", other.display()))
                .because(cause)
                .hint("name the file, e.g. `mnemic merge ../other/.mnemic/memory.db`")
        })?;
        let here = store.path().canonicalize();
        if here.is_ok_and(|here| here == there) {
            return Err(Error::new(
                ErrorKind::Invalid,
                format!("`{}` is this very store", other.display()),
            )
            .hint("name the store of another project, machine or person"));
        }
        Ok(())
    }
}

impl Engine {
    /// What an agent brings neither erases nor ends what a person stands for.
    fn refuse_against_a_person(&self, tx: &dyn Write, plan: &Plan) -> Result<()> {
        let actor = &self.settings.actor;
        if actor.is_human() {
            return Ok(());
        }
        for id in plan.touched() {
            if let Some(version) = tx.version(id, None)?
                && is_theirs(tx, &version)?
            {
                let denied = format!("this merge would change `{id}`, which belongs to a person");
                return Err(Error::new(ErrorKind::Denied, denied)
                    .hint("ask the person: they merge it with the same command"));
            }
        }
        Ok(())
    }

    /// What somebody else calls trusted is trusted here only when a person stands for it.
    fn refuse_foreign_trust(&self, ours: &State, theirs: &State, note: &Note) -> Result<()> {
        let strange = theirs.trusted_by_others(ours, &self.settings.actor);
        let Some(first) = strange.first() else { return Ok(()) };
        if note.vouched {
            return self.require(Deed::Import, Trust::Trusted);
        }
        Err(Error::new(
            ErrorKind::Denied,
            format!("{} of its memories are trusted by somebody else, e.g. `{first}`", strange.len()),
        )
        .hint("look at them there with `mnemic list --trust trusted`; a person stands for them with `mnemic merge OTHER.db --vouch`"))
    }
}

/// What is a person's own does not go into a project's store, nor the other way round.
fn refuse_other_home(store: StoreName, theirs: &State) -> Result<()> {
    match theirs.levels().into_iter().find(|level| Engine::home_of(*level) != store) {
        None => Ok(()),
        Some(level) => {
            let home = Engine::home_of(level);
            Err(Error::new(
                ErrorKind::Conflict,
                format!(
                    "it holds memories of the scope `{level}`, which belong into the {home} store"
                ),
            )
            .hint(format!("merge it there: `mnemic merge --store {home} OTHER.db`")))
        }
    }
}

fn told(plan: &Plan) -> Merged {
    Merged {
        new: plan.arriving(),
        grown: plan.growing(),
        one_memory: plan.one_memory,
        contradictions: plan.contradictions,
        links: plan.links(),
        forgotten: plan.erased().len(),
        ..Merged::default()
    }
}

/// A copy of the other store in a private directory, which is brought up to date in its place; gone
/// when dropped.
struct Copied {
    dir: PathBuf,
    file: PathBuf,
}

impl Copied {
    fn of(store: &Path) -> Result<Copied> {
        if store.is_file() && !mnemic_store::foreign::Foreign::is_one(store) {
            let message = format!("`{}` is not a store of mnemic", store.display());
            return Err(Error::new(ErrorKind::Invalid, message)
                .hint("name the file `memory.db` of the other store"));
        }
        let dir = sqlite::private_dir("merge")?;
        let copied = Copied { file: dir.join("memory.db"), dir };
        sqlite::copy_files(store, &copied.file)?;
        Ok(copied)
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        // What is left lies in the system's own place for such things.
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// Gives back the counts that a merge brought; when something was last used stays.
pub(super) fn take_back_usage(tx: &mut dyn Write, change: &Change) -> Result<()> {
    let name = format!("merge/usage/{}", change.id);
    let Some(text) = tx.bookmark(&name)? else { return Ok(()) };
    let noted: Vec<(RecordId, [f64; 8])> = serde_json::from_str(&text).unwrap_or_default();
    for (id, gained) in noted {
        if tx.versions(&id)?.is_empty() {
            continue; // Forgotten since.
        }
        let mut usage = tx.usage(&id)?;
        let count = |at: usize| gained[at] as u64;
        usage.part(&Usage {
            loaded: count(0),
            referenced: count(1),
            ignored: count(2),
            succeeded: count(3),
            relevance_sum: gained[4],
            relevance_count: count(5),
            discovery_tokens: count(6),
            read_tokens: count(7),
            last_used: None,
        });
        tx.set_usage(&id, &usage)?;
    }
    Ok(tx.set_bookmark(&name, None)?)
}
