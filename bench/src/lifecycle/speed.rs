//! What a first, a second and a dry run cost over episodes made of real commits and messages, step
//! by step, and how that grows.

use crate::recall::data::Set;
use crate::report::Figure;
use flate2::read::GzDecoder;
use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{Body, Episode, Outcome, Pattern};
use mnemic_engine::model::{Actor, Author, Draft, Kind, RecordId};
use mnemic_engine::place::Place;
use mnemic_engine::{Consolidated, Engine, Meaning, Note, Settings};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Instant;

#[derive(Debug, Deserialize)]
struct Commit {
    subject: String,
    files: Vec<String>,
}

pub(super) fn measure(
    folder: &Path,
    sizes: &[usize],
    distinct: bool,
) -> Result<Vec<Figure>, Box<dyn Error>> {
    let episodes = mixed(episodes(folder)?);
    let mut figures = Vec::new();
    let mut firsts: Vec<(usize, f64)> = Vec::new();
    for wanted in sizes {
        let different = if distinct { *wanted } else { wanted.div_ceil(ROUNDS) };
        let different = &episodes[..different.min(episodes.len())];
        let some: Vec<Episode> = repeated(different).take(*wanted).collect();
        let n = some.len() as u64;
        let figure = |name: &str, seconds: f64| {
            Figure::new(format!("{name}, {n} episodes"), seconds, "s of CPU", n)
        };
        let mut runs: Vec<Laps> = Vec::new();
        let mut second = Laps::new();
        for time in 0..times(some.len()) {
            let dir = tempfile::tempdir()?;
            let engine = stocked(dir.path(), &some)?;
            // One is enough to see that it costs no more than doing it.
            if firsts.is_empty() && time == 0 {
                figures.push(figure("dry run", total(&consolidated(&engine, "dry run", true)?)));
            }
            runs.push(consolidated(&engine, "first run", false)?);
            if time == 0 {
                second = consolidated(&engine, "second run", false)?;
            }
        }
        runs.sort_by(|one, other| total(one).total_cmp(&total(other)));
        let first = &runs[runs.len() / 2];
        figures.push(figure("first run", total(first)));
        let lap = |(step, seconds): &Lap| figure(&format!("first run, {step}"), *seconds);
        figures.extend(first.iter().map(lap));
        figures.push(figure("second run", total(&second)));
        firsts.push((some.len(), total(first)));
    }
    figures.extend(growth("first run", &firsts));
    let trees: Vec<(usize, f64)> = firsts.iter().map(|(n, _)| (*n, tree(*n))).collect();
    figures.extend(growth("a tree of as many ids", &trees));
    Ok(figures)
}

/// Seconds on the processor for putting so many ids into a tree and finding each again: n·log n by
/// construction. How it grows on this machine, whose caches hold a small one and not a large one,
/// is what n·log n looks like here.
fn tree(count: usize) -> f64 {
    // Scattered by a multiplication with an odd number, so that every id comes once.
    let id = |at: usize| {
        RecordId::from_random(Kind::Episode, (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 4)
    };
    let ids: Vec<RecordId> = (0..count).map(id).collect();
    // The clock is coarse: small trees are planted until it has moved.
    let trees = 2_000_000 / count.max(1);
    let wall = Instant::now();
    let begun = processor_seconds(&wall);
    for _ in 0..trees {
        let mut tree = BTreeMap::new();
        for (at, id) in ids.iter().enumerate() {
            tree.insert(id, at);
        }
        let found = ids.iter().rev().filter(|id| tree.contains_key(id)).count();
        assert_eq!(found, count, "every id is found");
    }
    (processor_seconds(&wall) - begun) / trees as f64
}

/// Stores that are consolidated at a size; the middle one counts. A small one is done so soon that
/// whatever else the machine does shows.
fn times(episodes: usize) -> usize {
    if episodes < 10_000 { 5 } else { 1 }
}

/// Seconds that one step took.
type Lap = (&'static str, f64);
type Laps = Vec<Lap>;

fn total(laps: &[Lap]) -> f64 {
    laps.iter().map(|(_, seconds)| seconds).sum()
}

/// Seconds on the processor for opening and for each step. Another program on the same machine
/// takes the wall clock's time, not this one's.
fn consolidated(engine: &Engine, name: &str, dry_run: bool) -> Result<Laps, Box<dyn Error>> {
    let mut laps: Laps = vec![("reading", 0.0)];
    let (wall, mut begun) = (Instant::now(), processor_seconds(&Instant::now()));
    let mut lap = |laps: &mut Laps| {
        let now = processor_seconds(&wall);
        if let Some(last) = laps.last_mut() {
            last.1 = now - begun;
        }
        begun = now;
    };
    let reports = engine.consolidate(dry_run, &Note::default(), &mut |_, step| {
        lap(&mut laps);
        laps.push((step.as_str(), 0.0));
        eprintln!("{name}: {:.2} s, {}", wall.elapsed().as_secs_f64(), step.as_str());
    })?;
    lap(&mut laps);
    reports.iter().for_each(|report| tell(name, report));
    Ok(laps)
}

/// What this thread has had of a processor; where that is not told, what has passed since `begun`.
fn processor_seconds(begun: &Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanos.map_or_else(|| begun.elapsed().as_secs_f64(), |nanos| nanos / 1e9)
}

/// The power of n·log n that these seconds grew by.
fn growth(what: &str, taken: &[(usize, f64)]) -> Option<Figure> {
    let largest = taken.last()?.0 as u64;
    let points: Vec<(f64, f64)> = taken
        .iter()
        .map(|(n, seconds)| ((*n as f64 * (*n as f64).ln()).ln(), seconds.max(1e-9).ln()))
        .collect();
    let exponent = slope(&points)?;
    Some(Figure::new(format!("{what}, fitted power of n log n"), exponent, "power", largest))
}

/// Of the line that lies nearest to all points.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    let (x, y) = (x / count, y / count);
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let along: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    (points.len() > 1 && spread > 0.0).then(|| along / spread)
}

/// In an order in which every beginning holds commits and conversations alike, so that sizes differ
/// in nothing but size.
fn mixed(episodes: Vec<Episode>) -> Vec<Episode> {
    // Larger than any number of episodes and prime, so that every place is met once.
    const STRIDE: usize = 1_000_003;
    let count = episodes.len();
    let mut places: Vec<Option<Episode>> = episodes.into_iter().map(Some).collect();
    (0..count).filter_map(|at| places[at * STRIDE % count].take()).collect()
}

/// How often the same comes again, at every size: the real ones are too few for the largest, and
/// what comes again is linked and told together, so that sizes must not differ in it.
const ROUNDS: usize = 10;

/// The episodes over and over; each round after the first is about another module.
fn repeated(episodes: &[Episode]) -> impl Iterator<Item = Episode> + '_ {
    (0..).flat_map(move |round| {
        episodes.iter().map(move |episode| match round {
            0 => episode.clone(),
            _ => Episode { goal: format!("{} in module{round}", episode.goal), ..episode.clone() },
        })
    })
}

