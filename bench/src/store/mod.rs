//! How fast and how small the store is, with everything on: versions, audit, seals, words, FULL sync.

pub(crate) mod cold_show;
pub(crate) mod many_writers;
pub(crate) mod single;

use crate::corpus::Corpus;
use crate::report::{self, Figure};
use clap::Args;
use mnemic_engine::model::{Actor, Author};
use mnemic_engine::place::Place;
use mnemic_engine::{Engine, Settings};
use std::error::Error;
use std::path::{Path, PathBuf};

pub(crate) type Outcome = Result<(), Box<dyn Error>>;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Memories in the store for opening, cold reads and bytes.
    #[arg(long, default_value_t = 100_000)]
    memories: usize,
    /// Writes in all by the ten writers.
    #[arg(long, default_value_t = 20_000)]
    writes: usize,
    /// The mnemic binary; by default the one beside this.
    #[arg(long)]
    mnemic: Option<PathBuf>,
    /// Where to put the stores; by default a temporary directory.
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Only what has this in its name: single, batched, writers, open, show, visible.
    #[arg(long)]
    only: Option<String>,
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let temp = tempfile::tempdir()?;
    let base = options.dir.as_deref().unwrap_or(temp.path());
    let corpus = Corpus::load();
    eprintln!("texts: {}", corpus.origin);
    let wanted = |name: &str| options.only.as_deref().is_none_or(|only| name.contains(only));
    let mut figures: Vec<Figure> = Vec::new();
    if wanted("single") {
        figures.extend(single::one_by_one(&base.join("single"), &corpus, 2_000)?);
    }
    let large = base.join("large");
    if wanted("batched") || wanted("open") || wanted("show") {
        figures.extend(single::batched(&large, &corpus, options.memories)?);
    }
    if wanted("open") {
        figures.push(single::open_time(&large, 50)?);
    }
    if wanted("show") {
        let mnemic = match &options.mnemic {
            Some(path) => path.clone(),
            None => std::env::current_exe()?.with_file_name("mnemic"),
        };
        figures.extend(cold_show::measure(&large, &mnemic, 200)?);
    }
    if wanted("writers") {
        figures.extend(many_writers::measure(&base.join("writers"), 10, options.writes)?);
    }
    if wanted("visible") {
        figures.extend(single::visible(&base.join("visible"), &corpus, 500)?);
    }
    report::print(&figures, options.json);
    Ok(())
}

/// An engine over a project store in `dir`, made if missing.
pub(crate) fn engine_at(dir: &Path) -> Result<Engine, Box<dyn Error>> {
    let place = Place { dir: dir.join(".mnemic"), exists: dir.join(".mnemic/memory.db").exists() };
    let mut settings = Settings::new(Some(place), None, Actor::new(Author::Human, "bench"));
    Engine::init_project(&mut settings).map_err(|e| format!("{e:?}"))?;
    Engine::open(settings).map_err(|e| format!("{e:?}").into())
}
