//! When a statement holds, as far as its own words say so.

use super::grammar::is_function_word;
use super::reading::Word;
use super::shapes::Shape;

/// Whether a statement speaks of what was, is or will be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tense {
    Past,
    #[default]
    Present,
    Future,
}

/// The time that a statement names.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct TimeWords {
    pub tense: Tense,
    /// A stretch of time that it is limited to: `2024`, `last week`. In lower case, sorted.
    pub stretch: Vec<String>,
}

impl TimeWords {
    /// Whether both may hold at one time. What is said of no time holds at present only.
    pub fn overlaps(&self, other: &TimeWords) -> bool {
        self.tense == other.tense && self.stretch == other.stretch
    }
}

#[rustfmt::skip]
const PAST: &[&str] = &[
    "was", "were", "previously", "formerly", "originally", "had", "historically", "initially", "once", "earlier",
];
/// Verbs in the past that tell how things were; other past forms tell how they came to be as they are.
const PAST_STATES: &[&str] =
    &["listened", "lived", "owned", "belonged", "ran", "worked", "maintained"];
const FUTURE: &[&str] = &["will", "soon", "upcoming", "shall", "eventually"];
#[rustfmt::skip]
const STRETCHES: &[&str] = &[
    "week", "month", "year", "quarter", "sprint", "decade", "summer", "winter", "spring", "autumn", "january", "february", "march", "april",
    "may", "june", "july", "august", "september", "october", "november", "december", "monday", "tuesday", "wednesday",
    "thursday", "friday", "saturday", "sunday", "weekend", "yesterday", "tomorrow", "q1", "q2", "q3", "q4", "release", "migration", "then", "launch", "cutover",
];
const NOW: &[&str] = &["now", "currently", "today", "nowadays", "presently"];

/// Reads the time and takes its words, so that nobody reads them as part of a thing or a value.
pub(crate) fn take(words: &[Word], taken: &mut [bool]) -> TimeWords {
    let mut time = TimeWords::default();
    for at in 0..words.len() {
        if !taken[at] {
            take_at(words, taken, at, &mut time);
        }
    }
    // Whatever was must be seen from its own time: `is since 2024` is present.
    time.stretch.sort();
    time
}

fn take_at(words: &[Word], taken: &mut [bool], at: usize, time: &mut TimeWords) {
    let word = &words[at];
    let next = |offset: usize, texts: &[&str]| {
        words.get(at + offset).is_some_and(|word| word.is_any(texts))
    };
    if word.is_any(NOW) {
        taken[at] = true;
    } else if word.is("used") && next(1, &["to"]) {
        time.tense = Tense::Past;
        taken[at] = true;
        taken[at + 1] = true;
    } else if word.is_any(PAST) && !is_passive_change(words, at) || is_past_state(words, at) {
        time.tense = Tense::Past;
        // The copula still separates a thing from its value.
        taken[at] = !word.is_any(&["was", "were", "had"]) && !word.is_any(PAST_STATES);
    } else if word.is_any(FUTURE) || word.is("going") && next(1, &["to"]) {
        time.tense = Tense::Future;
        taken[at] = true;
    } else if let Some(length) = stretch(words, at) {
        take_stretch(words, taken, at, length, time);
    }
}

/// `Ann owned it`, but not `it is owned by Ann`.
fn is_past_state(words: &[Word], at: usize) -> bool {
    let passive = at > 0 && words[at - 1].is_any(super::grammar::COPULAS);
    words[at].is_any(PAST_STATES)
        && !passive
        && !words.get(at + 1).is_some_and(|next| next.is("by"))
}

/// `was moved to`, `was renamed`: it came to be, and still is.
fn is_passive_change(words: &[Word], at: usize) -> bool {
    let after = words[at + 1..].iter().take(3);
    words[at].is_any(&["was", "were", "had"])
        && after.into_iter().any(|word| {
            word.is_any(super::grammar::CHANGES)
                || word.is_any(super::grammar::DROPS)
                || word.is_any(&["replaced", "been", "swapped"])
        })
}

