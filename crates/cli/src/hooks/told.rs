//! A message of a host, read leniently: what is missing or odd is not there, and nothing fails.

use mnemic_engine::model::session::SessionId;
use serde_json::Value;
use std::path::PathBuf;

/// Of a text that tells what went wrong, this much is looked at.
const LONGEST_ERROR: usize = 4_000;
/// Files that one tool call can touch.
const MOST_FILES: usize = 50;

pub(super) struct Told<'a>(&'a Value);

impl<'a> Told<'a> {
    pub(super) fn new(message: &'a Value) -> Told<'a> {
        Told(message)
    }

    pub(super) fn field(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name)
    }

    /// The first of these fields that holds a text.
    pub(super) fn text(&self, names: &[&str]) -> Option<&'a str> {
        names.iter().find_map(|name| self.0.get(*name)?.as_str())
    }

    pub(super) fn owned(&self, names: &[&str]) -> String {
        self.text(names).unwrap_or_default().to_owned()
    }

    /// As we name it: the host's name, with what no name may hold left out.
    pub(super) fn session(&self) -> Option<String> {
        let name = self.text(&["session_id", "conversation_id", "sessionID"])?;
        let fits = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let name: String = name.chars().filter(fits).take(100).collect();
        SessionId::parse(&name).ok().map(|_| name)
    }

    pub(super) fn dir(&self) -> Option<PathBuf> {
        let roots = self.0.get("workspace_roots").and_then(Value::as_array);
        let root = roots.and_then(|roots| roots.first()?.as_str());
        let dir = self.text(&["cwd", "directory"]).or(root)?;
        Some(PathBuf::from(dir)).filter(|dir| dir.is_absolute())
    }

    pub(super) fn transcript(&self) -> Option<PathBuf> {
        let path = self.text(&["transcript_path"])?;
        Some(PathBuf::from(path)).filter(|path| path.is_absolute())
    }

    pub(super) fn tool(&self) -> String {
        self.owned(&["tool_name", "tool"])
    }

    /// The files that a tool call names.
    pub(super) fn files(&self) -> Vec<String> {
        let input = self.0.get("tool_input").or_else(|| self.0.get("args")).unwrap_or(self.0);
        let mut files = Vec::new();
        for field in [
            "file_path",
            "path",
            "notebook_path",
            "filename",
            "target_file",
            "absolute_path",
            "filePath",
        ] {
            files.extend(input.get(field).and_then(Value::as_str).map(str::to_owned));
        }
        for field in ["input", "patch", "command", "patchText"] {
            files.extend(patched(input.get(field).and_then(Value::as_str).unwrap_or_default()));
        }
        files.extend(patched(input.as_str().unwrap_or_default()));
        files.retain(|file| !file.is_empty() && !file.contains('\n'));
        files.dedup();
        files.truncate(MOST_FILES);
        files
    }

    /// What a tool answered when it failed, from wherever this host says so.
    pub(super) fn tool_error(&self) -> Option<String> {
        let answer = self.0.get("tool_response").or_else(|| self.0.get("tool_output"))?;
        // Some hosts put JSON into a text.
        let inner: Option<Value> = answer.as_str().and_then(|text| serde_json::from_str(text).ok());
        let answer = inner.as_ref().unwrap_or(answer);
        let code = |value: &Value| {
            let code = ["exit_code", "exitCode"].iter().find_map(|name| value.get(*name)?.as_i64());
            code.is_some_and(|code| code != 0)
        };
        let said = ["error", "stderr", "output", "llmContent", "content", "stdout"];
        let words = said.iter().find_map(|name| words(answer.get(*name)?));
        let words = words.or_else(|| answer.as_str().map(str::to_owned));
        // Others tell the code in words alone.
        let tells =
            words.iter().flat_map(|text| text.lines()).any(|line| tells_code(line) > Some(0));
        let has_error = answer.get("error").is_some_and(|error| !error.is_null());
        let is_error = answer.get("is_error").and_then(Value::as_bool).unwrap_or(false);
        let failed = tells || code(answer) || answer.get("metadata").is_some_and(code);
        (failed || has_error || is_error).then(|| clipped(&words.unwrap_or_default()))
    }
}

/// The words of a value that is a text, or has one under `message`.
fn words(value: &Value) -> Option<String> {
    let text = value.as_str().or_else(|| value.get("message")?.as_str())?;
    Some(text.to_owned()).filter(|text| !text.trim().is_empty())
}

