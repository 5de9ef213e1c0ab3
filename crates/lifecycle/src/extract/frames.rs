//! What stands before a statement proper: little words, what it holds for, a label with its colon.

use super::prose::starts_with_words;
use super::vocabulary::{FRAMES, GENERAL, OPENERS, POLITE};

/// A sentence from where its statement begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lead<'a> {
    pub(super) rest: &'a str,
    /// Said of more than the matter at hand: `in reviews …`, `whenever you …`, `… everywhere`.
    pub(super) is_general: bool,
}

impl<'a> Lead<'a> {
    pub(super) fn of(low: &'a str) -> Lead<'a> {
        let has = |phrase: &&&str| crate::capture::contains_words(low, phrase);
        let is_general = GENERAL.iter().any(|phrase| has(&phrase));
        let mut rest = without_label(without_opener(low));
        if is_general {
            rest = without_opener(without(POLITE, rest));
        }
        let (rest, framed) = without_frame(rest);
        Lead { rest: without_opener(rest), is_general: is_general || framed }
    }
}

pub(super) fn without_opener(low: &str) -> &str {
    let mut rest = low;
    for _ in 0..3 {
        let shorter = without(OPENERS, rest);
        if shorter.len() == rest.len() {
            break;
        }
        rest = shorter;
    }
    rest
}

pub(super) fn without<'a>(phrases: &[&str], low: &'a str) -> &'a str {
    let Some(phrase) = phrases.iter().find(|phrase| starts_with_words(low, phrase)) else {
        return low;
    };
    low[phrase.len()..].trim_start_matches([' ', ',', '.', ':', '…', '-', '!'])
}

/// `one thing for the future: …`; not `in main.rs: …`, which says where.
fn without_label(low: &str) -> &str {
    match low.split_once(": ") {
        Some((label, rest))
            // One word is rather somebody's name: `Ann: …`.
            if (2..=8).contains(&label.split(' ').count())
                && !label.contains(['`', '/', '.', '(', '*'])
                && rest.split(' ').count() >= 3 =>
        {
            without_opener(rest)
        }
        _ => low,
    }
}

/// Without what a statement holds for, and whether that is more than the matter at hand.
fn without_frame(low: &str) -> (&str, bool) {
    let Some(frame) = FRAMES.iter().find(|frame| starts_with_words(low, frame)) else {
        return (low, false);
    };
    let turns = [", ", " please ", " i prefer ", " i like ", " i always ", " i want ", " we "];
    let turn = turns.iter().filter_map(|turn| Some((low.find(turn)?, turn))).min();
    let Some((at, turn)) = turn.filter(|(at, _)| low[..*at].split(' ').count() <= 8) else {
        return (low, false);
    };
    let rest = if *turn == ", " { &low[at + 2..] } else { &low[at + 1..] };
    let what = low[frame.len()..at].trim_start();
    (rest, is_class(frame, what))
}

/// A whole class of occasions: `whenever …`, `in reviews`; not `in the review`, `when you are done`.
fn is_class(frame: &str, what: &str) -> bool {
    const DETERMINERS: &[&str] = &["the", "this", "that", "these", "those", "your", "my"];
    let first = what.split(' ').next().unwrap_or_default();
    match frame {
        "whenever" | "every time you" | "each time you" => true,
        "when you" => !["are", "have", "see", "get"].contains(&first),
        _ => !DETERMINERS.contains(&first) && what.ends_with('s') && what.split(' ').count() <= 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_begin_behind_their_lead() {
        for (low, rest, is_general) in [
            ("ok, but please don't do it", "don't do it", false),
            ("one thing for the future: i prefer tabs", "i prefer tabs", false),
            ("in `a.rs`: use tabs", "in `a.rs`: use tabs", false),
            ("for shell scripts i prefer long flags", "i prefer long flags", true),
            ("in reviews please be blunt", "be blunt", true),
            ("in the review please be blunt", "be blunt", false),
            ("whenever you touch sql, write it in capitals", "write it in capitals", true),
            ("can you in general use tabs", "use tabs", true),
            ("can you use tabs", "can you use tabs", false),
        ] {
            assert_eq!(Lead::of(low), Lead { rest, is_general }, "{low}");
        }
    }
}
