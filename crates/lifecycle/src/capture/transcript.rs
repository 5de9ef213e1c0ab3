//! Reads a transcript turn by turn in bounded memory, whatever host wrote it and however broken it is.

use super::blocks::Scribe;
use super::calls::Calls;
use super::detect::{Format, detect};
use super::lines::{Item, Lines};
use super::private::Veil;
use super::resume::{Edges, Resume, Standing, Stop};
use super::turn::{Head, Place, Session, Turn};
use super::{claude_code, codex, messages, sessions};
use mnemic_model::Digest;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, BufReader, Read, Seek};

/// Broken lines that are named one by one; the others are only counted.
const MOST_PROBLEMS: usize = 100;

/// What the rest of a transcript depends on.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) format: Option<Format>,
    pub(super) head: Head,
    pub(super) calls: Calls,
    /// A slash command was the last thing that came in a person's name.
    pub(super) after_command: bool,
    /// The last key of a layout whose values have no name of their own.
    pub(super) chain: Option<Digest>,
    pub(super) group: u32,
    /// The message that ended inside a private stretch and may go on in the next line.
    pub(super) veiled_message: Option<(String, usize)>,
}

/// What a transcript yields.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// The turns that follow belong to this session; it comes again when something of it changes.
    Session(Head),
    Turn(Turn),
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub line: u64,
    pub what: String,
}

/// What was passed over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    pub problems: Vec<Problem>,
    pub broken_lines: u64,
    /// Values and blocks of types that nobody reads, by type.
    pub skipped: BTreeMap<String, u64>,
    /// The last line was still in writing; it is left for the next time.
    pub unfinished: bool,
    /// Nothing stands in the file, or nothing but line ends.
    pub blank: bool,
}

impl Report {
    pub(super) fn skip(&mut self, what: &str) {
        // A name is repeated in reports, so it must be one and not a text.
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_- .".contains(c);
        let named = what.len() <= 60 && what.chars().all(is_name);
        // Types are few; a file that invents a new one each line must not fill the memory.
        let room = self.skipped.len() < MOST_PROBLEMS || self.skipped.contains_key(what);
        let what = if named && room { what } else { "others" };
        *self.skipped.entry(what.to_owned()).or_default() += 1;
    }

    fn broken(&mut self, line: u64, what: String) {
        self.broken_lines += 1;
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(Problem { line, what });
        }
    }
}

/// Where a value stands and what names it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) place: Place,
    pub(super) digest: Digest,
    pub(super) group: u32,
}

impl Spot {
    pub(super) fn scribe<'a>(&self, state: &'a mut State, key: &str) -> Scribe<'a> {
        let key = format!("{}/{key}", state.head.id);
        Scribe { state, veil: Veil::default(), at: None, place: self.place, key, turns: Vec::new() }
    }
}

/// A transcript that is being read.
#[derive(Debug)]
pub struct Transcript<R> {
    lines: Lines<R>,
    state: State,
    waiting: VecDeque<Step>,
    announced: Option<Head>,
    report: Report,
    /// Lines and edges up to the end of the last value that was read.
    done: (u64, Edges),
}

impl<R: BufRead> Transcript<R> {
    pub fn new(reader: R) -> Transcript<R> {
        Transcript::of(Lines::new(reader), State::default())
    }

    /// Takes the layout from whoever knows it instead of finding it out.
    pub fn read_as(mut self, format: Format) -> Transcript<R> {
        self.state.format = Some(format);
        self
    }

    /// The layout, once a value told it.
    pub fn format(&self) -> Option<Format> {
        self.state.format
    }

    fn of(lines: Lines<R>, state: State) -> Transcript<R> {
        let (count, edges) = lines.position();
        let done = (count, edges.clone());
        let (waiting, report) = (VecDeque::new(), Report::default());
        Transcript { lines, state, waiting, announced: None, report, done }
    }

    /// The next session or turn; none at the end of the file.
    pub fn pull(&mut self) -> io::Result<Option<Step>> {
        loop {
            if let Some(step) = self.waiting.pop_front() {
                return Ok(Some(step));
            }
            if self.report.unfinished {
                return Ok(None);
            }
            match self.lines.pull()? {
                None => {
                    self.report.blank = self.lines.are_blank();
                    return Ok(None);
                }
                Some(item) => self.read(item)?,
            }
        }
    }

    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Where to go on when the file has grown. None while turns of the last line are waiting.
    pub fn rest(&self) -> Option<Stop> {
        let (lines, edges) = &self.done;
        let whole = !self.lines.goes_by_lines();
        let (lines, state) = (*lines, &self.state);
        self.waiting.is_empty().then(|| Stop {
            lines,
            edges: edges.clone(),
            whole,
            state: state.clone(),
        })
    }

