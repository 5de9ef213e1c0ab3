//! The current value: every statement of a topic is stored in order, then its question is asked.

use super::engine;
use crate::report::Figure;
use flate2::read::GzDecoder;
use mnemic_engine::Note;
use mnemic_engine::inference::Embedder;
use mnemic_engine::model::Draft;
use mnemic_engine::model::body::{Body, Pattern};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

#[derive(Debug, Deserialize)]
struct Topics {
    topics: Vec<Topic>,
}

#[derive(Debug, Deserialize)]
struct Topic {
    id: String,
    query: String,
    current: String,
    values: BTreeMap<String, String>,
    statements: Vec<Statement>,
}

#[derive(Debug, Deserialize)]
struct Statement {
    text: String,
}

pub(super) fn run(
    dir: &Path,
    embedder: &Arc<dyn Embedder>,
    tell: bool,
) -> Result<Vec<Figure>, Box<dyn Error>> {
    let (mut asked, mut right, mut stale) = (0_u64, 0_u64, 0_u64);
    for file in ["corpus_v0.json.gz", "v1_dev.json.gz"] {
        let path = dir.join(file);
        let file =
            File::open(&path).map_err(|e| format!("cannot read `{}`: {e}", path.display()))?;
        let Topics { topics } = serde_json::from_reader(GzDecoder::new(file))?;
        let home = tempfile::tempdir()?;
        let engine = engine(home.path(), embedder)?;
        for statement in topics.iter().flat_map(|topic| &topic.statements) {
            let body = Pattern { statement: statement.text.clone(), ..Pattern::default() };
            engine.remember(Draft::new(Body::Pattern(body)), &Note::default())?;
        }
        for topic in topics {
            let recall = engine.recall(&engine.question(topic.query.clone()))?;
            let texts: Vec<String> =
                recall.found.iter().map(|found| found.version.content.body.full_text()).collect();
            let now = &topic.values[&topic.current];
            let past = topic.values.values().filter(|value| *value != now);
            let is_stale = |text: &String| {
                past.clone().any(|value| carries(text, value)) && !carries(text, now)
            };
            let first = texts.first().is_some_and(|text| carries(text, now));
            let beside = texts.iter().any(is_stale);
            asked += 1;
            right += u64::from(first);
            stale += u64::from(beside);
            if tell && (!first || beside) {
                eprintln!("{} first {first} stale {beside}: {}", topic.id, topic.query);
                texts.iter().for_each(|text| eprintln!("    {text}"));
            }
        }
    }
    let share = |count: u64| count as f64 / asked as f64;
    Ok(vec![
        Figure::new(
            "current value: first answer is the one that holds",
            share(right),
            "share",
            asked,
        ),
        Figure::new("current value: a stale value stands beside it", share(stale), "share", asked),
    ])
}

/// Whether a text names a value, whatever its case, spaces, dashes, underscores and dots.
fn carries(text: &str, value: &str) -> bool {
    let bare = |text: &str| -> String {
        text.to_lowercase().chars().filter(|c| !c.is_whitespace() && !"-_.".contains(*c)).collect()
    };
    bare(text).contains(&bare(value))
}
