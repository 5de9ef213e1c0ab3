//! Layer 1: the topics of all stores, each in one line, within about a hundred tokens.

use super::{Telling, words};
use crate::Source;
use mnemic_model::topic::{REST, Topic};
use mnemic_model::{Namespace, Timestamp, Version};
use mnemic_store::{Result, TopicOrder};
use mnemic_text::stems::query_terms;
use std::collections::{BTreeMap, HashSet};

/// What a topic scores at least whose name the question says.
const NAMED: f64 = 0.6;

/// Of topics that stand together so many are named.
const MOST_NAMED: usize = 24;

/// Words in the summary of a topic.
const SUMMARY_WORDS: usize = 8;

/// A topic over all stores and namespaces that are asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Heading {
    pub name: String,
    pub memories: u64,
    pub tokens: u64,
    pub relevance: f64,
    pub standing: f64,
    pub last_used: Option<Timestamp>,
    pub latest: Option<Timestamp>,
    pub is_compressed: bool,
    pub is_cut: bool,
    /// Where it lies: which source, in which namespace.
    pub places: Vec<(usize, Namespace)>,
    /// How well it fits the question, 0..1.
    pub similarity: f64,
}

/// One line of the index.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexEntry {
    pub heading: Heading,
    pub summary: String,
    /// Topics of one memory that stand here together; for one topic none.
    pub gathers: Vec<String>,
}

/// The first layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    pub entries: Vec<IndexEntry>,
    /// Whether it answers a question that some topic fits.
    pub is_asked: bool,
    /// Topics that had no room.
    pub left_out: usize,
    /// What there is in all.
    pub memories: u64,
    pub tokens: u64,
    /// The layer as an agent reads it, and what that costs.
    pub text: String,
    pub cost: usize,
}

