//! `blocks` and `edit_block`: the small texts that are always in an agent's context.

use super::super::answer::{self, Reply};
use super::super::lines::{WITHHELD, harmless};
use super::super::tool::{Call, Nature, Offered};
use crate::wire;
use mnemic_engine::model::body::Block;
use mnemic_engine::model::{At, Body, Invalid, Trust, Truth};
use mnemic_engine::recall::context::enclosed;
use mnemic_engine::{BlockEdited, Error, ErrorKind, Note, Result};
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) struct Blocks;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Only the block of this label.
    label: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    blocks: Vec<View>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct View {
    label: String,
    text: String,
    /// Characters that it holds.
    used: usize,
    /// Characters that it may hold.
    limit: usize,
}

impl View {
    fn of(block: &Block) -> View {
        let Block { label, text, limit } = block;
        View { label: label.clone(), text: text.clone(), used: block.length(), limit: *limit }
    }
}

impl Offered for Blocks {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "blocks";
    const TITLE: &'static str = "Read blocks";
    const ABOUT: &'static str = "Blocks, core memory, persona, scratchpad: read the small labelled \
        texts that are kept in context all the time, such as `persona`, `human`, `project`. Call \
        it at the start of a session and before you change one with `edit_block`. Says how full \
        each is.";
    const NATURE: Nature = Nature::Reads;

    fn failed(error: &Error) -> CallToolResult {
        no_such_block(error)
    }

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        let now = At { truth: Truth::Now, known: None };
        let found = match &input.label {
            Some(label) => vec![call.engine.block(label, now)?],
            None => call.engine.blocks(now)?,
        };
        let blocks = found.iter().filter_map(|one| match &one.version.content.body {
            Body::Block(block) if one.version.content.trust() == Trust::Quarantined => {
                Some(View { text: WITHHELD.to_owned(), ..View::of(block) })
            }
            Body::Block(block) => Some(View::of(block)),
            _ => None,
        });
        let blocks: Vec<View> = blocks.collect();
        let told: Vec<String> = blocks
            .iter()
            .map(|one| {
                let View { label, used, limit, .. } = one;
                format!("{label} ({used} of {limit} characters):\n{}", harmless(&one.text))
            })
            .collect();
        let text = match told.is_empty() {
            true => "There are no blocks yet; `edit_block` makes one.".to_owned(),
            false => enclosed(&told.join("\n\n")),
        };
        Ok(Reply::new(Output { blocks }, text))
    }
}

pub(super) struct EditBlock;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EditInput {
    /// What to do.
    action: Action,
    /// The block, e.g. `persona`.
    label: String,
    /// Of `replace`: the text to replace, which must stand there exactly once.
    old_text: Option<String>,
    /// The new text: of the replacement, of the lines to insert, of the whole block.
    text: String,
    /// Of `insert`: after this line, from 1; 0 is the top. At the end unless told.
    line: Option<u32>,
    /// Of `create`: how many characters it may hold; 2000 unless told.
    limit: Option<u32>,
    /// Why, for the history.
    reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    /// Make a block.
    Create,
    /// Replace one piece of text.
    Replace,
    /// Put lines in.
    Insert,
    /// Write the whole text anew.
    Rethink,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Edited {
    id: String,
    block: View,
    version: u32,
    warnings: Vec<String>,
}

impl Offered for EditBlock {
    type Input = EditInput;
    type Output = Edited;
    const NAME: &'static str = "edit_block";
    const TITLE: &'static str = "Edit a block";
    const ABOUT: &'static str = "Edit a block, core memory, persona: create, replace (a piece of \
        text), insert (lines), rethink (write it anew). Call it when what you must always know has \
        changed: who the person is, what the work is about, how you should behave. Keep blocks \
        short; each has a limit, and details belong into `remember` or `archival_insert`. Earlier \
        versions are kept. Read it first with `blocks`.";
    const NATURE: Nature = Nature::Writes;

    fn failed(error: &Error) -> CallToolResult {
        no_such_block(error)
    }

    fn run(call: &Call, input: EditInput) -> Result<Reply<Edited>> {
        let EditInput { action, label, old_text, text, line, limit, reason } = input;
        let note = Note { reason, ..Note::default() };
        let engine = &call.engine;
        let edited = match action {
            Action::Create => {
                engine.block_create(&label, &text, limit.map(|n| n as usize), None, &note)?
            }
            Action::Replace => {
                let hint = "give `old_text`, as it stands in the block";
                let missing = || Invalid::new("old_text", "is missing", hint);
                engine.block_replace(&label, &old_text.ok_or_else(missing)?, &text, &note)?
            }
            Action::Insert => {
                engine.block_insert(&label, &text, line.map(|n| n as usize), &note)?
            }
            Action::Rethink => engine.block_rethink(&label, &text, &note)?,
        };
        Ok(told(edited))
    }
}

/// Blocks go by label; no search leads to one.
fn no_such_block(error: &Error) -> CallToolResult {
    match error.kind {
        ErrorKind::NotFound => answer::advised(error, LOOK_OR_MAKE),
        ErrorKind::Stale => answer::advised(error, READ_FIRST),
        // Only what is there already names a command; what occurs twice says what to do.
        ErrorKind::Conflict
            if error.hint.as_deref().is_some_and(|hint| hint.contains("mnemic ")) =>
        {
            answer::advised(error, CHANGE_IT)
        }
        _ => answer::failed(error),
    }
}

const CHANGE_IT: &str =
    "change the block that is there: `edit_block` with `replace`, `insert` or `rethink`.";

const READ_FIRST: &str =
    "read the block with `blocks`; `edit_block` with `rethink` writes it anew as a whole.";

const LOOK_OR_MAKE: &str =
    "call `blocks` without a label to see those there are; `edit_block` with `create` makes one.";

fn told(done: BlockEdited) -> Reply<Edited> {
    let BlockEdited { edited, used, limit } = done;
    let block = match &edited.version.content.body {
        Body::Block(block) => View::of(block),
        other => View { label: other.title().to_owned(), text: String::new(), used, limit },
    };
    let mut text = format!(
        "Block {} is now version {}, {used} of {limit} characters.",
        block.label, edited.version.n
    );
    let mut warnings = edited.warnings;
    warnings.extend(wire::screened(&edited.screened));
    for warning in &warnings {
        text.push_str(&format!("\n{warning}"));
    }
    let id = edited.version.id.to_string();
    let data = Edited { id, block, version: edited.version.n, warnings };
    Reply::new(data, text)
}
