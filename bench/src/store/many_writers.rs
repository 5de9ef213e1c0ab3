//! Ten processes write to one store at once; each waits for every single write.

use super::{Outcome, engine_at};
use crate::corpus::Corpus;
use crate::report::{Figure, percentile};
use clap::Args;
use mnemic_engine::Note;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

#[derive(Debug, Args)]
pub(crate) struct WriterOptions {
    dir: PathBuf,
    first: usize,
    writes: usize,
}

/// A writer: prints the latency of each write in milliseconds, or why it failed.
pub(crate) fn write(options: &WriterOptions) -> Outcome {
    let engine = engine_at(&options.dir)?;
    let corpus = Corpus::load();
    for index in options.first..options.first + options.writes {
        let draft = corpus.draft(index);
        let start = Instant::now();
        match engine.remember(draft, &Note::default()) {
            Ok(_) => println!("{}", start.elapsed().as_secs_f64() * 1e3),
            Err(error) => println!("failed: {error:?}"),
        }
    }
    Ok(())
}

pub(crate) fn measure(
    dir: &Path,
    writers: usize,
    writes: usize,
) -> Result<Vec<Figure>, Box<dyn Error>> {
    drop(engine_at(dir)?);
    let each = writes / writers;
    let began = Instant::now();
    let children: Vec<_> = (0..writers)
        .map(|writer| {
            Command::new(std::env::current_exe()?)
                .arg("writer")
                .arg(dir)
                .arg((writer * each).to_string())
                .arg(each.to_string())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
        })
        .collect::<Result<_, _>>()?;
    let mut samples = Vec::new();
    let mut failures = Vec::new();
    for child in children {
        let output = child.wait_with_output()?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            match line.parse::<f64>() {
                Ok(latency) => samples.push(latency),
                Err(_) => failures.push(line.to_owned()),
            }
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    for failure in failures.iter().take(5) {
        eprintln!("{failure}");
    }
    let missing = writes - samples.len();
    let n = samples.len() as u64;
    let name = format!("{writers} processes writing one by one");
    Ok(vec![
        Figure::new(name, samples.len() as f64 / seconds, "writes/s", n),
        Figure::new("  p50", percentile(&mut samples, 0.5), "ms", n),
        Figure::new("  p99", percentile(&mut samples, 0.99), "ms", n),
        Figure::new("  longest", percentile(&mut samples, 1.0), "ms", n),
        Figure::new("  failed", missing as f64, "writes", writes as u64),
    ])
}
