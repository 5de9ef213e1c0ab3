//! Choices that somebody made, with the reason where one is given.

use super::prose::Words;
use super::statements::counts_items;
use super::vocabulary::{CHOSE, DECIDES, DID, UNDECIDED};

/// A choice as it was said, and its parts where they can be told apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    pub text: String,
    pub reason: Option<String>,
    pub alternative: Option<String>,
    pub confidence: f64,
}

const REASONS: &[&str] =
    &[" because ", " since ", " so that ", " due to ", " in order to ", " to avoid ", " to match "];

/// What a sentence decides. An agent must give a reason: without one it only tells what it does.
pub fn choice(sentence: &str, by_person: bool) -> Option<Choice> {
    let words = Words::of(sentence);
    if words.is_question() || !(5..=60).contains(&words.count()) || is_open(&words) {
        return None;
    }
    let reason = reason(words.text);
    let chose = words.has_any(CHOSE) || (!by_person && settles(&words));
    // Without a name or a number it is a wish: `let's keep going`.
    let firm = words.names_something() || words.low.contains(|c: char| c.is_ascii_digit());
    let picks = words.has_any(&["let's go with", "i'll go with", "we'll go with"]);
    let decides =
        by_person && words.has_any(DECIDES) && (firm || picks) && !words.low.starts_with("if ");
    // What one person did on one day is a story, what "we" chose holds for others too.
    let ours = CHOSE.iter().any(|chose| chose.starts_with("we") && words.has(chose));
    let plain = chose && (reason.is_some() || (by_person && ours));
    if !(plain || decides) || leans_back(&words, by_person) {
        return None;
    }
    let confidence = match (by_person, reason.is_some()) {
        (true, true) => 0.9,
        (true, false) => 0.75,
        (false, _) => 0.6,
    };
    let alternative = alternative(words.text, reason.as_deref());
    Some(Choice { text: words.text.to_owned(), reason, alternative, confidence })
}

/// An agent tells how it settled something it could have done otherwise.
fn settles(words: &Words<'_>) -> bool {
    let by_whom = ["i", "we", "i've", "we've", "i deliberately", "i intentionally"];
    let did = by_whom.iter().any(|who| DID.iter().any(|did| words.has(&format!("{who} {did}"))));
    let weighed = words.has_any(&["rather than", "instead of", "deliberately", "convention"]);
    did && (weighed || words.has_any(&["because", "since"])) && words.names_something()
}

fn is_open(words: &Words<'_>) -> bool {
    words.has_any(UNDECIDED) || words.text.contains("[Image") || counts_items(&words.low)
}

/// `let's go with that` says nothing to anybody who was not there.
fn leans_back(words: &Words<'_>, by_person: bool) -> bool {
    let points = words.has_any(&[
        "this",
        "that",
        "those",
        "these",
        "it",
        "them",
        "option",
        "your",
        "you",
        "both",
        "the same",
        "suggestion",
        "recommendation",
        "approach",
    ]);
    points && by_person && !words.names_something() && words.count() < 16
}

fn reason(text: &str) -> Option<String> {
    let low = text.to_ascii_lowercase();
    let (at, mark) = REASONS.iter().filter_map(|mark| Some((low.find(mark)?, mark))).min()?;
    let mut reason = &text[at + mark.len()..];
    // A purpose is only one together with its verb.
    if matches!(*mark, " to avoid " | " so that " | " in order to ") {
        reason = &text[at + 1..];
    }
    let reason = reason.trim_end_matches(['.', '!', ' ', '*']);
    (reason.split_whitespace().count() >= 3).then(|| reason.to_owned())
}

/// What was not chosen: behind `over`, `instead of`, `rather than`, up to the reason.
fn alternative(text: &str, reason: Option<&str>) -> Option<String> {
    let head = match reason {
        Some(reason) => &text[..text.find(reason).unwrap_or(text.len())],
        None => text,
    };
    let low = head.to_ascii_lowercase();
    let begin = [" instead of ", " rather than ", " over "]
        .iter()
        .find_map(|mark| low.find(mark).map(|at| at + mark.len()))?;
    let rest = &head[begin..];
    let low = &low[begin..];
    let end =
        REASONS.iter().filter_map(|mark| low.find(mark.trim_end())).chain(low.find(", ")).min();
    let rest = rest[..end.unwrap_or(rest.len())]
        .trim_matches(|c: char| c.is_whitespace() || ",.;".contains(c));
    (!rest.is_empty()).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_with_their_reasons() {
        let said = "We chose SQLite over Postgres because it needs no server.";
        let found = choice(said, false).unwrap();
        assert_eq!(found.reason.as_deref(), Some("it needs no server"));
        assert_eq!(found.alternative.as_deref(), Some("Postgres"));
        assert_eq!(found.text, said);
        let found = choice("let's go with sessions.db for the file name", true).unwrap();
        assert_eq!((found.reason, found.alternative), (None, None));
    }

    #[test]
    fn what_decides_nothing() {
        for (sentence, by_person) in [
            ("I chose a different file name here", false),
            ("let's go with that", true),
            ("Let's keep supporting each other on our journey.", true),
            ("If we go with option 1, what will happen with existing files?", true),
            ("We haven't decided on the file name because nobody asked", false),
            ("I thought we were going with session_tui", true),
            ("I'm still not sure if I should go with AXA or another one", true),
            ("I picked up the Revell kit because it was cheap", true),
            ("I decided to take my guitar to the shop today", true),
        ] {
            assert_eq!(choice(sentence, by_person), None, "{sentence}");
        }
    }
}