/// What hosts write around the output of a command.
const USUAL: &[&str] = &["Wall time: ", "Process Group PGID: ", "Background PIDs: ", "Signal: "];

/// An error without the lines that every error has: none of them says which one it is.
pub(super) fn clipped(text: &str) -> String {
    let is_usual = |line: &str| USUAL.iter().any(|usual| line.starts_with(usual));
    let is_telling = |line: &&str| {
        !line.trim().is_empty() && tells_code(line).is_none() && !is_usual(line.trim())
    };
    let lines: Vec<&str> = text.lines().filter(is_telling).collect();
    let all = lines.join("\n");
    let length = all.chars().count();
    if length <= LONGEST_ERROR {
        return all;
    }
    // Some say first what went wrong, others last.
    let half = LONGEST_ERROR / 2;
    let first: String = all.chars().take(half).collect();
    let last: String = all.chars().skip(length - half).collect();
    format!("{first}\n{last}")
}

/// The code of a line that says nothing else: `Exit code 101`, `Exit Code: 1`.
fn tells_code(line: &str) -> Option<u32> {
    let line = line.trim().to_ascii_lowercase();
    let rest =
        line.strip_prefix("process exited with code").or_else(|| line.strip_prefix("exit code"));
    rest?.trim_start_matches(':').trim().parse().ok()
}

/// The files that a patch names.
fn patched(text: &str) -> Vec<String> {
    if !text.contains("*** Begin Patch") {
        return Vec::new();
    }
    let marks = ["*** Update File: ", "*** Add File: ", "*** Delete File: "];
    let named =
        |line: &str| marks.iter().find_map(|mark| Some(line.strip_prefix(mark)?.trim().to_owned()));
    text.lines().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_failure_is_told_in_fields_or_in_words() {
        let linking = "error: linking with `cc` failed";
        for (answer, error) in [
            (json!({"exit_code": 101, "output": linking}), Some(linking)),
            (json!(format!("Exit code 101\n{linking}")), Some(linking)),
            (json!({"llmContent": format!("{linking}\nExit Code: 101")}), Some(linking)),
            (json!(format!("Exit code: 1\nWall time: 2 seconds\n{linking}")), Some(linking)),
            (json!({"llmContent": "fine\nExit Code: 0"}), None),
            (json!("the exit code 101 means that a test failed"), None),
            (json!({"output": linking}), None),
        ] {
            let message = json!({ "tool_response": answer });
            assert_eq!(Told::new(&message).tool_error().as_deref(), error, "{message}");
        }
    }

    #[test]
    fn files_are_found_whatever_the_host_calls_them() {
        let patch = "*** Begin Patch\n*** Update File: b.rs\n@@\n-x\n+y\n*** End Patch";
        for (message, files) in [
            (json!({"tool_input": {"file_path": "/p/a.rs"}}), vec!["/p/a.rs"]),
            (json!({"tool_input": {"command": patch}}), vec!["b.rs"]),
            (json!({"args": {"filePath": "c.rs"}}), vec!["c.rs"]),
            (json!({"file_path": "d.rs", "edits": []}), vec!["d.rs"]),
            (json!({"tool_input": {"file_path": 7}}), vec![]),
            (json!({"tool_input": null}), vec![]),
            (json!([]), vec![]),
        ] {
            assert_eq!(Told::new(&message).files(), files, "{message}");
        }
    }

    #[test]
    fn failures_are_told_from_answers() {
        for (message, error) in [
            (json!({"tool_response": {"exit_code": 1, "output": "boom"}}), Some("boom")),
            (json!({"tool_response": {"metadata": {"exit_code": 2}, "output": "x"}}), Some("x")),
            (json!({"tool_response": "{\"exit_code\": 3, \"output\": \"y\"}"}), Some("y")),
            (json!({"tool_response": {"error": {"message": "gone"}}}), Some("gone")),
            (json!({"tool_response": {"exit_code": 0, "output": "fine"}}), None),
            (json!({"tool_response": "fine"}), None),
            (json!({}), None),
        ] {
            assert_eq!(Told::new(&message).tool_error().as_deref(), error, "{message}");
        }
    }

    #[test]
    fn a_session_has_a_name_that_can_be_a_file() {
        let named = |name: &str| Told::new(&json!({ "session_id": name })).session();
        assert_eq!(named("5f1c-ab_1").as_deref(), Some("5f1c-ab_1"));
        assert_eq!(named("../../etc x").as_deref(), Some("....etcx"));
        assert_eq!(named("/ /"), None);
        assert_eq!(Told::new(&json!({})).session(), None);
    }
}
