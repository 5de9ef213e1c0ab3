//! What hooks know of an open conversation without asking the store: so most prompts need no store.

use super::Host;
use super::event::{Event, Happened};
use super::inbox::{Inbox, make, replace};
use mnemic_engine::model::session::Focus;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

const DIR: &str = "seats";

/// A conversation that nobody ended and nobody went on with for so long is over.
const ABANDONED: Duration = Duration::from_secs(6 * 60 * 60);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seat {
    pub(crate) host: Host,
    pub(crate) session: String,
    pub(crate) transcript: Option<PathBuf>,
    pub(crate) dir: Option<PathBuf>,
    /// The first prompt has been answered.
    pub(crate) prompted: bool,
    /// Ids of the memories that stand in its window.
    pub(crate) shown: Vec<String>,
    /// Ids of those that were shown when something failed.
    #[serde(default)]
    pub(crate) tried: Vec<String>,
    /// What it is about, where somebody wants to know when that changes.
    #[serde(default)]
    pub(crate) topic: Topic,
}

/// What a conversation is about, without its words.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Topic {
    terms: BTreeSet<u32>,
    vector: Vec<f32>,
}

impl From<Focus> for Topic {
    fn from(Focus { terms, vector }: Focus) -> Topic {
        Topic { terms, vector }
    }
}

impl Topic {
    /// How far another lies from this one, 0..1.
    pub(crate) fn distance(&self, other: &Topic) -> f64 {
        let focus = |of: &Topic| Focus { terms: of.terms.clone(), vector: of.vector.clone() };
        focus(self).distance(&focus(other))
    }
}

impl Seat {
    /// The seat of an event's conversation, as it was left, or a fresh one.
    pub(crate) fn take(inbox: &Inbox, event: &Event) -> Seat {
        let fresh = Seat {
            host: event.host,
            session: event.session.clone(),
            transcript: event.transcript.clone(),
            dir: event.dir.clone(),
            prompted: false,
            shown: Vec::new(),
            tried: Vec::new(),
            topic: Topic::default(),
        };
        let left = |dir: &PathBuf| -> Option<Seat> {
            let bytes = fs::read(dir.join(DIR).join(fresh.file())).ok()?;
            serde_json::from_slice(&bytes).ok()
        };
        let mut seat = inbox.dirs().iter().find_map(left).unwrap_or_else(|| fresh.clone());
        seat.transcript = fresh.transcript.or(seat.transcript);
        seat
    }

    fn file(&self) -> String {
        format!("{}-{}", self.host.as_str(), self.session)
    }

    /// Where it cannot be written, the next prompt is taken for the first: no harm is done.
    pub(crate) fn keep(&self, inbox: &Inbox) {
        let Ok(bytes) = serde_json::to_vec(self) else { return };
        for dir in inbox.dirs() {
            let dir = dir.join(DIR);
            if make(&dir).and_then(|()| replace(&dir.join(self.file()), &bytes)).is_ok() {
                return;
            }
        }
    }

    pub(crate) fn leave(&self, inbox: &Inbox) {
        for dir in inbox.dirs() {
            // It lies in one of them at most.
            let _ = fs::remove_file(dir.join(DIR).join(self.file()));
        }
    }

    fn end(self) -> Event {
        Event {
            host: self.host,
            session: self.session,
            agent: None,
            dir: self.dir,
            transcript: self.transcript,
            happened: Happened::End,
        }
    }
}

/// The ends of conversations whose host was killed before it could tell us.
pub(crate) fn abandoned(inbox: &Inbox, now: SystemTime) -> Vec<Event> {
    let mut ends = Vec::new();
    let Some(dir) = inbox.dirs().first().map(|dir| dir.join(DIR)) else { return ends };
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let Ok(bytes) = fs::read(entry.path()) else { continue };
        let Ok(seat) = serde_json::from_slice::<Seat>(&bytes) else { continue };
        let moved = |path: &PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
        let last = moved(&entry.path()).max(seat.transcript.as_ref().and_then(moved));
        let idle = last.and_then(|last| now.duration_since(last).ok()).unwrap_or_default();
        if idle > ABANDONED {
            ends.push(seat.end());
        }
    }
    ends
}
