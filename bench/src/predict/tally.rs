//! Adds cases up to the figures of one row.

use super::replay::{Answer, Case, SHOWN};
use crate::report::percentile;
use serde::Serialize;

/// One row of the table. Only cases with a known file to come are counted, unless a name says so.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) data: String,
    /// Whether the weights were fitted on it: `tuned`, `checked` or `both`.
    pub(super) split: &'static str,
    pub(super) variant: &'static str,
    pub(super) works: usize,
    pub(super) cases: usize,
    /// At least one right among five; the mean over a work's cases, then over works.
    #[serde(rename = "hit@5")]
    pub(super) hit: f64,
    /// The same with every case counting alike, so that large commits count more.
    #[serde(rename = "hit@5 by case")]
    pub(super) hit_by_case: f64,
    /// The same over all cases with a file to come; where none of those is known, it is a miss.
    #[serde(rename = "hit@5 all")]
    pub(super) hit_all: f64,
    /// Right ones among five, of those that five places could name.
    #[serde(rename = "recall@5")]
    pub(super) recall: f64,
    pub(super) mrr: f64,
    /// `hit@5` over that of recency alone.
    #[serde(rename = "x recency")]
    pub(super) times_recency: f64,
}

/// A name and where to find the answer of a case.
pub(super) type Variant = (&'static str, fn(&Case) -> Answer);

pub(super) const VARIANTS: [Variant; 3] = [
    ("mnemic", |case| case.mnemic),
    ("co-change alone", |case| case.together),
    ("recency alone", |case| case.recency),
];

/// A row for each variant. The works are those of one set, or of several put together.
pub(super) fn rows(data: &str, split: &'static str, works: &[Vec<&Case>]) -> Vec<Row> {
    let mut rows: Vec<Row> =
        VARIANTS.iter().map(|variant| row(data, split, works, *variant)).collect();
    let recency = rows.last().map_or(0.0, |row| row.hit);
    rows.iter_mut().for_each(|row| row.times_recency = row.hit / recency);
    rows
}

fn row(data: &str, split: &'static str, works: &[Vec<&Case>], variant: Variant) -> Row {
    let (name, answer) = variant;
    let hit = |case: &Case| f64::from(u8::from(answer(case).right > 0));
    let all = only(works, |case| case.to_come > 0);
    let known = only(works, |case| case.known > 0);
    let each: Vec<Vec<&Case>> = known.iter().flatten().map(|case| vec![*case]).collect();
    Row {
        data: data.to_owned(),
        split,
        variant: name,
        works: known.len(),
        cases: each.len(),
        hit: mean(&known, hit),
        hit_by_case: mean(&each, hit),
        hit_all: mean(&all, hit),
        recall: mean(&known, |case| answer(case).right as f64 / case.known.min(SHOWN) as f64),
        mrr: mean(&known, |case| answer(case).first.map_or(0.0, |place| 1.0 / place as f64)),
        times_recency: 0.0,
    }
}

/// The works that have such cases, with these alone.
fn only<'a>(works: &[Vec<&'a Case>], such: impl Fn(&Case) -> bool) -> Vec<Vec<&'a Case>> {
    let of = |cases: &Vec<&'a Case>| cases.iter().copied().filter(|case| such(case)).collect();
    works.iter().map(of).filter(|cases: &Vec<&Case>| !cases.is_empty()).collect()
}

/// The mean over works of the mean over their cases.
fn mean(works: &[Vec<&Case>], value: impl Fn(&Case) -> f64) -> f64 {
    let of =
        |cases: &Vec<&Case>| cases.iter().map(|case| value(case)).sum::<f64>() / cases.len() as f64;
    works.iter().map(of).sum::<f64>() / works.len() as f64
}

/// The mean of several sets' rows, each set counting the same.
pub(super) fn each_set_alike(data: &str, split: &'static str, rows: &[&Row]) -> Row {
    let mean =
        |value: fn(&Row) -> f64| rows.iter().map(|row| value(row)).sum::<f64>() / rows.len() as f64;
    Row {
        data: data.to_owned(),
        split,
        variant: rows[0].variant,
        works: rows.iter().map(|row| row.works).sum(),
        cases: rows.iter().map(|row| row.cases).sum(),
        hit: mean(|row| row.hit),
        hit_by_case: mean(|row| row.hit_by_case),
        hit_all: mean(|row| row.hit_all),
        recall: mean(|row| row.recall),
        mrr: mean(|row| row.mrr),
        times_recency: mean(|row| row.hit) / mean(|row| row.hit / row.times_recency),
    }
}

/// What would be injected, and how far confidence can be believed.
#[derive(Debug, Serialize)]
pub(super) struct Injection {
    pub(super) data: String,
    pub(super) split: &'static str,
    pub(super) injected: usize,
    #[serde(rename = "injected and unused")]
    pub(super) unused: f64,
    /// Works into which anything was injected.
    #[serde(rename = "works with any")]
    pub(super) reached: f64,
    /// Of what was shown: the mean confidence and the share that came, by confidence.
    pub(super) calibration: Vec<Bin>,
    #[serde(rename = "p50 ms")]
    pub(super) p50: f64,
    #[serde(rename = "p95 ms")]
    pub(super) p95: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Bin {
    pub(super) said: f64,
    pub(super) came: f64,
    pub(super) n: usize,
}

/// Counted over all cases, also those after which nothing came. Every work counts the
/// same in the calibration, as it does in `hit@5`.
pub(super) fn injection(data: &str, split: &'static str, works: &[Vec<&Case>]) -> Injection {
    let injected: Vec<bool> =
        works.iter().flatten().flat_map(|case| case.injected.iter().copied()).collect();
    let reached = works.iter().filter(|work| work.iter().any(|case| !case.injected.is_empty()));
    let mut millis: Vec<f64> = works.iter().flatten().map(|case| case.millis).collect();
    Injection {
        data: data.to_owned(),
        split,
        injected: injected.len(),
        unused: injected.iter().filter(|used| !**used).count() as f64 / injected.len() as f64,
        reached: reached.count() as f64 / works.len() as f64,
        calibration: (0..5).map(|fifth| bin(works, fifth)).collect(),
        p50: percentile(&mut millis, 0.5),
        p95: percentile(&mut millis, 0.95),
    }
}

fn bin(works: &[Vec<&Case>], fifth: usize) -> Bin {
    let (mut weight, mut said, mut came, mut n) = (0.0, 0.0, 0.0, 0);
    for work in works {
        for (confidence, comes) in work.iter().flat_map(|case| &case.shown) {
            if ((confidence * 5.0) as usize).min(4) == fifth {
                let share = 1.0 / work.len() as f64;
                weight += share;
                said += share * confidence;
                came += if *comes { share } else { 0.0 };
                n += 1;
            }
        }
    }
    Bin { said: said / weight, came: came / weight, n }
}
