//! Lifecycle: how long consolidation takes as a store grows, what it forgets too early, how well
//! titles say what a text is about.

mod clock;
mod forgetting;
mod speed;
mod titles;

use crate::report;
use crate::store::Outcome;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Numbers of episodes to consolidate.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000])]
    episodes: Vec<usize>,
    /// Sets whose questions are asked before and after; `none` for no such measure.
    #[arg(long, value_delimiter = ',', default_values_t = ["bettermemory".to_owned(), "locomo".to_owned()])]
    data: Vec<String>,
    /// Of each set no more than so many conversations.
    #[arg(long)]
    conversations: Option<usize>,
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
    let Some(folder) = std::env::var_os("MNEMIC_BENCH_DATA").map(PathBuf::from) else {
        eprintln!("skipped: MNEMIC_BENCH_DATA is not set; it names the folder with `histories/`");
        return Ok(());
    };
    let mut sizes = options.episodes.clone();
    sizes.extend(options.large.then_some(100_000));
    let mut figures = speed::measure(&folder, &sizes, options.distinct)?;
    figures.extend(titles::measure(&folder)?);
    eprintln!("extraction: the data holds no labelled lines, so its precision is not measured");
    for name in options.data.iter().filter(|name| *name != "none") {
        figures.extend(forgetting::measure(
            &folder,
            name,
            options.cache.as_deref(),
            options.conversations,
        )?);
    }
    report::print(&figures, options.json);
    Ok(())
}
