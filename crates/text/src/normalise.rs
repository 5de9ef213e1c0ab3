//! Normal forms of a text: for its content hash, for a tombstone's digest and for a terminal.

use std::fmt::Write;

use unicode_normalization::UnicodeNormalization;

use crate::characters::{is_apostrophe, is_invisible, is_variation_selector, is_word, lowered};

/// What the content hash is taken over: NFC, white space runs as one space, trimmed, case kept.
pub fn normalised(text: &str) -> String {
    // ASCII is its own normal form, and most text here is ASCII.
    if text.is_ascii() {
        return collapsed(text);
    }
    collapsed(&by_line(text, |line, normal| normal.extend(line.nfc())))
}

/// A text made of the normal forms of its lines; those in ASCII are their own. A line break composes
/// with nothing, so that this is the normal form of the whole, and long texts have few odd lines.
pub(crate) fn by_line(text: &str, add: impl Fn(&str, &mut String)) -> String {
    let mut normal = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.is_ascii() {
            true => normal.push_str(line),
            false => add(line, &mut normal),
        }
    }
    normal
}

/// What a tombstone's digest is taken over, so that another case, punctuation or spacing does not
/// bring a forgotten text back: the lower-cased NFKC words, single spaces between them.
///
/// A text without any letter or digit stays as [`normalised`] gives it: otherwise forgetting one
/// such text would forget them all.
pub fn loosened(text: &str) -> String {
    let mut loose = String::with_capacity(text.len());
    let mut gap = false;
    for line in text.split_inclusive('\n') {
        match line.is_ascii() {
            true => {
                let line = line.chars().map(|c| c.to_ascii_lowercase());
                add_words(line, &mut gap, &mut loose);
            }
            false => {
                let compatible: String = line.nfkc().collect();
                add_words(lowered(&compatible).nfkc(), &mut gap, &mut loose);
            }
        }
    }
    if loose.is_empty() { normalised(text) } else { loose }
}

/// `gap` says whether something that is no word stands between what was added and what comes.
fn add_words(text: impl Iterator<Item = char>, gap: &mut bool, loose: &mut String) {
    for c in text {
        if is_apostrophe(c) || is_invisible(c) || is_variation_selector(c) {
            continue;
        }
        if !is_word(c) {
            *gap = true;
            continue;
        }
        if *gap && !loose.is_empty() {
            loose.push(' ');
        }
        *gap = false;
        loose.push(c);
    }
}

/// Untrusted text for a terminal: line breaks and tabs stay, every other control character and
/// all that hides or reorders text is spelled out as `\u{..}`.
pub fn defuse(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if is_armed(c) {
            write!(plain, "\\u{{{:x}}}", u32::from(c)).expect("writing to a String cannot fail");
        } else {
            plain.push(c);
        }
    }
    plain
}

fn is_armed(c: char) -> bool {
    let control = c.is_control() && !matches!(c, '\n' | '\t');
    control || is_invisible(c) || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether nothing is to be seen of a character: controls, what hides or reorders text, and the
/// selectors of forms, in runs of which whole messages have been smuggled.
pub fn is_hidden(c: char) -> bool {
    c.is_control() || is_invisible(c) || is_variation_selector(c)
}

/// White space runs as one space, trimmed.
pub(crate) fn collapsed(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hashed_form_keeps_case_and_punctuation() {
        assert_eq!(normalised("  Use\r\n\tCafe\u{301}!\u{a0} "), "Use Café!");
        assert_eq!(normalised(" \n"), "");
    }

    #[test]
    fn lines_have_normal_forms_of_their_own() {
        for text in
            ["e\n\u{301}e\u{301}\nplain\n", "\u{301}", "a\r\u{308}\n\nﬁ\n", "한\u{11a8}\n한"]
        {
            let lines = by_line(text, |line, normal| normal.extend(line.nfc()));
            assert_eq!(lines, text.nfc().collect::<String>(), "{text:?}");
        }
    }

    #[test]
    fn trivial_rewording_does_not_change_the_loosened_form() {
        for text in [
            "Don't use `tabs`!",
            "don’t  USE tabs",
            "Dont use: tabs.",
            "d\u{200b}ont (use) \u{ff54}abs",
        ] {
            assert_eq!(loosened(text), "dont use tabs", "{text:?}");
        }
        assert_eq!(loosened("हिन्दी।"), "हिन्दी");
        assert_ne!(loosened("🎉"), loosened("🚀"));
    }

    proptest::proptest! {
        #[test]
        fn lines_are_loosened_as_the_whole_is(text in "(\\PC|[A-Z'é\\n\\u{301}\\u{1100}\\u{1161}ΣİﬁÅ]){0,40}") {
            let compatible: String = text.nfkc().collect();
            let mut whole = String::new();
            add_words(lowered(&compatible).nfkc(), &mut false, &mut whole);
            let whole = if whole.is_empty() { normalised(&text) } else { whole };
            proptest::prop_assert_eq!(loosened(&text), whole);
        }
    }

    #[test]
    fn nothing_armed_reaches_the_terminal() {
        assert_eq!(defuse("a\tb\nc"), "a\tb\nc");
        assert_eq!(defuse("\x1b[2J\r\u{9b}"), "\\u{1b}[2J\\u{d}\\u{9b}");
        assert_eq!(defuse("x\u{202e}y\u{200b}"), "x\\u{202e}y\\u{200b}");
        assert_eq!(defuse("⚠\u{fe0f} é 日本"), "⚠\u{fe0f} é 日本");
    }
}
