//! What goes back: data with a short text, or an error as the tool's own result, so that the agent
//! reads it and knows what to do.

use super::advice::advice;
use mnemic_engine::{Error, ErrorKind, defuse};
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;

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
    // What is wrong with an argument is wrong at every door, and the hint knows what would be right.
    let is_command = |hint: &str| hint.contains("mnemic ") || hint.contains("--");
    let (hint, command) = match error.hint.as_deref().map(defuse) {
        Some(hint) if error.kind == ErrorKind::Invalid && !is_command(&hint) => (Some(hint), None),
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

pub(super) fn wrong_arguments(tool: &str, wrong: &serde_json::Error) -> CallToolResult {
    let wrong = defuse(&wrong.to_string());
    refused(format!(
        "the arguments of `{tool}` are wrong: {wrong} [invalid]\nWhat to do: call it again with \
         arguments that match its input schema."
    ))
}

/// A text exactly as it is, as an error.
pub(super) fn refused(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}
