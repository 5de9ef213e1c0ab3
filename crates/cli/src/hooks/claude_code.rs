//! Claude Code: what it sends, and the envelope that it expects.

use super::told::{Told, clipped};
use super::{Happened, Wired, failure, tool};
use serde_json::{Value, json};

/// Tools whose calls tell which files the work touches.
const TOUCHES: &str = "Read|Edit|MultiEdit|Write|NotebookEdit";
/// Tools whose failures somebody may have met before.
const FAILS: &str = "Bash|Edit|MultiEdit|Write|NotebookEdit";

/// The host cuts texts at 10,000 characters, and our fence must stay whole.
pub(super) const LONGEST: usize = 9_900;

pub(super) const EVENTS: &[Wired] = &[
    Wired::always("SessionStart"),
    Wired::always("UserPromptSubmit"),
    Wired::on_tools("PostToolUse", TOUCHES),
    Wired::on_tools("PostToolUseFailure", FAILS),
    Wired::always("SubagentStart"),
    Wired::always("PreCompact"),
    Wired::always("Stop"),
    Wired::always("SubagentStop"),
    Wired::always("SessionEnd"),
];

pub(super) fn read(name: &str, told: &Told<'_>) -> Option<Happened> {
    Some(match name {
        "SessionStart" => Happened::Start { again: told.text(&["source"]) == Some("compact") },
        "UserPromptSubmit" => Happened::Prompt { text: told.owned(&["prompt"]) },
        "PostToolUse" => tool(told),
        // Who interrupts a tool knows why.
        "PostToolUseFailure" if told.field("is_interrupt") == Some(&Value::Bool(true)) => {
            return None;
        }
        "PostToolUseFailure" => failure(told, &clipped(told.text(&["error"])?)),
        "SubagentStart" => {
            Happened::SubagentStart { task: told.owned(&["prompt", "task", "description"]) }
        }
        "PreCompact" => Happened::Compaction,
        "Stop" | "SubagentStop" => Happened::Stop { said: told.owned(&["last_assistant_message"]) },
        "SessionEnd" => Happened::End,
        _ => return None,
    })
}

pub(super) fn envelope(name: &str, text: Option<&str>) -> Value {
    let takes = matches!(
        name,
        "SessionStart"
            | "UserPromptSubmit"
            | "SubagentStart"
            | "PreToolUse"
            | "PostToolUse"
            | "PostToolUseFailure"
    );
    with_context(name, text.filter(|_| takes))
}

/// The shape that Claude Code made and others took over.
pub(super) fn with_context(name: &str, text: Option<&str>) -> Value {
    match text {
        None => json!({}),
        Some(text) => {
            json!({ "hookSpecificOutput": { "hookEventName": name, "additionalContext": text } })
        }
    }
}
