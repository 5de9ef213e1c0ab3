//! The texts of transcripts in the shapes that hosts write, made up for tests.
#![allow(dead_code)]

use serde_json::{Value, json};

/// One line of a Claude Code transcript.
pub(crate) fn claude_line(n: usize, kind: &str, content: Value) -> String {
    json!({
        "type": kind, "uuid": format!("u{n}"), "parentUuid": null, "sessionId": "s-1",
        "timestamp": format!("2026-03-01T10:{:02}:{:02}.000Z", n / 60 % 60, n % 60),
        "cwd": "/home/ann/shop", "gitBranch": "main", "isSidechain": false, "version": "2.0",
        "message": {"role": kind, "content": content},
    })
    .to_string()
}

pub(crate) fn call(id: &str, tool: &str, input: Value) -> Value {
    json!([{"type": "tool_use", "id": id, "name": tool, "input": input}])
}

pub(crate) fn result(id: &str, output: &str, is_error: bool) -> Value {
    json!([{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": is_error}])
}

/// A task with a failure and its fix, then a second one.
pub(crate) fn claude() -> String {
    let edit = json!({"file_path": "conf/app.toml", "old_string": "port = 80", "new_string": "port = 8080"});
    let failed = "Exit code 1\nerror: conf/app.toml: port 80: permission denied";
    let lines = [
        json!({"type": "summary", "summary": "old", "leafUuid": "x"}).to_string(),
        json!({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}).to_string(),
        claude_line(
            1,
            "user",
            json!("Fix the failing start. Never bind ports below 1024 in this project."),
        ),
        claude_line(
            2,
            "assistant",
            json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Let me run it."}]),
        ),
        claude_line(
            3,
            "assistant",
            call("c1", "Bash", json!({"command": "cd /home/ann/shop && make test 2>&1 | tail -5"})),
        ),
        claude_line(4, "user", result("c1", failed, true)),
        claude_line(5, "assistant", call("c2", "Edit", edit)),
        claude_line(6, "user", result("c2", "updated", false)),
        claude_line(7, "assistant", call("c3", "Bash", json!({"command": "make test"}))),
        claude_line(8, "user", result("c3", "12 passed", false)),
        claude_line(9, "assistant", json!([{"type": "text", "text": "Done."}])),
        claude_line(10, "user", json!("perfect, thanks! Now add a health check to src/server.rs")),
        claude_line(
            11,
            "assistant",
            call("c4", "Write", json!({"file_path": "src/health.rs", "content": "fn health() {}"})),
        ),
        claude_line(12, "user", result("c4", "written", false)),
        claude_line(
            13,
            "assistant",
            call("c5", "Bash", json!({"command": "git commit -am health"})),
        ),
        claude_line(14, "user", result("c5", "[main abc1234] health\n 1 file changed", false)),
    ];
    lines.join("\n") + "\n"
}

pub(crate) fn codex() -> String {
    let line = |n: usize, kind: &str, payload: Value| {
        json!({"timestamp": format!("2026-03-01T10:00:{n:02}.000Z"), "type": kind, "payload": payload}).to_string()
    };
    let item = |n: usize, payload: Value| line(n, "response_item", payload);
    let said = |role: &str, kind: &str, text: &str| json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
    let output = json!({"output": "58 passed", "metadata": {"exit_code": 0}}).to_string();
    let lines = [
        line(
            1,
            "session_meta",
            json!({"id": "r-1", "cwd": "/home/ann/shop", "git": {"branch": "dev", "commit_hash": "abc"}}),
        ),
        item(
            2,
            said(
                "user",
                "input_text",
                "<environment_context>\n<cwd>/work</cwd>\n</environment_context>",
            ),
        ),
        item(3, said("user", "input_text", "Run the tests please")),
        line(4, "event_msg", json!({"type": "user_message", "message": "Run the tests please"})),
        line(5, "turn_context", json!({"cwd": "/home/ann/shop/api", "model": "m"})),
        item(
            6,
            json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "Tests first"}]}),
        ),
        item(
            7,
            json!({"type": "function_call", "name": "shell", "arguments": "{\"command\":[\"bash\",\"-lc\",\"pytest -q\"]}", "call_id": "k1"}),
        ),
        item(8, json!({"type": "function_call_output", "call_id": "k1", "output": output})),
        item(
            9,
            json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": "k2", "input": "*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** End Patch"}),
        ),
        item(10, json!({"type": "custom_tool_call_output", "call_id": "k2", "output": "Success"})),
        item(11, said("assistant", "output_text", "All 58 pass.")),
    ];
    lines.join("\n") + "\n"
}

pub(crate) fn messages() -> Value {
    json!([
        {"role": "system", "content": "You are helpful. Never lie about anything."},
        {"role": "user", "content": "yes"},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "t1", "type": "function", "function": {"name": "bash", "arguments": "{\"command\": \"ls\"}"}}]},
        {"role": "tool", "tool_call_id": "t1", "content": "a.txt"},
        {"role": "assistant", "content": [{"type": "text", "text": "There is a.txt."}]},
        {"role": "user", "content": "yes", "timestamp": 1_772_000_000},
    ])
}

pub(crate) fn sessions() -> String {
    let one = |id: &str| {
        json!({"session": id, "agent": "Claude Code", "start": "2026-03-01 10:00:00Z", "path": "x.md", "turns": [
            {"role": "user", "time": "2026-03-01 10:00:00Z", "kind": "text", "text": "Run the linter"},
            {"role": "agent", "time": "", "kind": "think", "text": "ok"},
            {"role": "agent", "time": "2026-03-01 10:00:05Z", "kind": "tool", "tool": "shell:Bash", "files": [],
             "text": "Tool use: **Bash**\nLint\n\n`golangci-lint run`\n\n```text\n0 issues.\n```"},
            {"role": "agent", "time": "", "kind": "text", "text": "Clean."},
        ]})
        .to_string()
    };
    format!("{}\n{}\n", one("a"), one("b"))
}
