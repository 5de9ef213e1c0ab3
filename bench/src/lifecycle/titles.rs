//! How well the compressed level of a commit's body says what its author put into the subject.

use crate::report::Figure;
use flate2::read::GzDecoder;
use mnemic_engine::Levels;
use mnemic_engine::model::body::{Body, Episode};
use mnemic_engine::model::{Actor, Author, Draft, Scope, ScopeLevel, Timestamp};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

#[derive(Debug, Deserialize)]
struct Commit {
    subject: String,
    body: String,
}

/// Shorter bodies say next to nothing.
const LEAST: usize = 120;

/// As many words as a compressed level has.
const WORDS: usize = 10;

pub(super) fn measure(folder: &Path) -> Result<Vec<Figure>, Box<dyn Error>> {
    let (mut ours, mut first, mut n) = (0.0, 0.0, 0);
    for name in ["redb", "atuin", "tantivy", "graphiti"] {
        let path = folder.join("histories").join(format!("{name}.jsonl.gz"));
        for line in BufReader::new(GzDecoder::new(File::open(path)?)).lines() {
            let Commit { subject, body } = serde_json::from_str(&line?)?;
            let body = body.replace('\0', " ");
            if body.len() < LEAST || subject.trim().is_empty() {
                continue;
            }
            let begun: Vec<&str> = body.split_whitespace().take(WORDS).collect();
            ours += likeness(&title(&body)?, &subject);
            first += likeness(&begun.join(" "), &subject);
            n += 1;
        }
    }
    let mean = |sum: f64| sum / n.max(1) as f64;
    Ok(vec![
        Figure::new("title against commit subject, shared words", mean(ours), "F1", n),
        Figure::new("the first ten words against the subject", mean(first), "F1", n),
    ])
}

fn title(body: &str) -> Result<String, Box<dyn Error>> {
    let episode = Body::Episode(Episode { goal: body.to_owned(), ..Episode::default() });
    let actor = Actor::new(Author::Agent, "bench");
    let scope = Scope::private(ScopeLevel::Project);
    let content = Draft::new(episode).resolve(&actor, Timestamp::EPOCH, &scope)?;
    Ok(Levels::of(&content).compressed.text)
}

/// The harmonic mean of how much of each the other has, in distinct words.
fn likeness(title: &str, subject: &str) -> f64 {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (title, subject) = (words(title), words(subject));
    let both = title.intersection(&subject).count() as f64;
    2.0 * both / ((title.len() + subject.len()).max(1)) as f64
}
