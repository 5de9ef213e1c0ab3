//! `capture`: a transcript becomes episodes and, when asked for, what they teach. Reading the same
//! again changes nothing; a file that has grown is read on from its last task.

mod bookmark;
mod keep;
mod recurring;

use crate::{Engine, Error, ErrorKind, Note, Result, StoreName};
use bookmark::Bookmark;
use keep::{Keeper, Kept};
use mnemic_lifecycle::capture::{Episodes, Origin, Report, Resume, Standing, Step, Transcript};
use mnemic_lifecycle::extract::{Miner, plain_claims};
use mnemic_model::{ChangeId, Draft, Kind, RecordId, Trust};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

pub use mnemic_lifecycle::capture::Format;

/// How a transcript is to be read.
#[derive(Debug, Clone, Default)]
pub struct CaptureAsk {
    /// As it shall be named in sources; a file under the same name is the same file.
    pub name: String,
    /// The layout; without it, the first value that tells decides.
    pub format: Option<Format>,
    /// Also look for what is worth knowing, and store it as unreviewed.
    pub extract: bool,
    /// Count what would be stored and store nothing.
    pub dry_run: bool,
}

/// What became of a transcript.
#[derive(Debug, Clone, Default)]
pub struct Captured {
    pub sessions: u64,
    /// Episodes that are new, that went on since they were stored, and that were here already.
    pub new: u64,
    pub grown: u64,
    pub same: u64,
    /// What was found and not known yet, by kind.
    pub findings: BTreeMap<Kind, u64>,
    pub known_findings: u64,
    /// Findings that say otherwise than what a person stands for: left out.
    pub contested: u64,
    /// Left out because somebody asked to forget it.
    pub forgotten: u64,
    /// What could not be stored, and why.
    pub refused: Vec<String>,
    /// What of the file could not be read.
    pub report: Report,
    /// Nothing was read: the file is as it was.
    pub unchanged: bool,
    /// Undo this to take it all back; none when nothing was written.
    pub change: Option<ChangeId>,
}

impl Captured {
    fn add(&mut self, kind: Kind, kept: Kept) {
        match kept {
            Kept::Refused(why) => self.refused.push(why),
            Kept::Forgotten => self.forgotten += 1,
            Kept::Contested => self.contested += 1,
            Kept::New if kind == Kind::Episode => self.new += 1,
            Kept::Grown => self.grown += 1,
            Kept::Same if kind == Kind::Episode => self.same += 1,
            Kept::New => *self.findings.entry(kind).or_default() += 1,
            Kept::Same => self.known_findings += 1,
        }
    }
}

