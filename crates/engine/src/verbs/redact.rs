//! `redact` and `scan`: takes text out of what is already stored, everywhere, and proves it.

use super::forget::{Proof, backups, prove};
use crate::{Engine, Error, ErrorKind, Result, StoreName};
use mnemic_model::job::{JobKind, Whose};
use mnemic_model::policy::Deed;
use mnemic_model::{RecordId, Trust, Verb};
use mnemic_store::sqlite::SqliteStore;
use mnemic_store::{Redaction, Screen};
use mnemic_text::secrets::{Detector, Tally, UserRule};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What shall be taken out.
#[derive(Debug, Clone)]
pub enum Target {
    /// Whatever fits a regular expression.
    Pattern(String),
    /// What one rule finds, such as `aws-key`.
    Rule(String),
    /// All that would not be let in today.
    Everything,
}

/// What redacting came to, or would come to. No text of it is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redacted {
    pub ids: Vec<(StoreName, RecordId)>,
    pub versions: u64,
    /// Reasons, traces, notes and the like that were changed as well.
    pub elsewhere: u64,
    /// Places replaced, by rule.
    pub counts: Tally,
    /// Names of records and audit entries that fit and cannot be changed.
    pub unchangeable: u64,
    pub proof: Proof,
    pub waiting: Vec<String>,
}

/// What is stored and would not be let in today.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scanned {
    pub memories: u64,
    /// Memories with what was found in them, by rule.
    pub found: Vec<(StoreName, RecordId, Tally)>,
}

impl Engine {
    /// Refuses the name of a rule that there is not.
    pub fn require_rule(&self, name: &str) -> Result<()> {
        self.detector_for(&Target::Rule(name.to_owned())).map(drop)
    }

    /// Looks through every version of every memory; changes nothing.
    pub fn scan(&self) -> Result<Scanned> {
        let mut scanned = Scanned::default();
        for (name, store) in self.stores() {
            let read = store.read()?;
            let screen = Screen::new(self.settings.screen.detector().clone());
            read.each_record(&mut |id| {
                scanned.memories += 1;
                for version in read.versions(id)? {
                    screen.content(&version.content)?;
                }
                let tally = screen.take_tally();
                if !tally.is_empty() {
                    scanned.found.push((name, id.clone(), tally));
                }
                Ok(())
            })?;
        }
        Ok(scanned)
    }

    /// Takes text out of every row, version, index, vector, journal, backup and directory of files.
    /// It cannot be undone.
    pub fn redact(&self, target: &Target, dry_run: bool) -> Result<Redacted> {
        self.require(Deed::Redact, Trust::Trusted)?;
        let detector = self.detector_for(target)?;
        let mut redacted = Redacted::default();
        for (name, store) in self.stores() {
            let screen = Screen::collecting(detector.clone());
            let done = self.redact_store(store, &screen, dry_run)?;
            redacted.add(name, done, &screen);
            if dry_run {
                continue;
            }
            redacted.waiting.extend(self.finish_jobs_of(store, Whose::Free, JobKind::SCRUBBING)?);
            self.redact_backups(store, &screen, &mut redacted.waiting)?;
            self.tend(store);
            store.scrub(false)?;
            let files = self.clean_files(name)?;
            prove(store, &files, &screen.pieces(), &mut redacted.proof)?;
            redacted.waiting.extend(files.left);
        }
        Ok(redacted)
    }

    fn detector_for(&self, target: &Target) -> Result<Detector> {
        let ours = self.settings.screen.detector();
        match target {
            Target::Everything => Ok(ours.clone()),
            Target::Pattern(pattern) => {
                let rule = UserRule::new("text", pattern).map_err(|wrong| {
                    Error::new(ErrorKind::Invalid, wrong.to_string())
                        .hint("give a regular expression, e.g. 'TICKET-[0-9]+'")
                })?;
                Ok(Detector::new(false, Vec::new(), vec![rule]))
            }
            Target::Rule(name) => ours.clone().only(name).ok_or_else(|| {
                Error::new(ErrorKind::NotFound, format!("there is no rule `{name}`"))
                    .hint(format!("there are: {}", ours.rule_names().join(", ")))
            }),
        }
    }

    /// One transaction: rows rewritten, an audit entry for each memory, and the job that cleans what
    /// lies outside of rows.
    fn redact_store(
        &self,
        store: &SqliteStore,
        screen: &Screen,
        dry_run: bool,
    ) -> Result<Redaction> {
        let mut tx = store.write()?;
        let done = tx.redact(screen)?;
        if dry_run {
            return Ok(done);
        }
        for id in &done.ids {
            tx.audit(&self.settings.actor, Verb::Redact, id.as_str(), None)?;
        }
        if done.ids.is_empty() {
            tx.audit(&self.settings.actor, Verb::Redact, "store", None)?;
        }
        tx.enqueue(JobKind::ScrubStore, "")?;
        tx.commit()?;
        Ok(done)
    }

    /// The pattern is nowhere written down: a copy that is out of reach is named, not queued.
    fn redact_backups(
        &self,
        store: &SqliteStore,
        screen: &Screen,
        waiting: &mut Vec<String>,
    ) -> Result<()> {
        let names = {
            let tx = store.write()?;
            backups(store.path(), tx.as_ref())?
        };
        let paths: BTreeMap<String, PathBuf> = names
            .into_iter()
            .map(|name| (name.clone(), store.path().with_file_name(&name)))
            .collect();
        for (name, path) in paths {
            if !path.exists() {
                if !path.parent().is_some_and(Path::is_dir) {
                    waiting.push(format!(
                        "the backup {name} is out of reach; redact again when it is back"
                    ));
                }
                continue;
            }
            let backup = SqliteStore::open(&path, self.settings.clock.clone())?;
            self.redact_store(&backup, screen, false)?;
            backup.scrub(true)?;
            backup.leave_as_single_file()?;
        }
        Ok(())
    }
}

impl Redacted {
    fn add(&mut self, name: StoreName, done: Redaction, screen: &Screen) {
        self.ids.extend(done.ids.into_iter().map(|id| (name, id)));
        self.versions += done.versions;
        self.elsewhere += done.elsewhere;
        self.unchangeable += done.unchangeable;
        for (rule, n) in screen.take_tally() {
            *self.counts.entry(rule).or_default() += n;
        }
    }
}
