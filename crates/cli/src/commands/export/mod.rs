//! `mnemic export`: a store as lossless JSONL, or in a format that other tools read.

mod ours;

use super::files::layout;
use crate::args::StoreArgs;
use crate::invocation::Invocation;
use crate::output::counted;
use crate::report::{self, Done};
use mnemic_engine::{ExportAsk, ExportFile, ExportFormat, Result};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write a store as JSONL that `import` reads without loss, or in a format of other tools
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic export memories.jsonl
  mnemic export | gzip > memories.jsonl.gz
  mnemic export skills .claude/skills --with-patterns
  mnemic export markdown ~/vault/memories
  mnemic export server-memory memory.jsonl

Formats: jsonl (mnemic's own, everything), server-memory (JSONL of the MCP server), markdown (notes
for basic-memory and Obsidian), skills (a directory with a SKILL.md each), memories (a tree of plain
files), layout (the JSON directory of autonomous harnesses). All but the first hold what is believed now, without history, secrets and what is in
quarantine.")]
pub(crate) struct Args {
    /// The format, then where to; without a format JSONL, without a place standard output
    #[arg(value_name = "FORMAT|PATH", num_args = 0..=2, value_hint = clap::ValueHint::AnyPath)]
    what: Vec<PathBuf>,
    /// Overwrite what is there
    #[arg(long)]
    force: bool,
    /// Of skills: code patterns as well
    #[arg(long)]
    with_patterns: bool,
    #[command(flatten)]
    store: StoreArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let first = args.what.first().and_then(|first| first.to_str()).unwrap_or_default().to_owned();
    if first == layout::NAME {
        return in_layout(&args, call);
    }
    match (ExportFormat::named(&first), args.what.as_slice()) {
        (Some(format), [_]) if format.is_one_file() => other(format, None, &args, call),
        (Some(format), [_, place]) => other(format, Some(place), &args, call),
        (None, [_, place]) if first == "jsonl" => ours::run(Some(place.clone()), &args, call),
        (None, [_]) if first == "jsonl" => ours::run(None, &args, call),
        (None, [] | [_]) => ours::run(args.what.first().cloned(), &args, call),
        (Some(format), _) => Err(report::invalid(
            format!("`{}` is a directory of files, and no place is named", format.as_str()),
            format!("mnemic export {} DIRECTORY", format.as_str()),
        )
        .into()),
        (None, _) => Err(report::invalid(
            format!("`{first}` is not a format that mnemic writes"),
            "use one of: jsonl, server-memory, markdown, skills, memories, layout",
        )
        .into()),
    }
}

fn in_layout(args: &Args, call: &Invocation) -> Done {
    let [_, dir] = args.what.as_slice() else {
        return Err(report::invalid(
            "the layout is a directory of files, and no place is named",
            "mnemic export layout DIRECTORY",
        )
        .into());
    };
    refuse_to_overwrite(dir, args.force)?;
    let engine = call.engine()?;
    layout::export(&engine, args.store.one(&engine)?, dir, call)
}

fn other(format: ExportFormat, place: Option<&Path>, args: &Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let store = args.store.one(&engine)?;
    let ask = ExportAsk { format, with_patterns: args.with_patterns };
    let place = place.filter(|place| *place != Path::new("-"));
    let Some(place) = place else {
        let mut text = String::new();
        engine.export_as(store, ask, &mut |file| {
            text.push_str(&file.text);
            Ok(())
        })?;
        call.out.raw().write_all(text.as_bytes()).map_err(report::Failure::output)?;
        return call.out.flush();
    };
    refuse_to_overwrite(place, args.force)?;
    let mut files = 0_u64;
    let memories = engine.export_as(store, ask, &mut |file| {
        files += 1;
        put(place, format, &file)
    })?;
    call.out.answer(
        || json!({ "path": place, "format": format.as_str(), "files": files, "memories": memories }),
        || {
            let told = counted(memories, "memory", "memories");
            call.out.note(&format!("exported {told} in {}", counted(files, "file", "files")));
            call.out.line(&place.display().to_string())
        },
    )
}

/// A directory is only filled when it is new or empty, unless somebody says so.
fn refuse_to_overwrite(place: &Path, force: bool) -> Done {
    let is_empty = std::fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_none());
    if force || !place.exists() || is_empty {
        return Ok(());
    }
    Err(report::invalid(
        format!("`{}` exists already", place.display()),
        "choose another place; with `--force` files of the same names are overwritten",
    )
    .into())
}

fn put(place: &Path, format: ExportFormat, file: &ExportFile) -> Result<()> {
    let path = if format.is_one_file() { place.to_owned() } else { place.join(&file.path) };
    let failed = |cause| report::file("write", path.display(), cause);
    if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
        std::fs::create_dir_all(dir).map_err(failed)?;
    }
    ours::whole_file(&path, &mut |writer| writer.write_all(file.text.as_bytes()).map_err(failed))
}
