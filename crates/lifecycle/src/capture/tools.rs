//! What a tool call does, told from its name and input whatever the host calls its tools.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a tool does to the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    Read,
    Search,
    Edit,
    /// Runs a command.
    Run,
    Other,
}

impl Work {
    pub fn of_tool(name: &str) -> Work {
        let name = name.rsplit("__").next().unwrap_or(name).to_ascii_lowercase();
        let is_in = |list: &[&str]| list.contains(&name.as_str());
        if is_in(RUNS) {
            Work::Run
        } else if is_in(EDITS) {
            Work::Edit
        } else if is_in(READS) {
            Work::Read
        } else if is_in(SEARCHES) {
            Work::Search
        } else {
            Work::Other
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Work::Read => "read",
            Work::Search => "search",
            Work::Edit => "edit",
            Work::Run => "run",
            Work::Other => "use",
        }
    }
}

#[rustfmt::skip]
const RUNS: &[&str] = &[
    "bash", "shell", "exec_command", "local_shell", "local_shell_call", "shell_command",
    "run_shell_command", "run_terminal_cmd", "run_terminal_command", "run_terminal_command_v2",
    "execute_command", "run_command", "terminal", "execute", "powershell",
];

#[rustfmt::skip]
const EDITS: &[&str] = &[
    "edit", "multiedit", "write", "notebookedit", "apply_patch", "create", "create_file",
    "edit_file", "write_file", "write_to_file", "replace", "replace_in_file",
    "replace_file_content", "search_replace", "str_replace", "str_replace_editor",
    "str_replace_based_edit_tool", "insert_edit_into_file", "patch",
];

const READS: &[&str] = &["read", "read_file", "view", "view_file", "cat", "open_file", "webfetch"];

#[rustfmt::skip]
const SEARCHES: &[&str] = &[
    "grep", "glob", "ls", "list_dir", "list_directory", "search", "websearch", "web_search",
    "file_search", "codebase_search", "grep_search", "find",
];

/// What an input says beside its words.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Described {
    pub(super) command: Option<String>,
    pub(super) files: Vec<String>,
    pub(super) removed: Option<String>,
    pub(super) added: Option<String>,
}

pub(super) fn describe(work: Work, input: &Value) -> Described {
    let mut told = Described::default();
    let input = match input {
        Value::String(text) if text.contains("*** Begin Patch") => {
            describe_patch(text, &mut told);
            return told;
        }
        Value::String(text) if work == Work::Run => {
            told.command = Some(text.clone());
            return told;
        }
        other => other,
    };
    if work == Work::Run {
        let fields = ["command", "cmd", "script", "CommandLine"];
        told.command = fields.iter().find_map(|field| command_of(input.get(*field)?));
    }
    for field in ["file_path", "path", "notebook_path", "filename", "target_file", "absolute_path"]
    {
        told.files.extend(input.get(field).and_then(Value::as_str).map(str::to_owned));
    }
    for field in ["input", "patch"] {
        if let Some(text) = input.get(field).and_then(Value::as_str) {
            describe_patch(text, &mut told);
        }
    }
    if let Some(command) = told.command.clone().filter(|c| c.contains("*** Begin Patch")) {
        describe_patch(&command, &mut told);
    }
    describe_change(input, &mut told);
    told
}

/// A command as it is typed: of `["bash", "-lc", "make"]` only the last part was meant.
fn command_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let parts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
            match parts.as_slice() {
                [] => None,
                [_, flag, script] if flag.starts_with('-') && flag.ends_with('c') => {
                    Some((*script).to_owned())
                }
                parts => Some(parts.join(" ")),
            }
        }
        _ => None,
    }
}

fn describe_change(input: &Value, told: &mut Described) {
    let edits = input.get("edits").and_then(Value::as_array).into_iter().flatten();
    for edit in edits.chain([input]) {
        for (field, adds) in [
            ("old_string", false),
            ("old_str", false),
            ("new_string", true),
            ("new_str", true),
            ("content", true),
            ("file_text", true),
        ] {
            if let Some(text) = edit.get(field).and_then(Value::as_str) {
                let side = if adds { &mut told.added } else { &mut told.removed };
                append(side, text);
            }
        }
    }
}

/// Files and lines of a patch: `*** Update File: a.rs`, or `--- a/a.rs` and `+++ b/a.rs`.
pub(super) fn describe_patch(patch: &str, told: &mut Described) {
    for line in patch.lines() {
        let file = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/"]
            .iter()
            .find_map(|mark| line.strip_prefix(mark));
        if let Some(file) = file {
            told.files.push(file.trim().to_owned());
        } else if line.starts_with("+++") || line.starts_with("---") {
            continue;
        } else if let Some(added) = line.strip_prefix('+') {
            append(&mut told.added, added);
        } else if let Some(removed) = line.strip_prefix('-') {
            append(&mut told.removed, removed);
        }
    }
}

/// What one side of a change keeps: enough to name it, not to repeat it.
const KEPT_CHANGE: usize = 2000;

fn append(side: &mut Option<String>, text: &str) {
    let side = side.get_or_insert_default();
    if side.len() < KEPT_CHANGE {
        if !side.is_empty() {
            side.push('\n');
        }
        side.push_str(super::clip::clipped(text, KEPT_CHANGE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tools_of_all_hosts_do_the_same_few_things() {
        for (tool, work) in [
            ("Bash", Work::Run),
            ("exec_command", Work::Run),
            ("MultiEdit", Work::Edit),
            ("mcp__files__write_file", Work::Edit),
            ("Grep", Work::Search),
            ("TodoWrite", Work::Other),
        ] {
            assert_eq!(Work::of_tool(tool), work, "{tool}");
        }
    }

    #[test]
    fn inputs_say_what_is_run_and_changed() {
        let run = describe(Work::Run, &json!({"command": ["bash", "-lc", "cargo test"]}));
        assert_eq!(run.command.as_deref(), Some("cargo test"));
        let edit = describe(
            Work::Edit,
            &json!({"file_path": "a.rs", "old_string": "x", "new_string": "y"}),
        );
        assert_eq!(edit.files, ["a.rs"]);
        assert_eq!((edit.removed.as_deref(), edit.added.as_deref()), (Some("x"), Some("y")));
        let patch = "*** Begin Patch\n*** Update File: b.rs\n@@\n-old\n+new\n*** End Patch";
        for input in [json!(patch), json!({ "input": patch })] {
            let patched = describe(Work::Edit, &input);
            assert_eq!(patched.files, ["b.rs"]);
            assert_eq!(patched.added.as_deref(), Some("new"));
        }
    }

    #[test]
    fn odd_inputs_say_nothing() {
        for input in [json!(null), json!(3), json!([]), json!({"command": 7, "edits": "x"})] {
            assert_eq!(describe(Work::Run, &input), Described::default(), "{input}");
        }
    }
}
