//! A text at three shorter levels, taken from its own sentences without a language model.

mod cut;
mod lead;
mod vocabulary;

use crate::characters::is_word;
use crate::normalise::collapsed;
use crate::sentences::{sentences, without_marker};
use vocabulary::{Term, Vocabulary};

/// The shorter levels of one text, none of them empty unless the text is blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Levels {
    /// One or two sentences.
    pub summary: String,
    /// About ten tokens.
    pub compressed: String,
    /// One to three words.
    pub index: String,
}

/// How much of a text is read, in bytes: what comes later hardly changes what it is about.
const READ: usize = 64 * 1024;

/// Texts up to so many characters, in one or two sentences, are their own summary.
const SHORT: usize = 200;

/// Bounds of a summary in characters; between them it is a tenth of the text.
const SUMMARY: (usize, usize) = (140, 280);

/// Tokens of the compressed level: a clause may end anywhere from the first on.
const COMPRESSED: (u32, u32) = (6, 13);

/// Longest index level, in characters.
const INDEX: usize = 48;

/// A line of at most `most` characters, cut at a word with an ellipsis where it is longer.
pub fn shortened(line: &str, most: usize) -> String {
    cut::to_characters(line, most)
}

/// Whether a text says more behind a line that was taken from it; nothing where the line is no part
/// of the text.
pub fn goes_on(line: &str, text: &str) -> Option<bool> {
    let words = |of| -> Vec<&str> { words_of(of).collect() };
    let (taken, all) = (words(line), words(text));
    // A line may leave out what stands between its words, such as the address of a link.
    let mut rest = all.iter();
    if !taken.iter().all(|word| rest.any(|other| other == word)) {
        return None;
    }
    Some(!all.ends_with(&taken) && rest.next().is_some())
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty())
}

/// Derives the shorter levels; `subject`, if the caller knows what the text is about, names it.
pub fn levels(full: &str, subject: Option<&str>) -> Levels {
    Levels {
        summary: summary(full),
        index: index(full, subject),
        compressed: compressed(full, subject),
    }
}

/// The index level alone: the words that stand out, or the subject.
pub fn index(full: &str, subject: Option<&str>) -> String {
    let label = subject.map(words_of_label).filter(|label| !label.is_empty());
    label.unwrap_or_else(|| {
        let full = full.trim();
        best_terms(full, &Vocabulary::of(&readable(full)))
    })
}

/// The summary alone: it needs no look at the words that stand out.
pub fn summary(full: &str) -> String {
    let full = full.trim();
    let read = readable(full);
    shortest(full, &read).unwrap_or_else(|| {
        let vocabulary = Vocabulary::of(&read);
        best_sentences(full, &read, &ranked_sentences(&read, &vocabulary))
    })
}

/// The compressed level alone: it needs no look at the other sentences.
pub fn compressed(full: &str, subject: Option<&str>) -> String {
    let full = full.trim();
    let clause = clause(&full[..full.floor_char_boundary(READ)]);
    match subject.map(words_of_label).filter(|label| !label.is_empty()) {
        Some(label) if !clause.is_empty() => format!("{label}: {clause}"),
        Some(label) => label,
        None => clause,
    }
}

/// The sentences to choose from: those that say something, if any does.
fn readable(full: &str) -> Vec<&str> {
    let mut all = sentences(&full[..full.floor_char_boundary(READ)]);
    if full.len() > READ && all.len() > 1 {
        // Where reading stopped the last one is broken off.
        all.pop();
    }
    if all.iter().any(|sentence| sentence.contains(is_word)) {
        all.retain(|sentence| sentence.contains(is_word));
    }
    all
}

/// The numbers of the weights, the heaviest first; of equals the earlier.
fn ranked(weights: impl Iterator<Item = f64>) -> Vec<usize> {
    let weights: Vec<f64> = weights.collect();
    let mut numbers: Vec<usize> = (0..weights.len()).collect();
    numbers.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]).then(a.cmp(b)));
    numbers
}

fn ranked_sentences(sentences: &[&str], vocabulary: &Vocabulary<'_>) -> Vec<usize> {
    ranked((0..sentences.len()).map(|number| vocabulary.sentence_weight(number)))
}

/// The text itself, where it is short enough to be its own summary.
fn shortest(full: &str, sentences: &[&str]) -> Option<String> {
    let may_be = sentences.len() <= 2 && full.len() <= READ;
    may_be.then(|| collapsed(full)).filter(|line| line.chars().nth(SHORT).is_none())
}

