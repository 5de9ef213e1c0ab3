//! Cursor: names in its own case, flat answers, and a text only where a session starts.

use super::told::{Told, clipped};
use super::{Happened, Wired, failure, tool};
use serde_json::{Value, json};

pub(super) const EVENTS: &[Wired] = &[
    Wired::always("sessionStart"),
    Wired::always("beforeSubmitPrompt"),
    Wired::always("postToolUse"),
    Wired::always("postToolUseFailure"),
    Wired::always("afterFileEdit"),
    Wired::always("preCompact"),
    Wired::always("afterAgentResponse"),
    Wired::always("stop"),
    Wired::always("sessionEnd"),
];

pub(super) fn read(name: &str, told: &Told<'_>) -> Option<Happened> {
    Some(match name {
        "sessionStart" => Happened::Start { again: false },
        "beforeSubmitPrompt" => Happened::Prompt { text: told.owned(&["prompt"]) },
        "postToolUse" => match told.tool_error() {
            Some(error) => failure(told, &error),
            None => tool(told),
        },
        "postToolUseFailure" => failure(told, &clipped(told.text(&["error_message", "error"])?)),
        "afterFileEdit" => Happened::Tool { tool: "edit_file".to_owned(), files: told.files() },
        "preCompact" => Happened::Compaction,
        "afterAgentResponse" | "stop" => Happened::Stop { said: told.owned(&["text"]) },
        "sessionEnd" => Happened::End,
        _ => return None,
    })
}

pub(super) fn envelope(name: &str, text: Option<&str>) -> Value {
    match (name, text) {
        ("sessionStart", Some(text)) => json!({ "additional_context": text }),
        // It asks whether to go on, and so it is told.
        ("beforeSubmitPrompt", _) => json!({ "continue": true }),
        _ => json!({}),
    }
}
