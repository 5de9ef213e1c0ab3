//! `mnemic import --scan`: what the usual places hold, and whether it shall come in.

use super::super::embed;
use super::{Args, tell};
use crate::invocation::Invocation;
use crate::output::{STRONG, counted, plain, size};
use crate::prompt;
use crate::report::Done;
use crate::settings::environment;
use mnemic_engine::{Engine, ImportAsk, ImportFormat, ImportSource, Note, Spot};
use serde_json::{Value, json};

/// A place, and what a first look at it told.
struct Looked {
    spot: Spot,
    bytes: u64,
    /// New memories; transcripts are not read before somebody agrees.
    memories: Option<u64>,
    told: String,
}

pub(super) fn run(args: &Args, call: &Invocation) -> Done {
    let engine = call.engine_for_many(args.embed_later)?;
    engine.main_store()?;
    let home = environment::path(environment::HOME);
    let spots = engine.import_scan(home.as_deref());
    let looked: Vec<Looked> =
        spots.into_iter().map(|spot| look(&engine, spot, args)).collect::<Done<_>>()?;
    if looked.is_empty() {
        return call.out.answer(|| json!({"found": []}), || call.out.line("nothing was found"));
    }
    let asks = !args.dry_run && (args.yes || prompt::is_possible());
    if !call.out.json || !asks {
        call.out.answer(|| view(&looked), || page(&looked, call))?;
    }
    if !asks {
        if !args.dry_run {
            call.out.note("to import it all: mnemic import --scan --yes");
        }
        return Ok(());
    }
    let files: usize = looked.iter().map(|one| one.spot.sources.len()).sum();
    call.out.flush()?;
    let question = format!("Import {}?", counted(files as u64, "file", "files"));
    prompt::agree(&question, args.yes, "import --scan")?;
    let sources: Vec<ImportSource> = looked.into_iter().flat_map(|one| one.spot.sources).collect();
    let taken = super::take(&engine, &sources, args, true, call)?;
    tell::told(&taken, &[], false, call)?;
    call.out.flush()?;
    embed::after_many(&engine, args.embed_later, call);
    tell::complaint(&taken, &[])
}

fn look(engine: &Engine, spot: Spot, args: &Args) -> Done<Looked> {
    let file_size = |source: &ImportSource| std::fs::metadata(&source.path).map_or(0, |f| f.len());
    let bytes = spot.sources.iter().map(file_size).sum();
    let files = counted(spot.sources.len() as u64, "file", "files");
    if spot.format == ImportFormat::Transcript {
        let told = format!("{files}, {}", size(bytes));
        return Ok(Looked { spot, bytes, memories: None, told });
    }
    let ask = ImportAsk {
        home: environment::path(environment::HOME),
        only_here: true,
        store: args.store.store,
        dry_run: true,
    };
    let taken = engine.import_files(&spot.sources, &ask, &Note::default(), &mut |_| ())?;
    let new = tell::all_kinds(&taken.files);
    let broken = taken.files.iter().filter(|file| file.broken.is_some()).count() as u64;
    let mut told = match new.is_empty() {
        true => format!("{files}, nothing new"),
        false => format!("{files}, {}", tell::listed(&new)),
    };
    if broken > 0 {
        told.push_str(&format!(", {broken} broken"));
    }
    Ok(Looked { spot, bytes, memories: Some(new.values().sum()), told })
}

fn view(looked: &[Looked]) -> Value {
    let one = |looked: &Looked| {
        json!({
            "format": looked.spot.format.as_str(),
            "place": looked.spot.place,
            "files": looked.spot.sources.len(),
            "bytes": looked.bytes,
            "memories": looked.memories,
        })
    };
    json!({ "found": looked.iter().map(one).collect::<Vec<Value>>() })
}

fn page(looked: &[Looked], call: &Invocation) -> Done {
    for one in looked {
        let format = call.out.paint(STRONG, one.spot.format.as_str());
        let place = plain(&one.spot.place.display().to_string());
        call.out.line(&format!("{format}  {place}\n  {}", one.told))?;
    }
    Ok(())
}
