//! `capture`: a transcript becomes episodes and, when asked for, what they teach. Reading the same
//! again changes nothing; a file that has grown is read on from its last task.

mod bookmark;
pub(crate) mod code;
pub(crate) mod distil;
pub(super) mod keep;
mod reading;
mod recurring;

use crate::{Engine, Error, ErrorKind, Note, Result};
use bookmark::Bookmark;
use keep::Kept;
use mnemic_lifecycle::capture::{Origin, Report, Standing, Transcript, buffered};
use mnemic_model::{ChangeId, Kind};
use reading::Reading;
use std::collections::BTreeMap;
use std::io::{BufRead, Read, Seek};

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
    /// What was stored and set apart for a review: no agent is given it.
    pub quarantined: u64,
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
            Kept::Same | Kept::Elsewhere(_) => self.known_findings += 1,
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
        reading.read(Transcript::new(input), false, progress)?;
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
        // What was said before tells what is an echo of it: mining begins at the beginning.
        let transcript = match mark.filter(|_| !ask.extract) {
            Some(mark) => Transcript::resume(file, &mark.last_task).map_err(unreadable(ask))?.0,
            None => {
                file.rewind().map_err(unreadable(ask))?;
                Transcript::new(buffered(file))
            }
        };
        reading.read(transcript, true, progress)?;
        Ok(reading.captured)
    }

    fn origin(&self, ask: &CaptureAsk) -> Origin {
        let reader = self.settings.actor.clone();
        let person = if reader.is_human() { reader.name.clone() } else { "user".to_owned() };
        Origin { file: ask.name.clone(), person, reader }
    }
}

fn unreadable(ask: &CaptureAsk) -> impl Fn(std::io::Error) -> Error {
    move |cause| {
        Error::new(ErrorKind::Io, format!("`{}` cannot be read", ask.name))
            .because(cause)
            .hint("check the path; what was read before this is stored")
    }
}
