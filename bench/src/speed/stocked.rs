//! A store with many memories and their vectors, made once and kept where a directory is given.

use super::likeness::Likeness;
use crate::corpus::Corpus;
use mnemic_engine::inference::{Embedder, gist};
use mnemic_engine::model::body::{Body, Episode};
use mnemic_engine::model::{Actor, Author, Draft};
use mnemic_engine::place::Place;
use mnemic_engine::{Engine, Meaning, Note, Settings};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Memories in one transaction.
const BATCH: usize = 1_000;

/// Turns of one conversation.
const TURNS: usize = 20;

/// An engine over a store of `memories`, whose questions the local model embeds.
pub(crate) fn engine(
    dir: &Path,
    corpus: &Corpus,
    memories: usize,
    local: &Arc<dyn Embedder>,
) -> Result<Engine, Box<dyn Error>> {
    // Written last: a store without it was left unfinished.
    let finished = dir.join("finished");
    if finished.exists() {
        return open(dir, local.clone());
    }
    if dir.exists() {
        return Err(format!("`{}` holds an unfinished store: remove it", dir.display()).into());
    }
    let likeness = Arc::new(Likeness::of(corpus, local)?);
    let made = open(dir, likeness)?;
    let start = Instant::now();
    for first in (0..memories).step_by(BATCH) {
        let drafts = (first..memories.min(first + BATCH)).map(|n| draft(corpus, n));
        for answer in made.remember_each(drafts.collect(), &Note::default())? {
            answer?;
        }
    }
    let written = start.elapsed();
    made.embed_waiting(u64::MAX, &mut |_| true)?;
    made.grow_indexes()?;
    let vectors: u64 =
        made.vectors()?.iter().flat_map(|(_, census)| &census.models).map(|(_, n)| n).sum();
    eprintln!(
        "stored {memories} memories in {:.0} s and {vectors} vectors in {:.0} s more",
        written.as_secs_f64(),
        (start.elapsed() - written).as_secs_f64(),
    );
    drop(made);
    std::fs::write(finished, "")?;
    open(dir, local.clone())
}

pub(super) fn open(dir: &Path, embedder: Arc<dyn Embedder>) -> Result<Engine, Box<dyn Error>> {
    let place = Place { dir: dir.join(".mnemic"), exists: dir.join(".mnemic/memory.db").exists() };
    let mut settings = Settings::new(Some(place), None, Actor::new(Author::Human, "bench"));
    settings.meaning = Meaning::by(embedder).skimmed_by(gist()?);
    Engine::init_project(&mut settings)?;
    Ok(Engine::open(settings)?)
}

/// Every other memory is a turn of a conversation, the rest are facts, patterns and decisions.
fn draft(corpus: &Corpus, n: usize) -> Draft {
    let draft = corpus.draft(n);
    if n.is_multiple_of(2) {
        return draft;
    }
    Draft::new(Body::Episode(Episode {
        goal: draft.body.substance(),
        task_id: Some(format!("conversation-{}", n / (2 * TURNS))),
        ..Episode::default()
    }))
}
