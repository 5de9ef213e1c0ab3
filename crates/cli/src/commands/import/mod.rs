//! `mnemic import`: takes in what other tools remember, and what `export` wrote.

mod ours;
mod scan;
mod tell;

pub(super) use tell::set_apart;

use super::embed;
use super::files::layout;
use crate::args::StoreArgs;
use crate::invocation::Invocation;
use crate::progress::Progress;
use crate::report::{self, Done};
use crate::settings::environment;
use mnemic_engine::{Engine, ImportAsk, ImportFormat, ImportSource, Note, Takeover, Unfound};
use std::path::{Path, PathBuf};

/// Take in what other tools remember, or what `export` wrote
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic import --scan
  mnemic import ~/.claude-mem/claude-mem.db --dry-run
  mnemic import server-memory memory.jsonl
  mnemic import memories.jsonl
  zcat memories.jsonl.gz | mnemic import -

Formats: jsonl (mnemic's own, without loss), transcript, claude-mem, claude-memory, instructions,
codex-memory, openclaw, server-memory, memory-service, markdown, automaker, auto-claude,
get-shit-done, serena, beads, mem0, skills, chatgpt, claude-export, role-log, opencode, cursor,
layout (the JSON directories of autonomous harnesses, such as .loki/memory).
Without one, each file shows its own. Importing twice changes nothing; a broken file is named and
stops nothing. What a person wrote for agents is trusted, everything else waits for a review.")]
pub(crate) struct Args {
    /// The format, if it shall not be found out, then files or directories; `-` is standard input
    #[arg(value_name = "FORMAT|PATH", required_unless_present = "scan")]
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    what: Vec<PathBuf>,
    /// Look in the usual places of this project and of your home directory, and ask
    #[arg(long, conflicts_with = "what")]
    scan: bool,
    /// Tell what would come in and store nothing
    #[arg(long)]
    dry_run: bool,
    /// Of files that hold many projects, only what belongs to this one
    #[arg(long)]
    here: bool,
    /// Do not ask
    #[arg(long, short, requires = "scan")]
    yes: bool,
    /// Why, for the history
    #[arg(long)]
    reason: Option<String>,
    /// Of mnemic's own JSONL: stand for what it says about writers and trust; otherwise text that
    /// talks to agents is set apart, whoever is said to have written it
    #[arg(long)]
    vouch: bool,
    /// Leave the vectors to `mnemic embed`; until then they are found by words alone
    #[arg(long)]
    embed_later: bool,
    #[command(flatten)]
    store: StoreArgs,
}

/// What was named on the command line.
struct Named {
    format: Option<ImportFormat>,
    paths: Vec<PathBuf>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    if args.scan {
        return scan::run(&args, call);
    }
    let engine = call.engine_for_many(args.embed_later)?;
    if let Some(dir) = layout_of(&args.what) {
        let note = Note { reason: args.reason.clone(), ..Note::default() };
        return layout::import(&engine, args.store.one(&engine)?, dir, args.dry_run, &note, call);
    }
    let Named { format, paths } = named(&args.what)?;
    if let [only] = paths.as_slice()
        && !args.dry_run
        && is_ours(only, format)
    {
        return ours::run(only, &args, &engine, call);
    }
    let (mut sources, mut unfound) = (Vec::new(), Vec::new());
    for path in &paths {
        match Engine::import_sources(path, format) {
            Ok(found) => sources.extend(found),
            Err(wrong) => unfound.push(wrong),
        }
    }
    if let ([], [only]) = (sources.as_slice(), unfound.as_slice()) {
        return Err(nothing(only).into());
    }
    let taken = take(&engine, &sources, &args, args.here, call)?;
    tell::told(&taken, &unfound, args.dry_run, call)?;
    call.out.flush()?;
    if !args.dry_run {
        embed::after_many(&engine, args.embed_later, call);
    }
    tell::complaint(&taken, &unfound)
}

/// The directory of the JSON layout, if that is what was named.
fn layout_of(what: &[PathBuf]) -> Option<&Path> {
    match what {
        [name, dir] if name == Path::new(layout::NAME) => Some(dir),
        [dir] if layout::is_kept(dir) => Some(dir),
        _ => None,
    }
}

/// A first word that is a format's name, and not the only one, is the format.
fn named(what: &[PathBuf]) -> Done<Named> {
    let format = what.first().and_then(|first| ImportFormat::named(first.to_str()?));
    match (format, what) {
        (Some(format), [_, rest @ ..]) if !rest.is_empty() => {
            Ok(Named { format: Some(format), paths: rest.to_vec() })
        }
        (Some(format), [only]) if !only.exists() => Err(report::invalid(
            format!("no file is named to read as `{}`", format.as_str()),
            format!("mnemic import {} PATH", format.as_str()),
        )
        .into()),
        _ => Ok(Named { format: None, paths: what.to_vec() }),
    }
}

/// Our own export, or standard input, which nothing else comes by.
fn is_ours(path: &Path, format: Option<ImportFormat>) -> bool {
    let is = |format| format == ImportFormat::Mnemic;
    if path == Path::new("-") || format.is_some_and(is) {
        return true;
    }
    let shown = Engine::import_sources(path, format).ok();
    shown.is_some_and(|sources| matches!(sources.as_slice(), [only] if is(only.format)))
}

fn take(
    engine: &Engine,
    sources: &[ImportSource],
    args: &Args,
    only_here: bool,
    call: &Invocation,
) -> Done<Takeover> {
    let ask = ImportAsk {
        home: environment::path(environment::HOME),
        only_here,
        store: args.store.store,
        dry_run: args.dry_run,
    };
    engine.main_store()?;
    let note = Note { reason: args.reason.clone(), ..Note::default() };
    let size = |source: &ImportSource| std::fs::metadata(&source.path).map_or(0, |file| file.len());
    let progress = Progress::of_bytes(Some(sources.iter().map(size).sum()));
    let taken = engine.import_files(sources, &ask, &note, &mut |done| progress.reach(done))?;
    drop(progress);
    call.out.flush()?;
    Ok(taken)
}

fn nothing(wrong: &Unfound) -> mnemic_engine::Error {
    let Unfound { path, why } = wrong;
    if let Err(cause) = Engine::import_look(path) {
        return report::file("read", path.display(), cause);
    }
    let hint =
        "name its format, as in `mnemic import markdown PATH`; `mnemic import --help` lists them";
    report::invalid(format!("`{}` {why}", path.display()), hint)
}
