//! How much of what answers a question stands in its context, and how long a context takes.

mod baseline;
mod coverage;
mod inside;
mod latency;
mod table;

use crate::recall::cache;
use crate::recall::data::Set;
use crate::speed;
use crate::store::Outcome;
use baseline::Against;
use clap::{Args, ValueEnum};
use mnemic_engine::recall::context::Profiles;
use mnemic_engine::tokens::{Counter, Encoding};
use std::path::PathBuf;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Coverage,
    Latency,
}

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Which sets, by the names of their folders.
    #[arg(long, value_delimiter = ',', default_values_t = DATA.map(str::to_owned))]
    data: Vec<String>,
    /// Tokens of a context.
    #[arg(long, value_delimiter = ',', default_values_t = [400, 2_000, 8_000])]
    budgets: Vec<usize>,
    /// What another engine ranked (`bench/compare/run hybrid --rankings FILE`), to fill the same
    /// budgets from its top; without it, our own words and vectors as a plain hybrid.
    #[arg(long)]
    against: Option<PathBuf>,
    /// Only these parts.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// Profiles in place of the built-in ones of the same name.
    #[arg(long)]
    profiles: Option<PathBuf>,
    #[arg(long)]
    json: bool,
    /// Keep vectors here between runs, so that only the first one makes them.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Only questions of one half, by a hash of their id: 0 or 1.
    #[arg(long)]
    half: Option<u64>,
    /// Memories in the store whose contexts are timed.
    #[arg(long, default_value_t = 100_000)]
    memories: usize,
    /// Questions whose contexts are timed.
    #[arg(long, default_value_t = 300)]
    questions: usize,
    /// Where to put that store, and to find it again; `speed --dir` uses the same.
    #[arg(long)]
    dir: Option<PathBuf>,
}

const DATA: [&str; 3] = ["locomo", "lme-pool", "beam-100k"];

/// What counts on both sides.
const COUNTER: fn() -> Counter = || Counter::exact(Encoding::O200k);

pub(crate) fn run(options: &Options) -> Outcome {
    let wanted = |part: Part| options.only.is_empty() || options.only.contains(&part);
    let profiles = match &options.profiles {
        None => Profiles::built_in(),
        Some(path) => Profiles::built_in().with(&std::fs::read_to_string(path)?)?,
    };
    let mut rows = Vec::new();
    if wanted(Part::Coverage) {
        rows = covered(options, &profiles)?;
    }
    let mut figures = Vec::new();
    if wanted(Part::Latency) {
        eprintln!("load: {}", speed::load());
        figures = latency::measure(options, &profiles)?;
        eprintln!("load: {}", speed::load());
    }
    table::print(&rows, &figures, options.json);
    Ok(())
}

fn covered(
    options: &Options,
    profiles: &Profiles,
) -> Result<Vec<coverage::Row>, Box<dyn std::error::Error>> {
    let Some(folder) = std::env::var_os("MNEMIC_BENCH_DATA").map(PathBuf::from) else {
        eprintln!("skipped: MNEMIC_BENCH_DATA is not set; it names the folder with `retrieval/`");
        return Ok(Vec::new());
    };
    let embedder = cache::embedder(options.cache.as_deref())?;
    let against = match &options.against {
        Some(path) => Against::read(path)?,
        None => Against::Own,
    };
    let mut rows = Vec::new();
    for name in &options.data {
        let set = Set::load(&folder.join("retrieval").join(name), name, options.half)?;
        eprintln!("{name}: {} documents, {} questions", set.documents(), set.questions());
        rows.extend(coverage::measure(&set, &embedder, &against, &options.budgets, profiles)?);
    }
    Ok(rows)
}
