//! Hosts as tests play them: what they send, and where their answers carry a text.

#![allow(clippy::unwrap_used, dead_code, reason = "a test may fail loudly")]

use mnemic_testkit::{Answer, Mnemic};
use serde_json::{Value, json};
use std::path::PathBuf;

pub(crate) const HOSTS: &[&str] = &["claude-code", "codex", "gemini", "cursor", "opencode"];

/// A project with a store, whose hooks have all the time of a busy machine.
pub(crate) fn patient() -> Mnemic {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    make_patient(&mnemic);
    mnemic
}

pub(crate) fn make_patient(mnemic: &Mnemic) {
    mnemic.ok(["config", "set", "hook.deadline", "30000", "--project"]);
    mnemic.ok(["config", "set", "hook.session_deadline", "30000", "--project"]);
}

/// What happens in a session, as each host calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    Start,
    Compacted,
    Prompt,
    Tool,
    Failure,
    BeforeCompaction,
    Stop,
    End,
}

pub(crate) const MOMENTS: &[Moment] = &[
    Moment::Start,
    Moment::Compacted,
    Moment::Prompt,
    Moment::Tool,
    Moment::Failure,
    Moment::BeforeCompaction,
    Moment::Stop,
    Moment::End,
];

/// One conversation in one host.
pub(crate) struct Play<'a> {
    pub(crate) mnemic: &'a Mnemic,
    pub(crate) host: &'static str,
    pub(crate) session: String,
}

