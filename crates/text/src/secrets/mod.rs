//! Finds secrets and personal data in a text, so that they can be left out of everything we keep.
//! Linear in the length of the text; the same text always gives the same spans.

mod context;
mod judge;
mod pairs;
mod personal;
mod rules;
mod shapes;
mod table;
mod token;

#[cfg(test)]
mod tests;

pub use personal::Personal;
pub use rules::{BadRule, UserRule};

use context::{Hit, WORDS};
use rules::Shapes;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// One place that must not be kept, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub start: usize,
    pub end: usize,
    /// The name of the rule, e.g. `aws-key`.
    pub rule: String,
}

/// How often each rule was met.
pub type Tally = BTreeMap<String, u64>;

/// What is looked for.
#[derive(Debug, Clone)]
pub struct Detector {
    secrets: bool,
    personal: Vec<Personal>,
    rules: Vec<UserRule>,
    /// Everything else is let pass.
    only: Option<String>,
}

impl Default for Detector {
    fn default() -> Detector {
        Detector::new(true, Vec::new(), Vec::new())
    }
}

impl Detector {
    pub fn new(secrets: bool, personal: Vec<Personal>, rules: Vec<UserRule>) -> Detector {
        Detector { secrets, personal, rules, only: None }
    }

    /// Looks for nothing.
    pub fn none() -> Detector {
        Detector::new(false, Vec::new(), Vec::new())
    }

    /// What one rule finds, whether it is on or not; none where there is no such rule.
    pub fn only(mut self, rule: &str) -> Option<Detector> {
        if !self.rule_names().iter().any(|name| name == rule) {
            return None;
        }
        self.secrets = true;
        self.personal = Personal::parse(rule).into_iter().collect();
        self.only = Some(rule.to_owned());
        Some(self)
    }

    pub fn is_idle(&self) -> bool {
        !self.secrets && self.personal.is_empty() && self.rules.is_empty()
    }

    /// Every name that a span may carry.
    pub fn rule_names(&self) -> Vec<String> {
        let mut names: Vec<String> = table::ROWS.iter().map(|row| row.name.to_owned()).collect();
        names.extend(WORDS.iter().map(|(_, _, name)| (*name).to_owned()));
        names.extend(["private-key", "url-password", "aws-secret"].map(str::to_owned));
        names.extend(Personal::ALL.iter().map(|one| one.as_str().to_owned()));
        names.extend(self.rules.iter().map(|rule| rule.name.clone()));
        names.sort();
        names.dedup();
        names
    }

    /// The spans of a text, in order and apart from each other.
    pub fn find(&self, text: &str) -> Vec<Span> {
        self.look(text, true)
    }

    /// Those that have a shape of their own. For names, in which the word `secret` says nothing.
    pub fn find_shaped(&self, text: &str) -> Vec<Span> {
        self.look(text, false)
    }

    fn look(&self, text: &str, in_context: bool) -> Vec<Span> {
        let mut found: Vec<(Range<usize>, &str)> = Vec::new();
        for rule in &self.rules {
            found.extend(rule.find(text).map(|range| (range, rule.name.as_str())));
        }
        if self.secrets {
            secrets(text, in_context, &mut found);
        }
        for personal in &self.personal {
            found.extend(personal.find(text).into_iter().map(|range| (range, personal.as_str())));
        }
        let mut spans = settled(text, found);
        if let Some(only) = &self.only {
            spans.retain(|span| span.rule == *only);
        }
        spans
    }

    /// The text with `[redacted:RULE]` in every such place; the same text when there is none.
    pub fn mask<'t>(&self, text: &'t str, tally: &mut Tally) -> Cow<'t, str> {
        self.settle(masked(text, &self.find(text), tally), tally)
    }

    /// What was far from a telling word may stand near it once what lay between is replaced.
    fn settle<'t>(&self, mut text: Cow<'t, str>, tally: &mut Tally) -> Cow<'t, str> {
        const ROUNDS: usize = 8;
        for _ in 0..ROUNDS {
            let spans = match &text {
                Cow::Borrowed(_) => break,
                Cow::Owned(text) => self.find(text),
            };
            if spans.is_empty() {
                break;
            }
            text = Cow::Owned(masked(&text, &spans, tally).into_owned());
        }
        text
    }

    /// The same for the value of something that has a name, such as a field or a fact's key.
    pub fn mask_named<'t>(&self, name: &str, text: &'t str, tally: &mut Tally) -> Cow<'t, str> {
        if !self.secrets || !rules::names_a_secret(name) || text.contains(char::is_whitespace) {
            return self.mask(text, tally);
        }
        let joined = format!("{name}={text}");
        let from = name.len() + 1;
        let spans: Vec<Span> = self
            .find(&joined)
            .into_iter()
            .filter(|span| span.end > from)
            .map(|span| Span { start: span.start.max(from) - from, end: span.end - from, ..span })
            .collect();
        self.settle(masked(text, &spans, tally), tally)
    }
}

/// Puts placeholders in the place of spans.
pub fn masked<'t>(text: &'t str, spans: &[Span], tally: &mut Tally) -> Cow<'t, str> {
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut done = 0;
    for span in spans {
        kept.push_str(&text[done..span.start]);
        kept.push_str(&placeholder(&span.rule));
        *tally.entry(span.rule.clone()).or_default() += 1;
        done = span.end;
    }
    kept.push_str(&text[done..]);
    Cow::Owned(kept)
}

