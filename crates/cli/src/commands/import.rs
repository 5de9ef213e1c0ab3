//! `mnemic import`: reads our own JSONL back, with everything that `export` wrote.

use super::embed;
use crate::args::StoreArgs;
use crate::invocation::Invocation;
use crate::output::counted;
use crate::progress::Progress;
use crate::report::{self, Done};
use mnemic_engine::{Imported, Note};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Read JSONL that `export` wrote
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic import memories.jsonl
  zcat memories.jsonl.gz | mnemic import -")]
pub(crate) struct Args {
    /// The file, or `-` for standard input
    #[arg(value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
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
    let engine = call.engine()?;
    let store = args.store.one(&engine)?;
    let note = Note { reason: args.reason, ..Note::default() };
    let (mut input, size) = open(&args.file)?;
    let progress = Progress::of_bytes(size);
    let imported = engine.import(store, &mut *input, &note, &mut |read| progress.reach(read))?;
    drop(progress);
    for skipped in &imported.skipped {
        call.out.warn(&format!("not imported: {skipped}"));
    }
    call.out.answer(
        || {
            json!({
                "store": store.as_str(),
                "records": imported.records,
                "versions": imported.versions,
                "links": imported.links,
                "skipped": imported.skipped,
                "known": imported.known,
                "change": imported.change,
            })
        },
        || tell(&imported, call),
    )?;
    call.out.flush()?;
    embed::after_many(&engine, args.embed_later, call);
    match imported.skipped.len() {
        0 => Ok(()),
        skipped => Err(report::invalid(
            format!(
                "{} not imported; the rest was",
                counted(skipped as u64, "line was", "lines were")
            ),
            "mend what is named above and import again: what is here already stays as it is",
        )
        .into()),
    }
}

fn open(file: &Path) -> Done<(Box<dyn BufRead>, Option<u64>)> {
    if file == Path::new("-") {
        return Ok((Box::new(io::stdin().lock()), None));
    }
    let failed = |cause| report::file("read", file.display(), cause);
    let input = File::open(file).map_err(failed)?;
    let size = input.metadata().map_err(failed)?.len();
    Ok((Box::new(BufReader::with_capacity(1 << 16, input)), Some(size)))
}

fn tell(imported: &Imported, call: &Invocation) -> Done {
    call.out.line(&format!(
        "imported {}, {}, {}",
        counted(imported.records, "record", "records"),
        counted(imported.versions, "version", "versions"),
        counted(imported.links, "link", "links"),
    ))?;
    if imported.known > 0 {
        let known = counted(imported.known, "record was", "records were");
        call.out.line(&format!("{known} here already"))?;
    }
    if imported.records + imported.links > 0 {
        call.out.note(&format!("to take it back: mnemic undo {}", imported.change));
    }
    Ok(())
}
