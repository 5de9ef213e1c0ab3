//! Coverage and latency as Markdown tables, or both in one JSON list.

use super::coverage::{Row, Side};
use crate::report::{self, Figure};
use serde_json::{Value, json};

/// What a context must hold, of what the baseline holds.
const BAR: f64 = 1.15;

pub(super) fn print(rows: &[Row], figures: &[Figure], as_json: bool) {
    if as_json {
        let mut results: Vec<Value> = rows.iter().map(json_row).collect();
        results.extend(figures.iter().map(|figure| json!(figure)));
        println!("{}", json!({ "results": results }));
        return;
    }
    if let Some(first) = rows.first() {
        println!("Inside the context, against top-k until full by {}:\n", first.against);
        println!(
            "| data | budget | n | all | baseline | ratio | part | baseline | ratio | tokens | baseline | shown | baseline | bar |"
        );
        println!("| --- |{}", " ---: |".repeat(13));
    }
    rows.iter().for_each(line);
    if !figures.is_empty() {
        println!();
        report::print(figures, false);
    }
}

fn line(row: &Row) {
    let Row { data, budget, questions, mnemic: a, baseline: b, .. } = row;
    let (all, part) = (ratio(a.all, b.all), ratio(a.part, b.part));
    let bar = if all >= BAR && part >= BAR { "met" } else { "missed" };
    println!(
        "| {data} | {budget} | {questions} | {:.3} | {:.3} | {all:.2} | {:.3} | {:.3} | {part:.2} \
         | {:.0} | {:.0} | {:.1} | {:.1} | {bar} |",
        a.all, b.all, a.part, b.part, a.tokens, b.tokens, a.documents, b.documents,
    );
}

fn ratio(ours: f64, theirs: f64) -> f64 {
    ours / theirs.max(1e-9)
}

fn json_row(row: &Row) -> Value {
    let side = |side: &Side| {
        json!({
            "all": side.all,
            "part": side.part,
            "tokens": side.tokens,
            "documents": side.documents,
        })
    };
    json!({
        "data": row.data,
        "budget": row.budget,
        "questions": row.questions,
        "against": row.against,
        "mnemic": side(&row.mnemic),
        "baseline": side(&row.baseline),
        "ratio all": ratio(row.mnemic.all, row.baseline.all),
        "ratio part": ratio(row.mnemic.part, row.baseline.part),
    })
}
