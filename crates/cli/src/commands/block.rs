//! `mnemic block`: the small texts that are always in an agent's context.

use super::remember;
use crate::args::{TimeArgs, choice, whole};
use crate::invocation::Invocation;
use crate::output::{KEY, one_line, plain, width};
use crate::report::{self, Done};
use crate::view;
use mnemic_engine::model::body::{Block, Fields};
use mnemic_engine::model::{Body, ScopeLevel, policy};
use mnemic_engine::{BlockEdited, Listed, Note, Result};
use serde_json::{Value, json};
use std::io::Read;

/// Characters of a block's text in a list.
const TEXT_WIDTH: usize = 60;

/// Read and edit blocks: small texts that are always in an agent's context
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic block new persona \"Careful and brief.\"
  mnemic block replace persona brief short
  mnemic block show persona")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
    /// Why, for the history
    #[arg(long, global = true)]
    reason: Option<String>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List blocks and how full they are
    #[command(after_help = "Example:\n  mnemic block list")]
    List {
        #[command(flatten)]
        times: TimeArgs,
    },
    /// Print the text of a block
    #[command(after_help = "Example:\n  mnemic block show persona --known-at yesterday")]
    Show {
        label: String,
        #[command(flatten)]
        times: TimeArgs,
    },
    /// Make a block
    #[command(
        after_help = "Example:\n  mnemic block new persona \"Careful and brief.\" --limit 500"
    )]
    New {
        label: String,
        /// Its text, or `-` to read it from standard input
        #[arg(default_value = "")]
        text: String,
        /// How many characters it may hold
        #[arg(long, value_name = "N", value_parser = whole::<usize>("20"))]
        limit: Option<usize>,
        #[arg(long, value_parser = choice(ScopeLevel::ALL, ScopeLevel::as_str))]
        scope: Option<ScopeLevel>,
    },
    /// Replace one piece of text, which must occur exactly once
    #[command(after_help = "Example:\n  mnemic block replace persona brief short")]
    Replace { label: String, old: String, new: String },
    /// Insert text at the end, or after a line
    #[command(after_help = "Example:\n  mnemic block insert project \"Tests run in CI.\" --line 1")]
    Insert {
        label: String,
        /// The text, or `-` to read it from standard input
        text: String,
        /// After this line, counted from 1; 0 is the top
        #[arg(long, value_name = "N", value_parser = whole::<usize>("3"))]
        line: Option<usize>,
    },
    /// Write the whole text anew
    #[command(after_help = "Example:\n  mnemic block rethink persona - < persona.md")]
    Rethink {
        label: String,
        /// The text, or `-` to read it from standard input
        text: String,
    },
    /// Change how many characters it may hold
    #[command(after_help = "Example:\n  mnemic block limit persona 4000")]
    Limit { label: String, limit: usize },
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let note = Note { reason: args.reason, ..Note::default() };
    let engine = call.engine()?;
    let edited = match args.action {
        Action::List { times } => return list(&engine.blocks(times.at())?, call),
        Action::Show { label, times } => {
            return show(&engine.block(&label, times.at())?, call);
        }
        Action::New { label, text, limit, scope } => {
            let limit = limit.unwrap_or(call.resolved()?.block_limit);
            engine.block_create(&label, &text_of(text)?, Some(limit), scope, &note)?
        }
        Action::Replace { label, old, new } => engine.block_replace(&label, &old, &new, &note)?,
        Action::Insert { label, text, line } => {
            engine.block_insert(&label, &text_of(text)?, line, &note)?
        }
        Action::Rethink { label, text } => engine.block_rethink(&label, &text_of(text)?, &note)?,
        Action::Limit { label, limit } => engine.block_limit(&label, limit, &note)?,
    };
    tell(&edited, call)
}

fn list(blocks: &[Listed], call: &Invocation) -> Done {
    call.out.answer(
        || json!({ "items": blocks.iter().map(block_view).collect::<Vec<Value>>() }),
        || {
            for block in blocks.iter().filter_map(body) {
                let label = call.out.paint(KEY, &plain(&block.label));
                let fill = format!("{}/{}", block.length(), block.limit);
                let beside = width(&block.label) + fill.len() + 4;
                let text = one_line(&block.text, call.out.room(beside, TEXT_WIDTH));
                call.out.line(&format!("{label}  {fill}  {text}"))?;
            }
            if blocks.is_empty() {
                call.out.note("there are none; `mnemic block new LABEL TEXT` makes one");
            }
            Ok(())
        },
    )
}

fn show(listed: &Listed, call: &Invocation) -> Done {
    call.out.answer(
        || block_view(listed),
        || call.out.line(&plain(body(listed).map_or("", |block| block.text.as_str()))),
    )
}

fn body(listed: &Listed) -> Option<&Block> {
    match &listed.version.content.body {
        Body::Block(block) => Some(block),
        _ => None,
    }
}

fn block_view(listed: &Listed) -> Value {
    let mut fields: Fields = view::stored(listed.store, &listed.version);
    fields.insert("used".into(), body(listed).map_or(0, Block::length).into());
    Value::Object(fields)
}

fn tell(block: &BlockEdited, call: &Invocation) -> Done {
    for warning in &block.edited.warnings {
        call.out.warn(warning);
    }
    remember::tell_apart(&block.edited.screened, call);
    call.out.answer(
        || {
            let mut view = view::edited(&block.edited);
            view["used"] = block.used.into();
            view["limit"] = block.limit.into();
            view
        },
        || {
            let version = &block.edited.version;
            let fill = format!("{} of {} characters", block.used, block.limit);
            call.out.line(&format!("{} is now version {}, {fill}", version.id, version.n))
        },
    )
}

fn text_of(text: String) -> Result<String> {
    if text != "-" {
        return Ok(text);
    }
    let mut text = String::new();
    let read = std::io::stdin().take(policy::MAX_BODY_BYTES as u64).read_to_string(&mut text);
    read.map_err(|cause| report::file("read", "standard input", cause))?;
    // The newline that ends a file is not part of the text.
    Ok(text.strip_suffix('\n').map(str::to_owned).unwrap_or(text))
}
