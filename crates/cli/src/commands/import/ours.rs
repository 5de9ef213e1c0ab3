//! Reads our own JSONL back, with everything that `export` wrote.

use super::super::embed;
use super::Args;
use crate::invocation::Invocation;
use crate::output::counted;
use crate::progress::Progress;
use crate::report::{self, Done};
use mnemic_engine::{Engine, Imported, Note};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

pub(super) fn run(file: &Path, args: &Args, engine: &Engine, call: &Invocation) -> Done {
    let store = args.store.one(engine)?;
    let note = Note { reason: args.reason.clone(), vouched: args.vouch, ..Note::default() };
    let (mut input, size) = open(file)?;
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
                "doubted": imported.doubted,
                "change": imported.change,
            })
        },
        || tell(&imported, call),
    )?;
    call.out.flush()?;
    embed::after_many(engine, args.embed_later, call);
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
    if imported.doubted > 0 {
        let doubted = counted(imported.doubted, "version", "versions");
        call.out.note(&format!(
            "{doubted} of others, trusted where they come from, wait for a review here; `--vouch` \
             takes their trust over"
        ));
    }
    if imported.records + imported.links > 0 {
        call.out.note(&format!("to take it back: mnemic undo {}", imported.change));
    }
    Ok(())
}
