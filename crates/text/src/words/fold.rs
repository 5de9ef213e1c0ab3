//! The form in which two spellings of the same text become one, still in its own case.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use crate::characters::{is_invisible, is_variation_selector};
use crate::normalise::by_line;

/// NFKC without Latin, Greek and Cyrillic diacritics and without invisible characters. Only
/// U+0300–U+036F go: the marks of Indic and Semitic scripts are letters to their readers. Case
/// stays because camelCase is read from it.
pub(super) fn folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(by_line(text, |line, folded| {
        folded.extend(line.nfkd().filter(|c| !is_dropped(*c)).map(plain_hyphen).nfc());
    }))
}

fn is_dropped(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}') || is_invisible(c) || is_variation_selector(c)
}

/// Word processors write U+2010 where people type `-`.
fn plain_hyphen(c: char) -> char {
    if c == '\u{2010}' { '-' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_fold_together() {
        for (given, expected) in [
            ("café", "cafe"),
            ("cafe\u{301}", "cafe"),
            ("ＡＢＣ１", "ABC1"),
            ("ﬁle", "file"),
            ("pass\u{200b}word\u{202e}", "password"),
            ("हिन्दी", "हिन्दी"),
            ("العربيّة", "العربيّة"),
            ("ガ", "ガ"),
            ("ｶﾞ", "ガ"),
            ("한국", "한국"),
            ("co\u{2011}op", "co-op"),
        ] {
            assert_eq!(folded(given), expected, "{given:?}");
        }
    }
}