/// Every topic of these sources, the best for the question first, else the most useful. Reads
/// counters alone.
pub fn headings(
    sources: &[Source<'_>],
    namespaces: &[Namespace],
    question: &str,
    similar: &BTreeMap<String, f64>,
) -> Result<Vec<Heading>> {
    let mut merged: BTreeMap<String, Heading> = BTreeMap::new();
    for (place, source) in sources.iter().enumerate() {
        for topic in source.read.topics(namespaces)? {
            add(&mut merged, topic, place);
        }
    }
    let asked: HashSet<String> = query_terms(question).into_iter().collect();
    let mut headings: Vec<Heading> = merged.into_values().collect();
    for heading in &mut headings {
        let found = similar.get(&heading.name).copied().unwrap_or(0.0);
        let name = query_terms(&heading.name);
        let is_named = !name.is_empty() && name.iter().all(|term| asked.contains(term));
        heading.similarity = if is_named { found.max(NAMED) } else { found };
    }
    headings.sort_by(|a, b| {
        let fit = |one: &Heading| one.similarity * (0.5 + one.standing / 2.0);
        fit(b)
            .total_cmp(&fit(a))
            .then(b.relevance.total_cmp(&a.relevance))
            .then(b.latest.cmp(&a.latest))
            .then(a.name.cmp(&b.name))
    });
    Ok(headings)
}

fn add(merged: &mut BTreeMap<String, Heading>, topic: Topic, place: usize) {
    let at = (place, topic.namespace.clone());
    let relevance = topic.relevance();
    let Some(known) = merged.get_mut(&topic.name) else {
        let heading = Heading {
            name: topic.name.clone(),
            memories: topic.memories,
            tokens: topic.tokens,
            relevance,
            standing: topic.standing,
            last_used: topic.last_used,
            latest: topic.latest,
            is_compressed: topic.is_compressed,
            is_cut: topic.is_cut,
            places: vec![at],
            similarity: 0.0,
        };
        merged.insert(topic.name, heading);
        return;
    };
    known.memories += topic.memories;
    known.tokens += topic.tokens;
    known.relevance = known.relevance.max(relevance);
    known.standing = known.standing.max(topic.standing);
    known.last_used = known.last_used.max(topic.last_used);
    known.latest = known.latest.max(topic.latest);
    known.is_compressed |= topic.is_compressed;
    known.is_cut |= topic.is_cut;
    known.places.push(at);
}

/// The index within a budget. Where not every topic has room, those of one memory that fit no
/// question stand together in one line: a line for each of them tells less of what there is.
pub fn index(
    sources: &[Source<'_>],
    headings: &[Heading],
    telling: &Telling<'_>,
    budget: usize,
) -> Result<Index> {
    let each = laid(sources, headings, None, telling, budget)?;
    let is_small = |heading: &&Heading| {
        heading.similarity == 0.0 && (heading.memories == 1 || heading.name == REST)
    };
    let (small, others): (Vec<&Heading>, Vec<&Heading>) = headings.iter().partition(is_small);
    if each.left_out == 0 || small.len() < 2 {
        return Ok(each);
    }
    let others: Vec<Heading> = others.into_iter().cloned().collect();
    let gathered = laid(sources, &others, Some(&small), telling, budget)?;
    Ok(if gathered.left_out < each.left_out { gathered } else { each })
}

/// A line for each of `headings`, then one for all that are `small`.
fn laid(
    sources: &[Source<'_>],
    headings: &[Heading],
    small: Option<&[&Heading]>,
    telling: &Telling<'_>,
    budget: usize,
) -> Result<Index> {
    let small = small.unwrap_or_default();
    let all = || headings.iter().chain(small.iter().copied());
    let mut index = Index {
        entries: Vec::new(),
        is_asked: all().any(|heading| heading.similarity > 0.0),
        left_out: headings.len() + small.len(),
        memories: all().map(|heading| heading.memories).sum(),
        tokens: all().map(|heading| heading.tokens).sum(),
        text: String::new(),
        cost: 0,
    };
    let (memories, tokens) = (index.memories, index.tokens);
    let total = |left: usize| {
        let more = if left > 0 { format!(", {left} topics not shown") } else { String::new() };
        format!("{memories} memories, {tokens} tokens{more}\n")
    };
    let mut lines = String::new();
    let fits = |lines: &str, line: &str, left: usize| {
        (telling.tokens)(&format!("{lines}{line}{}", total(left))) <= budget
    };
    for heading in headings {
        let summary = summary(sources, heading, telling)?;
        let line = line(heading, &summary);
        if !fits(&lines, &line, index.left_out - 1) {
            break;
        }
        lines.push_str(&line);
        let gathers = Vec::new();
        index.entries.push(IndexEntry { heading: heading.clone(), summary, gathers });
        index.left_out -= 1;
    }
    if let Some(heading) = together(small).filter(|_| index.entries.len() == headings.len()) {
        let names: Vec<String> = small.iter().map(|one| one.name.clone()).collect();
        for most in (1..=names.len().min(MOST_NAMED)).rev() {
            let more = if most < names.len() { ", …" } else { "" };
            let summary = format!("{}{more}", names[..most].join(", "));
            let line = line(&heading, &summary);
            if fits(&lines, &line, 0) {
                lines.push_str(&line);
                index.entries.push(IndexEntry { heading, summary, gathers: names });
                index.left_out = 0;
                break;
            }
        }
    }
    index.text = format!("{lines}{}", total(index.left_out));
    index.cost = (telling.tokens)(&index.text);
    if index.cost > budget {
        (index.text, index.cost) = (String::new(), 0);
    }
    Ok(index)
}

/// Small topics as one, under the name that maintenance gathers them by.
fn together(small: &[&Heading]) -> Option<Heading> {
    let (first, others) = small.split_first()?;
    let mut all = Heading { name: REST.to_owned(), ..(*first).clone() };
    for other in others {
        all.memories += other.memories;
        all.tokens += other.tokens;
        all.relevance = all.relevance.max(other.relevance);
        all.standing = all.standing.max(other.standing);
        all.last_used = all.last_used.max(other.last_used);
        all.latest = all.latest.max(other.latest);
        all.is_compressed |= other.is_compressed;
        all.is_cut |= other.is_cut;
        all.places.extend(other.places.iter().cloned());
    }
    Some(all)
}

/// How well it fits what was asked, else how useful it was.
fn line(heading: &Heading, summary: &str) -> String {
    let used = match heading.last_used {
        Some(at) => at.to_jiff().strftime(", used %Y-%m-%d").to_string(),
        None => String::new(),
    };
    let Heading { name, memories, tokens, relevance, similarity, .. } = heading;
    let worth = match *similarity > 0.0 {
        true => format!("fits {similarity:.2}"),
        false => format!("{relevance:.2}"),
    };
    format!("- {name} ({memories}, {tokens} tokens, {worth}{used}): {summary}\n")
}

/// What the weightiest memory of a topic says, in a few words.
fn summary(sources: &[Source<'_>], heading: &Heading, telling: &Telling<'_>) -> Result<String> {
    let mut best = None;
    for (place, namespace) in &heading.places {
        let read = sources[*place].read;
        let here = read.filed_under(namespace, &heading.name, TopicOrder::Weightiest, 1)?.pop();
        best = weightier(best, here);
    }
    let told = best.map(|version| (telling.texts)(&version.content).compressed);
    Ok(words(&told.unwrap_or_default(), SUMMARY_WORDS))
}

fn weightier(one: Option<Version>, other: Option<Version>) -> Option<Version> {
    let weight = |one: &Option<Version>| one.as_ref().map_or(-1.0, |v| v.content.importance.get());
    if weight(&other) > weight(&one) { other } else { one }
}
