//! How long a first, a second and a dry run take over episodes made of real commits and messages.

use crate::recall::data::Set;
use crate::report::Figure;
use flate2::read::GzDecoder;
use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{Body, Episode, Outcome, Pattern};
use mnemic_engine::model::{Actor, Author, Draft};
use mnemic_engine::place::Place;
use mnemic_engine::{Consolidated, Engine, Meaning, Note, Settings};
use serde::Deserialize;
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

pub(super) fn measure(folder: &Path, sizes: &[usize]) -> Result<Vec<Figure>, Box<dyn Error>> {
    let episodes = episodes(folder)?;
    let mut figures = Vec::new();
    let mut firsts: Vec<(usize, f64)> = Vec::new();
    let mut timed_each: Vec<Figure> = Vec::new();
    for wanted in sizes {
        let some: Vec<Episode> = repeated(&episodes).take(*wanted).collect();
        let dir = tempfile::tempdir()?;
        let engine = stocked(dir.path(), &some)?;
        let n = some.len() as u64;
        let mut timed = |name: &str, dry_run: bool| -> Result<f64, Box<dyn Error>> {
            let start = Instant::now();
            let reports = engine.consolidate(dry_run, &Note::default(), &mut |_, step| {
                eprintln!("{name}: {:.2} s, {}", start.elapsed().as_secs_f64(), step.as_str());
            })?;
            let seconds = start.elapsed().as_secs_f64();
            figures.push(Figure::new(format!("{name}, {n} episodes"), seconds, "s", n));
            reports.iter().for_each(|report| tell(name, report));
            Ok(seconds)
        };
        timed("dry run", true)?;
        let first = timed("first run", false)?;
        let each = 1_000.0 * first / n as f64;
        timed_each.push(Figure::new(format!("first run, each 1,000 of {n}"), each, "s", n));
        timed("second run", false)?;
        firsts.push((some.len(), first));
    }
    figures.extend(timed_each);
    if let [(few, short), .., (many, long)] = firsts.as_slice() {
        let name = format!("first run, {many} against {few} episodes");
        figures.push(Figure::new(name, long / short.max(1e-9), "times", *many as u64));
    }
    Ok(figures)
}

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

/// A store with these episodes and a tenth as many patterns.
fn stocked(dir: &Path, episodes: &[Episode]) -> Result<Engine, Box<dyn Error>> {
    let place = Place { dir: dir.join(".mnemic"), exists: false };
    let mut settings = Settings::new(Some(place), None, Actor::new(Author::Agent, "bench"));
    settings.meaning = Meaning::by(fake(256));
    Engine::init_project(&mut settings)?;
    let engine = Engine::open(settings)?;
    for chunk in episodes.chunks(500) {
        let told = chunk.iter().step_by(10).map(|episode| {
            Body::Pattern(Pattern { statement: episode.goal.clone(), ..Pattern::default() })
        });
        let happened = chunk.iter().map(|episode| Body::Episode(episode.clone()));
        let drafts = happened.chain(told).map(Draft::new).collect();
        for answer in engine.remember_each(drafts, &Note::default())? {
            answer?;
        }
    }
    engine.embed_waiting(u64::MAX, &mut |_| true)?;
    engine.grow_indexes()?;
    Ok(engine)
}