fn tell(name: &str, report: &Consolidated) {
    let counts = report.counts.iter().map(|(what, count)| format!("{count} {}", what.as_str()));
    eprintln!("{name}: {}", counts.collect::<Vec<_>>().join(", "));
}

/// Commits first, then what was said in conversations.
fn episodes(folder: &Path) -> Result<Vec<Episode>, Box<dyn Error>> {
    let mut episodes = Vec::new();
    for name in ["redb", "atuin", "tantivy", "graphiti"] {
        let path = folder.join("histories").join(format!("{name}.jsonl.gz"));
        for line in BufReader::new(GzDecoder::new(File::open(path)?)).lines() {
            let Commit { subject, files } = serde_json::from_str(&line?)?;
            if !subject.trim().is_empty() {
                episodes.push(Episode {
                    goal: subject.replace('\0', " "),
                    files: files.into_iter().take(20).collect(),
                    outcome: Some(Outcome::Success),
                    ..Episode::default()
                });
            }
        }
    }
    for name in ["bettermemory", "locomo"] {
        let set = Set::load(&folder.join("retrieval").join(name), name, None)?;
        for document in set.corpora.into_iter().flat_map(|corpus| corpus.documents) {
            episodes.push(Episode {
                goal: document.text.replace('\0', " "),
                task_id: Some(document.session),
                ..Episode::default()
            });
        }
    }
    Ok(episodes)
}

/// Episodes to a pattern. It shares no divisor with the rounds, so that patterns are of different
/// goals at every size.
const PATTERN_EACH: usize = 11;

/// A store with these episodes and nearly a tenth as many patterns.
fn stocked(dir: &Path, episodes: &[Episode]) -> Result<Engine, Box<dyn Error>> {
    let place = Place { dir: dir.join(".mnemic"), exists: false };
    let mut settings = Settings::new(Some(place), None, Actor::new(Author::Agent, "bench"));
    settings.meaning = Meaning::by(fake(256));
    Engine::init_project(&mut settings)?;
    let engine = Engine::open(settings)?;
    let numbered: Vec<(usize, &Episode)> = episodes.iter().enumerate().collect();
    for chunk in numbered.chunks(500) {
        let every = chunk.iter().filter(|(number, _)| number % PATTERN_EACH == 0);
        let told = every.map(|(_, episode)| {
            Body::Pattern(Pattern { statement: episode.goal.clone(), ..Pattern::default() })
        });
        let happened = chunk.iter().map(|(_, episode)| Body::Episode((*episode).clone()));
        let drafts = happened.chain(told).map(Draft::new).collect();
        for answer in engine.remember_each(drafts, &Note::default())? {
            answer?;
        }
    }
    engine.embed_waiting(u64::MAX, &mut |_| true)?;
    engine.grow_indexes()?;
    Ok(engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_told_as_a_power() {
        let grown = |power: f64| -> Vec<(usize, f64)> {
            let n_log_n = |n: usize| n as f64 * (n as f64).ln();
            [1_000, 4_000, 16_000].map(|n| (n, 0.01 * n_log_n(n).powf(power))).to_vec()
        };
        for power in [0.9, 1.0, 1.7] {
            let told = growth("it", &grown(power)).expect("three points").value;
            assert!((told - power).abs() < 1e-9, "{told}");
        }
        assert!(growth("it", &grown(1.0)[..1]).is_none());
    }

    #[test]
    fn mixing_loses_nobody() {
        let named = |n: usize| Episode { goal: n.to_string(), ..Episode::default() };
        let mut goals: Vec<usize> = mixed((0..997).map(named).collect())
            .iter()
            .map(|episode| episode.goal.parse().expect("a number"))
            .collect();
        goals.sort_unstable();
        assert_eq!(goals, (0..997).collect::<Vec<_>>());
    }
}
