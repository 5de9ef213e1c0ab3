//! OpenCode: its plugin file is ours, and so are the messages that it sends.

use super::told::{Told, clipped};
use super::{Happened, Wired, failure, tool};
use serde_json::{Value, json};

/// As `integrations/opencode/mnemic.js` names them.
pub(super) const EVENTS: &[Wired] = &[
    Wired::always("session-start"),
    Wired::always("compacted"),
    Wired::always("prompt"),
    Wired::always("tool"),
    Wired::always("compacting"),
    Wired::always("idle"),
    Wired::always("session-end"),
];

pub(super) fn read(name: &str, told: &Told<'_>) -> Option<Happened> {
    Some(match name {
        "session-start" => Happened::Start { again: false },
        "compacted" => Happened::Start { again: true },
        "prompt" => Happened::Prompt { text: told.owned(&["text"]) },
        "tool" => match told.text(&["error"]) {
            Some(error) => failure(told, &clipped(error)),
            None => tool(told),
        },
        "compacting" => Happened::Compaction,
        "idle" => Happened::Stop { said: told.owned(&["text"]) },
        "session-end" => Happened::End,
        _ => return None,
    })
}

pub(super) fn envelope(text: Option<&str>) -> Value {
    match text {
        Some(text) => json!({ "context": text }),
        None => json!({}),
    }
}
