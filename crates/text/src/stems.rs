//! The terms that rank texts against a question: stems without function words, with counts.

mod counts;
mod spread;
mod stop_words;

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

use counts::Counts;

/// Bump whenever [`recall_terms`] changes its output: the store then rebuilds its ranking index.
pub const STEMS_GENERATION: u32 = 1;

/// The English stem of a word. Only lower-case ASCII words of more than two letters have one;
/// everything else (numbers, identifiers with signs, other scripts) is its own stem.
pub fn stem(word: &str) -> Cow<'_, str> {
    if word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        Stemmer::create(Algorithm::English).stem(word)
    } else {
        Cow::Borrowed(word)
    }
}

/// Whether a lower-case word says nothing about its text by itself: `the`, `which`, `dont`.
pub fn is_stop_word(word: &str) -> bool {
    stop_words::is_stop_word(word)
}

/// The distinct terms of a text with how often each occurs, in order of first appearance.
///
/// Words are stemmed and function words dropped. Identifiers and paths count as a whole and by
/// their parts, words with a sigil (`c++`, `--force`, `.env`) also with it, dense scripts in
/// pairs of characters, numbers as they are and ordinals as numbers (`3rd` is `3`).
pub fn recall_terms(text: &str) -> Vec<(String, u32)> {
    let mut counts = Counts::default();
    spread::terms(text, |term| counts.add(term));
    counts.into_terms()
}

/// The distinct terms that a question asks for: those that [`recall_terms`] gives its text.
pub fn query_terms(text: &str) -> Vec<String> {
    recall_terms(text).into_iter().map(|(term, _)| term).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_english_words_are_stemmed() {
        for (word, expected) in [
            ("running", "run"),
            ("caches", "cach"),
            ("is", "is"),
            ("e0382", "e0382"),
            ("Running", "Running"),
            ("привет", "привет"),
            ("", ""),
        ] {
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    #[test]
    fn function_words_are_known() {
        for word in ["the", "dont", "which", "its"] {
            assert!(is_stop_word(word), "{word}");
        }
        for word in ["may", "id", "not", "never", "cache", "", "now"] {
            assert!(!is_stop_word(word), "{word}");
        }
    }

    #[test]
    fn terms_by_kind_of_text() {
        for (text, expected) in [
            ("The caches were running; the cache ran.", "cach:2 run ran"),
            ("getUserName", "getusernam get user name"),
            ("get_user_name()", "get_user_name get user name"),
            ("src/main.rs", "src/main.rs src main rs .rs"),
            ("use C++ and --force", "use c c++ forc --force"),
            ("on May 3rd, 2023", "may 3 2023"),
            ("21ST", "21"),
            ("port 8080", "port 8080"),
            ("日本語", "日本 本語"),
            ("語", "語"),
            ("user's don't", "user"),
            ("run(fast),now", "run fast now"),
            ("fixes #123", "fix 123 #123"),
            ("🎉", "🎉"),
            ("is it the", ""),
        ] {
            let shown = |(term, count): &(String, u32)| match count {
                1 => term.clone(),
                _ => format!("{term}:{count}"),
            };
            let terms: Vec<String> = recall_terms(text).iter().map(shown).collect();
            assert_eq!(terms.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn a_question_meets_another_form_of_its_words() {
        let terms = query_terms("How do we handle the parsing of getUserName?");
        let text = recall_terms("Parser handles: parse user names with get_user_name");
        let shared = terms.iter().filter(|term| text.iter().any(|(known, _)| known == *term));
        assert_eq!(shared.collect::<Vec<_>>(), ["handl", "pars", "get", "user", "name"]);
    }
}
