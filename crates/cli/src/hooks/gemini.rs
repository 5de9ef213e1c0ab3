//! Gemini CLI: names of its own for the same events, and the envelope of Claude Code.

use super::claude_code::with_context;
use super::told::Told;
use super::{Happened, Wired, failure, tool};
use serde_json::Value;

/// Tools that touch files or run something.
const TOOLS: &str = "read_file|write_file|replace|run_shell_command";

pub(super) const EVENTS: &[Wired] = &[
    Wired::always("SessionStart"),
    Wired::always("BeforeAgent"),
    Wired::on_tools("AfterTool", TOOLS),
    Wired::always("PreCompress"),
    Wired::always("AfterAgent"),
    Wired::always("SessionEnd"),
];

pub(super) fn read(name: &str, told: &Told<'_>) -> Option<Happened> {
    Some(match name {
        "SessionStart" => Happened::Start { again: told.text(&["source"]) == Some("compact") },
        "BeforeAgent" => Happened::Prompt { text: told.owned(&["prompt"]) },
        "AfterTool" => match told.tool_error() {
            Some(error) => failure(told, &error),
            None => tool(told),
        },
        "PreCompress" => Happened::Compaction,
        "AfterAgent" => Happened::Stop { said: told.owned(&["prompt_response"]) },
        "SessionEnd" => Happened::End,
        _ => return None,
    })
}

pub(super) fn envelope(name: &str, text: Option<&str>) -> Value {
    let takes = matches!(name, "SessionStart" | "BeforeAgent" | "AfterTool");
    with_context(name, text.filter(|_| takes))
}
