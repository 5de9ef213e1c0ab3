//! Commands with what came of them, and edits, in the order in which they happened.

use crate::capture::{Call, Place, Seat, Turn, Work, clipped, succeeded};
use crate::command::normalised;
use mnemic_model::Timestamp;
use std::collections::VecDeque;

/// Calls that wait for their result; hosts run a handful at once.
const MOST_WAITING: usize = 64;
/// What is kept of an output, of its beginning and of its end.
const KEPT_OUTPUT: usize = 16 * 1024;

/// A command that was run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub command: String,
    /// The same for the same command in other clothes.
    pub normal: String,
    pub ok: bool,
    pub output: String,
    pub at: Option<Timestamp>,
    pub key: String,
    /// From the call to the result.
    pub places: (Place, Place),
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A command was given; of many that succeed, no more is ever heard.
    Began(String),
    Ran(Run),
    Edited {
        files: Vec<String>,
        removed: Option<String>,
        added: Option<String>,
        place: Place,
    },
    /// A person spoke: what comes now is another round.
    Spoke,
}

/// Brings calls and results together.
#[derive(Debug, Default)]
pub struct Runs {
    waiting: VecDeque<(Call, Turn)>,
}

impl Runs {
    pub fn see(&mut self, turn: &Turn) -> Option<Event> {
        match &turn.seat {
            Seat::Person => Some(Event::Spoke),
            Seat::Call(call) if call.work == Work::Edit => Some(Event::Edited {
                files: turn.files.clone(),
                removed: call.removed.clone(),
                added: call.added.clone(),
                place: turn.place,
            }),
            Seat::Call(call) if call.command.is_some() => {
                if self.waiting.len() == MOST_WAITING {
                    self.waiting.pop_front();
                }
                let turn = Turn { text: String::new(), files: Vec::new(), ..turn.clone() };
                self.waiting.push_back((call.clone(), turn));
                call.command.clone().map(Event::Began)
            }
            Seat::Result(answer) => {
                let fits = |(call, _): &(Call, Turn)| {
                    call.id == answer.id && (answer.tool.is_empty() || call.tool == answer.tool)
                };
                let at = self.waiting.iter().rposition(fits)?;
                let (call, asked) = self.waiting.remove(at)?;
                let command = call.command?;
                let ok = succeeded(answer.ok, &turn.text)?;
                Some(Event::Ran(Run {
                    normal: normalised(&command),
                    command,
                    ok,
                    output: clipped(&turn.text, KEPT_OUTPUT).to_owned(),
                    at: asked.at,
                    key: asked.key,
                    places: (asked.place, turn.place),
                }))
            }
            _ => None,
        }
    }
}
