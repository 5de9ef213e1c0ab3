//! `mnemic-scorecard`: runs what tries each row and prints the figure and N that it told.
//!
//! A package of its own, as small as it is: every test run ends with it, and should not have to
//! build the benchmarks, or what they are built on, for it.

mod figures;
mod rows;
mod run;

use clap::Parser;
use figures::Figures;
use rows::{ROWS, Row};
use serde_json::{Value, json};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// The scorecard: what is promised, how often it was tried, and whether it held.
#[derive(Debug, Parser)]
#[command(name = "mnemic-scorecard", version)]
struct Options {
    /// In full size, built for release: hours instead of minutes
    #[arg(long)]
    long: bool,
    /// Only these rows, e.g. R1,R2
    #[arg(long, value_delimiter = ',', value_name = "ROWS")]
    only: Vec<String>,
    /// Run nothing: read what the tests told from their output, kept in this file
    #[arg(long, value_name = "FILE", conflicts_with = "long")]
    from: Option<PathBuf>,
    #[arg(long)]
    json: bool,
}

/// Whether a row holds, as far as was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Holds,
    Fails,
    /// Nobody told anything: it was skipped here, or nothing tries it yet.
    Untried,
}

impl Standing {
    fn as_str(self) -> &'static str {
        match self {
            Standing::Holds => "holds",
            Standing::Fails => "FAILS",
            Standing::Untried => "not tried",
        }
    }
}

fn main() -> ExitCode {
    match score(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn score(options: &Options) -> Result<(), Box<dyn Error>> {
    let wanted: Vec<&Row> = ROWS
        .iter()
        .filter(|row| options.only.is_empty() || options.only.iter().any(|name| name == row.name))
        .collect();
    if wanted.is_empty() {
        return Err("no such row; they are called R1 to R30".into());
    }
    let figures = match &options.from {
        // Tests print odd bytes on purpose.
        Some(file) => Figures::of(&String::from_utf8_lossy(&std::fs::read(file)?)),
        None => run::all(&wanted, options.long)?,
    };
    let lines: Vec<(&Row, Standing, String)> =
        wanted.iter().map(|row| (*row, figures.standing(row), figures.told(row))).collect();
    print(&lines, options.json);
    let failed: Vec<&str> =
        lines.iter().filter(|line| line.1 == Standing::Fails).map(|line| line.0.name).collect();
    match failed.as_slice() {
        [] => Ok(()),
        some => Err(format!("{} do not hold; their output is above", some.join(", ")).into()),
    }
}

fn print(lines: &[(&Row, Standing, String)], json: bool) {
    if json {
        let view = |(row, standing, told): &(&Row, Standing, String)| -> Value {
            json!({ "row": row.name, "what": row.what, "state": standing.as_str(), "told": told })
        };
        println!("{}", json!({ "results": lines.iter().map(view).collect::<Vec<Value>>() }));
        return;
    }
    println!("| # | what is tried | state | figure and N |\n| --- | --- | --- | --- |");
    for (row, standing, told) in lines {
        println!("| {} | {} | {} | {told} |", row.name, row.what, standing.as_str());
    }
}
