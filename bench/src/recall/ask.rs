//! Asking every question of a set, in every variant, of the same stores.

use super::data::{Query, Set, time};
use super::ingest::Ingested;
use super::measure::{Sample, means, sample};
use super::rankings::Rankings;
use super::variant::Variant;
use crate::report::percentile;
use mnemic_engine::inference::Embedder;
use mnemic_engine::model::RecordId;
use mnemic_engine::recall::{Found, Recall};
use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

/// Enough turns to rank ten sessions by them.
const DEEP: usize = 100;

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) data: String,
    pub(crate) variant: &'static str,
    pub(crate) questions: usize,
    pub(crate) values: BTreeMap<&'static str, f64>,
    /// Name, number of questions, means.
    pub(crate) types: Vec<(String, usize, BTreeMap<&'static str, f64>)>,
}

pub(crate) fn run(
    set: &Set,
    embedder: &Arc<dyn Embedder>,
    variants: &[Variant],
    rankings: &mut Rankings,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut samples: Vec<Vec<Sample>> = variants.iter().map(|_| Vec::new()).collect();
    let mut storing = 0.0;
    for corpus in set.corpora.iter().filter(|corpus| !corpus.queries.is_empty()) {
        let dir = tempfile::tempdir()?;
        let mut store = Ingested::empty(dir.path(), embedder)?;
        for query in &corpus.queries {
            let start = Instant::now();
            store.bring_to(&corpus.documents, query.before.unwrap_or(usize::MAX))?;
            storing += start.elapsed().as_secs_f64();
            for (variant, samples) in variants.iter().zip(&mut samples) {
                let (recall, milliseconds) = ask(&store, query, variant)?;
                let ranked = ranked(&store, &recall);
                rankings.write(&set.name, variant.name, query, corpus, &ranked)?;
                let tokens = tokens(&recall);
                let ranked = named(&store, &ranked);
                samples.push(sample(query, &corpus.documents, &ranked, tokens, milliseconds));
            }
        }
    }
    let rate = set.documents() as f64 / storing.max(1e-9);
    Ok(variants
        .iter()
        .zip(samples)
        .map(|(variant, samples)| row(set, variant, samples, rate))
        .collect())
}

fn ask(
    store: &Ingested,
    query: &Query,
    variant: &Variant,
) -> Result<(Recall, f64), Box<dyn Error>> {
    let mut question = store.engine.question(query.text.clone());
    question.limit = DEEP;
    question.switches = variant.switches;
    question.now = time(&query.time).unwrap_or(question.now);
    let start = Instant::now();
    let recall = store.engine.recall(&question)?;
    Ok((recall, start.elapsed().as_secs_f64() * 1e3))
}

/// What the first ten cost to read: four characters a token is the usual rule of thumb, good enough
/// to compare.
fn tokens(recall: &Recall) -> f64 {
    let texts = recall.found.iter().take(10).map(|found| found.version.content.body.full_text());
    texts.map(|text| text.chars().count() as f64 / 4.0).sum()
}

fn ranked<'r>(store: &Ingested, recall: &'r Recall) -> Vec<(usize, &'r Found)> {
    let place = |id: &RecordId| store.documents.get(id).copied();
    recall.found.iter().filter_map(|found| Some((place(&found.version.id)?, found))).collect()
}

/// Every document that is shown or named, with its answer's score: what an answer names takes a
/// place of its own behind it, so that ten are ten documents, as with engines that name nothing.
fn named(store: &Ingested, ranked: &[(usize, &Found)]) -> Vec<(usize, f64)> {
    let documents = ranked.iter().flat_map(|(place, found)| {
        let twins = found.twins.iter().filter_map(|twin| store.documents.get(&twin.id).copied());
        std::iter::once(*place).chain(twins).map(|place| (place, found.score))
    });
    documents.collect()
}

fn row(set: &Set, variant: &Variant, samples: Vec<Sample>, rate: f64) -> Row {
    let all: Vec<&Sample> = samples.iter().collect();
    let mut values = means(&all);
    let mut times: Vec<f64> = samples.iter().map(|sample| sample.milliseconds).collect();
    if !times.is_empty() {
        values.insert("first ms", times[0]);
        for (name, share) in [("p50 ms", 0.5), ("p95 ms", 0.95), ("p99 ms", 0.99)] {
            values.insert(name, percentile(&mut times, share));
        }
    }
    values.insert("stored/s", rate);
    let mut kinds: Vec<String> = samples.iter().map(|sample| sample.kind.clone()).collect();
    kinds.sort();
    kinds.dedup();
    let types = kinds.into_iter().map(|kind| {
        let these: Vec<&Sample> = samples.iter().filter(|sample| sample.kind == kind).collect();
        (kind, these.len(), means(&these))
    });
    Row {
        data: set.name.clone(),
        variant: variant.name,
        questions: samples.len(),
        types: types.collect(),
        values,
    }
}
