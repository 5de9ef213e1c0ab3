//! Lifecycle: how long consolidation takes as a store grows, what it forgets too early, how well
//! titles say what a text is about, and how well memories are drawn from what was said.

mod clock;
mod extraction;
mod forgetting;
mod labelled;
mod seeded;
mod speed;
mod titles;

use crate::report::{self, Figure};
use crate::store::Outcome;
use clap::Args;
use std::error::Error;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Only one of: extraction, speed, titles, forgetting.
    #[arg(long, value_parser = ["extraction", "speed", "titles", "forgetting"])]
    only: Option<String>,
    /// Print every message of the dev half that extraction got wrong.
    #[arg(long)]
    wrong: bool,
    /// Numbers of episodes to consolidate.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000])]
    episodes: Vec<usize>,
    /// Sets whose questions are asked before and after; `none` for no such measure.
    #[arg(long, value_delimiter = ',', default_values_t = ["bettermemory".to_owned(), "locomo".to_owned()])]
    data: Vec<String>,
    /// Of each set no more than so many conversations.
    #[arg(long)]
    conversations: Option<usize>,
    /// What the ids of the memories are drawn from: the same seed gives the same figures.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also consolidate 100,000 episodes: the real ones over and over, each round about something
    /// else.
    #[arg(long)]
    large: bool,
    /// As many different episodes as there are at every size: then small sizes repeat nothing and
    /// large ones do, and what is repeated is linked and told together.
    #[arg(long)]
    distinct: bool,
    #[arg(long)]
    json: bool,
    /// Keep vectors here between runs, so that only the first one makes them.
    #[arg(long)]
    cache: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let wanted = |part: &str| options.only.as_deref().is_none_or(|only| only == part);
    let mut figures = Vec::new();
    if wanted("extraction") {
        figures.extend(extraction::measure(options.wrong)?);
    }
    if options.only.as_deref() != Some("extraction") {
        match std::env::var_os("MNEMIC_BENCH_DATA").map(PathBuf::from) {
            Some(folder) => figures.extend(over_histories(&folder, options, wanted)?),
            None => eprintln!(
                "skipped all but extraction: MNEMIC_BENCH_DATA is not set; it names the folder \
                 with `histories/`"
            ),
        }
    }
    report::print(&figures, options.json);
    Ok(())
}

/// What only real episodes and questions tell.
fn over_histories(
    folder: &Path,
    options: &Options,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut figures = Vec::new();
    if wanted("speed") {
        let mut sizes = options.episodes.clone();
        sizes.extend(options.large.then_some(100_000));
        figures.extend(speed::measure(folder, &sizes, options.distinct)?);
    }
    if wanted("titles") {
        figures.extend(titles::measure(folder)?);
    }
    let sets = options.data.iter().filter(|name| *name != "none" && wanted("forgetting"));
    for name in sets {
        let (cache, most) = (options.cache.as_deref(), options.conversations);
        figures.extend(forgetting::measure(folder, name, cache, most, options.seed)?);
    }
    Ok(figures)
}
