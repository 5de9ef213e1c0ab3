//! Secrets and orders to agents: how many are found, and how many ordinary lines are taken for one.

use crate::report::{self, Figure};
use crate::store::Outcome;
use clap::Args;
use flate2::read::GzDecoder;
use mnemic_engine::injection::suspicion;
use mnemic_engine::model::policy::{SUSPECT, SUSPECT_FROM_OUTSIDE};
use mnemic_engine::secrets::{Detector, Tally};
use serde_json::Value;
use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Print every line that was judged wrong, with nothing masked.
    #[arg(long)]
    wrong: bool,
    #[arg(long)]
    json: bool,
}

/// A line of the data: which half it lies in, and what it is.
struct Line {
    /// Rules were made while looking at the even half; the odd half is what counts.
    odd: bool,
    text: String,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let Some(folder) = std::env::var_os("MNEMIC_BENCH_DATA").map(PathBuf::from) else {
        eprintln!("skipped: MNEMIC_BENCH_DATA is not set; it names the folder with the data");
        return Ok(());
    };
    let given = Given::read(&folder)?;
    let mut figures = Vec::new();
    for (half, odd) in [("seen", false), ("unseen", true)] {
        let of = |lines: &[Line]| -> Vec<String> {
            lines.iter().filter(|line| line.odd == odd).map(|line| line.text.clone()).collect()
        };
        figures.extend(measure(
            half,
            &of(&given.secrets),
            &of(&given.orders),
            &of(&given.ordinary),
            options.wrong,
        ));
    }
    figures.push(speed(&given.ordinary));
    report::print(&figures, options.json);
    Ok(())
}

fn measure(
    half: &str,
    secrets: &[String],
    orders: &[String],
    ordinary: &[String],
    wrong: bool,
) -> Vec<Figure> {
    let detector = Detector::default();
    let hides = |text: &&String| !detector.find(text).is_empty();
    let tell = |what: &str, text: &str| {
        if wrong {
            eprintln!("{half} {what}: {text}");
        }
    };
    let found = secrets.iter().filter(hides).count();
    secrets.iter().filter(|text| !hides(text)).for_each(|text| tell("missed secret", text));
    let masked = ordinary.iter().filter(hides).count();
    for text in ordinary.iter().filter(hides) {
        tell("masked", &detector.mask(text, &mut Tally::new()));
    }
    let suspect = |bar: f64| move |text: &&String| suspicion(text).score >= bar;
    let set_apart = ordinary.iter().filter(suspect(SUSPECT_FROM_OUTSIDE)).count();
    let by_agent = ordinary.iter().filter(suspect(SUSPECT)).count();
    for text in ordinary.iter().filter(suspect(SUSPECT_FROM_OUTSIDE)) {
        tell("set apart", &format!("{:?} {text}", suspicion(text).reasons));
    }
    let caught = orders.iter().filter(suspect(SUSPECT_FROM_OUTSIDE)).count();
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let figure = |name: &str, part: usize, whole: usize| {
        Figure::new(format!("{name}, {half} half"), share(part, whole), "%", whole as u64)
    };
    vec![
        figure("secrets found", found, secrets.len()),
        figure("ordinary lines masked", masked, ordinary.len()),
        figure("orders set apart", caught, orders.len()),
        figure("ordinary lines set apart, from outside", set_apart, ordinary.len()),
        figure("ordinary lines set apart, by an agent", by_agent, ordinary.len()),
    ]
}

fn speed(lines: &[Line]) -> Figure {
    let text: String = lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    let detector = Detector::default();
    detector.find("token");
    let begun = Instant::now();
    detector.find(&text);
    let megabytes = text.len() as f64 / 1e6;
    Figure::new(
        "looking for secrets",
        megabytes / begun.elapsed().as_secs_f64(),
        "MB/s",
        lines.len() as u64,
    )
}

#[derive(Default)]
struct Given {
    secrets: Vec<Line>,
    orders: Vec<Line>,
    ordinary: Vec<Line>,
}

impl Given {
    fn read(folder: &Path) -> Result<Given, Box<dyn Error>> {
        let mut given = Given::default();
        for name in ["integrity/corpus_v0.json.gz", "integrity/v1_dev.json.gz"] {
            given.integrity(&serde_json::from_str(&unpacked(&folder.join(name))?)?);
        }
        for name in ["locomo", "lme-pool", "beam-100k", "bettermemory", "cosqa"] {
            given.documents(&unpacked(&folder.join("retrieval").join(name).join("docs.jsonl.gz"))?);
        }
        given.sessions(&unpacked(&folder.join("sessions/coding.jsonl.gz"))?);
        Ok(given)
    }

    fn integrity(&mut self, data: &Value) {
        let texts = |list: &Value| -> Vec<(String, String)> {
            let items = list.as_array().cloned().unwrap_or_default();
            items.iter().map(|item| (said(&item["class"]), said(&item["text"]))).collect()
        };
        for (class, text) in texts(&data["poison"]) {
            match class.as_str() {
                "secret" => add(&mut self.secrets, &text),
                "instruction" => add(&mut self.orders, &text),
                _ => add(&mut self.ordinary, &text),
            }
        }
        for (_, text) in texts(&data["hard_negatives"]) {
            add(&mut self.ordinary, &text);
        }
        for topic in data["topics"].as_array().into_iter().flatten() {
            for (_, text) in texts(&topic["statements"]) {
                add(&mut self.ordinary, &text);
            }
        }
    }

    fn documents(&mut self, text: &str) {
        for line in text.lines() {
            let Ok(document) = serde_json::from_str::<Value>(line) else { continue };
            said(&document["text"]).lines().for_each(|line| add(&mut self.ordinary, line));
        }
    }

    fn sessions(&mut self, text: &str) {
        for line in text.lines() {
            let Ok(session) = serde_json::from_str::<Value>(line) else { continue };
            for turn in session["turns"].as_array().into_iter().flatten() {
                said(&turn["text"]).lines().for_each(|line| add(&mut self.ordinary, line));
            }
        }
    }
}

fn add(lines: &mut Vec<Line>, text: &str) {
    if text.trim().len() >= 8 {
        lines.push(Line { odd: lines.len() % 2 == 1, text: text.to_owned() });
    }
}

fn said(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn unpacked(path: &Path) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let file = File::open(path).map_err(|cause| format!("{}: {cause}", path.display()))?;
    GzDecoder::new(file).read_to_string(&mut text)?;
    Ok(text)
}
