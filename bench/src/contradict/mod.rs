//! How well rules judge without a model: contradictions, slots, neighbours, merges.

mod dice;
mod made;
mod merge;
mod neighbours;
mod sick;
mod slots;
mod wordings;

use crate::report::{self, Figure};
use crate::store::Outcome;
use clap::Args;
use mnemic_engine::contradict::{Judgement, Verdict};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Only one of: sick, slots, neighbours, merge.
    #[arg(long)]
    only: Option<String>,
    /// Print what went wrong, of the tuned half and the wordings that rules were made with.
    #[arg(long)]
    wrong: bool,
    /// Where the made statements begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let data =
        std::env::var_os("MNEMIC_BENCH_DATA").map(|folder| PathBuf::from(folder).join("pairs"));
    if data.is_none() {
        eprintln!(
            "MNEMIC_BENCH_DATA is not set: SICK and paraphrases skipped, made statements only"
        );
    }
    let wanted = |name: &str| options.only.as_deref().is_none_or(|only| only == name);
    let mut figures: Vec<Figure> = Vec::new();
    if let Some(folder) = data.as_deref().filter(|_| wanted("sick")) {
        figures.extend(sick::run(folder, options.wrong)?);
    }
    if wanted("slots") {
        figures.extend(slots::run(options.seed, options.wrong));
    }
    if let Some(folder) = data.as_deref().filter(|_| wanted("neighbours")) {
        figures.extend(neighbours::run(folder)?);
    }
    if wanted("merge") {
        figures.extend(merge::run(data.as_deref(), options.seed, options.wrong)?);
    }
    report::print(&figures, options.json);
    Ok(())
}

fn contradicts(judgement: &Judgement) -> bool {
    matches!(judgement.verdict, Verdict::Contradicts(_))
}

/// How often a yes was right, and how often there should have been one.
#[derive(Debug, Default)]
struct Score {
    right: u64,
    wrong: u64,
    missed: u64,
}

impl Score {
    fn add(&mut self, said: bool, is: bool) {
        self.right += u64::from(said && is);
        self.wrong += u64::from(said && !is);
        self.missed += u64::from(!said && is);
    }

    fn precision(&self, name: &str) -> Figure {
        let said = self.right + self.wrong;
        Figure::new(format!("{name}, precision"), share(self.right, said), "share", said)
    }

    fn recall(&self, name: &str) -> Figure {
        let are = self.right + self.missed;
        Figure::new(format!("{name}, recall"), share(self.right, are), "share", are)
    }
}

fn share(part: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}
