//! Tokens by a rule of thumb, for shortening lines: many small counts where a few more do no harm.

use crate::characters::{is_dense, is_symbol, is_word};

/// An estimate of the tokens that a language model reads in `text`.
///
/// It is only that: no tokenizer is consulted, and models differ by a fifth among themselves.
/// `Counter` counts exactly. Counted here are one token for every six ASCII letters
/// of a word begun, for three letters of other alphabets (their vocabularies are thinner), for
/// three digits, for two punctuation characters in a row, one for each character of a dense
/// script, two for an emoji and one for a line break.
pub fn estimate(text: &str) -> u32 {
    let mut total = 0_u32;
    let mut run = (Kind::Space, 0_u32);
    for c in text.chars() {
        let kind = Kind::of(c);
        if kind != run.0 {
            total = total.saturating_add(run.0.tokens(run.1));
            run = (kind, 0);
        }
        run.1 = run.1.saturating_add(1);
    }
    total.saturating_add(run.0.tokens(run.1))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Space,
    LineBreak,
    Letters,
    OtherLetters,
    Digits,
    Dense,
    Symbols,
    Punctuation,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            '\n' => Self::LineBreak,
            c if c.is_ascii_alphabetic() => Self::Letters,
            c if c.is_ascii_digit() => Self::Digits,
            c if c.is_whitespace() => Self::Space,
            c if c.is_ascii() => Self::Punctuation,
            c if is_dense(c) => Self::Dense,
            c if is_word(c) => Self::OtherLetters,
            c if is_symbol(c) => Self::Symbols,
            _ => Self::Punctuation,
        }
    }

    fn tokens(self, length: u32) -> u32 {
        match self {
            Self::Space => 0,
            Self::LineBreak => length.min(1),
            Self::Letters => length.div_ceil(6),
            Self::OtherLetters | Self::Digits => length.div_ceil(3),
            Self::Dense => length,
            Self::Symbols => length.saturating_mul(2),
            Self::Punctuation => length.div_ceil(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_by_kind_of_text() {
        for (text, expected) in [
            ("", 0),
            ("   ", 0),
            ("word", 1),
            ("tokenization", 2),
            ("Hello, world!", 4),
            ("123456", 2),
            ("日本語", 3),
            ("Привет", 2),
            ("🎉", 2),
            ("a\n\nb", 3),
            ("The quick brown fox jumps over the lazy dog.", 10),
        ] {
            assert_eq!(estimate(text), expected, "{text:?}");
        }
    }
}