fn best_sentences(full: &str, sentences: &[&str], ranked: &[usize]) -> String {
    let line = |number: &usize| collapsed(without_marker(sentences[*number]));
    let Some(best) = ranked.first() else { return String::new() };
    let room = (full.len() / 10).clamp(SUMMARY.0, SUMMARY.1);
    if let Some(second) = ranked.get(1) {
        let both = format!("{} {}", line(best.min(second)), line(best.max(second)));
        if both.chars().nth(room).is_none() {
            return both;
        }
    }
    cut::to_characters(&line(best), SUMMARY.1)
}

fn clause(read: &str) -> String {
    let line = collapsed(&lead::lead(read));
    let bare = line.trim_end_matches(['.', '。']);
    let line = if bare.is_empty() { &line } else { bare };
    cut::to_clause(line, COMPRESSED.0, COMPRESSED.1)
}

fn words_of_label(subject: &str) -> String {
    let words: Vec<&str> = subject.split_whitespace().collect();
    match words.get(..3) {
        Some(first) if words.len() > 3 => {
            cut::to_characters(&format!("{}…", first.join(" ")), INDEX)
        }
        _ => cut::to_characters(&words.join(" "), INDEX),
    }
}

/// The best terms, in the order of the text; the first words if there are no terms.
fn best_terms(full: &str, vocabulary: &Vocabulary<'_>) -> String {
    let mut best = ranked(vocabulary.terms.iter().map(Term::key_weight));
    best.truncate(3);
    best.sort_unstable();
    let mut words: Vec<&str> = best.iter().map(|number| vocabulary.terms[*number].text).collect();
    if words.is_empty() {
        words = full.split_whitespace().take(3).collect();
    }
    cut::to_characters(&words.join(" "), INDEX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::estimate;

    const LONG: &str = "# Storage decision\n\
        The store keeps memories in SQLite with a write queue in front of it. We looked at \
        Postgres first, e.g. for its concurrency, but a local tool must not need a server. \
        Every write goes through the queue, so that two processes never lock each other out. \
        The weather was nice that day. Backups copy the SQLite file while the queue is paused. \
        Lunch was at noon.\n\
        - The queue is bounded to 512 writes.\n\
        - Readers of the store never wait for the queue.\n";

    #[test]
    fn a_short_text_is_its_own_summary() {
        let levels = levels(" Always run  `cargo fmt` before committing. ", None);
        assert_eq!(levels.summary, "Always run `cargo fmt` before committing.");
        assert_eq!(levels.compressed, "Always run `cargo fmt` before committing");
        assert_eq!(levels.index, "cargo fmt committing");
    }

    #[test]
    fn a_long_text_is_led_by_its_topic() {
        let levels = levels(LONG, None);
        assert!(levels.summary.chars().count() <= 280, "{}", levels.summary);
        assert!(levels.summary.contains("queue"), "{}", levels.summary);
        assert!(estimate(&levels.compressed) <= 13, "{}", levels.compressed);
        assert!(levels.index.contains("queue"), "{}", levels.index);
        assert!(levels.index.split(' ').count() <= 3);
    }

    #[test]
    fn the_subject_leads() {
        let levels = levels("Prefers tabs over spaces.", Some("code style"));
        assert_eq!(levels.compressed, "code style: Prefers tabs over spaces");
        assert_eq!(levels.index, "code style");
        let levels = super::levels("x", Some("a much too long subject"));
        assert_eq!(levels.index, "a much too…");
    }

    #[test]
    fn a_line_goes_on_where_its_text_says_more() {
        for (line, text, expected) in [
            ("Lunch with Ada", "Lunch with Ada.", Some(false)),
            ("Lunch with Ada", "Lunch with Ada. She signs in May.", Some(true)),
            ("Lunch with Ada", "Lunch with Ada, who signs", Some(true)),
            ("Bumps tokio to 1.6", "Bumps [tokio](https://x.org) to 1.6.", Some(false)),
            ("Saves are kept", "Saves were lost. Saves are kept.", Some(false)),
            ("Something else", "Lunch with Ada.", None),
            ("!?", "", Some(false)),
        ] {
            assert_eq!(goes_on(line, text), expected, "{line}: {text}");
        }
    }

    #[test]
    fn odd_texts_still_have_levels() {
        for text in ["!?", "🎉", "the", "日本語", "---\n---", "\u{301}", "."] {
            let levels = levels(text, None);
            assert!(!levels.summary.is_empty(), "{text}");
            assert!(!levels.compressed.is_empty(), "{text}");
            assert!(!levels.index.is_empty(), "{text}");
        }
        assert_eq!(levels(" \n", None).summary, "");
        assert_eq!(levels(&format!("{}late", " ".repeat(READ)), None).index, "late");
    }
}
