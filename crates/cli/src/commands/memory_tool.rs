//! `mnemic memory-tool`: one command of the file memory tool, from standard input.

use crate::invocation::Invocation;
use crate::output::plain;
use crate::report::{self, Done};
use mnemic_engine::model::policy;
use mnemic_engine::{MemoryFileCommand, Note};
use serde_json::json;
use std::io::Read;

/// Carry out a command of the file memory tool, which keeps files below /memories
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  echo '{\"command\": \"view\", \"path\": \"/memories\"}' | mnemic memory-tool
  echo '{\"command\": \"create\", \"path\": \"/memories/a.md\", \"file_text\": \"x\"}' |
    mnemic memory-tool --actor agent:claude

The commands are view, create, str_replace, insert, delete and rename, with the fields and the answers
of the tool memory_20250818. Each file is a memory: found by `recall`, with a `history`.")]
pub(crate) struct Args {}

pub(crate) fn run(_: Args, call: &Invocation) -> Done {
    let mut text = String::new();
    // Escapes may double a text on its way.
    let most = 2 * policy::MAX_BODY_BYTES as u64;
    let read = std::io::stdin().take(most).read_to_string(&mut text);
    read.map_err(|cause| report::file("read", "standard input", cause))?;
    let command: MemoryFileCommand = serde_json::from_str(&text).map_err(|wrong| {
        let hint = "give one such as {\"command\": \"view\", \"path\": \"/memories\"}";
        report::invalid(format!("this is no command of the memory tool: {wrong}"), hint)
    })?;
    let said = call.engine()?.memory_file(&command, &Note::default())?;
    call.out.answer(|| json!({ "text": said }), || call.out.line(&plain(&said)))
}
