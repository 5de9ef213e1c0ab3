//! What kind of character this is, for all modules that have to agree on it.

use unicode_normalization::char::is_combining_mark;

/// Letters, digits and the marks that belong to them: without its marks हिन्दी falls apart.
pub(crate) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric() || is_combining_mark(c)
}

/// A word character of a script that is written without spaces, or, like Hangul, whose words grow
/// endings that a search should see through.
pub(crate) fn is_dense(c: char) -> bool {
    c >= '\u{e00}' && (is_han(c) || in_dense_block(c)) && is_word(c)
}

fn in_dense_block(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}' // Myanmar
        | '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}' // Hangul
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{1b000}'..='\u{1b16f}' // Kana
        | '\u{3100}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}' // Bopomofo
    )
}

pub(crate) fn is_han(c: char) -> bool {
    matches!(c,
        '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Hiragana carries mostly grammar, so it separates key terms rather than being one.
pub(crate) fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{309f}')
}

/// Emoji, arrows, currency and the like: worth finding by themselves. Box drawing and geometric
/// bullets are furniture and do not count.
pub(crate) fn is_symbol(c: char) -> bool {
    c >= '\u{20a0}'
        && !is_word(c)
        && !c.is_whitespace()
        && !matches!(c,
            '\u{2500}'..='\u{25ff}' // boxes, blocks, bullets
            | '\u{2e00}'..='\u{2e7f}' | '\u{3000}'..='\u{303f}' | '\u{30fb}' // punctuation
            | '\u{fe10}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff65}')
}

/// Characters that join a word rather than end it: don't, l’été, צה״ל.
pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{02bc}' | '\u{05f3}' | '\u{05f4}')
}

/// Zero-width, filler, tag and direction characters: nothing to see, much to hide behind.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Chooses the text or emoji form of the character before it.
pub(crate) fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}')
}

/// Lower case character by character: unlike [`str::to_lowercase`] a sigma does not depend on
/// where it stands, so a part of a word folds as the word does.
pub(crate) fn lowered(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_belong_to_words_and_punctuation_does_not() {
        assert!("हिन्दी".chars().all(is_word));
        assert!("日本語テキストー한국어ไทย".chars().all(is_dense));
        assert!(!"。、・฿។".chars().any(is_dense));
        assert!("🎉→€".chars().all(is_symbol));
        assert!(!"—…。│●a+".chars().any(is_symbol));
    }

    #[test]
    fn lower_case_does_not_depend_on_the_place() {
        assert_eq!(lowered("ΣΑΣ"), "σασ");
        assert_eq!(lowered("ПРИВЕТ"), "привет");
    }
}