    fn read(&mut self, mut item: Item) -> io::Result<()> {
        let mut parsed = serde_json::from_str::<Value>(&item.text);
        if self.done.1.bytes == 0 && self.lines.goes_by_lines() && opens_document(&item, &parsed) {
            item = self.lines.pull_rest(item)?;
            parsed = serde_json::from_str(&item.text);
        }
        if item.too_long {
            self.report.broken(item.first, "is too long to be read".to_owned());
        } else if !item.text.is_empty() {
            match parsed {
                Ok(value) => self.take(&item, &value),
                Err(_) if !item.ended => {
                    self.report.unfinished = true;
                    return Ok(());
                }
                Err(cause) => self.report.broken(item.first, format!("is not JSON: {cause}")),
            }
        }
        let (lines, edges) = self.lines.position();
        self.done = (lines, edges.clone());
        Ok(())
    }

    fn take(&mut self, item: &Item, value: &Value) {
        if self.state.format.is_none() {
            self.state.format = detect(value);
        }
        let place = Place { first: item.first, last: item.last, part: None };
        let digest = Digest::of("transcript-line", [item.text.as_bytes()]);
        let spot = Spot { place, digest, group: item.group };
        let (state, report) = (&mut self.state, &mut self.report);
        match state.format {
            None => report.skip(value.get("type").and_then(Value::as_str).unwrap_or("unknown")),
            Some(Format::ClaudeCode) => {
                let turns = claude_code::read(value, spot, state, report);
                self.queue(turns);
            }
            Some(Format::Codex) => {
                let turns = codex::read(value, spot, state, report);
                self.queue(turns);
            }
            Some(Format::Messages) => {
                let turns = messages::read(value, spot, state, report);
                self.queue(turns);
            }
            Some(Format::Sessions) => {
                let turns = sessions::read(value, spot, state, report);
                self.queue(turns);
            }
        }
    }

    fn queue(&mut self, turns: Vec<Turn>) {
        if !turns.is_empty() && self.announced.as_ref() != Some(&self.state.head) {
            self.announced = Some(self.state.head.clone());
            self.waiting.push_back(Step::Session(self.state.head.clone()));
        }
        self.waiting.extend(turns.into_iter().map(Step::Turn));
    }
}

impl<F: Read + Seek> Transcript<BufReader<F>> {
    /// Reads a file from where the last reading stopped, or anew when it is not the same file.
    pub fn resume(
        mut file: F,
        resume: &Resume,
    ) -> io::Result<(Transcript<BufReader<F>>, Standing)> {
        let standing = resume.standing(&mut file)?;
        if standing == Standing::Rewritten {
            return Ok((Transcript::new(buffered(file)), standing));
        }
        let edges = resume.edges(&mut file)?;
        let lines = Lines::resumed(buffered(file), resume.lines, edges);
        Ok((Transcript::of(lines, resume.state.clone()), standing))
    }
}

/// Transcripts are long: fewer and larger reads.
pub fn buffered<F: Read>(file: F) -> BufReader<F> {
    BufReader::with_capacity(64 * 1024, file)
}

/// Whether the first line only begins a value that goes on over the lines after it.
fn opens_document(item: &Item, parsed: &serde_json::Result<Value>) -> bool {
    let goes_on = item.text.ends_with(['{', '[', ',']);
    goes_on && item.ended && parsed.as_ref().is_err_and(serde_json::Error::is_eof)
}

/// All sessions of a transcript with all their turns; for files known to be small.
pub fn read_sessions(reader: impl BufRead) -> io::Result<(Vec<Session>, Report)> {
    let mut transcript = Transcript::new(reader);
    let mut found: Vec<Session> = Vec::new();
    while let Some(step) = transcript.pull()? {
        match (step, found.last_mut()) {
            (Step::Session(head), Some(session)) if session.head.id == head.id => {
                session.head = head;
            }
            (Step::Session(head), _) => found.push(Session { head, turns: Vec::new() }),
            (Step::Turn(turn), Some(session)) => session.turns.push(turn),
            (Step::Turn(_), None) => {}
        }
    }
    Ok((found, transcript.report))
}
