//! `mnemic vault`: secrets, which are never indexed and whose every reading is audited.

use crate::args::choice;
use crate::invocation::Invocation;
use crate::output::plain;
use crate::prompt;
use crate::report::{self, Done, Failure};
use crate::view;
use mnemic_engine::model::{Body, ScopeLevel};
use mnemic_engine::{Listed, Note, Result, SecretValue};
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Read, Write};

/// More than any key or token; what is longer is a file, not a secret.
const MAX_BYTES: u64 = 1024 * 1024;

/// Keep secrets out of every index and context
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic vault put deploy-token                 asks for the value
  pass deploy | mnemic vault put deploy-token
  mnemic vault get deploy-token")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Put a value in, from standard input or a hidden prompt; never as an argument
    #[command(after_help = "Example:\n  pass deploy | mnemic vault put deploy-token")]
    Put {
        name: String,
        /// What it is for; this is not secret
        #[arg(long)]
        description: Option<String>,
        #[arg(long, value_parser = choice(ScopeLevel::ALL, ScopeLevel::as_str))]
        scope: Option<ScopeLevel>,
        /// Why, for the history
        #[arg(long)]
        reason: Option<String>,
    },
    /// Print a value; the reading is written into the audit log
    #[command(after_help = "Example:\n  TOKEN=$(mnemic vault get deploy-token)")]
    Get { name: String },
    /// List names, without values
    #[command(after_help = "Example:\n  mnemic vault list")]
    List,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    match args.action {
        Action::Put { name, description, scope, reason } => {
            let value = value(&name)?;
            let note = Note { reason, ..Note::default() };
            let id = engine.vault_put(&name, &value, description, scope, &note)?;
            call.out.answer(|| json!({ "id": id, "name": name }), || call.out.line(id.as_str()))
        }
        Action::Get { name } => give(&name, &engine.vault_get(&name)?, call),
        Action::List => list(&engine.vault_list()?, call),
    }
}

fn value(name: &str) -> Done<SecretValue> {
    let value = if io::stdin().is_terminal() {
        prompt::hidden(&format!("value of {name} (not shown): "))?
    } else {
        piped()?
    };
    if value.is_empty() {
        let hint = "pipe the value in, or type it at the prompt";
        return Err(report::invalid("the value is empty; nothing was stored", hint).into());
    }
    Ok(SecretValue::new(value))
}

fn piped() -> Result<String> {
    let mut bytes = Vec::new();
    let read = io::stdin().take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|cause| report::file("read", "standard input", cause))?;
    if bytes.len() as u64 > MAX_BYTES {
        let hint = "keep the file where it is and put its key into the vault";
        return Err(report::invalid(format!("a secret holds at most {MAX_BYTES} bytes"), hint));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| report::invalid("the value is not UTF-8 text", "encode it, e.g. as base64"))?;
    // `echo` ends its line; the secret does not.
    Ok(text.strip_suffix('\n').map(str::to_owned).unwrap_or(text))
}

fn give(name: &str, value: &SecretValue, call: &Invocation) -> Done {
    if call.out.json {
        return call.out.json(&json!({ "name": name, "value": value.reveal() }));
    }
    if io::stdout().is_terminal() {
        return call.out.line(&plain(value.reveal()));
    }
    // A program gets the bytes as they were put in.
    writeln!(call.out.raw(), "{}", value.reveal()).map_err(Failure::output)
}

fn list(entries: &[Listed], call: &Invocation) -> Done {
    call.out.answer(
        || json!({ "items": entries.iter().map(view::listed).collect::<Vec<Value>>() }),
        || {
            let rows = entries.iter().filter_map(|entry| match &entry.version.content.body {
                Body::Secret(secret) => {
                    Some((secret.name.as_str(), secret.description.clone().unwrap_or_default()))
                }
                _ => None,
            });
            call.out.table(rows)?;
            if entries.is_empty() {
                call.out.note("there are none; `mnemic vault put NAME` keeps one");
            }
            Ok(())
        },
    )
}
