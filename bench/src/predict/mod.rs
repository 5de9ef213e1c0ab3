//! How well the next context is predicted: commits and sessions of others, replayed.
//!
//! Weights were fitted on the sets marked `tuned`; those marked `checked` are the test.

mod data;
mod fit;
mod past;
mod replay;
mod table;
mod tally;

use crate::store::Outcome;
use clap::Args;
use replay::{Case, Given};
use std::error::Error;
use std::path::{Path, PathBuf};
use tally::{Injection, Row};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Fit the weights anew on the tuned sets and print them.
    #[arg(long)]
    fit: bool,
    #[arg(long)]
    json: bool,
}

/// The histories, and whether the weights were fitted on them.
const HISTORIES: [(&str, bool); 4] =
    [("atuin", true), ("redb", true), ("graphiti", false), ("tantivy", false)];

/// Replayed work of one source. Sessions are split in two by turns.
struct Set {
    name: &'static str,
    tuned: bool,
    works: Vec<Vec<Case>>,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let Some(folder) = std::env::var_os("MNEMIC_BENCH_DATA").map(PathBuf::from) else {
        eprintln!("skipped: MNEMIC_BENCH_DATA is not set; it names the folder with `histories/`");
        return Ok(());
    };
    let histories = histories(&folder, options.fit)?;
    let sessions = sessions(&folder, options.fit)?;
    if options.fit {
        let tuned = histories.iter().chain(&sessions).filter(|set| set.tuned);
        let tuned: Vec<Vec<Vec<&Case>>> = tuned.map(|set| borrowed(&set.works)).collect();
        for (name, weight) in fit::PARTS.iter().zip(fit::fit(&tuned)) {
            println!("{name}: {weight:.2},");
        }
        return Ok(());
    }
    let mut rows = history_rows(&histories);
    rows.extend(session_rows(&sessions));
    let mut injected = injections("histories", &histories);
    injected.extend(injections("sessions", &sessions));
    table::print(&rows, &injected, options.json);
    Ok(())
}

fn split(tuned: bool) -> &'static str {
    if tuned { "tuned" } else { "checked" }
}

fn borrowed(works: &[Vec<Case>]) -> Vec<Vec<&Case>> {
    works.iter().map(|work| work.iter().collect()).collect()
}

fn histories(folder: &Path, fit: bool) -> Result<Vec<Set>, Box<dyn Error>> {
    let mut sets = Vec::new();
    for (name, tuned) in HISTORIES.into_iter().filter(|(_, tuned)| *tuned || !fit) {
        let works = data::history(&folder.join("histories").join(format!("{name}.jsonl.gz")))?;
        eprintln!("{name}: {} commits", works.len());
        sets.push(Set { name, tuned, works: replay::replay(&works, Given::EachFile, fit) });
    }
    Ok(sets)
}

fn sessions(folder: &Path, fit: bool) -> Result<Vec<Set>, Box<dyn Error>> {
    let works = data::sessions(&folder.join("sessions").join("coding.jsonl.gz"))?;
    eprintln!("sessions: {}", works.len());
    let set = |tuned| Set { name: "sessions", tuned, works: Vec::new() };
    let mut halves = [set(true), set(false)];
    for (index, cases) in replay::replay(&works, Given::EachStep, fit).into_iter().enumerate() {
        halves[index % 2].works.push(cases);
    }
    Ok(halves.into())
}

/// Each history; then all of them, the tuned and the checked ones, each history counting the same
/// and each commit counting the same.
fn history_rows(sets: &[Set]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for set in sets {
        rows.extend(tally::rows(set.name, split(set.tuned), &borrowed(&set.works)));
    }
    let single = rows.len();
    for part in ["tuned", "checked", "both"] {
        let of = |tuned: bool| part == "both" || split(tuned) == part;
        for (variant, _) in tally::VARIANTS {
            let alike: Vec<&Row> = rows[..single]
                .iter()
                .filter(|row| row.variant == variant && (part == "both" || row.split == part))
                .collect();
            let row = tally::each_set_alike("histories, each alike", part, &alike);
            rows.push(row);
        }
        let works: Vec<Vec<&Case>> =
            sets.iter().filter(|set| of(set.tuned)).flat_map(|set| borrowed(&set.works)).collect();
        rows.extend(tally::rows("histories, each commit alike", part, &works));
    }
    rows
}

/// Each set, then all together.
fn injections(all: &str, sets: &[Set]) -> Vec<Injection> {
    let mut injections: Vec<Injection> = sets
        .iter()
        .map(|set| tally::injection(set.name, split(set.tuned), &borrowed(&set.works)))
        .collect();
    let works: Vec<Vec<&Case>> = sets.iter().flat_map(|set| borrowed(&set.works)).collect();
    injections.push(tally::injection(all, "both", &works));
    injections
}

/// The first file of each session alone; then all of its steps.
fn session_rows(sets: &[Set]) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in ["tuned", "checked", "both"] {
        let sets = sets.iter().filter(|set| part == "both" || split(set.tuned) == part);
        let works: Vec<Vec<&Case>> = sets.flat_map(|set| borrowed(&set.works)).collect();
        let first: Vec<Vec<&Case>> = works
            .iter()
            .map(|work| work.iter().copied().filter(|case| case.given == 1).collect())
            .collect();
        rows.extend(tally::rows("sessions, first file", part, &first));
        rows.extend(tally::rows("sessions, each step", part, &works));
    }
    rows
}
