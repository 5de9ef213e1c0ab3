//! Jobs: queued with their cause, taken under a lease, done once or given up with a report.

use super::embed::LONG_TEXT;
use crate::meaning::BATCH;
use crate::{Engine, Note, Result, StoreName, local_zone};
use mnemic_lifecycle::consolidate::{contradictions, entities};
use mnemic_lifecycle::jobs::{Circumstances, Trigger, due, fits};
use mnemic_model::job::{Job, JobKind, MAX_ATTEMPTS, State, Whose};
use mnemic_model::{At, ChangeId, Kind, RecordId, Timestamp};
use mnemic_store::sqlite::SqliteStore;
use mnemic_store::{Read, Write};
use std::collections::BTreeSet;

/// A job and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobView {
    pub store: StoreName,
    pub job: Job,
    pub state: State,
}

/// What working off the queue came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Worked {
    pub done: u64,
    /// What was found to contradict something, and what came of it: a line each.
    pub noticed: Vec<String>,
    /// What could not be done, and why.
    pub failed: Vec<String>,
    /// Jobs that are still in the queue.
    pub left: u64,
}

/// The most records of one change that are compared as they come; the others wait for
/// consolidation, which looks at all of them.
const MOST_SCANNED: usize = 200;

/// The most records of one change whose names are looked for.
const MOST_EXTRACTED: usize = 2_000;

/// Episodes that one transaction moves into cold storage.
const COOLED_AT_ONCE: usize = 200;

/// Days after which an episode is served by its compressed form, and its whole text may lie cold.
const COLD_DAYS: i64 = 30;

/// When the last run of consolidation ended.
const RAN: &str = "consolidate/ran";

impl Engine {
    /// Every job of the open stores.
    pub fn jobs(&self) -> Result<Vec<JobView>> {
        let now = self.now();
        let mut views = Vec::new();
        for (store, sqlite) in self.stores() {
            let jobs = sqlite.read()?.jobs()?.into_iter();
            views.extend(jobs.map(|job| JobView { store, state: job.state(now), job }));
        }
        Ok(views)
    }

    /// Lets jobs be tried again at once that were given up or rest; how many.
    pub fn retry_jobs(&self, chosen: &dyn Fn(&JobView) -> bool) -> Result<u64> {
        let mut renewed = 0;
        for view in self.jobs()?.iter().filter(|view| chosen(view)) {
            let mut tx = self.store(view.store)?.write()?;
            renewed += u64::from(tx.renew(view.job.seq)?);
            tx.commit()?;
        }
        Ok(renewed)
    }

    /// Works off what waits. `go_on` is asked before each job and, within long ones, between their
    /// parts.
    pub fn work(&self, go_on: &mut dyn FnMut() -> bool) -> Result<Worked> {
        self.work_on(&|_, _| true, usize::MAX, go_on)
    }

