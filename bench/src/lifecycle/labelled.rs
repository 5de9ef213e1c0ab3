//! The labelled messages of `bench/data/extraction.jsonl`; `bench/data/README.md` says what they are.

use serde::Deserialize;
use std::error::Error;
use std::fmt;

const LINES: &str = include_str!("../../data/extraction.jsonl");

/// Rules are made while looking at one half, and only counted on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    Dev,
    Test,
}

impl fmt::Display for Half {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Half::Dev => "dev",
            Half::Test => "test",
        })
    }
}

/// What sort of thing a message says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Label {
    Preference,
    Constraint,
    Decision,
    Pitfall,
    Fact,
}

impl Label {
    pub(super) const ALL: [Label; 5] =
        [Label::Preference, Label::Constraint, Label::Decision, Label::Pitfall, Label::Fact];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Label::Preference => "preference",
            Label::Constraint => "constraint",
            Label::Decision => "decision",
            Label::Pitfall => "pitfall",
            Label::Fact => "fact",
        }
    }
}

/// What somebody would want to know later.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expected {
    pub(super) kind: Label,
    /// Words that must all be in the memory.
    about: String,
}

impl Expected {
    pub(super) fn is_in(&self, text: &str) -> bool {
        let low = text.to_lowercase();
        self.about.to_lowercase().split_whitespace().all(|word| low.contains(word))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    role: String,
    text: String,
    expect: Vec<Expected>,
}

/// One message.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) half: Half,
    pub(super) role: String,
    pub(super) text: String,
    pub(super) expect: Vec<Expected>,
}

pub(super) fn lines() -> Result<Vec<Line>, Box<dyn Error>> {
    let read = |(index, line): (usize, &str)| {
        let number = index + 1;
        let Written { role, text, expect } = serde_json::from_str(line)
            .map_err(|error| format!("line {number} of extraction.jsonl: {error}"))?;
        let half = if number % 2 == 0 { Half::Dev } else { Half::Test };
        Ok(Line { number, half, role, text, expect })
    };
    LINES.lines().enumerate().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_stands_in_its_message() {
        let lines = lines().expect("the lines are compiled in");
        for line in &lines {
            assert!(matches!(line.role.as_str(), "person" | "agent"), "line {}", line.number);
            for expected in &line.expect {
                assert!(expected.is_in(&line.text), "line {}: `{}`", line.number, expected.about);
            }
        }
        let quiet = lines.iter().filter(|line| line.expect.is_empty()).count();
        assert!(quiet * 2 >= lines.len(), "at least half of the lines teach nothing");
    }
}
