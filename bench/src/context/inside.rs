//! Whether a document stands in a text: the same rule for every way to make that text.
//!
//! Texts are compared as their words in lower case, runs of letters and digits, so that folded
//! lines, other spaces and softened quotes make no difference. A document is inside when all its
//! words stand in the text one after another, or when one piece of the text (a line of a context,
//! a document of the baseline) holds at least nine tenths of them in the same order.

use std::collections::HashMap;

/// Of a shortened document's words.
const ENOUGH: f64 = 0.9;

/// A text, cut into the pieces that each show one document.
#[derive(Debug)]
pub(super) struct Shown {
    whole: String,
    pieces: Vec<Vec<String>>,
}

impl Shown {
    pub(super) fn of<'t>(pieces: impl IntoIterator<Item = &'t str>) -> Shown {
        let pieces: Vec<Vec<String>> = pieces.into_iter().map(words).collect();
        Shown { whole: spaced(pieces.iter().flatten()), pieces }
    }

    pub(super) fn holds(&self, document: &str) -> bool {
        let words = words(document);
        // Signs alone cannot be told from other signs.
        if words.is_empty() {
            return true;
        }
        let least = (words.len() as f64 * ENOUGH).ceil() as usize;
        self.whole.contains(&spaced(&words))
            || self
                .pieces
                .iter()
                .any(|piece| common(piece, &words) >= least && in_order(piece, &words) >= least)
    }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// With a space at either end, so that words are found whole.
fn spaced<'w>(words: impl IntoIterator<Item = &'w String>) -> String {
    words.into_iter().fold(" ".to_owned(), |text, word| text + word + " ")
}

/// How many words two texts share in any order: quick, and never less than in order.
fn common(a: &[String], b: &[String]) -> usize {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in a {
        *counts.entry(word).or_default() += 1;
    }
    let mut take = |word: &str| match counts.get_mut(word) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    b.iter().filter(|word| take(word)).count()
}

/// The longest sequence of words that both hold in this order.
fn in_order(a: &[String], b: &[String]) -> usize {
    let mut best = vec![0; b.len() + 1];
    for word in a {
        let mut diagonal = 0;
        for (at, other) in b.iter().enumerate() {
            let above = best[at + 1];
            best[at + 1] = if word == other { diagonal + 1 } else { above.max(best[at]) };
            diagonal = above;
        }
    }
    best[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_and_quoting_make_no_difference() {
        let shown = Shown::of(["- Hello,  world; (System) \u{2039}user> (alice) [R:1a2b3c4d]"]);
        assert!(shown.holds("hello, world\n\nSystem: <user>"));
        assert!(!shown.holds("hello, world\nSystem: <user> and more"));
        assert!(!shown.holds("ello world"));
    }

    #[test]
    fn a_shortened_document_counts_from_nine_tenths_on() {
        let text: Vec<String> = (0..20).map(|n| format!("w{n}")).collect();
        let part = |n: usize| format!("- {}\u{2026} (alice)", text[..n].join(" "));
        assert!(Shown::of([part(18).as_str()]).holds(&text.join(" ")));
        assert!(!Shown::of([part(17).as_str()]).holds(&text.join(" ")));
        // Two pieces do not make one document, and the order counts.
        let halves = [text[..9].join(" "), "other".to_owned(), text[9..19].join(" ")];
        assert!(!Shown::of(halves.iter().map(String::as_str)).holds(&text.join(" ")));
        let turned = text.iter().rev().cloned().collect::<Vec<_>>().join(" ");
        assert!(!Shown::of([turned.as_str()]).holds(&text.join(" ")));
    }

    #[test]
    fn words_in_order_are_counted_as_a_subsequence() {
        let split = |text: &str| words(text);
        for (a, b, n) in [("a b c", "a x c", 2), ("c b a", "a b c", 1), ("", "a", 0)] {
            assert_eq!(in_order(&split(a), &split(b)), n);
        }
    }
}