impl Engine {
    /// Reads a transcript to its end. What was captured before is found again by its ids.
    pub fn capture(
        &self,
        input: &mut dyn BufRead,
        ask: &CaptureAsk,
        note: &Note,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Captured> {
        let mut reading = Reading::begin(self, ask, note)?;
        reading.is_empty = input.fill_buf().map_err(unreadable(ask))?.is_empty();
        reading.read(Transcript::new(input), progress)?;
        Ok(reading.captured)
    }

    /// The same for a file that may have been read before: only what is new in it is read.
    pub fn capture_file<F: Read + Seek>(
        &self,
        mut file: F,
        ask: &CaptureAsk,
        note: &Note,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Captured> {
        let mut reading = Reading::begin(self, ask, note)?;
        let mark = Bookmark::find(self, reading.store, ask)?;
        if let Some(mark) = &mark
            && mark.end.standing(&mut file).map_err(unreadable(ask))? == Standing::Same
        {
            reading.captured.unchanged = true;
            return Ok(reading.captured);
        }
        reading.is_empty = file.seek(SeekFrom::End(0)).map_err(unreadable(ask))? == 0;
        // What was said before tells what is an echo of it: mining begins at the beginning.
        let transcript = match mark.filter(|_| !ask.extract) {
            Some(mark) => Transcript::resume(file, &mark.last_task).map_err(unreadable(ask))?.0,
            None => {
                file.rewind().map_err(unreadable(ask))?;
                Transcript::new(BufReader::new(file))
            }
        };
        if let Some(mark) = reading.read(transcript, progress)? {
            mark.keep(self, reading.store, ask)?;
        }
        Ok(reading.captured)
    }

    fn origin(&self, ask: &CaptureAsk) -> Origin {
        let reader = self.settings.actor.clone();
        let person = if reader.is_human() { reader.name.clone() } else { "user".to_owned() };
        Origin { file: ask.name.clone(), person, reader }
    }
}

/// One transcript on its way into the store.
struct Reading<'e> {
    ask: &'e CaptureAsk,
    store: StoreName,
    /// Nothing was written to the transcript yet.
    is_empty: bool,
    keeper: Keeper<'e>,
    episodes: Episodes,
    miner: Option<Miner>,
    sessions: BTreeSet<String>,
    /// Where the line began whose session was just announced.
    before_turn: Option<Resume>,
    /// What was found in the task that is still going on.
    findings: Vec<Draft>,
    last_episode: Option<RecordId>,
    captured: Captured,
}

impl<'e> Reading<'e> {
    fn begin(engine: &'e Engine, ask: &'e CaptureAsk, note: &'e Note) -> Result<Reading<'e>> {
        let store = Engine::home_of(engine.usual_scope().level);
        let origin = engine.origin(ask);
        Ok(Reading {
            ask,
            store,
            is_empty: false,
            keeper: Keeper::new(engine, store, note, ask.dry_run)?,
            episodes: Episodes::new(origin.clone()),
            miner: ask.extract.then(|| Miner::new(origin, plain_claims)),
            sessions: BTreeSet::new(),
            before_turn: None,
            findings: Vec::new(),
            last_episode: None,
            captured: Captured::default(),
        })
    }

    /// Reads to the end; says where to go on when the file grows.
    fn read<R: BufRead>(
        &mut self,
        transcript: Transcript<R>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<Bookmark>> {
        let mut transcript = match self.ask.format {
            Some(format) => transcript.read_as(format),
            None => transcript,
        };
        let mut last_task = transcript.rest();
        loop {
            let here = transcript.rest();
            if let Some(here) = &here {
                progress(here.bytes);
            }
            let Some(step) = transcript.pull().map_err(unreadable(self.ask))? else { break };
            self.step(step, here, &mut last_task)?;
        }
        if let Some(draft) = self.episodes.finish() {
            self.close(draft)?;
        }
        self.flush()?;
        self.captured.report = transcript.report().clone();
        self.captured.sessions = self.sessions.len() as u64;
        self.captured.change = self.keeper.change();
        self.refuse_what_is_no_transcript(transcript.format().is_some())?;
        let end = transcript.rest();
        let whole = last_task.zip(end);
        Ok(whole.map(|(last_task, end)| Bookmark {
            last_task,
            end,
            last_episode: self.last_episode.clone(),
            extracted: self.ask.extract,
        }))
    }

    fn step(
        &mut self,
        step: Step,
        here: Option<Resume>,
        last_task: &mut Option<Resume>,
    ) -> Result<()> {
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
        let is_quiet = self.is_empty || told && report.broken_lines == 0;
        if !self.sessions.is_empty() || is_quiet {
            return Ok(());
        }
        let why = match report.problems.first() {
            Some(problem) => format!(": line {} {}", problem.line, problem.what),
            None if report.unfinished => ": it ends in the middle of its first value".to_owned(),
            None => String::new(),
        };
        let name = &self.ask.name;
        let message = format!("`{name}` is not a transcript that mnemic reads{why}");
        Err(Error::new(ErrorKind::Invalid, message)
            .hint("name its layout with `--format`; JSON of your own comes in with `remember -`"))
    }
}

fn unreadable(ask: &CaptureAsk) -> impl Fn(std::io::Error) -> Error {
    move |cause| {
        Error::new(ErrorKind::Io, format!("`{}` cannot be read", ask.name))
            .because(cause)
            .hint("check the path; what was read before this is stored")
    }
}
