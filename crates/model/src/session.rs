//! Sessions: one conversation of an agent, what happened in it, what was shown and what it cost.

mod attention;
mod economics;

pub use attention::{Due, Fill, Quality, Stir, due};
pub use economics::Economics;

use crate::body::Outcome;
use crate::id::base32;
use crate::invalid::named;
use crate::{Invalid, RecordId, Timestamp};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// The name of a session: the host's own, or one of ours.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(String);

impl SessionId {
    pub fn from_random(random: u64) -> SessionId {
        SessionId(format!("ses-{}", base32(random)))
    }

    pub fn parse(text: &str) -> Result<SessionId, Invalid> {
        let id = RecordId::parse(text).map_err(|bad| Invalid { field: "session".into(), ..bad })?;
        Ok(SessionId(id.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

named! {
    /// What can happen in a session.
    EventKind, "event" {
        Start = "start",
        /// The person said something.
        Prompt = "prompt",
        /// The agent called a tool.
        Tool = "tool",
        Error = "error",
        TopicShift = "topic_shift",
        /// The host says how full its window is.
        WindowFill = "window_fill",
        /// The host has thrown most of its window away.
        Compaction = "compaction",
        TaskDone = "task_done",
        End = "end",
    }
}

/// One happening, as a number at most: the words of a conversation are not ours to keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SessionEvent {
    pub at: Timestamp,
    pub kind: EventKind,
    /// Tokens in the window, the distance of a shift; 0 where there is nothing to count.
    pub amount: f64,
}

/// What a session is about, without its words: numbers that only tell near from far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Focus {
    /// Digests of the terms it names.
    pub terms: BTreeSet<u32>,
    /// Where a model is at hand, the direction of its meaning.
    pub vector: Vec<f32>,
}

impl Focus {
    /// How far another text lies from this one, 0..1. With too few words to tell, it lies near.
    pub fn distance(&self, other: &Focus) -> f64 {
        const FEWEST: usize = 3;
        if !self.vector.is_empty() && self.vector.len() == other.vector.len() {
            let dot = |a: &[f32], b: &[f32]| -> f64 {
                a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
            };
            let (a, b) = (&self.vector, &other.vector);
            let length = (dot(a, a) * dot(b, b)).sqrt();
            let cosine = if length > 0.0 { dot(a, b) / length } else { 1.0 };
            return (1.0 - cosine).clamp(0.0, 1.0);
        }
        let fewest = self.terms.len().min(other.terms.len());
        if fewest < FEWEST {
            return 0.0;
        }
        1.0 - self.terms.intersection(&other.terms).count() as f64 / fewest as f64
    }
}

/// One conversation of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    pub id: SessionId,
    /// The program that the agent runs in.
    pub host: Option<String>,
    pub agent: Option<String>,
    pub started_at: Timestamp,
    pub ended_at: Option<Timestamp>,
    pub focus: Focus,
    /// Tokens that the window holds, where the host told.
    pub window: Option<u64>,
    /// Tokens in it at last count.
    pub filled: u64,
    pub outcome: Option<Outcome>,
}

impl Session {
    /// How full the window is, where both numbers are known.
    pub fn fill(&self) -> Option<Fill> {
        self.window.filter(|window| *window > 0).map(|window| Fill::of(self.filled, window))
    }
}

named! {
    /// How much of a memory's text is shown.
    Level, "level" {
        Full = "full",
        Summary = "summary",
        Compressed = "compressed",
        Index = "index",
    }
}

/// One memory that was put before an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Injection {
    pub session: SessionId,
    pub record: RecordId,
    pub at: Timestamp,
    pub level: Level,
    /// The part of the context it was put into, e.g. `mandates` or `layers`.
    pub tier: String,
    pub tokens: u64,
    /// Whether the agent said that it applied it.
    pub cited: bool,
    /// How the session went that it was shown in.
    pub outcome: Option<Outcome>,
}

named! {
    /// What a trace can be of.
    ThingKind, "thing" {
        File = "file",
        Module = "module",
        Import = "import",
        Symbol = "symbol",
        Branch = "branch",
        Command = "command",
        Error = "error",
        Memory = "memory",
        Tool = "tool",
        Person = "person",
        /// An hour of the week, as a number.
        Hour = "hour",
    }
}

/// Something that a session touched.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thing {
    pub kind: ThingKind,
    /// A path, an id, a number: whatever tells it from others of its kind.
    pub name: Arc<str>,
}

impl Thing {
    pub fn new(kind: ThingKind, name: impl Into<Arc<str>>) -> Thing {
        Thing { kind, name: name.into() }
    }

    pub fn file(path: impl Into<Arc<str>>) -> Thing {
        Thing::new(ThingKind::File, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far() {
        let terms = |numbers: &[u32]| Focus {
            terms: numbers.iter().copied().collect(),
            vector: Vec::new(),
        };
        let about = terms(&[1, 2, 3, 4, 5]);
        assert_eq!(about.distance(&about), 0.0);
        assert_eq!(about.distance(&terms(&[7, 8, 9])), 1.0);
        assert_eq!(about.distance(&terms(&[9])), 0.0, "one word says nothing");
        assert_eq!(about.distance(&terms(&[1, 2, 8, 9])), 0.5);
        let vector = |vector: &[f32]| Focus { vector: vector.to_vec(), ..about.clone() };
        assert_eq!(vector(&[1.0, 0.0]).distance(&vector(&[0.0, 2.0])), 1.0);
        assert!(vector(&[1.0, 0.0]).distance(&vector(&[5.0, 0.0])) < 1e-9);
        assert_eq!(vector(&[1.0]).distance(&vector(&[0.0, 2.0])), 0.0, "of two models, by words");
    }

    #[test]
    fn names_of_hosts_are_kept_and_broken_ones_refused() {
        assert_eq!(SessionId::parse("0f3a-11").unwrap().as_str(), "0f3a-11");
        assert_eq!(SessionId::parse("a b").unwrap_err().field, "session");
    }
}
