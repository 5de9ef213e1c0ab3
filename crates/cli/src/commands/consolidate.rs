//! `mnemic consolidate`: tends what is stored, and tells what came of it.

use crate::commands::embed;
use crate::invocation::Invocation;
use crate::output::{STRONG, one_line};
use crate::progress::Progress;
use crate::report::Done;
use mnemic_engine::consolidate::{Step, What};
use mnemic_engine::{Consolidated, Note};
use serde_json::{Map, Value, json};

/// Merge copies, settle contradictions, draw patterns, archive what is no longer used
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic consolidate --dry-run
  mnemic consolidate

Nothing is erased, and `mnemic undo` takes it back. What a person wrote, pinned or confirmed is
never demoted or archived. Running it twice is the same as once.")]
pub(crate) struct Args {
    /// Only tell what would be done
    #[arg(long)]
    dry_run: bool,
    /// Why; kept with the change
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let note = Note { reason: args.reason, ..Note::default() };
    let reports = {
        let progress = Progress::of_work();
        let mut taken = 0;
        engine.consolidate(args.dry_run, &note, &mut |_, _| {
            taken += 1;
            let stores = if taken > Step::ALL.len() as u64 { 2 } else { 1 };
            progress.come(taken, stores * Step::ALL.len() as u64);
        })?
    };
    call.out.answer(
        || {
            let stores = reports.iter().map(view).collect::<Vec<Value>>();
            json!({ "dry_run": args.dry_run, "stores": stores })
        },
        || reports.iter().try_for_each(|report| print(report, args.dry_run, call)),
    )?;
    call.out.flush()?;
    if !args.dry_run && reports.iter().any(|report| report.change.is_some()) {
        embed::after_some(&engine, call);
    }
    Ok(())
}

fn view(report: &Consolidated) -> Value {
    let counts: Map<String, Value> = What::ALL
        .iter()
        .map(|what| {
            let count = report.counts.get(what).copied().unwrap_or_default();
            (what.as_str().to_owned(), json!(count))
        })
        .collect();
    let samples = report.samples.iter();
    let samples: Vec<Value> =
        samples.map(|(what, told)| json!({ "act": what.as_str(), "told": told })).collect();
    json!({
        "store": report.store.as_str(),
        "change": report.change,
        "counts": counts,
        "samples": samples,
    })
}

fn print(report: &Consolidated, dry_run: bool, call: &Invocation) -> Done {
    let told = match (&report.change, dry_run) {
        _ if report.counts.is_empty() => "nothing to do".to_owned(),
        (Some(change), _) => format!("done as {change}"),
        (None, true) => "would be done".to_owned(),
        (None, false) => "nothing to do".to_owned(),
    };
    let head = call.out.paint(STRONG, &format!("{} store", report.store));
    call.out.line(&format!("{head}: {told}"))?;
    let counts = report.counts.iter();
    call.out.table(counts.map(|(what, count)| (name(*what), count.to_string())))?;
    for (what, told) in &report.samples {
        call.out.line(&format!("  {}: {}", what.as_str(), one_line(told, 160)))?;
    }
    Ok(())
}

fn name(what: What) -> &'static str {
    match what {
        What::Generalised => "new patterns",
        What::Strengthened => "patterns strengthened",
        What::Warned => "new anti-patterns",
        What::Merged => "merges",
        What::Opened => "contradictions, open",
        What::Settled => "contradictions, settled",
        What::Promoted => "promoted",
        What::Archived => "archived",
        What::Linked => "linked",
        What::Grouped => "communities and sagas",
        What::Refined => "notes refined",
    }
}
