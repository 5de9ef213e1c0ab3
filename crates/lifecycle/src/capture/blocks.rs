//! Writes turns down: every text passes the veil first, and what was injected gets its own turn.

use super::injected::{Stretch, is_injected_whole, is_notice, stretches};
use super::private::Veil;
use super::tools::{Work, describe};
use super::transcript::State;
use super::turn::{Answer, Call, Place, Seat, Turn};
use mnemic_model::Timestamp;
use mnemic_model::injected::OPEN;
use serde_json::{Map, Value};

/// What is kept of a call's input that is no command.
const KEPT_INPUT: usize = 2000;

/// Collects the turns of one value of a transcript.
#[derive(Debug)]
pub(super) struct Scribe<'a> {
    pub(super) state: &'a mut State,
    pub(super) veil: Veil,
    pub(super) at: Option<Timestamp>,
    pub(super) place: Place,
    /// Stands before the number of each turn in its key.
    pub(super) key: String,
    pub(super) turns: Vec<Turn>,
}

impl Scribe<'_> {
    pub(super) fn person(&mut self, text: &str) {
        let text = self.veil.pass(text);
        let expands = std::mem::take(&mut self.state.after_command);
        if is_notice(&text) {
            return self.push(Seat::System, text, Vec::new());
        }
        // What follows a slash command is the prompt that it stands for.
        if is_injected_whole(&text) || (expands && text.len() > 200) {
            return self.push(Seat::Injected, text, Vec::new());
        }
        for stretch in stretches(&text) {
            match stretch {
                Stretch::Said(said) => self.push(Seat::Person, said.to_owned(), Vec::new()),
                Stretch::Injected(block) => {
                    self.state.after_command |= block.starts_with("<command-");
                    self.push(Seat::Injected, block.to_owned(), Vec::new());
                }
            }
        }
    }

    pub(super) fn agent(&mut self, text: &str) {
        self.said_by_agent(Seat::Agent, text);
    }

    pub(super) fn thought(&mut self, text: &str) {
        self.said_by_agent(Seat::Thought, text);
    }

    fn said_by_agent(&mut self, seat: Seat, text: &str) {
        let text = self.veil.pass(text);
        if !(text.contains(OPEN) || text.contains("<system-reminder>")) {
            return self.push(seat, text, Vec::new());
        }
        for stretch in stretches(&text) {
            let (seat, text) = match stretch {
                Stretch::Said(said) => (seat.clone(), said),
                Stretch::Injected(block) => (Seat::Injected, block),
            };
            self.push(seat, text.to_owned(), Vec::new());
        }
    }

    pub(super) fn system(&mut self, text: &str) {
        let text = self.veil.pass(text);
        self.push(Seat::System, text, Vec::new());
    }

    pub(super) fn injected(&mut self, text: &str) {
        let text = self.veil.pass(text);
        self.push(Seat::Injected, text, Vec::new());
    }

    pub(super) fn call(&mut self, tool: &str, id: Option<&str>, input: &Value) {
        let input = veiled(&mut self.veil, input);
        let work = Work::of_tool(tool);
        let told = describe(work, &input);
        if let Some(id) = id {
            self.state.calls.open(id, tool, work);
        }
        let text = match (&told.command, &input) {
            (Some(command), _) => command.clone(),
            (None, Value::String(text)) => text.clone(),
            (None, input) => input.to_string(),
        };
        let text = super::clip::clipped(&text, KEPT_INPUT * 4).to_owned();
        let call = Call {
            tool: tool.to_owned(),
            id: id.map(str::to_owned),
            work,
            command: told.command,
            removed: told.removed,
            added: told.added,
        };
        self.push(Seat::Call(call), text, told.files);
    }

    pub(super) fn answer(
        &mut self,
        tool: Option<&str>,
        id: Option<&str>,
        ok: Option<bool>,
        text: &str,
    ) {
        let called = id.and_then(|id| self.state.calls.close(id));
        let tool = called.or(tool.map(str::to_owned)).unwrap_or_default();
        let text = self.veil.pass(text);
        let answer = Answer { tool, id: id.map(str::to_owned), ok };
        self.push_any(Seat::Result(answer), text, Vec::new());
    }

    fn push(&mut self, seat: Seat, text: String, files: Vec<String>) {
        if !text.trim().is_empty() || matches!(seat, Seat::Call(_)) {
            self.push_any(seat, text, files);
        }
    }

    pub(super) fn push_any(&mut self, seat: Seat, text: String, files: Vec<String>) {
        let key = format!("{}#{}", self.key, self.turns.len());
        let text = if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text };
        self.turns.push(Turn { key, seat, at: self.at, text, files, place: self.place });
    }

    /// The content of a message: a text, or blocks of the kinds that hosts know.
    /// Says which block types were passed over.
    pub(super) fn content(&mut self, role: Role, content: &Value, unknown: &mut Vec<String>) {
        match content {
            Value::String(text) => self.said(role, text),
            Value::Array(blocks) => {
                for block in blocks {
                    self.block(role, block, unknown);
                }
            }
            _ => {}
        }
    }

    fn block(&mut self, role: Role, block: &Value, unknown: &mut Vec<String>) {
        let text = |field: &str| block.get(field).and_then(Value::as_str);
        match text("type").unwrap_or(if block.is_string() { "string" } else { "" }) {
            "string" => self.said(role, block.as_str().unwrap_or_default()),
            "text" | "input_text" | "output_text" => {
                self.said(role, text("text").unwrap_or_default())
            }
            "thinking" => self.thought(text("thinking").unwrap_or_default()),
            "tool_use" | "server_tool_use" => {
                let input = block.get("input").unwrap_or(&Value::Null);
                self.call(text("name").unwrap_or_default(), text("id"), input);
            }
            "tool_result" => {
                let ok = block.get("is_error").and_then(Value::as_bool).map(|error| !error);
                let output = plain_text(block.get("content").unwrap_or(&Value::Null));
                // A host that says nothing about an error means that there was none.
                self.answer(None, text("tool_use_id"), ok.or(Some(true)), &output);
            }
            "image" | "image_url" | "input_image" | "document" | "redacted_thinking" => {}
            other => unknown.push(format!("block {other}")),
        }
    }

    pub(super) fn said(&mut self, role: Role, text: &str) {
        match role {
            Role::Person => self.person(text),
            Role::Agent => self.agent(text),
            Role::System => self.system(text),
            Role::Injected => self.injected(text),
        }
    }
}

