//! Whether a memory is found by the very next recall of another engine over the same files.

use super::{Figures, stocked};
use crate::corpus::Corpus;
use crate::report::{Figure, percentile};
use mnemic_engine::inference::Embedder;
use mnemic_engine::model::RecordId;
use mnemic_engine::recall::Switches;
use mnemic_engine::{Engine, Note};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The distance of the memories in the corpus, so that no two are alike.
const STEP: usize = 601;

pub(super) fn measure(dir: &Path, corpus: &Corpus, local: &Arc<dyn Embedder>, n: usize) -> Figures {
    let writer = stocked::open(dir, local.clone())?;
    let reader = stocked::open(dir, local.clone())?;
    let (mut words, mut meaning, mut times) = (0, 0, Vec::new());
    for index in 0..n {
        let draft = corpus.draft(index * STEP);
        let text = draft.body.substance();
        let made = writer.remember(draft, &Note::default())?;
        let start = Instant::now();
        words += usize::from(finds(&reader, &text, &made.id, by_words())?);
        times.push(start.elapsed().as_secs_f64() * 1e3);
        meaning += usize::from(finds(&reader, &text, &made.id, by_meaning())?);
    }
    let share =
        |name: &str, found: usize| Figure::new(name, found as f64 / n as f64, "share", n as u64);
    Ok(vec![
        share("remembered, then found by words elsewhere", words),
        share("remembered, then found by meaning elsewhere", meaning),
        Figure::new("  that recall by words, p50", percentile(&mut times, 0.5), "ms", n as u64),
    ])
}

fn by_words() -> Switches {
    Switches { meaning: false, ..Switches::default() }
}

fn by_meaning() -> Switches {
    Switches { words: false, graph: false, skills: false, ..Switches::default() }
}

fn finds(
    engine: &Engine,
    text: &str,
    id: &RecordId,
    switches: Switches,
) -> Result<bool, Box<dyn Error>> {
    let mut question = engine.question(text);
    question.limit = 10;
    // Whether it is there is asked, not whether it is good enough.
    question.switches = Switches { bounds: false, ..switches };
    Ok(engine.recall(&question)?.found.iter().any(|found| found.version.id == *id))
}
