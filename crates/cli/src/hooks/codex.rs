//! Codex: the events of Claude Code with some of its own ways, and an envelope without extras.

use super::claude_code::with_context;
use super::told::Told;
use super::{Happened, Wired, failure, tool};
use serde_json::Value;

/// Past 2,500 tokens the host puts a text aside; four characters are a token, or a little more.
pub(super) const LONGEST: usize = 8_000;

pub(super) const EVENTS: &[Wired] = &[
    Wired::always("SessionStart"),
    Wired::always("UserPromptSubmit"),
    Wired::always("PostToolUse"),
    Wired::always("PreCompact"),
    Wired::always("Stop"),
    Wired::always("SubagentStop"),
    Wired::always("SessionEnd"),
];

pub(super) fn read(name: &str, told: &Told<'_>) -> Option<Happened> {
    Some(match name {
        "SessionStart" => Happened::Start { again: told.text(&["source"]) == Some("compact") },
        "UserPromptSubmit" => Happened::Prompt { text: told.owned(&["prompt"]) },
        "PostToolUse" => match told.tool_error() {
            Some(error) => failure(told, &error),
            None => tool(told),
        },
        "PreCompact" => Happened::Compaction,
        "Stop" | "SubagentStop" => Happened::Stop { said: told.owned(&["last_assistant_message"]) },
        "SessionEnd" => Happened::End,
        _ => return None,
    })
}

pub(super) fn envelope(name: &str, text: Option<&str>) -> Value {
    let takes = matches!(name, "SessionStart" | "UserPromptSubmit" | "PostToolUse");
    with_context(name, text.filter(|_| takes))
}
