//! Prints what a transcript teaches: `mine FILE.jsonl [MOST-OF-EACH-KIND]`, episodes counted only.

use mnemic_lifecycle::capture::{Episodes, Origin, Step, Transcript};
use mnemic_lifecycle::extract::{Miner, plain_claims};
use mnemic_model::body::Outcome;
use mnemic_model::{Actor, Author, Body, Draft};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: mine FILE.jsonl [MOST-OF-EACH-KIND]");
        std::process::exit(2);
    };
    let most = arguments.next().and_then(|most| most.parse().ok()).unwrap_or(40);
    let reader = Actor::new(Author::Human, "reader");
    let origin = Origin { file: file.clone(), person: "person".to_owned(), reader };
    let mut transcript = Transcript::new(BufReader::new(File::open(&file)?));
    let mut episodes = Episodes::new(origin.clone());
    let mut miner = Miner::new(origin, plain_claims);
    let (mut findings, mut tasks, mut sessions) = (Vec::new(), Vec::new(), 0);
    while let Some(step) = transcript.pull()? {
        match step {
            Step::Session(head) => {
                sessions += 1;
                tasks.extend(episodes.open(&head).and_then(tell));
                miner.open(&head);
            }
            Step::Turn(turn) => {
                tasks.extend(episodes.see(&turn).and_then(tell));
                findings.extend(miner.see(&turn));
            }
        }
    }
    tasks.extend(episodes.finish().and_then(tell));
    findings.extend(miner.habits());
    print_findings(&findings, most);
    print_episodes(&tasks, most);
    println!("{sessions} sessions; {:?}", transcript.report());
    Ok(())
}

fn print_findings(findings: &[Draft], most: usize) {
    let mut kinds: BTreeMap<String, Vec<&Draft>> = BTreeMap::new();
    for draft in findings {
        let category = draft.about.category.as_deref().unwrap_or("-");
        kinds.entry(format!("{} / {category}", draft.body.kind())).or_default().push(draft);
    }
    for (kind, drafts) in kinds {
        println!("\n== {kind}: {}", drafts.len());
        // Evenly over the whole, so that a few long sessions do not fill the page.
        let stride = drafts.len().div_ceil(most.max(1)).max(1);
        for draft in drafts.iter().step_by(stride) {
            println!("- {}", told(draft));
        }
    }
}

fn told(draft: &Draft) -> String {
    let source = draft.about.source.as_deref().unwrap_or_default();
    let spot = source.rsplit('#').next().unwrap_or_default();
    let confidence = draft.about.confidence.map_or(1.0, |unit| unit.get());
    let fields = serde_json::Value::Object(draft.body.to_fields());
    format!("[{spot} {confidence:.2}] {fields}")
}

/// What is printed of an episode; the whole of it may go at once.
struct Told {
    outcome: Option<Outcome>,
    line: String,
}

fn tell(draft: Draft) -> Option<Told> {
    let Body::Episode(episode) = draft.body else { return None };
    let goal: String = episode.goal.chars().take(110).collect();
    let resolved = episode.errors.iter().filter(|error| error.resolution.is_some()).count();
    let line = format!(
        "{:?} {} actions, {} messages, {} errors ({resolved} resolved) | {}",
        episode.outcome,
        episode.actions.len(),
        episode.messages.len(),
        episode.errors.len(),
        goal.replace('\n', " ")
    );
    Some(Told { outcome: episode.outcome, line })
}

fn print_episodes(tasks: &[Told], most: usize) {
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    for task in tasks {
        *outcomes.entry(task.outcome.map_or("unknown", Outcome::as_str)).or_default() += 1;
    }
    println!("\n== episodes: {} {outcomes:?}", tasks.len());
    let stride = tasks.len().div_ceil(most.max(1)).max(1);
    for task in tasks.iter().step_by(stride) {
        println!("- {}", task.line);
    }
}
