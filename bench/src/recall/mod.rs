//! How well and how fast recall finds: real questions with known answers, through the public engine.

mod ask;
pub(crate) mod cache;
pub(crate) mod data;
pub(crate) mod ingest;
mod measure;
mod rankings;
mod table;
mod variant;

use clap::Args;
use data::Set;
use rankings::Rankings;
use std::path::PathBuf;
use variant::Variant;

use crate::store::Outcome;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Which sets, by the names of their folders; all by default.
    #[arg(long, value_delimiter = ',')]
    data: Vec<String>,
    /// Also every channel and factor switched off, one at a time.
    #[arg(long)]
    ablations: bool,
    /// Without the baselines: words alone, meaning alone.
    #[arg(long)]
    alone: bool,
    /// Show every type of question on its own.
    #[arg(long)]
    types: bool,
    #[arg(long)]
    json: bool,
    /// Keep vectors here between runs, so that only the first one makes them.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Only questions of one half, by a hash of their id: 0 or 1.
    #[arg(long)]
    half: Option<u64>,
    /// Write every ranking with the parts of its scores to this file, one JSON line a question.
    #[arg(long)]
    rankings: Option<PathBuf>,
}

const ALL: &[&str] =
    &["locomo", "lme-pool", "lme-s500", "bettermemory", "beam-100k", "cosqa", "coding"];

pub(crate) fn run(options: &Options) -> Outcome {
    let Some(folder) = std::env::var_os("MNEMIC_BENCH_DATA").map(PathBuf::from) else {
        eprintln!("skipped: MNEMIC_BENCH_DATA is not set; it names the folder with `retrieval/`");
        return Ok(());
    };
    let names: Vec<&str> = match options.data.as_slice() {
        [] => ALL.to_vec(),
        some => some.iter().map(String::as_str).collect(),
    };
    let embedder = cache::embedder(options.cache.as_deref())?;
    let variants = Variant::chosen(!options.alone, options.ablations);
    let mut rankings = Rankings::to(options.rankings.as_deref())?;
    let mut results = Vec::new();
    for name in names {
        let set = Set::load(&folder.join("retrieval").join(name), name, options.half)?;
        eprintln!("{name}: {} documents, {} questions", set.documents(), set.questions());
        results.extend(ask::run(&set, &embedder, &variants, &mut rankings)?);
    }
    table::print(&results, options.json, options.types);
    Ok(())
}
