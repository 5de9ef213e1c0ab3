//! `mnemic merge`: takes in all that another store knows.

use super::embed;
use crate::args::StoreArgs;
use crate::invocation::Invocation;
use crate::output::{counted, one_line};
use crate::report::Done;
use mnemic_engine::model::body::Resolution;
use mnemic_engine::model::{At, Body, Filter, Kind};
use mnemic_engine::{Engine, Level, Merged, Note};
use serde_json::json;
use std::path::PathBuf;

/// Take in all that another store knows; the other one stays as it is
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic merge ../laptop/memory.db --dry-run
  mnemic merge /mnt/usb/.mnemic/memory.db --reason \"from the laptop\"

What both say is one memory. Edits of both stay in its history, and the latest is believed; where
they exclude each other, `mnemic contradictions list` asks you. What was forgotten there is forgotten
here, which cannot be undone; `mnemic undo` takes back the rest.")]
pub(crate) struct Args {
    /// The file of the other store
    #[arg(value_name = "OTHER.db", value_hint = clap::ValueHint::FilePath)]
    other: PathBuf,
    /// Tell what would happen, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Stand for what somebody else calls trusted there; without it that is refused
    #[arg(long)]
    vouch: bool,
    /// Why, for the history
    #[arg(long)]
    reason: Option<String>,
    /// Leave the vectors to `mnemic embed`; until then they are found by words alone
    #[arg(long)]
    embed_later: bool,
    #[command(flatten)]
    store: StoreArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine_for_many(args.embed_later)?;
    let store = args.store.one(&engine)?;
    let note = Note { reason: args.reason, vouched: args.vouch, ..Note::default() };
    let merged = engine.merge(store, &args.other, args.dry_run, &note)?;
    for left in &merged.waiting {
        call.out.warn(left);
    }
    call.out.answer(
        || {
            json!({
                "store": store.as_str(),
                "dry_run": args.dry_run,
                "new": merged.new,
                "grown": merged.grown,
                "one_memory": merged.one_memory,
                "contradictions": merged.contradictions,
                "links": merged.links,
                "forgotten": merged.forgotten,
                "change": merged.change,
            })
        },
        || tell(&merged, args.dry_run, &engine, call),
    )?;
    call.out.flush()?;
    embed::after_many(&engine, args.dry_run || args.embed_later, call);
    Ok(())
}

fn tell(merged: &Merged, dry_run: bool, engine: &Engine, call: &Invocation) -> Done {
    let count = |n: usize| n as u64;
    let would = if dry_run { "would merge" } else { "merged" };
    call.out.line(&format!(
        "{would} {}, {} with edits of both, {}",
        counted(count(merged.new), "new record", "new records"),
        merged.grown,
        counted(count(merged.links), "link", "links"),
    ))?;
    if merged.one_memory > 0 {
        let same = counted(count(merged.one_memory), "memory says", "memories say");
        call.out.line(&format!("{same} the same as another and became one with it"))?;
    }
    if merged.forgotten > 0 {
        let gone = counted(count(merged.forgotten), "memory was", "memories were");
        call.out.line(&format!("{gone} forgotten there, and here too"))?;
    }
    if merged.contradictions > 0 {
        let open = counted(count(merged.contradictions), "contradiction", "contradictions");
        call.out.note(&format!("{open} to settle: mnemic contradictions list"));
        settling(merged, engine, call)?;
    }
    // Forgetting is not taken back.
    let is_undoable = merged.new + merged.grown + merged.one_memory + merged.links > 0;
    if let Some(change) = merged.change.as_ref().filter(|_| is_undoable) {
        call.out.note(&format!("to take it back: mnemic undo {change}"));
    }
    Ok(())
}

/// So many are spelled out; the list has them all.
const MOST_SPELLED: usize = 5;

/// How each side of what the merge could not settle is kept.
fn settling(merged: &Merged, engine: &Engine, call: &Invocation) -> Done {
    let Some(change) = &merged.change else { return Ok(()) };
    let filter = Filter { kinds: vec![Kind::Contradiction], ..Filter::new(At::LATEST) };
    let mut items = engine.list(&filter)?.items;
    items.retain(|item| item.version.change == *change);
    for item in items.iter().take(MOST_SPELLED) {
        let Body::Contradiction(pair) = &item.version.content.body else { continue };
        for (side, wins) in [(&pair.a, Resolution::AWins), (&pair.b, Resolution::BWins)] {
            let Ok(shown) = engine.show(side.as_str(), At::LATEST) else { continue };
            let says = one_line(&Level::summary_line(&shown.version.content), 60);
            let command =
                format!("mnemic contradictions resolve {} {}", item.version.id, wins.as_str());
            call.out.note(&format!("to keep \"{says}\": {command}"));
        }
    }
    Ok(())
}