impl Play<'_> {
    pub(crate) fn transcript(&self) -> PathBuf {
        self.mnemic.root().join(format!("{}-{}.jsonl", self.host, self.session))
    }

    pub(crate) fn event(&self, moment: Moment) -> &'static str {
        use Moment::*;
        match (self.host, moment) {
            ("claude-code" | "codex", Start | Compacted) => "SessionStart",
            ("claude-code" | "codex", Prompt) => "UserPromptSubmit",
            ("claude-code", Failure) => "PostToolUseFailure",
            ("claude-code" | "codex", Tool | Failure) => "PostToolUse",
            ("claude-code" | "codex", BeforeCompaction) => "PreCompact",
            ("claude-code" | "codex", Stop) => "Stop",
            ("claude-code" | "codex", End) => "SessionEnd",
            ("gemini", Start | Compacted) => "SessionStart",
            ("gemini", Prompt) => "BeforeAgent",
            ("gemini", Tool | Failure) => "AfterTool",
            ("gemini", BeforeCompaction) => "PreCompress",
            ("gemini", Stop) => "AfterAgent",
            ("gemini", End) => "SessionEnd",
            ("cursor", Start | Compacted) => "sessionStart",
            ("cursor", Prompt) => "beforeSubmitPrompt",
            ("cursor", Tool) => "postToolUse",
            ("cursor", Failure) => "postToolUseFailure",
            ("cursor", BeforeCompaction) => "preCompact",
            ("cursor", Stop) => "afterAgentResponse",
            ("cursor", End) => "sessionEnd",
            (_, Start) => "session-start",
            (_, Compacted) => "compacted",
            (_, Prompt) => "prompt",
            (_, Tool | Failure) => "tool",
            (_, BeforeCompaction) => "compacting",
            (_, Stop) => "idle",
            (_, End) => "session-end",
        }
    }

    /// The message that the host sends, as it was recorded, with fields that nobody promised us.
    pub(crate) fn message(&self, moment: Moment, text: &str) -> Value {
        let (cwd, session) = (self.mnemic.project(), &self.session);
        let file = cwd.join("src/login.rs");
        let name = self.event(moment);
        let mut message = match self.host {
            "cursor" => json!({
                "conversation_id": session,
                "generation_id": "g-1",
                "model": "some-model",
                "hook_event_name": name,
                "cursor_version": "2.4.1",
                "workspace_roots": [cwd],
                "user_email": null,
            }),
            "opencode" => json!({ "session_id": session, "directory": cwd }),
            _ => json!({
                "session_id": session,
                "transcript_path": self.transcript(),
                "cwd": cwd,
                "hook_event_name": name,
                "permission_mode": "default",
            }),
        };
        let more = match (self.host, moment) {
            (_, Moment::Start) => json!({ "source": "startup", "model": "some-model" }),
            (_, Moment::Compacted) => json!({ "source": "compact" }),
            ("opencode", Moment::Prompt) => json!({ "text": text }),
            (_, Moment::Prompt) => json!({ "prompt": text, "attachments": [] }),
            (_, Moment::Tool) => json!({
                "tool_name": "Edit",
                "tool_use_id": "toolu_1",
                "tool_input": { "file_path": file, "old_string": "a", "new_string": "b" },
                "tool_response": { "filePath": file, "success": true },
                "duration_ms": 12,
            }),
            ("claude-code", Moment::Failure) => json!({
                "tool_name": "Bash",
                "tool_input": { "command": "cargo test" },
                "tool_use_id": "toolu_2",
                "error": text,
                "is_interrupt": false,
            }),
            ("cursor", Moment::Failure) => json!({
                "tool_name": "Shell",
                "tool_input": { "command": "cargo test" },
                "error_message": text,
                "failure_type": "error",
            }),
            ("opencode", Moment::Failure) => json!({
                "tool_name": "bash",
                "tool_input": { "command": "cargo test" },
                "error": text,
            }),
            ("gemini", Moment::Failure) => json!({
                "tool_name": "run_shell_command",
                "tool_input": { "command": "cargo test" },
                "tool_response": { "llmContent": text, "error": { "message": text } },
            }),
            (_, Moment::Failure) => json!({
                "turn_id": "turn-1",
                "tool_name": "exec_command",
                "tool_input": { "command": "cargo test" },
                "tool_response": { "output": text, "metadata": { "exit_code": 101 } },
            }),
            (_, Moment::BeforeCompaction) => {
                json!({ "trigger": "auto", "custom_instructions": "" })
            }
            ("gemini", Moment::Stop) => json!({ "prompt": "x", "prompt_response": text }),
            ("cursor" | "opencode", Moment::Stop) => json!({ "text": text }),
            (_, Moment::Stop) => {
                json!({ "stop_hook_active": false, "last_assistant_message": text })
            }
            (_, Moment::End) => json!({ "reason": "other" }),
        };
        for (name, value) in more.as_object().unwrap() {
            message[name] = value.clone();
        }
        message["a_field_of_tomorrow"] = json!({ "deep": [1, 2, 3] });
        message
    }

    pub(crate) fn hook(&self, moment: Moment, text: &str) -> Answer {
        let message = self.message(moment, text).to_string();
        self.mnemic.feed(["hook", self.event(moment), "--host", self.host], &message)
    }

    /// The text in an answer, after checking that the envelope is exactly what the host expects.
    #[track_caller]
    pub(crate) fn text_in(&self, moment: Moment, answer: &Answer) -> Option<String> {
        assert_eq!(answer.code, Some(0), "{answer:?}");
        assert_eq!(answer.err, "", "{answer:?}");
        let value = answer.json();
        if value == json!({}) {
            return None;
        }
        let said = match self.host {
            "cursor" if moment == Moment::Prompt => {
                assert_eq!(value, json!({ "continue": true }));
                return None;
            }
            "cursor" => &value["additional_context"],
            "opencode" => &value["context"],
            _ => &value["hookSpecificOutput"]["additionalContext"],
        };
        let said = said.as_str().unwrap_or_else(|| panic!("{value}")).to_owned();
        let envelope = match self.host {
            "cursor" => json!({ "additional_context": said }),
            "opencode" => json!({ "context": said }),
            _ => json!({ "hookSpecificOutput": {
                "hookEventName": self.event(moment),
                "additionalContext": said,
            }}),
        };
        assert_eq!(value, envelope, "nothing more than the host expects");
        assert!(said.chars().count() <= 10_000, "{}", said.len());
        Some(said)
    }

    #[track_caller]
    pub(crate) fn told(&self, moment: Moment, text: &str) -> Option<String> {
        let answer = self.hook(moment, text);
        self.text_in(moment, &answer)
    }

    /// Writes the transcript that the host would have written of this conversation, if it does.
    pub(crate) fn write_transcript(&self, turns: &[(&str, &str)]) {
        let cwd = self.mnemic.project();
        let mut lines: Vec<Value> = Vec::new();
        if self.host == "codex" {
            lines.push(json!({
                "timestamp": "2026-11-15T10:00:00Z",
                "type": "session_meta",
                "payload": { "id": self.session, "timestamp": "2026-11-15T10:00:00Z", "cwd": cwd },
            }));
        }
        for (n, (role, text)) in turns.iter().enumerate() {
            let at = format!("2026-11-15T10:{n:02}:30Z");
            let kind = if *role == "user" { "input_text" } else { "output_text" };
            lines.push(match self.host {
                "claude-code" => json!({
                    "type": role,
                    "uuid": format!("u{n}"),
                    "sessionId": self.session,
                    "timestamp": at,
                    "cwd": cwd,
                    "message": { "role": role, "content": [{ "type": "text", "text": text }] },
                }),
                "codex" => json!({
                    "timestamp": at,
                    "type": "response_item",
                    "payload": {
                        "type": "message",
                        "role": role,
                        "content": [{ "type": kind, "text": text }],
                    },
                }),
                _ => return,
            });
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(self.transcript(), text).unwrap();
    }
}

/// How many events wait.
pub(crate) fn waiting(mnemic: &Mnemic) -> usize {
    entries(&mnemic.store_dir().join("inbox")) + entries(&mnemic.root().join("data/mnemic/inbox"))
}

fn entries(dir: &std::path::Path) -> usize {
    let Ok(found) = std::fs::read_dir(dir) else { return 0 };
    found
        .filter(|one| one.as_ref().unwrap().path().extension().is_some_and(|e| e == "json"))
        .count()
}
