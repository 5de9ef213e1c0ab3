//! `mnemic learn code`: what recurs in the project's own code, as templates for a person to review.

use crate::args::whole;
use crate::commands::embed;
use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, counted, plain};
use crate::report::Done;
use mnemic_engine::{CodePattern, LearnAsk, Learnt, Note};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Learn from what lies in the project
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mnemic learn code --dry-run")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Find what recurs in code, as templates with holes
    #[command(after_help = "\
Examples:
  mnemic learn code --dry-run
  mnemic learn code src tests --limit 10

Rust, Python, TypeScript, JavaScript, Go and Java. A pattern stands in three files or more; it
waits in `mnemic review` until a person accepts it. Learning again changes nothing.")]
    Code {
        /// Files or directories; the whole project without
        #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
        paths: Vec<PathBuf>,
        /// Show what would be kept and keep nothing
        #[arg(long)]
        dry_run: bool,
        /// Patterns at most, the most telling first
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<usize>("20"))]
        limit: usize,
        /// Why, for the history
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let What::Code { paths, dry_run, limit, reason } = args.what;
    let engine = call.engine()?;
    let paths = paths.into_iter().map(|path| call.dir.join(path)).collect();
    let ask = LearnAsk { paths, patterns: limit, dry_run };
    let learnt = engine.learn_code(&ask, &Note { reason, ..Note::default() })?;
    call.out.answer(|| view(&learnt, dry_run), || tell(&learnt, dry_run, call))?;
    call.out.flush()?;
    if learnt.change.is_some() {
        embed::after_many(&engine, false, call);
    }
    Ok(())
}

fn view(learnt: &Learnt, dry_run: bool) -> Value {
    let item = |(pattern, is_new): &(CodePattern, bool)| {
        let places: Vec<String> = pattern.places.iter().map(ToString::to_string).collect();
        json!({
            "language": pattern.language.as_str(),
            "hint": pattern.hint,
            "code": pattern.code,
            "placeholders": pattern.placeholders,
            "directory": pattern.directory,
            "files": pattern.files,
            "places": places,
            "new": is_new,
        })
    };
    json!({
        "files": learnt.files,
        "patterns": learnt.patterns.iter().map(item).collect::<Vec<Value>>(),
        "dry_run": dry_run,
        "change": learnt.change,
    })
}

fn tell(learnt: &Learnt, dry_run: bool, call: &Invocation) -> Done {
    for (pattern, is_new) in &learnt.patterns {
        let known = if *is_new { "" } else { ", known" };
        let head = call.out.paint(KEY, &plain(&pattern.hint));
        let files = counted(pattern.files as u64, "file", "files");
        call.out.line(&format!("{head}  {}, {files}{known}", pattern.language))?;
        for line in pattern.code.lines() {
            call.out.line(&format!("  {}", plain(line)))?;
        }
        if let Some(place) = pattern.places.first() {
            let from = format!("  from {place}");
            call.out.line(&call.out.paint(FAINT, &plain(&from)))?;
        }
    }
    let files = counted(learnt.files as u64, "file", "files");
    let patterns = counted(learnt.patterns.len() as u64, "pattern", "patterns");
    call.out.note(&format!("{patterns} in {files}"));
    if learnt.is_cut {
        call.out.warn("not all files were read: name directories to look at the others");
    }
    match &learnt.change {
        Some(change) => {
            call.out.note("no person has looked at it yet: mnemic review");
            call.out.note(&format!("to take it back: mnemic undo {change}"));
        }
        None if dry_run => call.out.note("nothing was stored"),
        None => {}
    }
    Ok(())
}
