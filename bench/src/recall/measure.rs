//! The measures of one answer, and their means over many.

use super::data::{Document, Query};
use std::collections::{BTreeMap, HashSet};

/// What one question gave.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) kind: String,
    /// Name and value; left out where the question has no gold for it.
    pub(crate) values: BTreeMap<&'static str, f64>,
    pub(crate) milliseconds: f64,
}

/// `ranked` are places of documents, best first, with their scores.
pub(crate) fn sample(
    query: &Query,
    documents: &[Document],
    ranked: &[(usize, f64)],
    tokens: f64,
    milliseconds: f64,
) -> Sample {
    let mut values = BTreeMap::new();
    let ids: Vec<&str> = ranked.iter().map(|(place, _)| documents[*place].id.as_str()).collect();
    let gold: HashSet<&str> = query.gold.iter().map(String::as_str).collect();
    if !gold.is_empty() {
        for (name, k) in [("recall@5", 5), ("recall@10", 10), ("recall@20", 20)] {
            values.insert(name, found(&ids, &gold, k) / gold.len() as f64);
        }
        values.insert("hit@5", f64::from(u8::from(found(&ids, &gold, 5) > 0.0)));
        values.insert("hit@10", f64::from(u8::from(found(&ids, &gold, 10) > 0.0)));
        values.insert("ndcg@10", ndcg(&ids, &gold, 10));
        let first = ids.iter().position(|id| gold.contains(id));
        values.insert("mrr", first.map_or(0.0, |place| 1.0 / (place + 1) as f64));
    }
    let gold: HashSet<&str> = query.gold_sessions.iter().map(String::as_str).collect();
    if !gold.is_empty() {
        let sessions = sessions(documents, ranked);
        for (name, k) in [("all@5", 5), ("all@10", 10)] {
            let all = found(&sessions, &gold, k) as usize == gold.len();
            values.insert(name, f64::from(u8::from(all)));
        }
    }
    values.insert("tokens@10", tokens);
    Sample { kind: query.kind.clone(), values, milliseconds }
}

fn found(ids: &[&str], gold: &HashSet<&str>, k: usize) -> f64 {
    let top: HashSet<&str> = ids.iter().take(k).copied().collect();
    top.intersection(gold).count() as f64
}

fn ndcg(ids: &[&str], gold: &HashSet<&str>, k: usize) -> f64 {
    let gain = |place: usize| 1.0 / ((place + 2) as f64).log2();
    let got: f64 = ids
        .iter()
        .take(k)
        .enumerate()
        .filter(|(_, id)| gold.contains(*id))
        .map(|(place, _)| gain(place))
        .sum();
    got / (0..gold.len().min(k)).map(gain).sum::<f64>()
}

/// Turns above this place speak for their session, each by how far it stands above it.
const SPEAKING: usize = 30;

/// Sessions by what their turns say together; those that say nothing by their best turn.
fn sessions<'d>(documents: &'d [Document], ranked: &[(usize, f64)]) -> Vec<&'d str> {
    let floor = ranked.get(SPEAKING - 1).or(ranked.last()).map_or(0.0, |(_, score)| *score);
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    for (place, score) in ranked {
        let sum = sums.entry(documents[*place].session.as_str()).or_insert(score * 1e-6);
        *sum += (score - floor).max(0.0);
    }
    let mut ordered: Vec<(&str, f64)> = sums.into_iter().collect();
    ordered.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    ordered.into_iter().map(|(name, _)| name).collect()
}

/// The means of the samples that have a value.
pub(crate) fn means(samples: &[&Sample]) -> BTreeMap<&'static str, f64> {
    let mut sums: BTreeMap<&'static str, (f64, u32)> = BTreeMap::new();
    for (name, value) in samples.iter().flat_map(|sample| &sample.values) {
        let (sum, count) = sums.entry(name).or_default();
        *sum += value;
        *count += 1;
    }
    sums.into_iter().map(|(name, (sum, count))| (name, sum / f64::from(count))).collect()
}
