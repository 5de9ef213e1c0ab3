//! Cutting a text into the pieces that no token reaches across.
//!
//! The encodings define it by regular expressions with look-ahead. These are the same rules by
//! hand: nothing to compile at the start, and each character is looked at a few times at most.

use unicode_properties::{GeneralCategory as Category, UnicodeGeneralCategory};

use super::Encoding;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    /// A letter without case.
    Letter,
    Mark,
    Number,
    LineEnd,
    Space,
    Other,
}

impl Class {
    fn of(c: char) -> Class {
        match c {
            'a'..='z' => Class::Lower,
            'A'..='Z' => Class::Upper,
            '0'..='9' => Class::Number,
            '\r' | '\n' => Class::LineEnd,
            c if c.is_whitespace() => Class::Space,
            c if c.is_ascii() => Class::Other,
            c => Class::of_category(c.general_category()),
        }
    }

    fn of_category(category: Category) -> Class {
        use Category::*;
        match category {
            UppercaseLetter | TitlecaseLetter => Class::Upper,
            LowercaseLetter => Class::Lower,
            ModifierLetter | OtherLetter => Class::Letter,
            NonspacingMark | SpacingMark | EnclosingMark => Class::Mark,
            DecimalNumber | LetterNumber | OtherNumber => Class::Number,
            _ => Class::Other,
        }
    }

    fn is_letter(self) -> bool {
        matches!(self, Class::Upper | Class::Lower | Class::Letter)
    }

    fn is_space(self) -> bool {
        matches!(self, Class::Space | Class::LineEnd)
    }

    fn may_head(self) -> bool {
        matches!(self, Class::Upper | Class::Letter | Class::Mark)
    }

    fn may_follow(self) -> bool {
        matches!(self, Class::Lower | Class::Letter | Class::Mark)
    }

    fn is_sign(self) -> bool {
        matches!(self, Class::Mark | Class::Other)
    }
}

/// The pieces of `text` in order; together they are the text.
pub(super) fn pieces(encoding: Encoding, text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (piece, after) = rest.split_at(piece_end(encoding, rest, first));
        rest = after;
        Some(piece)
    })
}

fn piece_end(encoding: Encoding, text: &str, first: char) -> usize {
    let class = Class::of(first);
    let word = match encoding {
        Encoding::O200k => cased_word(text, first),
        Encoding::Cl100k => contraction(text).or_else(|| plain_word(text, first)),
    };
    if let Some(end) = word {
        return end;
    }
    match class {
        Class::Number => run(text, 0, 3, |_, class| class == Class::Number),
        _ => signs(encoding, text, first).unwrap_or_else(|| spaces(encoding, text)),
    }
}

/// Where the run of at most `most` characters that begins at `from` ends.
fn run(text: &str, from: usize, most: usize, is: impl Fn(char, Class) -> bool) -> usize {
    let inside = text[from..].chars().take(most).take_while(|c| is(*c, Class::of(*c)));
    from + inside.map(char::len_utf8).sum::<usize>()
}

/// Letters, and one character before them that is neither letter, number nor line end.
fn plain_word(text: &str, first: char) -> Option<usize> {
    let class = Class::of(first);
    let from = match class {
        Class::Number | Class::LineEnd => return None,
        class if class.is_letter() => 0,
        _ => first.len_utf8(),
    };
    let end = run(text, from, usize::MAX, |_, class| class.is_letter());
    (end > from).then_some(end)
}

/// As `plain_word`, but a new word begins where small letters end, marks are letters, and a
/// contraction belongs to its word.
fn cased_word(text: &str, first: char) -> Option<usize> {
    let class = Class::of(first);
    if matches!(class, Class::Number | Class::LineEnd) {
        return None;
    }
    let after_first = (!class.is_letter()).then_some(first.len_utf8());
    let starts = || after_first.into_iter().chain([0]);
    let end = starts()
        .find_map(|from| with_small_letters(text, from))
        .or_else(|| starts().find_map(|from| capitals(text, from)))?;
    Some(end + contraction(&text[end..]).unwrap_or(0))
}

/// Capitals, then small letters, at least one; letters without case are both.
fn with_small_letters(text: &str, from: usize) -> Option<usize> {
    let mut last_small = None;
    let mut end = from;
    for c in text[from..].chars() {
        let class = Class::of(c);
        if !class.may_head() {
            break;
        }
        end += c.len_utf8();
        if class.may_follow() {
            last_small = Some(end);
        }
    }
    let tail = run(text, end, usize::MAX, |_, class| class.may_follow());
    if tail > end { Some(tail) } else { last_small }
}

fn capitals(text: &str, from: usize) -> Option<usize> {
    let end = run(text, from, usize::MAX, |_, class| class.may_head());
    (end > from).then_some(end)
}

/// `'s`, `'ll` and so on at the beginning.
fn contraction(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('\'')?;
    let mut letters = rest.chars();
    let (first, second) = (letters.next()?, letters.next());
    match (first.to_ascii_lowercase(), second.map(|c| c.to_ascii_lowercase())) {
        // The long s is a small form of S.
        ('s' | 'ſ' | 'd' | 'm' | 't', _) => Some(1 + first.len_utf8()),
        ('l', Some('l')) | ('v', Some('e')) | ('r', Some('e')) => Some(3),
        _ => None,
    }
}

/// Signs, a space before them and line ends after them.
fn signs(encoding: Encoding, text: &str, first: char) -> Option<usize> {
    let from = usize::from(first == ' ');
    let end = run(text, from, usize::MAX, |_, class| class.is_sign());
    if end == from {
        return None;
    }
    let slash = encoding == Encoding::O200k;
    let closes = |c, class| class == Class::LineEnd || (slash && c == '/');
    Some(run(text, end, usize::MAX, closes))
}

/// Up to the last line end among the spaces; else all but the last, which goes with what follows.
fn spaces(encoding: Encoding, text: &str) -> usize {
    let end = run(text, 0, usize::MAX, |_, class| class.is_space());
    let all = &text[..end];
    let line_end = all.rfind(['\r', '\n']).map(|at| at + 1);
    let is_last = end == text.len();
    match (encoding, line_end) {
        (Encoding::Cl100k, _) if is_last => end,
        (_, Some(line_end)) => line_end,
        (_, None) if is_last => end,
        (_, None) => match all.char_indices().next_back() {
            Some((last, _)) if last > 0 => last,
            _ => end,
        },
    }
}
