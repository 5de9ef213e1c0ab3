//! The figures as Markdown tables, or as JSON.

use super::tally::{Injection, Row};
use serde_json::{Value, json};

pub(super) fn print(rows: &[Row], injections: &[Injection], as_json: bool) {
    if as_json {
        let rows = rows.iter().map(|row| json!(row));
        let results: Vec<Value> = rows.chain(injections.iter().map(|one| json!(one))).collect();
        println!("{}", json!({ "results": results }));
        return;
    }
    println!("Given some files, are others of the same work among the first five named? Counted");
    println!("are cases in which a file to come had ever been used before (`all`: every case).\n");
    println!(
        "| data | split | variant | works | cases | hit@5 | by case | all | recall@5 | mrr | × recency |"
    );
    println!("| --- | --- | --- |{}", " ---: |".repeat(8));
    rows.iter().for_each(line);
    println!("\nWhat is likely enough to be injected; what confidence said, and what came.\n");
    println!(
        "| data | split | injected | unused | works with any | said → came | p50 ms | p95 ms |"
    );
    println!("| --- | --- | ---: | ---: | ---: | --- | ---: | ---: |");
    injections.iter().for_each(injection_line);
}

fn line(row: &Row) {
    println!(
        "| {} | {} | {} | {} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.2} |",
        row.data,
        row.split,
        row.variant,
        row.works,
        row.cases,
        row.hit,
        row.hit_by_case,
        row.hit_all,
        row.recall,
        row.mrr,
        row.times_recency
    );
}

fn injection_line(one: &Injection) {
    let bins: Vec<String> = one
        .calibration
        .iter()
        .filter(|bin| bin.n > 0)
        .map(|bin| format!("{:.2} → {:.2}", bin.said, bin.came))
        .collect();
    println!(
        "| {} | {} | {} | {:.3} | {:.3} | {} | {:.2} | {:.2} |",
        one.data,
        one.split,
        one.injected,
        one.unused,
        one.reached,
        bins.join(", "),
        one.p50,
        one.p95
    );
}
