//! Hooks of coding agents: what each host sends and expects, and what we make of it.

pub(crate) mod checkup;
mod claude_code;
mod codex;
mod cursor;
pub(crate) mod deadline;
pub(crate) mod event;
mod gemini;
mod inbox;
mod log;
mod notebook;
mod opencode;
mod opt_out;
mod remind;
mod reserve;
mod seat;
mod take_in;
mod told;
mod tracked;
pub(crate) mod visit;

use crate::invocation::Invocation;
use deadline::Job;
use event::{Event, Happened};
use inbox::Inbox;
use mnemic_engine::model::policy::Door;
use mnemic_engine::{Engine, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::{Duration, Instant};
use take_in::Taken;
use told::Told;

/// A program that agents run in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Host {
    ClaudeCode,
    Codex,
    Gemini,
    Cursor,
    #[serde(rename = "opencode")]
    OpenCode,
}

/// An event of a host that we are told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wired {
    /// As the host calls it.
    pub(crate) name: &'static str,
    /// Only for tools of these names.
    pub(crate) matcher: Option<&'static str>,
}

impl Wired {
    const fn always(name: &'static str) -> Wired {
        Wired { name, matcher: None }
    }

    const fn on_tools(name: &'static str, matcher: &'static str) -> Wired {
        Wired { name, matcher: Some(matcher) }
    }
}

impl Host {
    pub(crate) const ALL: &'static [Host] =
        &[Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Cursor, Host::OpenCode];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Host::ClaudeCode => "claude-code",
            Host::Codex => "codex",
            Host::Gemini => "gemini",
            Host::Cursor => "cursor",
            Host::OpenCode => "opencode",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Host> {
        Host::ALL.iter().copied().find(|host| host.as_str() == name)
    }

    /// The host that sends such a message, for hooks that were wired by hand.
    pub(crate) fn guess(message: &Value) -> Host {
        let has = |field: &str| message.get(field).is_some();
        let name = message.get("hook_event_name").and_then(Value::as_str).unwrap_or_default();
        if has("conversation_id") || has("workspace_roots") {
            Host::Cursor
        } else if has("turn_id") {
            Host::Codex
        } else if gemini::EVENTS.iter().any(|wired| wired.name == name)
            && !claude_code::EVENTS.iter().any(|wired| wired.name == name)
        {
            Host::Gemini
        } else {
            Host::ClaudeCode
        }
    }

    /// The events that we want to be told of.
    pub(crate) fn events(self) -> &'static [Wired] {
        match self {
            Host::ClaudeCode => claude_code::EVENTS,
            Host::Codex => codex::EVENTS,
            Host::Gemini => gemini::EVENTS,
            Host::Cursor => cursor::EVENTS,
            Host::OpenCode => opencode::EVENTS,
        }
    }

    /// Characters that the host takes in one text.
    pub(crate) fn longest(self) -> usize {
        match self {
            Host::Codex => codex::LONGEST,
            _ => claude_code::LONGEST,
        }
    }

    /// Whether the host writes a transcript that we can read. Of others we keep a notebook.
    pub(crate) fn has_transcript(self) -> bool {
        matches!(self, Host::ClaudeCode | Host::Codex)
    }

    /// What happened; none when it is nothing that concerns us.
    pub(crate) fn read(self, name: &str, message: &Value) -> Option<Event> {
        let told = Told::new(message);
        let happened = match self {
            Host::ClaudeCode => claude_code::read(name, &told),
            Host::Codex => codex::read(name, &told),
            Host::Gemini => gemini::read(name, &told),
            Host::Cursor => cursor::read(name, &told),
            Host::OpenCode => opencode::read(name, &told),
        }?;
        Some(Event {
            host: self,
            session: told.session()?,
            agent: told.text(&["agent_type", "agent"]).map(str::to_owned),
            dir: told.dir(),
            transcript: told.transcript().filter(|_| self.has_transcript()),
            happened,
        })
    }

    /// Exactly what the host expects as an answer to this event.
    pub(crate) fn envelope(self, name: &str, text: Option<&str>) -> Value {
        match self {
            Host::ClaudeCode => claude_code::envelope(name, text),
            Host::Codex => codex::envelope(name, text),
            Host::Gemini => gemini::envelope(name, text),
            Host::Cursor => cursor::envelope(name, text),
            Host::OpenCode => opencode::envelope(text),
        }
    }

    /// Whether a text can be handed over with the answer to this event.
    pub(crate) fn takes_text(self, name: &str) -> bool {
        let mark = "\u{1}";
        self.envelope(name, Some(mark)) != self.envelope(name, None)
    }
}

/// Tool calls of a message, as something that happened.
fn tool(told: &Told<'_>) -> Happened {
    Happened::Tool { tool: told.tool(), files: told.files() }
}

fn failure(told: &Told<'_>, error: &str) -> Happened {
    Happened::Failure { tool: told.tool(), files: told.files(), error: error.to_owned() }
}

/// Throws away what is written down of open conversations: somebody wants something forgotten, and
/// their words may stand there too.
pub(crate) fn tear_up_notebooks(call: &Invocation) {
    notebook::tear_up(&Inbox::of(&call.project(), call.personal().as_ref()));
}

/// Writes down for `doctor` what was wrong with a call, where there is a project that wants hooks.
pub(crate) fn complain(call: &Invocation, during: &str, message: &str) {
    let place = call.project();
    if place.exists && opt_out::check(call).is_ok() {
        let inbox = Inbox::of(&place, call.personal().as_ref());
        log::note(&inbox, call.now, during, message);
    }
}

/// How long a command waits for what hooks left behind; the rest is for the next one.
const PATIENCE: Duration = Duration::from_secs(1);

/// Takes in what waits in the inbox, so that a command sees it.
pub(crate) fn before_a_command(call: &Invocation) {
    let place = call.project();
    let inbox = Inbox::of(&place, call.personal().as_ref());
    if !place.exists || inbox.is_empty() || opt_out::check(call).is_err() {
        return;
    }
    let Ok(settings) = call.engine_settings() else { return };
    let until = Instant::now() + PATIENCE;
    let (theirs, now) = (inbox.clone(), call.now);
    let taking = Job::start(move || {
        let engine = Engine::open(settings)?.through(Door::Hook);
        Ok::<Taken, Error>(take_in::all(&theirs, &engine, &|| Instant::now() < until))
    });
    // What stands against it is in the way of the command itself, which tells of it.
    if let Ok(Ok(taken)) = taking.wait(until) {
        taken.refused.iter().for_each(|error| log::note(&inbox, now, "inbox", &log::told(error)));
    }
}
