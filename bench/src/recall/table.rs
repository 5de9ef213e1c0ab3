//! The results as one Markdown table, or as JSON.

use super::ask::Row;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const COLUMNS: &[&str] = &[
    "recall@5",
    "recall@10",
    "recall@20",
    "hit@5",
    "all@5",
    "all@10",
    "ndcg@10",
    "mrr",
    "tokens@10",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "stored/s",
];

pub(crate) fn print(rows: &[Row], as_json: bool, types: bool) {
    if as_json {
        let results: Vec<Value> = rows.iter().map(json_row).collect();
        println!("{}", json!({ "results": results }));
        return;
    }
    println!("| data | variant | n | {} |", COLUMNS.join(" | "));
    println!("| --- | --- | ---: |{}", " ---: |".repeat(COLUMNS.len()));
    for row in rows {
        line(&row.data, row.variant, row.questions, &row.values);
        for (name, questions, values) in row.types.iter().filter(|_| types) {
            line(&format!("{}: {name}", row.data), row.variant, *questions, values);
        }
    }
}

fn line(data: &str, variant: &str, questions: usize, values: &BTreeMap<&'static str, f64>) {
    let cells: Vec<String> = COLUMNS
        .iter()
        .map(|column| match values.get(column) {
            None => String::new(),
            Some(value) if *value >= 50.0 => format!("{value:.0}"),
            Some(value) if column.ends_with("ms") => format!("{value:.2}"),
            Some(value) => format!("{value:.3}"),
        })
        .collect();
    println!("| {data} | {variant} | {questions} | {} |", cells.join(" | "));
}

fn json_row(row: &Row) -> Value {
    let object = |values: &BTreeMap<&'static str, f64>| -> Map<String, Value> {
        values.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect()
    };
    let mut fields = Map::new();
    fields.insert("data".into(), json!(row.data));
    fields.insert("variant".into(), json!(row.variant));
    fields.insert("questions".into(), json!(row.questions));
    fields.extend(object(&row.values));
    let types: Map<String, Value> = row
        .types
        .iter()
        .map(|(name, questions, values)| {
            let mut fields = object(values);
            fields.insert("questions".into(), json!(questions));
            (name.clone(), Value::Object(fields))
        })
        .collect();
    fields.insert("types".into(), Value::Object(types));
    Value::Object(fields)
}