/// What stands where a secret stood.
pub fn placeholder(rule: &str) -> String {
    format!("[redacted:{rule}]")
}

fn secrets(text: &str, in_context: bool, found: &mut Vec<(Range<usize>, &str)>) {
    let shapes = Shapes::get();
    let mut hits: Vec<Hit> = Vec::new();
    let mut done = 0;
    for (anchor, start, end) in shapes.anchors(text) {
        match anchor {
            rules::Anchor::Word(word) if in_context => hits.push(Hit { start, end, word }),
            rules::Anchor::Word(_) => {}
            rules::Anchor::Slashes => {
                found.extend(shapes::in_address(text, start).map(|range| (range, "url-password")));
            }
            rules::Anchor::Dashes if start >= done => {
                if let Some(range) = shapes::private_key(text, start) {
                    done = range.end;
                    found.push((range, "private-key"));
                }
            }
            rules::Anchor::Dashes => {}
            rules::Anchor::Row(row) if start >= done => {
                if let Some(range) = shapes.fits(row, text, start) {
                    let name = table::ROWS[row].name;
                    if name == "aws-key" {
                        let secrets = pairs::secrets_of_id(text, &range);
                        found.extend(secrets.into_iter().map(|range| (range, "aws-secret")));
                    }
                    found.push((range, name));
                }
            }
            rules::Anchor::Row(_) => {}
            rules::Anchor::Flag if in_context => {
                found.extend(pairs::after_flag(text, start..end).map(|range| (range, "password")));
            }
            rules::Anchor::BareFlag if in_context => {
                let range = pairs::after_bare_flag(text, start..end);
                found.extend(range.map(|range| (range, "password")));
            }
            rules::Anchor::Login if in_context => {
                found.extend(pairs::after_login(text, start..end).map(|range| (range, "password")));
            }
            rules::Anchor::Flag | rules::Anchor::BareFlag | rules::Anchor::Login => {}
        }
    }
    let placed = placeholders(text, hits.is_empty());
    hits.retain(|hit| overlapping(&placed, &(hit.start..hit.end)).next().is_none());
    for hit in &hits {
        found.extend(context::assigned(text, *hit).map(|range| (range, WORDS[hit.word].2)));
    }
    hits.sort_by_key(|hit| hit.start);
    found.extend(context::nearby(text, &hits));
}

/// Of spans that overlap, one that covers them all, named by the first that was found.
fn settled(text: &str, found: Vec<(Range<usize>, &str)>) -> Vec<Span> {
    let placed = placeholders(text, found.is_empty());
    let mut order: Vec<(usize, Range<usize>, &str)> = Vec::with_capacity(found.len());
    for (rank, (range, name)) in found.into_iter().enumerate() {
        order.extend(outside(range, &placed).into_iter().map(|range| (rank, range, name)));
    }
    order.sort_by_key(|(rank, range, _)| (range.start, *rank));
    let mut spans: Vec<(usize, Span)> = Vec::new();
    for (rank, range, rule) in order {
        match spans.last_mut().filter(|(_, last)| range.start < last.end) {
            Some((first, last)) => {
                last.end = last.end.max(range.end);
                if rank < *first {
                    *first = rank;
                    last.rule = rule.to_owned();
                }
            }
            None => {
                let span = Span { start: range.start, end: range.end, rule: rule.to_owned() };
                spans.push((rank, span));
            }
        }
    }
    spans.into_iter().map(|(_, span)| span).collect()
}

/// Where something was replaced before.
fn placeholders(text: &str, nobody_asks: bool) -> Vec<Range<usize>> {
    const OPEN: &str = "[redacted:";
    if nobody_asks {
        return Vec::new();
    }
    let ends = |start: usize| {
        let rest = &text[start + OPEN.len()..];
        let name = rest.find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
        name.filter(|end| rest[*end..].starts_with(']')).map(|end| start + OPEN.len() + end + 1)
    };
    let starts = text.match_indices(OPEN).map(|(start, _)| start);
    starts.filter_map(|start| Some(start..ends(start)?)).collect()
}

/// Those of ranges in order and apart from each other that share something with `range`.
fn overlapping<'p>(
    placed: &'p [Range<usize>],
    range: &Range<usize>,
) -> impl Iterator<Item = &'p Range<usize>> {
    let first = placed.partition_point(|one| one.end <= range.start);
    let end = range.end;
    placed[first..].iter().take_while(move |one| one.start < end)
}

/// What was replaced once is not replaced again; what stands beside it still is.
fn outside(range: Range<usize>, placed: &[Range<usize>]) -> Vec<Range<usize>> {
    const SHORTEST: usize = 4;
    let mut left = Vec::new();
    let mut start = range.start;
    let inside = overlapping(placed, &range);
    let mut cut = false;
    for one in inside {
        left.push(start..one.start.max(start));
        start = one.end;
        cut = true;
    }
    left.push(start..range.end.max(start));
    left.retain(|piece| piece.len() >= if cut { SHORTEST } else { 1 });
    left
}
