//! Top-k until full: what a context is measured against.
//!
//! Documents' raw texts, best first, a line break between them. The first that would exceed the
//! budget is left out, and filling stops there.

use super::COUNTER;
use super::inside::Shown;
use crate::recall::data::{Document, Query, time};
use crate::recall::ingest::Ingested;
use mnemic_engine::recall::Switches;
use serde::Deserialize;
use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// As deep as anybody ranks; enough short turns for the largest budget.
const DEEP: usize = 1_000;

/// So near to its end a budget is counted exactly.
const NEAR: usize = 200;

/// Who ranks for the baseline.
#[derive(Debug)]
pub(super) enum Against {
    /// Our own words and vectors, half and half after min-max, and nothing else.
    Own,
    /// The ids of documents by set and question.
    Other { name: String, ranked: HashMap<(String, String), Vec<String>> },
}

#[derive(Debug, Deserialize)]
struct Line {
    data: String,
    query: String,
    ranked: Vec<String>,
}

impl Against {
    pub(super) fn read(path: &Path) -> Result<Against, Box<dyn Error>> {
        let file = std::fs::File::open(path)
            .map_err(|cause| format!("cannot read `{}`: {cause}", path.display()))?;
        let mut ranked = HashMap::new();
        for line in BufReader::new(file).lines() {
            let line: Line = serde_json::from_str(&line?)?;
            ranked.insert((line.data, line.query), line.ranked);
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Against::Other { name, ranked })
    }

    pub(super) fn name(&self) -> String {
        match self {
            Against::Own => "plain hybrid of our own".to_owned(),
            Against::Other { name, .. } => name.clone(),
        }
    }

    /// The places of documents, best first.
    pub(super) fn ranked(
        &self,
        set: &str,
        store: &Ingested,
        documents: &[Document],
        query: &Query,
    ) -> Result<Vec<usize>, Box<dyn Error>> {
        match self {
            Against::Own => own(store, query),
            Against::Other { ranked, .. } => {
                let ids = ranked
                    .get(&(set.to_owned(), query.id.clone()))
                    .ok_or_else(|| format!("nobody ranked `{}` of {set}", query.id))?;
                let places: HashMap<&str, usize> =
                    documents.iter().enumerate().map(|(at, one)| (one.id.as_str(), at)).collect();
                Ok(ids.iter().filter_map(|id| places.get(id.as_str()).copied()).collect())
            }
        }
    }
}

fn own(store: &Ingested, query: &Query) -> Result<Vec<usize>, Box<dyn Error>> {
    let mut question = store.engine.question(query.text.clone());
    question.limit = DEEP;
    question.now = time(&query.time).unwrap_or(question.now);
    question.switches = Switches {
        contrast: false,
        spelling: false,
        graph: false,
        time: false,
        skills: false,
        person: false,
        neighbours: false,
        adapt: false,
        settle: false,
        twins: false,
        aspects: false,
        strategy: false,
        bounds: false,
        recency: false,
        usage: false,
        age: false,
        ..Switches::default()
    };
    let found = store.engine.recall(&question)?.found;
    let place = |id| store.documents.get(id).copied();
    Ok(found.iter().filter_map(|one| place(&one.version.id)).collect())
}

/// What of the ranked documents stands in a budget, its tokens and how many documents that is.
pub(super) fn filled(
    documents: &[Document],
    ranked: &[usize],
    budget: usize,
) -> (Shown, usize, usize) {
    let mut text = String::new();
    let mut tokens = 0;
    let mut shown = 0;
    for place in ranked {
        let break_before = if shown > 0 { "\n" } else { "" };
        let next = format!("{break_before}{}", documents[*place].text);
        text.push_str(&next);
        // A line break always begins a token, so parts add up but for a little; the whole is
        // counted only where that could matter.
        let mut with = tokens + COUNTER().count(&next);
        if with + NEAR > budget {
            with = COUNTER().count(&text);
        }
        if with > budget {
            break;
        }
        tokens = with;
        shown += 1;
    }
    let texts = ranked[..shown].iter().map(|place| documents[*place].text.as_str());
    (Shown::of(texts), tokens, shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filling_stops_at_the_first_that_does_not_fit() {
        let document = |text: &str| Document {
            corpus: String::new(),
            id: text.to_owned(),
            session: String::new(),
            time: String::new(),
            role: String::new(),
            text: text.to_owned(),
        };
        let documents =
            [document("one two three"), document(&"long ".repeat(50)), document("short")];
        let (shown, tokens, n) = filled(&documents, &[0, 1, 2], 20);
        assert!(shown.holds("one two three"));
        assert!(!shown.holds("long long") && !shown.holds("short"));
        assert_eq!((tokens, n), (3, 1));
        assert!(filled(&documents, &[0, 2], 20).0.holds("short"));
    }
}
