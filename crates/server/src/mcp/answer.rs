//! What goes back: data with a short text, or an error as the tool's own result, so that the agent
//! reads it and knows what to do.

use super::advice::advice;
use mnemic_engine::{Error, ErrorKind, defuse};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use serde::Serialize;
use serde_json::Value;

/// What a tool answers.
pub(super) struct Reply<T> {
    pub(super) data: T,
    /// The same in short, for agents that read text alone.
    pub(super) text: String,
}

impl<T> Reply<T> {
    pub(super) fn new(data: T, text: impl Into<String>) -> Reply<T> {
        Reply { data, text: text.into() }
    }
}

pub(super) fn told<T: Serialize>(reply: Reply<T>) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(reply.text)]);
    match serde_json::to_value(reply.data) {
        Ok(data) => {
            result.structured_content = Some(data);
            result
        }
        Err(cause) => {
            failed(&Error::new(ErrorKind::Internal, "the answer is no JSON").because(cause))
        }
    }
}

/// What failed, why, and what the agent can do about it.
pub(super) fn failed(error: &Error) -> CallToolResult {
    let mut text = format!("{} [{}]", defuse(&error.chain().join(": ")), error.kind.code());
    // A hint that names no command is right at every door, and knows more than the kind of failure.
    let is_command = |hint: &str| hint.contains("mnemic ") || hint.contains("--");
    let (hint, command) = match error.hint.as_deref().map(defuse) {
        Some(hint) if !is_command(&hint) => (Some(hint), None),
        command => (None, command),
    };
    if let Some(advice) = hint.or_else(|| advice(error.kind).map(str::to_owned)) {
        text.push_str(&format!("\nWhat to do: {advice}"));
    }
    if let Some(command) = command {
        text.push_str(&format!("\nOn the command line: {command}"));
    }
    refused(text)
}

/// The same with advice that only this tool can give.
pub(super) fn advised(error: &Error, advice: &str) -> CallToolResult {
    let told = defuse(&error.chain().join(": "));
    refused(format!("{told} [{}]\nWhat to do: {advice}", error.kind.code()))
}

/// What is wrong, and all that would be right: an agent cannot look at the schema again.
pub(super) fn wrong_arguments(
    tool: &str,
    wrong: &serde_path_to_error::Error<serde_json::Error>,
    schema: &JsonObject,
) -> CallToolResult {
    let place = wrong.path().to_string();
    let wrong = match place.as_str() {
        // What is missing or unknown is named in the error itself.
        "." => wrong.inner().to_string(),
        field if wrong.inner().to_string().contains(&format!("`{field}`")) => {
            wrong.inner().to_string()
        }
        field => format!("`{field}`: {}", wrong.inner()),
    };
    let wrong = defuse(&wrong);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let fields = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let (needed, other): (Vec<&String>, Vec<&String>) =
        fields.map(|(name, _)| name).partition(|name| is_required(name));
    let listed = |names: &[&String]| {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<String>>().join(", ")
    };
    let takes = match (needed.is_empty(), other.is_empty()) {
        (true, true) => "no arguments".to_owned(),
        (false, true) => listed(&needed),
        (true, false) => format!("any of {}", listed(&other)),
        (false, false) => format!("{}, and any of {}", listed(&needed), listed(&other)),
    };
    refused(format!(
        "the arguments of `{tool}` are wrong: {wrong} [invalid]\nWhat to do: call it again; it \
         takes {takes}."
    ))
}

/// A text exactly as it is, as an error.
pub(super) fn refused(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}