fn take_stretch(
    words: &[Word],
    taken: &mut [bool],
    at: usize,
    length: usize,
    time: &mut TimeWords,
) {
    taken[at..at + length].fill(true);
    match words[at].text.as_str() {
        // Since then and until now.
        "since" | "as" | "starting" | "from" | "effective" => {}
        "until" | "till" | "before" | "up" => {
            time.tense = Tense::Past;
            time.stretch.clear();
        }
        "back" | "ago" => time.tense = Tense::Past,
        first => {
            if first == "next" || words[at..at + length].iter().any(|word| word.is("next")) {
                time.tense = Tense::Future;
            }
            let named = words[at..at + length].iter().filter(|word| !is_function_word(&word.text));
            let named =
                named.filter(|word| !word.is_any(&["in", "on", "during", "for", "by", "after"]));
            time.stretch.extend(named.map(|word| word.text.clone()));
        }
    }
}

/// How many words from here name a stretch of time, with the preposition before it.
fn stretch(words: &[Word], at: usize) -> Option<usize> {
    const OPENERS: &[&str] = &[
        "in",
        "during",
        "since",
        "until",
        "till",
        "before",
        "after",
        "from",
        "by",
        "starting",
        "as",
        "back",
        "effective",
        "through",
        "up",
        "for",
    ];
    const BETWEEN: &[&str] = &[
        "the", "of", "in", "on", "last", "next", "this", "to", "past", "early", "late", "mid",
        "end", "our", "previous", "old", "with",
    ];
    let mut end = at;
    let opened = words[at].is_any(OPENERS);
    if opened {
        end += 1;
    }
    let mut relative = false;
    while end < words.len() && end < at + 5 && words[end].is_any(BETWEEN) {
        relative |= words[end].is_any(&["last", "next", "this", "previous", "past"]);
        end += 1;
    }
    let core = words.get(end)?;
    let year = matches!(core.shape, Shape::Number(value, ref unit) if unit.is_empty() && (1990.0..2100.0).contains(&value) && value.fract() == 0.0);
    let named = core.is_any(STRETCHES);
    // `from release` may well name a branch.
    let event = core.is_any(&["then", "release", "migration", "launch", "cutover", "sprint"]);
    let told = words[at].is_any(&["until", "till", "before", "since", "after", "back", "during"]);
    let month = core.is_any(&["may", "march", "spring"]);
    let fits = (year && opened)
        || (named && (opened || relative) && (!event || told || relative) && (!month || opened))
        || core.is_any(&["yesterday", "tomorrow"]);
    if !fits {
        return None;
    }
    end += 1;
    // `March 2024`
    if words.get(end).is_some_and(
        |word| matches!(word.shape, Shape::Number(value, _) if (1990.0..2100.0).contains(&value)),
    ) {
        end += 1;
    }
    Some(end - at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::reading::read;

    fn time(text: &str) -> (Tense, String) {
        let words = read(text);
        let time = take(&words, &mut vec![false; words.len()]);
        (time.tense, time.stretch.join(" "))
    }

    #[test]
    fn tense_and_stretch() {
        use Tense::{Future, Past, Present};
        for (text, tense, stretch) in [
            ("the port is 8080", Present, ""),
            ("the port is now 8080", Present, ""),
            ("the port was 8080", Past, ""),
            ("the port used to be 8080", Past, ""),
            ("until March the port was 8080", Past, ""),
            ("in 2023 the port was 8080", Past, "2023"),
            ("since 2023 the port is 8080", Present, ""),
            ("the port will be 8080", Future, ""),
            ("next week the port changes", Future, "next week"),
            ("the port was changed to 8080", Present, ""),
        ] {
            assert_eq!(time(text), (tense, stretch.to_owned()), "{text}");
        }
    }
}
