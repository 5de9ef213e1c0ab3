//! Cutting a text into the pieces within which tokens join: words, numbers, signs, spaces.
//!
//! The same cuts as the regular expression of GPT-2, which lists its cases in this order:
//! `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.

use super::letters::is_letter;

const CONTRACTIONS: [&str; 7] = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"];

/// Longer pieces are cut, since joining within one costs its length squared. Only runs without
/// any space get here, such as a long line of dashes.
const LONGEST: usize = 2_048;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Number,
    Sign,
    Space,
}

impl Class {
    fn of(char: char) -> Class {
        match char {
            'a'..='z' | 'A'..='Z' => Class::Letter,
            '0'..='9' => Class::Number,
            '\t'..='\r' | ' ' => Class::Space,
            '\0'..='\x7f' => Class::Sign,
            _ if char.is_whitespace() => Class::Space,
            _ if char.is_numeric() => Class::Number,
            _ if is_letter(char) => Class::Letter,
            _ => Class::Sign,
        }
    }
}

/// The pieces of a text, which together are the text.
#[derive(Debug)]
pub(super) struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Pieces<'a> {
    pub(super) fn of(text: &'a str) -> Pieces<'a> {
        Pieces { rest: text }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let end = piece_end(self.rest);
        let end = if end > LONGEST { self.rest.floor_char_boundary(LONGEST) } else { end };
        let (piece, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(piece)
    }
}

/// Where the first piece ends. The text is not empty.
fn piece_end(text: &str) -> usize {
    if let Some(short) = CONTRACTIONS.iter().find(|short| text.starts_with(**short)) {
        return short.len();
    }
    // One plain space belongs to what follows it.
    let body = text.strip_prefix(' ').unwrap_or(text);
    match body.chars().next().map(Class::of) {
        Some(class) if class != Class::Space => text.len() - body.len() + run_end(body, class),
        _ => spaces_end(text),
    }
}

fn run_end(text: &str, class: Class) -> usize {
    text.find(|char| Class::of(char) != class).unwrap_or(text.len())
}

/// A run of spaces leaves its last one to the word behind it, unless it has only that one.
fn spaces_end(text: &str) -> usize {
    let run = run_end(text, Class::Space);
    let last = text[..run].chars().next_back().map_or(0, char::len_utf8);
    if run == text.len() || run == last { run } else { run - last }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pieces_by_kind() {
        for (text, expected) in [
            ("Hello world", "Hello| world"),
            ("I don't, we've they'll", "I| don|'t|,| we|'ve| they|'ll"),
            ("DON'T", "DON|'|T"),
            ("x's 's !'s", "x|'s| '|s| !'|s"),
            ("v1.25", "v|1|.|25"),
            ("a  b", "a| | b"),
            ("a\n\nb", "a|\n|\n|b"),
            ("a \n b", "a| \n| b"),
            ("a\tb", "a|\t|b"),
            ("end  ", "end|  "),
            (" ", " "),
            ("\u{a0}x", "\u{a0}|x"),
            ("naïve Ωmega", "naïve| Ωmega"),
            ("½ ² Ⅷ ٣", "½| ²| Ⅷ| ٣"),
            ("हिन्दी", "ह|ि|न|्|द|ी"),
            ("日本語です。", "日本語です|。"),
            ("go 🎉🎉!", "go| 🎉🎉!"),
            ("fn f() -> u8", "fn| f|()| ->| u|8"),
        ] {
            assert_eq!(Pieces::of(text).collect::<Vec<_>>().join("|"), expected, "{text:?}");
        }
    }

    #[test]
    fn an_overlong_piece_is_cut_between_characters() {
        let text = "é".repeat(3_000) + &"-".repeat(5_000);
        let pieces: Vec<&str> = Pieces::of(&text).collect();
        assert!(pieces.iter().all(|piece| piece.len() <= LONGEST));
        assert_eq!(pieces.concat(), text);
    }

    proptest! {
        #[test]
        fn pieces_make_up_the_text(text in ".{0,80}") {
            prop_assert_eq!(Pieces::of(&text).collect::<String>(), text);
        }
    }
}
