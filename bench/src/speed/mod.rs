//! How fast recall is: the embedder, each channel alone, the whole, cold from a process, and fresh.

mod cold;
mod embed;
mod likeness;
pub(crate) mod questions;
pub(crate) mod stocked;
mod visible;
mod warm;

use crate::corpus::Corpus;
use crate::report::{self, Figure, percentile};
use crate::store::Outcome;
use clap::{Args, ValueEnum};
use mnemic_engine::inference::{self, Embedder};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

pub(crate) type Figures = Result<Vec<Figure>, Box<dyn Error>>;

/// The bar of a cold recall speaks of a store of this size.
const COLD_MEMORIES: usize = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Embed,
    Words,
    Meaning,
    Warm,
    Cold,
    Visible,
}

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Memories in the store that is asked.
    #[arg(long, default_value_t = 100_000)]
    memories: usize,
    #[arg(long)]
    json: bool,
    /// Only these parts.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// The mnemic binary; by default the one beside this.
    #[arg(long)]
    mnemic: Option<PathBuf>,
    /// Where to put the stores, and to find those of an earlier run; by default a temporary
    /// directory.
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Ask the questions of `warm` so many times over; for profilers.
    #[arg(long, default_value_t = 1)]
    rounds: usize,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let temp = tempfile::tempdir()?;
    let base = options.dir.as_deref().unwrap_or(temp.path());
    let corpus = Corpus::load();
    let local = inference::local()?;
    eprintln!("texts: {}; load: {}", corpus.origin, load());
    let wanted = |part: Part| options.only.is_empty() || options.only.contains(&part);
    let mut figures = Vec::new();
    if wanted(Part::Embed) {
        figures.extend(embed::measure(&corpus)?);
    }
    if [Part::Words, Part::Meaning, Part::Warm].into_iter().any(wanted) {
        figures.extend(large(options, base, &corpus, &local, &wanted)?);
    }
    if wanted(Part::Cold) {
        let dir = base.join(format!("speed-{COLD_MEMORIES}"));
        stocked::engine(&dir, &corpus, COLD_MEMORIES, &local)?;
        let mnemic = match &options.mnemic {
            Some(path) => path.clone(),
            None => std::env::current_exe()?.with_file_name("mnemic"),
        };
        figures.extend(cold::measure(&dir, &mnemic, &questions::real(&corpus, 30))?);
    }
    if wanted(Part::Visible) {
        figures.extend(visible::measure(&temp.path().join("visible"), &corpus, &local, 50)?);
    }
    eprintln!("load: {}", load());
    report::print(&figures, options.json);
    Ok(())
}

/// What is asked of the large store.
fn large(
    options: &Options,
    base: &Path,
    corpus: &Corpus,
    local: &Arc<dyn Embedder>,
    wanted: &dyn Fn(Part) -> bool,
) -> Figures {
    let dir = base.join(format!("speed-{}", options.memories));
    let engine = stocked::engine(&dir, corpus, options.memories, local)?;
    let mut figures = Vec::new();
    if wanted(Part::Words) {
        figures.extend(warm::words(&engine, &questions::of_five_terms(corpus, 500))?);
    }
    let real = questions::real(corpus, 300);
    if wanted(Part::Meaning) {
        figures.extend(warm::meaning(&engine, &real, local)?);
    }
    if wanted(Part::Warm) {
        figures.extend(warm::whole(&engine, &real, options.rounds)?);
    }
    Ok(figures)
}

/// The load of the machine, for it is part of every figure.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|one| !one.is_empty()).unwrap_or("unknown").to_owned()
}

/// Milliseconds that something takes.
fn timed<T, E>(what: impl FnOnce() -> Result<T, E>) -> Result<f64, E> {
    let start = Instant::now();
    what()?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

/// The percentiles of some samples, each its own line below the first.
pub(crate) fn shares(name: &str, samples: &mut [f64], shares: &[f64]) -> Vec<Figure> {
    let n = samples.len() as u64;
    let line = |(index, share): (usize, &f64)| {
        let percent = format!("p{:.0}", share * 100.0);
        let name = if index == 0 { format!("{name}, {percent}") } else { format!("  {percent}") };
        Figure::new(name, percentile(samples, *share), "ms", n)
    };
    shares.iter().enumerate().map(line).collect()
}
