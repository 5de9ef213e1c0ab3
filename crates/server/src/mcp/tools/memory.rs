//! `memory`: the file memory tool that Claude's own clients bring, over the same store.

use super::super::answer::{self, Reply};
use super::super::tool::{Call, Nature, Offered};
use mnemic_engine::{Error, ErrorKind, MemoryFileCommand, Note, Result};
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) struct Memory;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// What to do.
    command: Command,
    /// The file or directory, from `/memories` on; of all commands but `rename`.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// Of `view`: first and last line, from 1; -1 is the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    view_range: Option<[i64; 2]>,
    /// Of `create`: the whole text.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_text: Option<String>,
    /// Of `str_replace`: the text to replace, which must stand there exactly once.
    #[serde(skip_serializing_if = "Option::is_none")]
    old_str: Option<String>,
    /// Of `str_replace`: what stands there afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    new_str: Option<String>,
    /// Of `insert`: after this line, from 1; 0 is the top.
    #[serde(skip_serializing_if = "Option::is_none")]
    insert_line: Option<i64>,
    /// Of `insert`: the lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    insert_text: Option<String>,
    /// Of `rename`: from where.
    #[serde(skip_serializing_if = "Option::is_none")]
    old_path: Option<String>,
    /// Of `rename`: to where.
    #[serde(skip_serializing_if = "Option::is_none")]
    new_path: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Command {
    /// Show a directory or a file.
    View,
    /// Make a file.
    Create,
    /// Replace text in a file.
    StrReplace,
    /// Put lines into a file.
    Insert,
    /// Delete a file or directory.
    Delete,
    /// Rename or move a file or directory.
    Rename,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    /// What the command says.
    text: String,
}

impl Offered for Memory {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "memory";
    const TITLE: &'static str = "Files of memory";
    const ABOUT: &'static str = "Memory files below /memories: view, create, str_replace, insert, \
        delete, rename. Call it to keep notes, progress and plans as files of your own across \
        sessions: view `/memories` first to see what is there, write down what you have done before \
        your context is cut. The commands and their answers are those of the memory tool \
        memory_20250818. Files are found by `search` as well, and history keeps what was changed or \
        deleted.";
    const NATURE: Nature = Nature::Writes;

    /// Refusals of the tool itself have no hint, and clients know their words.
    fn failed(error: &Error) -> CallToolResult {
        match error.hint {
            None => answer::refused(error.message().to_owned()),
            Some(_) => answer::failed(error),
        }
    }

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        let command = serde_json::to_value(input).and_then(serde_json::from_value);
        let command: MemoryFileCommand = command.map_err(|wrong| {
            Error::new(ErrorKind::Invalid, format!("the command is not whole: {wrong}"))
        })?;
        let text = call.engine.memory_file(&command, &Note::default())?;
        Ok(Reply::new(Output { text: text.clone() }, text))
    }
}
