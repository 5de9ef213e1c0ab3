//! One set of nouns for the transcripts of all hosts: a session, its turns, and who had each.

use super::tools::Work;
use mnemic_model::Timestamp;
use serde::{Deserialize, Serialize};

/// Who speaks in a turn, or what happens in it.
#[derive(Debug, Clone, PartialEq)]
pub enum Seat {
    /// What a person typed, and nothing else.
    Person,
    Agent,
    /// What the agent thought without saying it.
    Thought,
    Call(Call),
    Result(Answer),
    /// The host's own words: prompts, notices, interruptions.
    System,
    /// What a tool put into the conversation in a person's or the host's name. Never mined.
    Injected,
}

/// A tool that is asked to do something. The turn's text is its input.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub tool: String,
    pub id: Option<String>,
    pub work: Work,
    /// What is run, where something is.
    pub command: Option<String>,
    /// What an edit takes away and puts there, where the host says so.
    pub removed: Option<String>,
    pub added: Option<String>,
}

/// What came of a call. The turn's text is its output.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub tool: String,
    pub id: Option<String>,
    /// Whether the host called it a success; its output may still say otherwise.
    pub ok: Option<bool>,
}

/// Where a turn stands in its file: lines from 1, and the place within a line that holds many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub first: u64,
    pub last: u64,
    pub part: Option<u32>,
}

impl Place {
    /// `file#L12-L40`, from the beginning of one turn to the end of another.
    pub fn between(file: &str, from: Place, to: Place) -> String {
        let spot = |line: u64, part: Option<u32>| match part {
            Some(part) => format!("L{line}.{part}"),
            None => format!("L{line}"),
        };
        let (begin, end) = (spot(from.first, from.part), spot(to.last, to.part));
        if begin == end { format!("{file}#{begin}") } else { format!("{file}#{begin}-{end}") }
    }
}

/// One turn of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The same for the same turn however often it is read.
    pub key: String,
    pub seat: Seat,
    pub at: Option<Timestamp>,
    pub text: String,
    pub files: Vec<String>,
    pub place: Place,
}

/// What holds for all turns of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Head {
    /// The host that wrote it, such as `claude-code`.
    pub host: String,
    pub id: String,
    pub cwd: Option<String>,
    pub branch: Option<String>,
    pub commit: Option<String>,
}

/// A session read whole. Long ones are better pulled turn by turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    pub head: Head,
    pub turns: Vec<Turn>,
}