    /// The same for what is likely to be done in so many milliseconds.
    pub fn work_briefly(
        &self,
        milliseconds: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Worked> {
        self.work_on(&|kind, records| fits(kind, records, milliseconds), LONG_TEXT, go_on)
    }

    /// The same, and texts of any length are embedded: for who has nothing else to do.
    pub fn work_at_leisure(
        &self,
        milliseconds: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Worked> {
        self.work_on(&|kind, records| fits(kind, records, milliseconds), usize::MAX, go_on)
    }

    /// Compares what was just written with what stands near it, at once and not when somebody works
    /// the queue off: whoever wrote it can still ask about what it contradicts.
    pub fn compare(&self, go_on: &mut dyn FnMut() -> bool) -> Result<Vec<String>> {
        let comparing = |kind, _| kind == JobKind::ScanContradictions;
        Ok(self.work_on(&comparing, LONG_TEXT, go_on)?.noticed)
    }

    fn work_on(
        &self,
        wanted: &dyn Fn(JobKind, u64) -> bool,
        longest: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Worked> {
        let mut worked = Worked::default();
        for (name, store) in self.stores() {
            if store.read_only_because().is_some() {
                continue;
            }
            let jobs = store.read()?.jobs()?;
            if jobs.is_empty() {
                continue;
            }
            let records = records(store)?;
            let mut kinds: Vec<JobKind> =
                JobKind::ALL.iter().copied().filter(|kind| wanted(*kind, records)).collect();
            while go_on() {
                match self.work_one(name, &kinds, longest, &mut worked, go_on)? {
                    Taken::Nothing => break,
                    Taken::Ended => {}
                    // Others wait behind it, and it would be the first again.
                    Taken::PutBack(stopped) => kinds.retain(|kind| *kind != stopped),
                }
            }
            worked.left += store.read()?.jobs()?.len() as u64;
        }
        Ok(worked)
    }

    /// Takes one job and does it.
    fn work_one(
        &self,
        name: StoreName,
        kinds: &[JobKind],
        longest: usize,
        worked: &mut Worked,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Taken> {
        let store = self.store(name)?;
        let mut tx = store.write()?;
        let Some(job) = tx.lease(Whose::Free, kinds)? else { return Ok(Taken::Nothing) };
        tx.commit()?;
        match self.run_job(name, &job, longest, &mut worked.noticed, go_on) {
            Ok(Progress::Done) => worked.done += 1,
            Ok(Progress::Stopped) => {
                // It did nothing wrong: it is taken up again where it stands.
                let mut tx = store.write()?;
                tx.renew(job.seq)?;
                tx.commit()?;
                return Ok(Taken::PutBack(job.kind));
            }
            Err(cause) => {
                let told = cause.chain().join(": ");
                let mut tx = store.write()?;
                tx.fail(&job, &told)?;
                tx.commit()?;
                worked.failed.push(describe(&Job { last_error: Some(told), ..job }));
            }
        }
        Ok(Taken::Ended)
    }

    /// Does a job. Its end is written in the transaction of its effect, or after all of them where
    /// doing it again would change nothing.
    fn run_job(
        &self,
        name: StoreName,
        job: &Job,
        longest: usize,
        noticed: &mut Vec<String>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Progress> {
        let store = self.store(name)?;
        let progress = match job.kind {
            JobKind::ScanContradictions => return self.scan_change(store, job, noticed),
            JobKind::Extract => return self.extract_change(store, job),
            JobKind::Cool => self.cool(store, go_on)?,
            JobKind::Embed => {
                let left = self.embed_up_to(longest, u64::MAX, &mut |_| go_on())?;
                if left.waiting == 0 { Progress::Done } else { Progress::Stopped }
            }
            JobKind::Consolidate => {
                let note = Note::because(format!("job: {}", job.payload));
                let whole = self.consolidate_in(name, &note, &mut |_| go_on())?;
                if whole { Progress::Done } else { Progress::Stopped }
            }
            _ => {
                self.run(store, job)?;
                Progress::Done
            }
        };
        if progress == Progress::Done {
            finish(store, job)?;
        }
        Ok(progress)
    }

    /// Compares what a change wrote with what stands near it; contradictions and the job's end are
    /// one transaction.
    fn scan_change(
        &self,
        store: &SqliteStore,
        job: &Job,
        noticed: &mut Vec<String>,
    ) -> Result<Progress> {
        let acts = {
            let read = store.read()?;
            let served = read.vector_models()?;
            let sense = |text: &str| self.sense(text, &served);
            let change = ChangeId(job.payload.clone());
            let ids = read.records_of(&change, MOST_SCANNED)?;
            let changed: BTreeSet<RecordId> = ids.into_iter().collect();
            let world = contradictions::neighbourhood(read.as_ref(), &changed, &sense)?;
            contradictions::plan(&world, &changed, read.as_ref(), &sense)?
        };
        let note = Note::because(format!("compared with what stands near {}", job.payload));
        let done = |tx: &mut dyn Write| Ok(tx.finish(job)?);
        let acts = self.carry_out_acts(store, acts, &note, &done)?;
        noticed.extend(acts.into_iter().map(|(act, _)| act.told));
        Ok(Progress::Done)
    }

    /// Links the episodes of a change with what they name; that and the job's end are one
    /// transaction.
    fn extract_change(&self, store: &SqliteStore, job: &Job) -> Result<Progress> {
        let acts = {
            let read = store.read()?;
            let ids = read.records_of(&ChangeId(job.payload.clone()), MOST_EXTRACTED)?;
            entities::plan(read.as_ref(), &ids.into_iter().collect())?
        };
        let note = Note::because(format!("named by what {} brought", job.payload));
        let done = |tx: &mut dyn Write| Ok(tx.finish(job)?);
        self.carry_out_acts(store, acts, &note, &done)?;
        Ok(Progress::Done)
    }

    /// Moves what old episodes say in full into cold storage, a batch a transaction.
    pub(super) fn cool(
        &self,
        store: &SqliteStore,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Progress> {
        loop {
            let mut tx = store.write()?;
            let before = tx.now()?.plus_seconds(-COLD_DAYS * 86_400);
            let cooled = tx.cool(before, COOLED_AT_ONCE)?;
            tx.commit()?;
            if (cooled as usize) < COOLED_AT_ONCE {
                return Ok(Progress::Done);
            }
            if !go_on() {
                return Ok(Progress::Stopped);
            }
        }
    }

    /// Moves what is old into cold storage now, in every store that can be written.
    pub fn cool_all(&self) -> Result<()> {
        for (_, store) in self.stores().filter(|(_, store)| store.read_only_because().is_none()) {
            self.cool(store, &mut || true)?;
        }
        Ok(())
    }

    /// Queues what follows from a change, in its own transaction: a comparison with what stands near
    /// where something is claimed, vectors where more wait than are made at once, and consolidation
    /// where it is due after a task or a phase.
    pub(crate) fn queue_after(
        &self,
        tx: &mut dyn Write,
        change: &ChangeId,
        kinds: &BTreeSet<Kind>,
    ) -> Result<()> {
        if kinds.iter().any(|kind| claims(*kind)) {
            tx.enqueue(JobKind::ScanContradictions, &change.0)?;
        }
        if self.settings.meaning.is_there() && tx.vectors_waiting()? > BATCH as u64 {
            tx.enqueue(JobKind::Embed, "")?;
        }
        if kinds.contains(&Kind::Ledger) || kinds.contains(&Kind::Handoff) {
            self.queue_consolidation(tx, Trigger::Phase)?;
        } else if kinds.contains(&Kind::Episode) {
            self.queue_consolidation(tx, Trigger::Task)?;
        }
        Ok(())
    }

    /// Queues the search for what the episodes of a change name, once however many batches it has.
    pub(super) fn queue_extraction(&self, tx: &mut dyn Write, change: &ChangeId) -> Result<()> {
        let waits = |job: &Job| job.kind == JobKind::Extract && job.payload == change.0;
        if !tx.jobs()?.iter().any(waits) {
            tx.enqueue(JobKind::Extract, &change.0)?;
        }
        Ok(())
    }

    /// Queues consolidation in the transaction of what makes it due.
    fn queue_consolidation(&self, tx: &mut dyn Write, trigger: Trigger) -> Result<()> {
        let waits = tx.jobs()?.iter().any(|job| job.kind == JobKind::Consolidate);
        if !waits && self.first_due(tx, &[trigger], 0)?.is_some() {
            tx.enqueue(JobKind::Consolidate, trigger.as_str())?;
        }
        Ok(())
    }

    /// The first of these triggers that is reason enough. News is counted only where it decides.
    fn first_due<R: Read + ?Sized>(
        &self,
        read: &R,
        triggers: &[Trigger],
        idle_seconds: i64,
    ) -> Result<Option<Trigger>> {
        let mut seen = self.circumstances(read, idle_seconds)?;
        let perhaps: Vec<Trigger> =
            triggers.iter().copied().filter(|trigger| due(*trigger, &seen)).collect();
        if !perhaps.is_empty() {
            seen.changed = match ran(read)? {
                Some(ran) => read.changed_between(ran, seen.now)?.len() as u64,
                None => read.census(At::LATEST)?.kinds.values().sum(),
            };
        }
        Ok(perhaps.into_iter().find(|trigger| due(*trigger, &seen)))
    }

    /// Queues what time alone makes due in every store: after a night, and when nobody has written
    /// for so many seconds.
    pub fn queue_due(&self, idle_seconds: Option<i64>) -> Result<()> {
        for (_, store) in self.stores().filter(|(_, store)| store.read_only_because().is_none()) {
            let triggers: &[Trigger] = match idle_seconds {
                Some(_) => &[Trigger::Night, Trigger::Idle],
                None => &[Trigger::Night],
            };
            let idle = idle_seconds.unwrap_or(0);
            let Some(trigger) = self.first_due(store.read()?.as_ref(), triggers, idle)? else {
                continue;
            };
            let mut tx = store.write()?;
            if !tx.jobs()?.iter().any(|job| job.kind == JobKind::Consolidate) {
                tx.enqueue(JobKind::Cool, "")?;
                tx.enqueue(JobKind::Consolidate, trigger.as_str())?;
                tx.commit()?;
            }
        }
        Ok(())
    }

    /// All that decides but the news, of which there may be any amount.
    fn circumstances<R: Read + ?Sized>(
        &self,
        read: &R,
        idle_seconds: i64,
    ) -> Result<Circumstances> {
        let now = read.now()?;
        let since = match ran(read)? {
            Some(ran) => Some(ran),
            None => read.audit_entries(0, 1)?.first().map(|entry| entry.at),
        };
        Ok(Circumstances {
            now,
            since,
            changed: u64::MAX,
            last_write: read.last_audit()?.map(|entry| entry.at),
            idle_seconds,
            offset_seconds: i64::from(local_zone().to_offset(now.to_jiff()).seconds()),
        })
    }

    /// Notes that consolidation looked at all of a store.
    pub(super) fn note_ran(&self, store: &SqliteStore) -> Result<()> {
        let mut tx = store.write()?;
        let now = tx.now()?;
        tx.set_bookmark(RAN, Some(&now.micros().to_string()))?;
        Ok(tx.commit()?)
    }
}

/// How far a job came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Done,
    /// The time was over; the rest waits.
    Stopped,
}

/// What came of looking for a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    Nothing,
    /// Done, or failed and told.
    Ended,
    /// Nobody has the time that jobs of this kind need.
    PutBack(JobKind),
}

/// Whether a record of this kind claims something that another may deny.
fn claims(kind: Kind) -> bool {
    matches!(kind, Kind::Fact | Kind::Decision | Kind::Pattern)
}

/// When consolidation last looked at all of a store.
fn ran<R: Read + ?Sized>(read: &R) -> Result<Option<Timestamp>> {
    let micros = read.bookmark(RAN)?.and_then(|text| text.parse().ok());
    Ok(micros.and_then(|micros| Timestamp::from_micros(micros).ok()))
}

fn finish(store: &SqliteStore, job: &Job) -> Result<()> {
    let mut tx = store.write()?;
    tx.finish(job)?;
    Ok(tx.commit()?)
}

fn records(store: &SqliteStore) -> Result<u64> {
    Ok(store.read()?.census(At::LATEST)?.kinds.values().sum())
}

/// One line for a person.
pub(crate) fn describe(job: &Job) -> String {
    let why = job.last_error.as_deref().unwrap_or("not tried yet");
    let given_up = if job.attempts >= MAX_ATTEMPTS { " (given up)" } else { "" };
    let what = match job.kind {
        JobKind::ScrubStore => "cleaning the store".to_owned(),
        JobKind::ScrubBackup => format!("cleaning the backup {}", job.payload),
        JobKind::ScanContradictions => format!("looking for contradictions of {}", job.payload),
        JobKind::Extract => format!("finding what {} names", job.payload),
        JobKind::Embed => "making vectors".to_owned(),
        JobKind::Cool => "moving old text into cold storage".to_owned(),
        JobKind::Consolidate => "consolidating".to_owned(),
        upkeep => format!("{} after session {}", upkeep, job.payload),
    };
    format!("{what}{given_up}: {why}")
}
