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

/// What a chunk is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// White space, quotes, dashes: what lies between chunks.
    Gap,
    Spaced,
    Dense,
    Symbols,
}

pub(super) fn chunks(text: &str) -> Vec<Chunk> {
    let mut found = Vec::new();
    visit(text, |class, chunk| found.extend(Chunk::of(class, chunk)));
    found
}

impl Chunk {
    /// `None` for a gap.
    pub(super) fn of(class: Class, chunk: &str) -> Option<Chunk> {
        let chunk = chunk.to_owned();
        match class {
            Class::Gap => None,
            Class::Spaced => Some(Chunk::Spaced(chunk)),
            Class::Dense => Some(Chunk::Dense(chunk)),
            Class::Symbols => Some(Chunk::Symbols(chunk)),
        }
    }
}

/// Shows every chunk in order, without an allocation for each. Gaps are not shown.
///
/// Nothing folds across white space, so each piece is folded by itself and most need not be.
pub(crate) fn visit(text: &str, mut see: impl FnMut(Class, &str)) {
    let mut open = String::new();
    for piece in text.split_ascii_whitespace() {
        if piece.bytes().all(is_ascii_spaced) {
            close(Class::Spaced, piece, &mut see);
        } else {
            visit_mixed(&folded(piece), &mut open, &mut see);
        }
    }
}

/// What `class` says of ASCII.
fn is_ascii_spaced(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'\'' | b'"' | b'`')
}

fn visit_mixed(piece: &str, open: &mut String, see: &mut impl FnMut(Class, &str)) {
    let mut now = Class::Gap;
    open.clear();
    let mut rest = piece.chars().peekable();
    while let Some(c) = rest.next() {
        if is_apostrophe(c) && open.ends_with(is_word) && rest.peek().is_some_and(|c| is_word(*c)) {
            continue;
        }
        let class = class(c);
        if class != now {
            close(now, open, see);
            now = class;
            open.clear();
        }
        if class != Class::Gap {
            open.push(c);
        }
    }
    close(now, open, see);
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

fn close(class: Class, text: &str, see: &mut impl FnMut(Class, &str)) {
    let text = if class == Class::Spaced { trimmed(text) } else { text };
    if class != Class::Gap && !text.is_empty() {
        see(class, text);
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

    fn seen_whole(text: &str) -> Vec<(Class, String)> {
        let mut seen = Vec::new();
        let mut push = |class, chunk: &str| seen.push((class, chunk.to_owned()));
        visit_mixed(&folded(text), &mut String::new(), &mut push);
        seen
    }

    proptest::proptest! {
        #[test]
        fn pieces_are_read_as_the_whole_is(text in "(\\PC|[ \\t\\n\\u{b}\\u{85}\\u{301}\\u{a8}'a-c]){0,60}") {
            let mut seen = Vec::new();
            visit(&text, |class, chunk| seen.push((class, chunk.to_owned())));
            proptest::prop_assert_eq!(seen, seen_whole(&text));
        }
    }
}
