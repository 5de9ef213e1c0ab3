//! One transcript read to its end: turns become episodes, and findings wait for theirs to close.

use super::bookmark::Bookmark;
use super::keep::Keeper;
use super::{CaptureAsk, Captured, unreadable};
use crate::{Engine, Error, ErrorKind, Note, Result, StoreName};
use mnemic_lifecycle::capture::{Episodes, Step, Stop, Transcript};
use mnemic_lifecycle::extract::{Miner, plain_claims};
use mnemic_model::{Draft, RecordId, Trust};
use std::collections::BTreeSet;
use std::io::BufRead;

/// One transcript on its way into the store.
pub(super) struct Reading<'e> {
    ask: &'e CaptureAsk,
    pub(super) store: StoreName,
    keeper: Keeper<'e>,
    episodes: Episodes,
    miner: Option<Miner>,
    sessions: BTreeSet<String>,
    /// Where the line began whose session was just announced.
    before_turn: Option<Stop>,
    /// What was found in the task that is still going on.
    findings: Vec<Draft>,
    last_episode: Option<RecordId>,
    pub(super) captured: Captured,
}

impl<'e> Reading<'e> {
    pub(super) fn begin(
        engine: &'e Engine,
        ask: &'e CaptureAsk,
        note: &'e Note,
    ) -> Result<Reading<'e>> {
        let store = Engine::home_of(engine.usual_scope().level);
        let origin = engine.origin(ask);
        Ok(Reading {
            ask,
            store,
            keeper: Keeper::new(engine, store, note, ask.dry_run)?.extracting(ask.extract),
            episodes: Episodes::new(origin.clone()),
            miner: ask.extract.then(|| Miner::new(origin, plain_claims)),
            sessions: BTreeSet::new(),
            before_turn: None,
            findings: Vec::new(),
            last_episode: None,
            captured: Captured::default(),
        })
    }

    /// Reads to the end; with a bookmark, notes where to go on when the file grows.
    pub(super) fn read<R: BufRead>(
        &mut self,
        transcript: Transcript<R>,
        with_bookmark: bool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<()> {
        let mut transcript = match self.ask.format {
            Some(format) => transcript.read_as(format),
            None => transcript,
        };
        let mut last_task = transcript.rest();
        loop {
            let here = transcript.rest();
            if let Some(here) = &here {
                progress(here.bytes());
            }
            let Some(step) = transcript.pull().map_err(unreadable(self.ask))? else { break };
            self.step(step, here, &mut last_task)?;
        }
        if let Some(draft) = self.episodes.finish() {
            self.close(draft)?;
        }
        self.captured.report = transcript.report().clone();
        self.captured.sessions = self.sessions.len() as u64;
        self.refuse_what_is_no_transcript(transcript.format().is_some())?;
        if let Some((last_task, end)) = last_task.zip(transcript.rest()).filter(|_| with_bookmark) {
            self.mark(last_task, end);
        }
        self.flush()?;
        self.captured.change = self.keeper.change();
        self.captured.quarantined += self.keeper.take_quarantined();
        Ok(())
    }

    fn mark(&mut self, last_task: Stop, end: Stop) {
        let mark = Bookmark {
            last_task: last_task.kept(),
            end: end.kept(),
            last_episode: self.last_episode.clone(),
            extracted: self.ask.extract,
        };
        let (name, text) = mark.written(self.ask);
        self.keeper.mark(name, text);
    }

    fn step(&mut self, step: Step, here: Option<Stop>, last_task: &mut Option<Stop>) -> Result<()> {
        match step {
            Step::Session(head) => {
                self.sessions.insert(head.id.clone());
                if let Some(draft) = self.episodes.open(&head) {
                    self.close(draft)?;
                }
                if let Some(miner) = &mut self.miner {
                    miner.open(&head);
                }
                // The turn that this was announced for stands in the same line.
                self.before_turn = here;
            }
            Step::Turn(turn) => {
                let here = self.before_turn.take().or(here);
                if let Some(draft) = self.episodes.see(&turn) {
                    self.close(draft)?;
                }
                if self.episodes.is_fresh() && here.is_some() {
                    *last_task = here;
                }
                if let Some(miner) = &mut self.miner {
                    self.findings.extend(miner.see(&turn));
                }
            }
        }
        Ok(())
    }

    /// An episode is complete: what was found in it names it as its source.
    fn close(&mut self, draft: Draft) -> Result<()> {
        let episode = draft.about.id.clone();
        self.last_episode.clone_from(&episode);
        self.keeper.add(draft);
        for mut finding in self.findings.drain(..) {
            finding.about.episodes = episode.iter().cloned().collect();
            finding.about.trust = Some(Trust::Unreviewed);
            self.keeper.add(finding);
        }
        if self.keeper.is_full() {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        for (kind, kept) in self.keeper.flush()? {
            self.captured.add(kind, kept);
        }
        Ok(())
    }

    /// A file that nothing was found in may simply not be what it was taken for.
    fn refuse_what_is_no_transcript(&self, told: bool) -> Result<()> {
        let report = &self.captured.report;
        // A layout that was found out fits; one that was named must show it.
        let fits = told && report.broken_lines == 0 && self.ask.format.is_none();
        let is_quiet = report.blank || fits;
        if !self.sessions.is_empty() || is_quiet {
            return Ok(());
        }
        let why = match report.problems.first() {
            Some(problem) => format!(": line {} {}", problem.line, problem.what),
            None if report.unfinished => ": it ends in the middle of its first value".to_owned(),
            None => String::new(),
        };
        let why = match self.ask.format {
            Some(format) if report.problems.is_empty() => {
                format!(": nothing in it is of the layout `{}`", format.as_str())
            }
            _ => why,
        };
        let name = &self.ask.name;
        let message = format!("`{name}` is not a transcript that mnemic reads{why}");
        Err(Error::new(ErrorKind::Invalid, message)
            .hint("name its layout with `--format`; JSON of your own comes in with `remember -`"))
    }
}
