//! `mnemic capture`: transcripts of agents become episodes, and what they teach becomes findings.

mod files;
mod tell;

use super::embed;
use crate::invocation::Invocation;
use crate::output::counted;
use crate::progress::Progress;
use crate::report::{self, Done};
use files::{Found, Source};
use mnemic_engine::{CaptureAsk, Captured, Engine, Error, ErrorKind, Format, Note};
use std::fs::File;
use std::io;
use std::path::PathBuf;

/// Take in transcripts of agents as episodes
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic capture ~/.claude/projects/my-project
  mnemic capture rollout.jsonl --dry-run
  zcat sessions.jsonl.gz | mnemic capture -

Capturing again changes nothing: a file that has grown is read on, one that has not is passed
over. What stands between <private> and </private> is never stored. `mnemic undo` takes a whole
capture back; `mnemic review` shows what it has learnt.")]
pub(crate) struct Args {
    /// Files, directories with transcripts in them, or `-` for standard input
    #[arg(required = true, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// The layout of the transcripts
    #[arg(long, value_enum, default_value_t = Layout::Auto)]
    format: Layout,
    /// Keep what happened alone: no facts, decisions, rules and fixes, for a person to review
    #[arg(long)]
    no_extract: bool,
    /// What happens anyway, for scripts that say so
    #[arg(long = "extract", hide = true, conflicts_with = "no_extract")]
    _extract: bool,
    /// Tell what would be stored and store nothing
    #[arg(long)]
    dry_run: bool,
    /// What standard input is called in sources
    #[arg(long, value_name = "NAME", default_value = "stdin")]
    name: String,
    /// Why, for the history
    #[arg(long)]
    reason: Option<String>,
    /// Leave the vectors to `mnemic embed`; until then they are found by words alone
    #[arg(long)]
    embed_later: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Layout {
    /// Told from the file itself
    Auto,
    ClaudeCode,
    Codex,
    /// `{role, content}` one after the other
    Messages,
    /// A whole session in each line, under `turns`
    Sessions,
}

impl Layout {
    fn format(self) -> Option<Format> {
        match self {
            Layout::Auto => None,
            Layout::ClaudeCode => Some(Format::ClaudeCode),
            Layout::Codex => Some(Format::Codex),
            Layout::Messages => Some(Format::Messages),
            Layout::Sessions => Some(Format::Sessions),
        }
    }
}

/// One transcript and what became of it.
struct Read {
    name: String,
    outcome: Result<Captured, Error>,
}

impl Read {
    /// Whether it is the store that failed: the other files would fare no better.
    fn is_the_end(&self) -> bool {
        let of_the_file = [ErrorKind::Invalid, ErrorKind::NotFound, ErrorKind::Io];
        self.outcome.as_ref().is_err_and(|error| !of_the_file.contains(&error.kind))
    }
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine_for_many(args.embed_later)?;
    let change = Some(engine.new_change_id());
    let note = Note { reason: args.reason.clone(), change, ..Note::default() };
    let mut reads: Vec<Read> = Vec::new();
    for found in args.paths.iter().flat_map(|path| files::under(path)) {
        reads.extend(one(found, &args, &engine, &note));
        if reads.last().is_some_and(Read::is_the_end) {
            break;
        }
    }
    let goes_on = !args.no_extract && !reads.last().is_some_and(Read::is_the_end);
    let habits = match goes_on {
        true => Some(engine.capture_habits(args.dry_run, &note)?),
        false => None,
    };
    let distilled = match goes_on {
        true => Some(engine.distil(args.dry_run, &note)?),
        false => None,
    };
    tell::told(&reads, habits.as_ref(), distilled.as_ref(), args.dry_run, call)?;
    call.out.flush()?;
    if !args.dry_run {
        embed::after_many(&engine, args.embed_later, call);
    }
    complain(reads)
}

/// None when a directory held something that was no transcript after all.
fn one(found: Found, args: &Args, engine: &Engine, note: &Note) -> Option<Read> {
    let (source, chosen) = match found {
        Err(error) => return Some(Read { name: error.name, outcome: Err(error.error) }),
        Ok(source) => source,
    };
    let name = match &source {
        Source::Stdin => args.name.clone(),
        Source::File(path) => path.to_string_lossy().into_owned(),
    };
    let ask = CaptureAsk {
        name: name.clone(),
        format: args.format.format(),
        extract: !args.no_extract,
        dry_run: args.dry_run,
    };
    let outcome = read(&source, &ask, engine, note);
    let is_other = |error: &Error| error.kind == ErrorKind::Invalid;
    let passed_over = !chosen && name.ends_with(".json") && outcome.as_ref().is_err_and(is_other);
    (!passed_over).then_some(Read { name, outcome })
}

fn read(
    source: &Source,
    ask: &CaptureAsk,
    engine: &Engine,
    note: &Note,
) -> Result<Captured, Error> {
    match source {
        Source::Stdin => {
            let progress = Progress::of_bytes(None);
            engine.capture(&mut io::stdin().lock(), ask, note, &mut |read| progress.reach(read))
        }
        Source::File(path) => {
            let failed = |cause| report::file("read", path.display(), cause);
            let file = File::open(path).map_err(failed)?;
            let size = file.metadata().map_err(failed)?.len();
            let progress = Progress::of_bytes(Some(size));
            engine.capture_file(file, ask, note, &mut |read| progress.reach(read))
        }
    }
}

/// What did not come in was named; the exit code says so, too.
fn complain(mut reads: Vec<Read>) -> Done {
    // The error of the only file, or of the store, says more than a count.
    if (reads.len() == 1 || reads.last().is_some_and(Read::is_the_end))
        && let Some(Read { outcome: Err(error), .. }) = reads.pop_if(|read| read.outcome.is_err())
    {
        return Err(error.into());
    }
    let broken = reads.iter().filter(|read| read.outcome.is_err()).count() as u64;
    let captured = || reads.iter().filter_map(|read| read.outcome.as_ref().ok());
    let lines: u64 = captured().map(|one| one.report.broken_lines).sum();
    let refused: u64 = captured().map(|one| one.refused.len() as u64).sum();
    let mut missing = Vec::new();
    for (count, one, several) in [
        (broken, "file", "files"),
        (lines, "line", "lines"),
        (refused, "episode or finding", "episodes or findings"),
    ] {
        if count > 0 {
            missing.push(counted(count, one, several));
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!("{} could not be captured; the rest was", missing.join(", "));
    Err(report::invalid(
        message,
        "mend what is named above and capture again: what is here already stays as it is",
    )
    .into())
}
