//! Loading for a question: as deep as its answer lies, and no deeper.

use super::{Heading, Index, Telling, Texts, Timeline, index, timeline};
use crate::Source;
use mnemic_model::session::Level;
use mnemic_model::{RecordId, Timestamp, Version};
use mnemic_store::{Result, TopicOrder};
use mnemic_text::stems::{query_terms, recall_terms};
use std::collections::HashSet;

/// Topics that fit less are not looked into.
const SIMILAR: f64 = 0.5;

/// Topics that are loaded in full at most.
const MOST_TOPICS: usize = 2;

/// The share of what was found, by its scores, that lines must tell to be enough.
const ENOUGH: f64 = 0.7;

/// A line that shortens a memory tells at most this much of it.
const SHORTENED: f64 = 0.5;

/// Memories of a topic that are read beside those that the question found.
const MOST_BESIDE: usize = 50;

/// A memory that the question found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub version: Version,
    pub topic: Option<String>,
    pub evidence: f64,
}

/// What is asked, and what it may cost.
#[derive(Debug, Clone)]
pub struct Loading {
    pub question: String,
    pub now: Timestamp,
    pub index_budget: usize,
    pub timeline_budget: usize,
    pub full_budget: usize,
}

impl Loading {
    pub fn new(question: impl Into<String>, now: Timestamp) -> Loading {
        Loading {
            question: question.into(),
            now,
            index_budget: 100,
            timeline_budget: 500,
            full_budget: 4_000,
        }
    }
}

/// How deep a question went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    Index,
    Timeline,
    Full,
}

impl Depth {
    pub fn as_str(self) -> &'static str {
        match self {
            Depth::Index => "index",
            Depth::Timeline => "timeline",
            Depth::Full => "full",
        }
    }
}

/// A memory as it was loaded.
#[derive(Debug, Clone, PartialEq)]
pub struct Whole {
    pub source: usize,
    pub version: Version,
    pub topic: String,
    pub level: Level,
    pub text: String,
    pub cost: usize,
}

/// Everything that a question loaded.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    pub depth: Depth,
    /// Why it went no deeper, or had to go that deep.
    pub because: String,
    /// Topics that fit the question, the best first.
    pub topics: Vec<String>,
    pub index: Index,
    pub timeline: Option<Timeline>,
    /// The share of what was found that the timeline tells.
    pub coverage: f64,
    pub full: Vec<Whole>,
}

impl Loaded {
    pub fn read_tokens(&self) -> usize {
        self.full.iter().map(|one| one.cost).sum()
    }
}

/// Goes down layer by layer until the question has what it needs. `headings` come best first.
pub fn load(
    sources: &[Source<'_>],
    headings: &[Heading],
    hits: &[Hit],
    loading: &Loading,
    telling: &Telling<'_>,
) -> Result<Loaded> {
    let index = index(sources, headings, telling, loading.index_budget)?;
    let fitting: Vec<Heading> =
        headings.iter().filter(|heading| heading.similarity > SIMILAR).cloned().collect();
    let mut loaded = Loaded {
        depth: Depth::Index,
        because: "no topic fits the question well enough".to_owned(),
        topics: fitting.iter().map(|heading| heading.name.clone()).collect(),
        index,
        timeline: None,
        coverage: 0.0,
        full: Vec::new(),
    };
    if fitting.is_empty() {
        return Ok(loaded);
    }
    let scanned = timeline(sources, &fitting, telling, loading.now, loading.timeline_budget)?;
    loaded.coverage = coverage(&loading.question, hits, &scanned, telling);
    loaded.timeline = Some(scanned);
    loaded.depth = Depth::Timeline;
    loaded.because = format!("the timeline tells {:.0} % of it", loaded.coverage * 100.0);
    if loaded.coverage < ENOUGH {
        loaded.depth = Depth::Full;
        loaded.full = in_full(sources, &fitting, hits, loading, telling)?;
    }
    Ok(loaded)
}

/// How much of what was found the lines tell, weighed by how surely each speaks of the question. A
/// line that is cut short tells at most half, however many words of the question it repeats: the
/// answer may be what was cut.
fn coverage(question: &str, hits: &[Hit], timeline: &Timeline, telling: &Telling<'_>) -> f64 {
    let asked: HashSet<String> = query_terms(question).into_iter().collect();
    let said = |text: &str| -> usize {
        recall_terms(text).iter().filter(|(term, _)| asked.contains(term)).count()
    };
    let all: f64 = hits.iter().map(|hit| hit.evidence).sum();
    let told: f64 = hits
        .iter()
        .filter_map(|hit| {
            let line = timeline.lines().find(|line| line.id == hit.version.id)?;
            if line.is_whole {
                return Some(hit.evidence);
            }
            let full = said(&(telling.texts)(&hit.version.content).full);
            let kept = if full == 0 { 0.0 } else { said(&line.action) as f64 / full as f64 };
            Some(hit.evidence * SHORTENED * kept.min(1.0))
        })
        .sum();
    if all > 0.0 { told / all } else { 0.0 }
}

/// The best topics as whole memories, what was found first, within the budget.
fn in_full(
    sources: &[Source<'_>],
    fitting: &[Heading],
    hits: &[Hit],
    loading: &Loading,
    telling: &Telling<'_>,
) -> Result<Vec<Whole>> {
    let mut left = loading.full_budget;
    let mut full: Vec<Whole> = Vec::new();
    for heading in fitting.iter().take(MOST_TOPICS) {
        for (source, version) in members(sources, heading, hits)? {
            let known = full.iter().any(|one| one.version.id == version.id);
            if known || !version.content.valid.contains(loading.now) {
                continue;
            }
            let whole = whole(source, version, heading, telling);
            if whole.cost <= left {
                left -= whole.cost;
                full.push(whole);
            }
        }
    }
    Ok(full)
}

fn whole(source: usize, version: Version, heading: &Heading, telling: &Telling<'_>) -> Whole {
    let Texts { full, summary, .. } = (telling.texts)(&version.content);
    let (level, text) =
        if heading.is_compressed { (Level::Summary, summary) } else { (Level::Full, full) };
    let cost = (telling.tokens)(&text);
    Whole { source, version, topic: heading.name.clone(), level, text, cost }
}

/// The memories of a topic: those that the question found, then the weightiest.
fn members(
    sources: &[Source<'_>],
    heading: &Heading,
    hits: &[Hit],
) -> Result<Vec<(usize, Version)>> {
    let mut beside = Vec::new();
    for (place, namespace) in &heading.places {
        let order = TopicOrder::Weightiest;
        let read = sources[*place].read;
        let here = read.filed_under(namespace, &heading.name, order, MOST_BESIDE)?;
        beside.extend(here.into_iter().map(|version| (*place, version)));
    }
    let rank = |id: &RecordId| hits.iter().position(|hit| hit.version.id == *id);
    let mut found: Vec<(usize, Version)> = Vec::new();
    for hit in hits.iter().filter(|hit| hit.topic.as_deref() == Some(heading.name.as_str())) {
        for (place, _) in &heading.places {
            if sources[*place].read.version(&hit.version.id, None)?.is_some() {
                found.push((*place, hit.version.clone()));
                break;
            }
        }
    }
    found.extend(beside.into_iter().filter(|(_, version)| rank(&version.id).is_none()));
    Ok(found)
}
