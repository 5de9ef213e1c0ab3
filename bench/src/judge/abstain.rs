//! Silence: every question is asked of its own conversation and of another one.

use crate::recall::data::Set;
use crate::recall::ingest::Ingested;
use crate::report::Figure;
use mnemic_engine::inference::Embedder;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

pub(super) fn run(dir: &Path, embedder: &Arc<dyn Embedder>) -> Result<Vec<Figure>, Box<dyn Error>> {
    let set = Set::load(dir, "locomo", None)?;
    let homes: Vec<tempfile::TempDir> =
        set.corpora.iter().map(|_| tempfile::tempdir()).collect::<Result<_, _>>()?;
    let mut stores = Vec::new();
    for (corpus, home) in set.corpora.iter().zip(&homes) {
        let mut store = Ingested::empty(home.path(), embedder)?;
        store.bring_to(&corpus.documents, usize::MAX)?;
        stores.push(store);
    }
    let (mut own, mut foreign) = (Vec::new(), Vec::new());
    let (mut silent_own, mut silent_foreign) = (0, 0);
    for (index, corpus) in set.corpora.iter().enumerate() {
        for query in &corpus.queries {
            let here = ask(&stores[index], &query.text)?;
            let there = ask(&stores[(index + 1) % stores.len()], &query.text)?;
            silent_own += u64::from(here.1);
            silent_foreign += u64::from(there.1);
            own.push(here.0);
            foreign.push(there.0);
        }
    }
    let asked = own.len() as u64;
    let share = |count: u64| count as f64 / asked as f64;
    Ok(vec![
        Figure::new(
            "abstention: AUC of evidence, own against foreign",
            auc(&own, &foreign),
            "",
            asked,
        ),
        Figure::new(
            "abstention: foreign refused at 5 % wrong",
            refused(&own, &foreign),
            "share",
            asked,
        ),
        Figure::new("abstention: own refused by default", share(silent_own), "share", asked),
        Figure::new(
            "abstention: foreign refused by default",
            share(silent_foreign),
            "share",
            asked,
        ),
    ])
}

/// The evidence for an answer, and whether there was none.
fn ask(store: &Ingested, text: &str) -> Result<(f64, bool), Box<dyn Error>> {
    let recall = store.engine.recall(&store.engine.question(text))?;
    Ok((recall.evidence, recall.found.is_empty()))
}

/// How often a random own question has more evidence than a random foreign one.
fn auc(own: &[f64], foreign: &[f64]) -> f64 {
    let wins: f64 = own
        .iter()
        .flat_map(|one| foreign.iter().map(move |other| (one, other)))
        .map(|(one, other)| match one.total_cmp(other) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        })
        .sum();
    wins / (own.len() * foreign.len()) as f64
}

/// The share of foreign questions below the bar that one in twenty of the own ones misses.
fn refused(own: &[f64], foreign: &[f64]) -> f64 {
    let mut own = own.to_vec();
    own.sort_by(f64::total_cmp);
    let bar = own[own.len() / 20];
    foreign.iter().filter(|evidence| **evidence < bar).count() as f64 / foreign.len() as f64
}
