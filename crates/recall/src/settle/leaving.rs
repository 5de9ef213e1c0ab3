//! What a text says was left behind: `Berlin` of `I moved from Berlin to Lisbon`. What an earlier text
//! said of it is over, even where both only tell what happened. Only of what somebody tells of
//! themselves: a comment on code that says `replaced` or `removed` leaves nothing behind.

use super::change::words;
use mnemic_text::stems::query_terms;

/// Who does this, does it from something.
#[rustfmt::skip]
const GOING: &[&str] = &[
    "changed", "changing", "converted", "downgraded", "emigrated", "migrated", "migrating", "moved", "moving", "relocated", "relocating",
    "shifted", "switched", "switching", "transferred", "transitioned", "upgraded", "went",
];

/// Who does this, does it to what is left behind.
#[rustfmt::skip]
const GIVING_UP: &[&str] = &[
    "abandoned", "cancelled", "deprecated", "ditched", "dropped", "left", "quit", "removed", "replaced", "retired", "returned", "sold",
    "stopped", "swapped",
];

/// Before what is no more.
const INSTEAD: &[[&str; 2]] = &[["no", "longer"], ["instead", "of"], ["place", "of"]];

/// Here what was left ends, and something else begins.
#[rustfmt::skip]
const ENDS: &[&str] = &[
    "after", "and", "because", "but", "by", "for", "in", "into", "last", "on", "onto", "since", "so", "this", "to", "today", "when",
    "with", "yesterday",
];

/// Who speaks of what they did themselves.
const SPEAKING: &[&str] = &["i", "my", "our", "we"];

/// Words that may stand between who speaks and what they did: `we have finally moved`.
const BEFORE: usize = 4;

/// Words that may stand between going and where from: `we switched our cache from …`.
const BETWEEN: usize = 5;

/// Words of one thing that is left.
const LONGEST: usize = 4;

/// Texts of more words tell many things; which of them is over they do not say so plainly.
const PLAIN: usize = 40;

/// Whether a text tells little enough that all of it can be over.
pub(super) fn is_plain(text: &str) -> bool {
    text.split_whitespace().nth(PLAIN).is_none()
}

/// What a text says was left behind, thing by thing, in terms.
pub(super) fn left_behind(text: &str) -> Vec<Vec<String>> {
    let mut left = Vec::new();
    if !is_plain(text) {
        return left;
    }
    let low = text.to_lowercase();
    let words = words(&low);
    for (at, word) in words.iter().enumerate() {
        let before = &words[at.saturating_sub(BEFORE)..at];
        if !before.iter().any(|word| SPEAKING.contains(word)) {
            continue;
        }
        let begins = if GOING.contains(word) {
            let between = words[at + 1..].iter().take(BETWEEN);
            between.clone().position(|word| *word == "from").map(|from| at + from + 2)
        } else if GIVING_UP.contains(word) {
            Some(at + 1)
        } else {
            let pair = words.get(at + 1).map(|next| [*word, *next]);
            pair.filter(|pair| INSTEAD.contains(pair)).map(|_| at + 2)
        };
        let Some(begins) = begins else { continue };
        let thing = words[begins..].iter().take(LONGEST).take_while(|word| !ENDS.contains(word));
        let terms = query_terms(&thing.copied().collect::<Vec<_>>().join(" "));
        if !terms.is_empty() {
            left.push(terms);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_named_after_going_giving_up_and_instead() {
        for (text, left) in [
            ("I moved from Berlin to Lisbon", &["berlin"][..]),
            ("we switched our session cache from Redis to Valkey", &["redi"]),
            ("We replaced Jenkins with Buildkite.", &["jenkin"]),
            ("I sold the old Honda last week", &["old", "honda"]),
            ("we now use pnpm instead of npm", &["npm"]),
            ("I no longer work at Acme", &["work", "acm"]),
            ("I live in Berlin", &[]),
            ("a letter from Berlin", &[]),
            ("Return a string with all underscores replaced", &[]),
            ("removed from the list, moved from one to the other", &[]),
        ] {
            assert_eq!(left_behind(text).concat(), left, "{text}");
        }
    }

    #[test]
    fn long_texts_leave_nothing() {
        let long = format!("I moved from Berlin to Lisbon {}", "and so on ".repeat(30));
        assert!(left_behind(&long).is_empty());
    }
}
