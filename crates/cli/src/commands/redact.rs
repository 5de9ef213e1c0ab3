//! `mnemic redact`: takes text out of everything that is stored, and proves it.

use crate::invocation::Invocation;
use crate::output::{counted, one_line, size};
use crate::prompt;
use crate::report::{self, Done};
use mnemic_engine::{Redacted, Target};
use serde_json::{Value, json};

/// Take text out of everything stored, for good: rows, versions, indexes, backups
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic redact 'TICKET-[0-9]+' --dry-run
  mnemic redact --rule aws-key --yes

What fits is replaced by [redacted:NAME] in every version of every memory, in reasons and notes, in
the indexes, vectors, journal and backups. The memories stay. This cannot be undone.")]
pub(crate) struct Args {
    /// A regular expression; what fits it is replaced
    #[arg(value_name = "REGEX", required_unless_present = "rule", conflicts_with = "rule")]
    pattern: Option<String>,
    /// What a rule finds, e.g. aws-key; a wrong name lists them all
    #[arg(long, value_name = "NAME")]
    rule: Option<String>,
    /// Only say what would be replaced
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let target = match (args.pattern, args.rule) {
        (Some(pattern), _) => Target::Pattern(pattern),
        (None, Some(rule)) => Target::Rule(rule),
        (None, None) => {
            return Err(report::invalid(
                "nothing to redact was named",
                "name a regular expression",
            )
            .into());
        }
    };
    if !args.dry_run && !args.yes {
        let would = engine.redact(&target, true)?;
        let memories = counted(would.ids.len() as u64, "memory", "memories");
        let question = format!("Replace text in {memories} for good? This cannot be undone.");
        prompt::agree(&question, false, "redact")?;
    }
    let redacted = engine.redact(&target, args.dry_run)?;
    answer(&redacted, args.dry_run, call)
}

/// The same for `scan --fix`.
pub(super) fn answer(redacted: &Redacted, dry_run: bool, call: &Invocation) -> Done {
    call.out.answer(|| view(redacted, dry_run), || tell(redacted, dry_run, call))
}

fn view(redacted: &Redacted, dry_run: bool) -> Value {
    let proof = &redacted.proof;
    let ids: Vec<&str> = redacted.ids.iter().map(|(_, id)| id.as_str()).collect();
    json!({
        "dry_run": dry_run,
        "ids": ids,
        "versions": redacted.versions,
        "elsewhere": redacted.elsewhere,
        "counts": redacted.counts,
        "unchangeable": redacted.unchangeable,
        "proof": { "files": proof.files, "bytes": proof.bytes, "traces": proof.traces },
        "waiting": redacted.waiting,
    })
}

fn tell(redacted: &Redacted, dry_run: bool, call: &Invocation) -> Done {
    let did = if dry_run { "would redact" } else { "redacted" };
    for (_, id) in &redacted.ids {
        call.out.line(&format!("{did} {id}"))?;
    }
    let told: Vec<String> =
        redacted.counts.iter().map(|(rule, n)| format!("{n} × {rule}")).collect();
    let versions = counted(redacted.versions, "version", "versions");
    let others = counted(redacted.elsewhere, "other text", "other texts");
    match told.is_empty() {
        true => call.out.line("nothing fits")?,
        false => call.out.line(&format!("{} in {versions} and {others}", told.join(", ")))?,
    }
    if redacted.unchangeable > 0 {
        let names = counted(redacted.unchangeable, "name", "names");
        call.out.warn(&format!("{names} of memories or audit entries fit and cannot be changed"));
    }
    if dry_run {
        return Ok(());
    }
    let proof = &redacted.proof;
    let files = counted(proof.files as u64, "file", "files");
    let searched = format!("searched {files} ({})", size(proof.bytes));
    match proof.traces.as_slice() {
        [] => call.out.line(&format!("{searched}: no trace is left"))?,
        traces => {
            call.out.line(&format!("{searched}: it is still found in"))?;
            for trace in traces {
                call.out.line(&format!("  {}", one_line(trace, 200)))?;
            }
        }
    }
    for waiting in &redacted.waiting {
        call.out.warn(&format!("not clean yet: {waiting}"));
    }
    Ok(())
}