/// Whose words the texts of a message are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Person,
    Agent,
    System,
    Injected,
}

/// The texts of a content value, one under the other.
pub(super) fn plain_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| match block {
                Value::String(text) => Some(text.as_str()),
                block => block.get("text").and_then(Value::as_str),
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Value::Object(fields) => {
            let field = ["output", "content", "text"].iter().find_map(|name| fields.get(*name));
            field.map(plain_text).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// The same value with every text in it passed through the veil.
pub(super) fn veiled(veil: &mut Veil, value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(veil.pass(text)),
        Value::Array(items) => Value::Array(items.iter().map(|item| veiled(veil, item)).collect()),
        Value::Object(fields) => {
            let mut open = Map::new();
            for (name, field) in fields {
                let name = veil.pass(name);
                open.insert(name, veiled(veil, field));
            }
            Value::Object(open)
        }
        other => other.clone(),
    }
}

/// A time as transcripts write it: RFC 3339 with or without an offset, or seconds since 1970.
pub(super) fn time(value: Option<&Value>) -> Option<Timestamp> {
    match value? {
        Value::String(text) => {
            Timestamp::parse(text).or_else(|_| Timestamp::parse(&format!("{}Z", text.trim()))).ok()
        }
        Value::Number(number) => {
            let seconds = number.as_f64()?;
            // Later than the year 5138 in seconds: milliseconds.
            let seconds = if seconds.abs() > 1e11 { seconds / 1e3 } else { seconds };
            Timestamp::from_micros((seconds * 1e6) as i64).ok()
        }
        _ => None,
    }
}
