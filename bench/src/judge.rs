//! How well recall judges: does it keep silent when it knows nothing, show only what is meant, and
//! give the value that holds now?

mod abstain;
mod current;
mod precise;

use crate::recall::cache;
use crate::report::{self, Figure};
use crate::store::Outcome;
use clap::Args;
use mnemic_engine::inference::{Embedder, gist};
use mnemic_engine::model::{Actor, Author};
use mnemic_engine::place::Place;
use mnemic_engine::{Engine, Meaning, Settings};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Only one of: abstain, precise, current.
    #[arg(long)]
    only: Option<String>,
    /// Print every question that went wrong.
    #[arg(long)]
    wrong: bool,
    #[arg(long)]
    json: bool,
    /// Keep vectors here between runs.
    #[arg(long)]
    cache: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let Some(folder) = std::env::var_os("MNEMIC_BENCH_DATA").map(PathBuf::from) else {
        eprintln!("skipped: MNEMIC_BENCH_DATA is not set; it names the folder with the data");
        return Ok(());
    };
    let embedder = cache::embedder(options.cache.as_deref())?;
    let wanted = |name: &str| options.only.as_deref().is_none_or(|only| only == name);
    let mut figures: Vec<Figure> = Vec::new();
    if wanted("precise") {
        figures.extend(precise::run(&folder.join("precision"), &embedder, options.wrong)?);
    }
    if wanted("current") {
        figures.extend(current::run(&folder.join("integrity"), &embedder, options.wrong)?);
    }
    if wanted("abstain") {
        figures.extend(abstain::run(&folder.join("retrieval/locomo"), &embedder)?);
    }
    report::print(&figures, options.json);
    Ok(())
}

/// An engine over an empty store in this directory.
fn engine(dir: &Path, embedder: &Arc<dyn Embedder>) -> Result<Engine, Box<dyn Error>> {
    let place = Place { dir: dir.join(".mnemic"), exists: false };
    let mut settings = Settings::new(Some(place), None, Actor::new(Author::Human, "bench"));
    settings.meaning = Meaning::by(embedder.clone()).skimmed_by(gist()?);
    Engine::init_project(&mut settings)?;
    Ok(Engine::open(settings)?)
}
