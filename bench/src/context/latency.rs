//! How long a whole working context takes in a large store, and how much of that is recall.

use super::{COUNTER, Options};
use crate::corpus::Corpus;
use crate::report::{Figure, percentile};
use crate::speed::{questions, stocked};
use mnemic_engine::recall::context::Profiles;
use mnemic_engine::{ContextAsk, Engine, inference};
use std::error::Error;
use std::time::Instant;

/// Contexts made before the clock runs: segments are mapped, pages and statements are cached.
const UNCOUNTED: usize = 20;

/// The profile of a full assembly, with its own budget.
const PROFILE: &str = "working";

/// Milliseconds of wall and of all our threads' processor time.
#[derive(Debug, Default)]
struct Times {
    wall: Vec<f64>,
    processor: Vec<f64>,
}

pub(super) fn measure(
    options: &Options,
    profiles: &Profiles,
) -> Result<Vec<Figure>, Box<dyn Error>> {
    let temp = tempfile::tempdir()?;
    let base = options.dir.as_deref().unwrap_or(temp.path());
    let corpus = Corpus::load();
    let dir = base.join(format!("speed-{}", options.memories));
    let engine = stocked::engine(&dir, &corpus, options.memories, &inference::local()?)?;
    let asks: Vec<ContextAsk> = questions::real(&corpus, options.questions)
        .into_iter()
        .map(|text| {
            let mut ask = engine.context_ask(text, PROFILE);
            ask.profiles = profiles.clone();
            ask.counter = COUNTER();
            ask
        })
        .collect();
    for ask in asks.iter().take(UNCOUNTED) {
        engine.context(ask)?;
    }
    let ways = timed(&engine, asks)?;
    let names =
        ["working context", "working context, filled", "recall of as many", "recall of five"];
    let mut figures: Vec<Figure> =
        names.iter().zip(&ways).flat_map(|(name, times)| shares(name, times)).collect();
    let middle = |times: &Times| percentile(&mut times.wall.clone(), 0.5);
    let n = ways[0].wall.len() as u64;
    for (name, times) in names.iter().zip(&ways).skip(2) {
        let name = format!("working context, filled, to {name}, medians");
        figures.push(Figure::new(name, middle(&ways[1]) / middle(times), "times", n));
    }
    Ok(figures)
}

/// Each question in all ways before the next, so that a busy moment meets them alike. Filled, because
/// stand-in vectors leave many questions without an answer that is good enough.
fn timed(engine: &Engine, asks: Vec<ContextAsk>) -> Result<[Times; 4], Box<dyn Error>> {
    let mut times: [Times; 4] = Default::default();
    for ask in asks {
        let [sparing, filled, wide, plain] = &mut times;
        plain.add(|| engine.recall(&ask.question))?;
        sparing.add(|| engine.context(&ask))?;
        let full = ContextAsk { fill: true, ..ask };
        let wanted = full.recalled()?;
        wide.add(|| engine.recall(&wanted))?;
        filled.add(|| engine.context(&full))?;
    }
    Ok(times)
}

impl Times {
    fn add<T, E>(&mut self, what: impl FnOnce() -> Result<T, E>) -> Result<(), E> {
        let (processor, start) = (processor(), Instant::now());
        let done = what()?;
        self.wall.push(start.elapsed().as_secs_f64() * 1e3);
        let spent = processor.zip(self::processor()).map(|(before, after)| after - before);
        self.processor.extend(spent);
        drop(done);
        Ok(())
    }
}

/// Milliseconds that all threads of this process have run, where the system tells.
fn processor() -> Option<f64> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?.flatten();
    let spent = |path: std::path::PathBuf| -> Option<f64> {
        let text = std::fs::read_to_string(path).ok()?;
        text.split(' ').next()?.parse().ok()
    };
    let nanoseconds: f64 = tasks.filter_map(|task| spent(task.path().join("schedstat"))).sum();
    (nanoseconds > 0.0).then_some(nanoseconds / 1e6)
}

fn shares(name: &str, times: &Times) -> Vec<Figure> {
    let mut figures = crate::speed::shares(name, &mut times.wall.clone(), &[0.5, 0.95, 0.99]);
    let n = times.processor.len() as u64;
    for share in [0.5, 0.99].into_iter().filter(|_| n > 0) {
        let value = percentile(&mut times.processor.clone(), share);
        let name = format!("  processor time, p{:.0}", share * 100.0);
        figures.push(Figure::new(name, value, "ms", n));
    }
    figures
}
