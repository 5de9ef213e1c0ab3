//! One process: single writes, batches, opening, and how soon others can read.

use super::engine_at;
use crate::corpus::Corpus;
use crate::report::{Figure, percentile};
use mnemic_engine::Note;
use mnemic_engine::StoreName;
use mnemic_engine::model::At;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

type Figures = Result<Vec<Figure>, Box<dyn Error>>;

/// Each write is durable before the next begins.
pub(crate) fn one_by_one(dir: &Path, corpus: &Corpus, n: usize) -> Figures {
    let engine = engine_at(dir)?;
    let mut samples = Vec::with_capacity(n);
    let began = Instant::now();
    for index in 0..n {
        let draft = corpus.draft(index);
        let start = Instant::now();
        engine.remember(draft, &Note::default()).map_err(|e| format!("{e:?}"))?;
        samples.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let rate = n as f64 / began.elapsed().as_secs_f64();
    Ok(vec![
        Figure::new("durable writes one by one", rate, "writes/s", n as u64),
        Figure::new("  p50", percentile(&mut samples, 0.5), "ms", n as u64),
        Figure::new("  p99", percentile(&mut samples, 0.99), "ms", n as u64),
    ])
}

/// Batches of a thousand, each one transaction.
pub(crate) fn batched(dir: &Path, corpus: &Corpus, n: usize) -> Figures {
    let engine = engine_at(dir)?;
    let mut text_bytes = 0;
    let began = Instant::now();
    for start in (0..n).step_by(1_000) {
        let batch: Vec<_> =
            (start..n.min(start + 1_000)).map(|index| corpus.draft(index)).collect();
        text_bytes += batch.iter().map(|draft| draft.body.full_text().len()).sum::<usize>();
        for answer in engine.remember_each(batch, &Note::default()).map_err(|e| format!("{e:?}"))? {
            answer.map_err(|e| format!("{e:?}"))?;
        }
    }
    let rate = n as f64 / began.elapsed().as_secs_f64();
    let path = engine.path_of(StoreName::Project).map_err(|e| format!("{e:?}"))?;
    drop(engine);
    let bytes = std::fs::metadata(path)?.len();
    let over = (bytes as f64 - text_bytes as f64) / n as f64;
    Ok(vec![
        Figure::new("durable writes in batches of 1,000", rate, "writes/s", n as u64),
        Figure::new("bytes on disk per memory", bytes as f64 / n as f64, "bytes", n as u64),
        Figure::new("  of which over its own text", over, "bytes", n as u64),
    ])
}

pub(crate) fn open_time(dir: &Path, n: usize) -> Result<Figure, Box<dyn Error>> {
    let mut samples = Vec::new();
    for _ in 0..n {
        let start = Instant::now();
        let engine = engine_at(dir)?;
        samples.push(start.elapsed().as_secs_f64() * 1e3);
        drop(engine);
    }
    Ok(Figure::new("open, median", percentile(&mut samples, 0.5), "ms", n as u64))
}

/// From the acknowledgement in one connection to the first read in another.
pub(crate) fn visible(dir: &Path, corpus: &Corpus, n: usize) -> Figures {
    let (writer, reader) = (engine_at(dir)?, engine_at(dir)?);
    let mut samples = Vec::new();
    let mut tries = 0;
    for index in 0..n {
        let made =
            writer.remember(corpus.draft(index), &Note::default()).map_err(|e| format!("{e:?}"))?;
        let start = Instant::now();
        loop {
            tries += 1;
            if reader.show(made.id.as_str(), At::LATEST).is_ok() {
                break;
            }
        }
        samples.push(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(vec![
        Figure::new(
            "acknowledged to readable elsewhere, p50",
            percentile(&mut samples, 0.5),
            "ms",
            n as u64,
        ),
        Figure::new("  p99", percentile(&mut samples, 0.99), "ms", n as u64),
        Figure::new("  reads needed", tries as f64 / n as f64, "reads", n as u64),
    ])
}
