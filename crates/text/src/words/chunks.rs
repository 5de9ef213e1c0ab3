//! Cutting a text into the chunks that are then read one by one, for the index and for a query.

use super::fold::folded;
use super::sigils;
use crate::characters::{is_apostrophe, is_dense, is_symbol, is_word};

/// A stretch of text of one kind, folded and trimmed but in its own case; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Chunk {
    /// What stands between spaces: a word, a path, an identifier.
    Spaced(String),
    /// A run of a script that writes no spaces.
    Dense(String),
    /// Emoji and other signs.
    Symbols(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Gap,
    Spaced,
    Dense,
    Symbols,
}

pub(super) fn chunks(text: &str) -> Vec<Chunk> {
    let text = folded(text);
    let mut found = Vec::new();
    let mut open = (Class::Gap, String::new());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if is_apostrophe(c) && open.1.ends_with(is_word) && rest.peek().is_some_and(|c| is_word(*c))
        {
            continue;
        }
        let class = class(c);
        if class != open.0 {
            found.extend(closed(open.0, &open.1));
            open.0 = class;
            open.1.clear();
        }
        open.1.push(c);
    }
    found.extend(closed(open.0, &open.1));
    found
}

fn class(c: char) -> Class {
    if c.is_whitespace() || c.is_control() || is_apostrophe(c) || matches!(c, '"' | '`') {
        Class::Gap
    } else if is_dense(c) {
        Class::Dense
    } else if is_word(c) || c.is_ascii() {
        Class::Spaced
    } else if is_symbol(c) {
        Class::Symbols
    } else {
        // Dashes, quotation marks, full stops of all scripts.
        Class::Gap
    }
}

fn closed(class: Class, text: &str) -> Option<Chunk> {
    let text = if class == Class::Spaced { trimmed(text) } else { text };
    if text.is_empty() {
        return None;
    }
    match class {
        Class::Gap => None,
        Class::Spaced => Some(Chunk::Spaced(text.to_owned())),
        Class::Dense => Some(Chunk::Dense(text.to_owned())),
        Class::Symbols => Some(Chunk::Symbols(text.to_owned())),
    }
}

/// Drops all punctuation around the words of a chunk but the sigils; empty if there is no word.
pub(crate) fn trimmed(chunk: &str) -> &str {
    let Some(first) = chunk.find(is_word) else { return "" };
    let end = chunk.trim_end_matches(|c| !is_word(c)).len();
    let from = first - sigils::leading(&chunk[..first]);
    let to = end + sigils::trailing(&chunk[end..]);
    &chunk[from..to]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_around_words_goes_and_sigils_stay() {
        for (chunk, expected) in [
            ("(word),", "word"),
            ("C++.", "C++"),
            ("C#)", "C#"),
            ("--force;", "--force"),
            ("---rule", "rule"),
            ("...and", "and"),
            ("[.env]", ".env"),
            ("#123:", "#123"),
            ("##Heading", "Heading"),
            ("$HOME,", "$HOME"),
            ("/etc/hosts/", "etc/hosts"),
            ("~/.ssh", ".ssh"),
            ("error[E0382]:", "error[E0382"),
            ("foo()", "foo"),
            ("**bold**", "bold"),
            ("__init__", "__init__"),
            ("->", ""),
        ] {
            assert_eq!(trimmed(chunk), expected, "{chunk}");
        }
    }

    #[test]
    fn a_text_falls_into_stretches_of_one_kind() {
        let spaced = |text: &str| Chunk::Spaced(text.into());
        assert_eq!(
            chunks("Don't use 'Rust'で書く🎉 — “ok”\0x"),
            [
                spaced("Dont"),
                spaced("use"),
                spaced("Rust"),
                Chunk::Dense("で書く".into()),
                Chunk::Symbols("🎉".into()),
                spaced("ok"),
                spaced("x"),
            ]
        );
    }
}
