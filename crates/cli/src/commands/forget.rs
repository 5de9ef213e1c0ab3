//! `mnemic forget`: erases memories everywhere and proves it.

use crate::hooks;
use crate::invocation::Invocation;
use crate::output::{counted, one_line, size};
use crate::prompt;
use crate::report::{self, Done};
use mnemic_engine::model::At;
use mnemic_engine::{Engine, Forgotten, Note};
use serde_json::{Value, json};

/// Erase memories everywhere, for good: rows, versions, index, backups
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic forget fact-8f3k
  mnemic forget fact-8f3k ep-2026-01-05-012 --yes --reason \"asked by the customer\"

A tombstone without text stays, so that the same text does not come back with an import.")]
pub(crate) struct Args {
    /// Ids, or enough of their beginnings
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
    /// Why, for the audit log; do not repeat what is to be forgotten
    #[arg(long)]
    reason: Option<String>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let ids: Vec<&str> = args.ids.iter().map(String::as_str).collect();
    if !args.yes {
        // Whoever asks for what is not there hears that, not a question.
        show_what(&engine, &ids, prompt::is_possible(), call)?;
        let memories = counted(ids.len() as u64, "memory", "memories");
        let question = format!("Erase {memories} for good? This cannot be undone.");
        prompt::agree(&question, false, "forget")?;
    }
    let note = Note { reason: args.reason, ..Note::default() };
    let forgotten = engine.forget(&ids, &note)?;
    hooks::tear_up_notebooks(call);
    call.out.answer(|| view(&forgotten), || tell(&forgotten, call))
}

/// On stderr: it is part of the question, not of the answer.
fn show_what(engine: &Engine, ids: &[&str], told: bool, call: &Invocation) -> Done {
    for id in ids {
        let shown = engine.show(id, At::LATEST)?;
        if !shown.version.id.as_str().starts_with(id) {
            let key = format!("`{id}` is a key, and a key has a past");
            return Err(
                report::invalid(key, format!("see `mnemic history {id}`, and name ids")).into()
            );
        }
        let title = one_line(shown.version.content.body.title(), 80);
        if told {
            call.out.note(&format!("{}  {title}", shown.version.id));
        }
    }
    Ok(())
}

fn view(forgotten: &Forgotten) -> Value {
    let proof = &forgotten.proof;
    json!({
        "ids": forgotten.ids,
        "proof": { "files": proof.files, "bytes": proof.bytes, "traces": proof.traces },
        "waiting": forgotten.waiting,
        "unreached": forgotten.unreached,
    })
}

fn tell(forgotten: &Forgotten, call: &Invocation) -> Done {
    for id in &forgotten.ids {
        call.out.line(&format!("forgot {id}"))?;
    }
    let proof = &forgotten.proof;
    let searched = format!(
        "searched {} ({})",
        counted(proof.files as u64, "file", "files"),
        size(proof.bytes)
    );
    match proof.traces.as_slice() {
        [] if forgotten.waiting.is_empty() && forgotten.unreached.is_empty() => {
            call.out.line(&format!("{searched}: no trace is left"))?;
        }
        [] => call.out.line(&format!("{searched}: no trace is left in what could be reached"))?,
        traces => {
            call.out.line(&format!("{searched}: the text is still found in"))?;
            for trace in traces {
                call.out.line(&format!("  {}", one_line(trace, 200)))?;
            }
        }
    }
    for copy in &forgotten.unreached {
        call.out.warn(copy);
    }
    for backup in &forgotten.waiting {
        call.out.warn(&format!("not erased yet: {backup}; `mnemic doctor --fix` tries again"));
    }
    Ok(())
}
