//! The data: documents, questions and which documents answer them.

use flate2::read::GzDecoder;
use mnemic_engine::MONTHS;
use mnemic_engine::model::Timestamp;
use serde::Deserialize;
use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Document {
    pub(crate) corpus: String,
    pub(crate) id: String,
    pub(crate) session: String,
    pub(crate) time: String,
    pub(crate) role: String,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Query {
    pub(crate) id: String,
    pub(crate) corpus: String,
    pub(crate) text: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) time: String,
    pub(crate) gold: Vec<String>,
    pub(crate) gold_sessions: Vec<String>,
    #[serde(default)]
    haystack: Vec<(String, String)>,
    /// Only so many of the first documents are searched.
    #[serde(default)]
    pub(crate) before: Option<usize>,
}

/// One store to be, and what is asked of it.
#[derive(Debug)]
pub(crate) struct Corpus {
    pub(crate) documents: Vec<Document>,
    pub(crate) queries: Vec<Query>,
}

#[derive(Debug)]
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) corpora: Vec<Corpus>,
}

impl Set {
    pub(crate) fn load(dir: &Path, name: &str, half: Option<u64>) -> Result<Set, Box<dyn Error>> {
        let open = |file: &str| {
            let path = dir.join(file);
            File::open(&path).map_err(|cause| format!("cannot read `{}`: {cause}", path.display()))
        };
        let documents: Vec<Document> =
            lines(BufReader::new(GzDecoder::new(open("docs.jsonl.gz")?)))?;
        let mut queries: Vec<Query> = lines(BufReader::new(open("queries.jsonl")?))?;
        queries.retain(|query| half.is_none_or(|half| half_of(&query.id) == half));
        let haystacks = queries.iter().any(|query| !query.haystack.is_empty());
        let corpora = if haystacks {
            by_haystack(&documents, queries)
        } else {
            by_corpus(documents, queries)
        };
        Ok(Set { name: name.to_owned(), corpora })
    }

    pub(crate) fn documents(&self) -> usize {
        self.corpora.iter().map(|corpus| corpus.documents.len()).sum()
    }

    pub(crate) fn questions(&self) -> usize {
        self.corpora.iter().map(|corpus| corpus.queries.len()).sum()
    }
}

/// FNV-1a over the id: the same half in every run and on every machine.
pub(crate) fn half_of(id: &str) -> u64 {
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 32) & 1
}

fn lines<T: for<'de> Deserialize<'de>>(reader: impl BufRead) -> Result<Vec<T>, Box<dyn Error>> {
    reader.lines().map(|line| Ok(serde_json::from_str(&line?)?)).collect()
}

fn by_corpus(documents: Vec<Document>, queries: Vec<Query>) -> Vec<Corpus> {
    let mut order = Vec::new();
    let mut corpora: HashMap<String, Corpus> = HashMap::new();
    for document in documents {
        let name = document.corpus.clone();
        let corpus = corpora.entry(name.clone()).or_insert_with(|| {
            order.push(name);
            Corpus { documents: Vec::new(), queries: Vec::new() }
        });
        corpus.documents.push(document);
    }
    for query in queries {
        if let Some(corpus) = corpora.get_mut(&query.corpus) {
            corpus.queries.push(query);
        }
    }
    for corpus in corpora.values_mut() {
        ask_at_the_end(corpus);
        // Documents are stored as far as a question may see, so the short-sighted ask first.
        corpus.queries.sort_by_key(|query| query.before.unwrap_or(usize::MAX));
    }
    order.into_iter().filter_map(|name| corpora.remove(&name)).collect()
}

fn by_haystack(documents: &[Document], queries: Vec<Query>) -> Vec<Corpus> {
    let by_id: HashMap<&str, &Document> =
        documents.iter().map(|document| (document.id.as_str(), document)).collect();
    queries
        .into_iter()
        .map(|query| {
            let dated = query.haystack.iter().filter_map(|(id, time)| {
                let document: Document = (*by_id.get(id.as_str())?).clone();
                Some(Document { time: time.clone(), ..document })
            });
            Corpus { documents: dated.collect(), queries: vec![query] }
        })
        .collect()
}

/// A question that has no time is asked when the last document that it may see had just been written,
/// so that figures do not follow the calendar.
fn ask_at_the_end(corpus: &mut Corpus) {
    let Corpus { documents, queries } = corpus;
    for query in queries.iter_mut().filter(|query| query.time.is_empty()) {
        let seen = documents.iter().take(query.before.unwrap_or(usize::MAX));
        let last = seen.filter_map(|one| Some((time(&one.time)?, &one.time))).max();
        query.time = last.map(|(_, text)| text.clone()).unwrap_or_default();
    }
}

/// The times of these sets, in all the ways they are written. `None` where there is none.
pub(crate) fn time(text: &str) -> Option<Timestamp> {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let month_at = words.iter().position(|word| MONTHS.contains(&word.as_str()));
    let number = |word: &String| word.parse::<u32>().ok();
    let (year, month, day) = match month_at {
        Some(at) => {
            let month = MONTHS.iter().position(|name| *name == words[at])? as u32 + 1;
            let year = words.iter().filter_map(number).find(|n| *n >= 1000)?;
            let day = match at {
                0 => number(words.get(1)?)?,
                _ => number(&words[at - 1])?,
            };
            (year, month, day)
        }
        None => (number(words.first()?)?, number(words.get(1)?)?, number(words.get(2)?)?),
    };
    Timestamp::parse(&format!("{year:04}-{month:02}-{day:02}T12:00:00Z")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_all_their_ways() {
        for (text, day) in [
            ("March-03-2024", "2024-03-03"),
            ("2023/04/10 (Mon) 17:50", "2023-04-10"),
            ("1:56 pm on 8 May, 2023", "2023-05-08"),
            ("2025-06-30 12:46:48Z", "2025-06-30"),
        ] {
            assert_eq!(
                time(text).map(|time| time.to_string()[..10].to_owned()).as_deref(),
                Some(day)
            );
        }
        assert_eq!(time(""), None);
    }
}
