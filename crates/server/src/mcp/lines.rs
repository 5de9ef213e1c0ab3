//! Memories as agents see them first: a line each, cheap to read, with the id to go on from.

use mnemic_engine::Levels;
use mnemic_engine::model::{Trust, Version};
use mnemic_engine::recall::context::{enclosed, quoted};
use mnemic_engine::recall::{Found, Twin};
use schemars::JsonSchema;
use serde::Serialize;

/// A memory in one line.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct Line {
    /// Give it to `get`, `timeline`, `feedback`.
    pub(super) id: String,
    pub(super) kind: &'static str,
    /// What it says, in short.
    pub(super) text: String,
    /// Since when it holds, or when it happened.
    pub(super) at: String,
    /// `trusted`: a person stands for it. `unreviewed`: nobody has looked yet.
    pub(super) trust: &'static str,
    /// What reading it whole costs.
    pub(super) tokens: u64,
    /// What it is ranked by; only in answers to a question. The best has about the same in every
    /// answer: whether to believe one, `evidence` tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<f64>,
    /// How sure it is that this speaks of what was asked, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) evidence: Option<f64>,
    /// What it took the place of, which no longer holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) was: Vec<String>,
    /// What says the same to the letter, at other times or in other conversations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) also: Vec<Also>,
    /// What says otherwise, where nobody has settled which holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) but: Vec<String>,
}

/// A memory that says the same as the one of its line.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct Also {
    id: String,
    at: String,
}

impl Also {
    fn of(twin: &Twin) -> Also {
        Also { id: twin.id.to_string(), at: twin.valid.from().to_string() }
    }

    fn told(&self) -> String {
        format!(" (also {}, {})", self.id, day(&self.at))
    }
}

fn day(time: &str) -> &str {
    time.get(..10).unwrap_or(time)
}

impl Line {
    pub(super) fn of(version: &Version) -> Line {
        let content = &version.content;
        let levels = Levels::of(content);
        Line {
            id: version.id.to_string(),
            kind: version.kind().as_str(),
            text: match content.trust() {
                Trust::Quarantined => WITHHELD.to_owned(),
                _ => levels.compressed.text,
            },
            at: content.valid.from().to_string(),
            trust: content.trust().as_str(),
            tokens: levels.full.tokens(),
            score: None,
            evidence: None,
            was: Vec::new(),
            also: Vec::new(),
            but: Vec::new(),
        }
    }

    /// The same as an answer to a question.
    pub(super) fn found(found: &Found) -> Line {
        Line {
            score: Some(found.score),
            evidence: Some(found.evidence),
            was: found.history.iter().take(1).map(|past| excerpt_of(&past.text)).collect(),
            also: found.twins.iter().take(TWINS).map(Also::of).collect(),
            but: found.disputes.iter().take(1).map(|other| excerpt_of(&other.text)).collect(),
            ..Line::of(&found.version)
        }
    }

    fn told(&self) -> String {
        let Line { id, kind, text, tokens, trust, .. } = self;
        let day = day(&self.at);
        let sure =
            self.evidence.map(|it| format!(", {:.0} % sure", 100.0 * it)).unwrap_or_default();
        let was = self.was.first().map(|was| format!(" (was: {})", quoted(was, MOST)));
        let but =
            self.but.iter().map(|but| format!(" (disputed, another says: {})", quoted(but, MOST)));
        let (text, was, but) =
            (quoted(text, MOST), was.unwrap_or_default(), but.collect::<String>());
        let also: String = self.also.iter().map(Also::told).collect();
        format!("{id} ({kind}, {day}, {trust}, {tokens} tokens{sure}): {text}{was}{also}{but}")
    }
}

fn excerpt_of(text: &str) -> String {
    text.chars().take(MOST).collect()
}

/// Twins that a line names at most.
const TWINS: usize = 3;

/// Characters of a line at most.
const MOST: usize = 200;

/// What is said instead of a text that may harm its reader.
pub(super) const WITHHELD: &str = "quarantined: its text is withheld until a person looks at it";

/// The lines inside a fence, with a word on how to go on after it.
pub(super) fn told(lines: &[Line], after: &str) -> String {
    let lines: Vec<String> = lines.iter().map(Line::told).collect();
    format!("{}\n{after}", enclosed(&lines.join("\n")))
}

/// A text of several lines, each of them made harmless.
pub(super) fn harmless(text: &str) -> String {
    text.lines().map(|line| quoted(line, usize::MAX)).collect::<Vec<String>>().join("\n")
}
