//! The terms of a text with their weights: what decides which sentence and which words stand for it.

use std::borrow::Cow;
use std::collections::HashMap;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use crate::characters::{is_dense, is_han, is_hiragana, is_word, lowered};
use crate::words::trimmed;

/// Han compounds are mostly two to four characters; without a dictionary a longer run is cut there.
const LONGEST_HAN: usize = 4;

pub(super) struct Term<'a> {
    /// As it is first written.
    pub(super) text: &'a str,
    pub(super) count: u32,
    /// In how many sentences it occurs.
    spread: u32,
    /// The last sentence that counted it, so that `spread` counts each once.
    last: usize,
}

pub(super) struct Vocabulary<'a> {
    /// In order of first appearance.
    pub(super) terms: Vec<Term<'a>>,
    /// The terms of each sentence as indices, in order, with repetitions.
    sentences: Vec<Vec<usize>>,
}

impl<'a> Vocabulary<'a> {
    pub(super) fn of(sentences: &[&'a str]) -> Self {
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut terms: Vec<Term<'a>> = Vec::new();
        let mut read = Vec::with_capacity(sentences.len());
        for (number, sentence) in sentences.iter().enumerate() {
            let mut places = Vec::new();
            for text in content_terms(sentence) {
                let place = *known.entry(lowered(text)).or_insert(terms.len());
                if place == terms.len() {
                    terms.push(Term { text, count: 0, spread: 0, last: usize::MAX });
                }
                terms[place].see_in(number);
                places.push(place);
            }
            read.push(places);
        }
        Self { terms, sentences: read }
    }

    /// How well a sentence stands for the text: tf-idf of its terms, damped by its length so that
    /// long ones do not win by bulk, and favouring the lead, where people say what it is about.
    pub(super) fn sentence_weight(&self, number: usize) -> f64 {
        let places = &self.sentences[number];
        let mut distinct = places.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let total = self.sentences.len() as f64;
        let sum: f64 = distinct
            .iter()
            .map(|place| &self.terms[*place])
            .map(|term| f64::from(term.count) * (1.0 + total / f64::from(term.spread)).ln())
            .sum();
        let lead = 1.0 + 1.0 / (1.0 + number as f64);
        // A title or a fragment says little by itself.
        let fragment = if places.len() < 3 { 0.5 } else { 1.0 };
        sum / (places.len() as f64 + 1.0).sqrt() * lead * fragment
    }
}

impl Term<'_> {
    fn see_in(&mut self, sentence: usize) {
        self.count += 1;
        if self.last != sentence {
            self.spread += 1;
            self.last = sentence;
        }
    }

    /// How well the term names the text: frequency, and the look of a name or an identifier.
    pub(super) fn key_weight(&self) -> f64 {
        let length = self.text.chars().take(10).count() as f64;
        let mut inner = self.text.chars().skip(1);
        let is_name = self.text.starts_with(char::is_uppercase);
        let is_identifier = inner.any(|c| c.is_uppercase() || !c.is_alphabetic());
        let look = if is_identifier {
            1.8
        } else if is_name {
            1.3
        } else {
            1.0
        };
        f64::from(self.count) * look * (0.5 + length / 10.0)
    }
}

fn content_terms(sentence: &str) -> impl Iterator<Item = &str> {
    sentence
        .split(|c: char| c.is_whitespace() || matches!(c, '"' | '`' | '“' | '”' | '—'))
        .flat_map(pieces)
        .filter(|term| !is_stop_word(term))
}

/// A spaced word as it stands; a word with dense script in it as its runs.
fn pieces(word: &str) -> Vec<&str> {
    if !word.contains(is_dense) {
        let bare = trimmed(word);
        return if bare.is_empty() { Vec::new() } else { vec![unbroken(word, bare)] };
    }
    let mut found = Vec::new();
    let mut open = (0, 0, None);
    for (at, grapheme) in word.grapheme_indices(true) {
        let script = Script::of(grapheme);
        let full = script == Some(Script::Han) && open.1 == LONGEST_HAN;
        if script != open.2 || full {
            found.extend(open.2.map(|_| &word[open.0..at]));
            open = (at, 0, script);
        }
        open.1 += 1;
    }
    found.extend(open.2.map(|_| &word[open.0..]));
    found
}

/// The trimmed word, or the word as it was if trimming cut a grapheme, such as an emoji, in two.
fn unbroken<'a>(word: &'a str, bare: &'a str) -> &'a str {
    if word.is_ascii() || bare.len() == word.len() {
        return bare;
    }
    // `bare` holds the first word character, so it cannot occur any earlier.
    let from = word.find(bare).unwrap_or(0);
    let is_boundary =
        |at| GraphemeCursor::new(at, word.len(), true).is_boundary(word, 0) == Ok(true);
    if is_boundary(from) && is_boundary(from + bare.len()) { bare } else { word }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Han,
    OtherDense,
    Spaced,
}

impl Script {
    fn of(grapheme: &str) -> Option<Self> {
        let first = grapheme.chars().next()?;
        if is_hiragana(first) || !is_word(first) {
            None
        } else if is_han(first) {
            Some(Self::Han)
        } else if is_dense(first) {
            Some(Self::OtherDense)
        } else {
            Some(Self::Spaced)
        }
    }
}

pub(super) fn is_stop_word(term: &str) -> bool {
    // The longest stop word has seven letters; anything longer needs no look-up.
    if term.len() > 7 {
        return false;
    }
    let is_low = term.bytes().all(|byte| byte.is_ascii_lowercase());
    let low = if is_low { Cow::Borrowed(term) } else { Cow::Owned(lowered(term)) };
    STOP_WORDS.binary_search(&low.as_ref()).is_ok()
}

/// Sorted. English only: in other languages the spread over sentences has to do. Among them is what
/// half of all memories begin with: the user prefers, wants, needs.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "always", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "but", "by", "can", "could", "did", "do", "does",
    "don't", "each", "for", "from", "get", "had", "has", "have", "he", "her", "here", "him",
    "his", "how", "i", "if", "in", "into", "is", "it", "it's", "its", "just", "like", "make",
    "may", "me", "more", "most", "must", "my", "need", "needs", "never", "no", "not", "now", "of",
    "on", "once", "one", "only", "or", "other", "our", "out", "over", "prefer", "prefers", "run",
    "runs", "she", "should", "so", "some", "such", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "to", "too", "until", "up", "us", "use", "used",
    "user", "users", "uses", "using", "very", "want", "wants", "was", "we", "were", "what",
    "when", "where", "which", "while", "who", "why", "will", "with", "without", "would", "you",
    "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_can_be_searched() {
        assert!(STOP_WORDS.is_sorted());
        assert!(STOP_WORDS.iter().all(|word| word.len() <= 7));
    }

    #[test]
    fn terms_keep_identifiers_and_cut_dense_runs() {
        let terms: Vec<&str> =
            content_terms("The `src/main.rs` in C++, 認証モジュールを使う").collect();
        assert_eq!(terms, ["src/main.rs", "C++", "認証", "モジュール", "使"]);
    }

    #[test]
    fn the_lead_wins_among_equals() {
        let vocabulary = Vocabulary::of(&["cache stores tokens", "tokens stores cache"]);
        assert!(vocabulary.sentence_weight(0) > vocabulary.sentence_weight(1));
    }
}
