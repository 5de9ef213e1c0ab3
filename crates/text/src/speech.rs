//! Turns of a conversation: who speaks, and how much is stated.

use crate::characters::{is_apostrophe, is_dense};
use crate::sentences::sentences;
use crate::stems::is_stop_word;
use std::collections::HashSet;

/// What people say to keep a conversation going. It states nothing.
const PLEASANTRIES: &[&str] = &[
    "amazing", "awesome", "bye", "cool", "glad", "good", "great", "haha", "hello", "hey", "hi",
    "love", "lovely", "nice", "oh", "ok", "okay", "please", "really", "sorry", "sounds", "sure",
    "thank", "thanks", "totally", "wow", "yay", "yeah", "yep",
];

/// Letters of the longest word that is looked at.
const LONG_WORD: usize = 64;

/// The speaker and what is said, of a text like `Ann: I moved`: one or two capitalised words, a colon.
pub fn labelled(text: &str) -> Option<(&str, &str)> {
    text.split_once(": ").filter(|(name, _)| is_name(name))
}

fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let capitalised = |word: &&str| {
        word.chars().next().is_some_and(char::is_uppercase)
            && word.len() <= 21
            && word.chars().skip(1).all(|c| c.is_lowercase() || matches!(c, '.' | '\'' | '-'))
    };
    words.len() <= 2 && words.iter().all(capitalised)
}

/// How many different words of content a turn states: not in questions, and no pleasantries. Counting
/// ends at `enough`; where words are not set apart by spaces they are not counted, and it is enough.
pub fn words_stated(text: &str, enough: usize) -> usize {
    let said = labelled(text).map_or(text, |(_, said)| said);
    if said.chars().any(is_dense) {
        return enough;
    }
    let mut stated = HashSet::new();
    for sentence in sentences(said).into_iter().filter(|sentence| !asks(sentence)) {
        for word in sentence.split(|c: char| !c.is_alphanumeric() && !is_apostrophe(c)) {
            let word: String =
                word.chars().filter(|c| !is_apostrophe(*c)).take(LONG_WORD).collect();
            let word = word.to_lowercase();
            let is_content = !word.is_empty() && !is_stop_word(&word);
            if is_content && !PLEASANTRIES.contains(&word.as_str()) {
                stated.insert(word);
            }
            if stated.len() >= enough {
                return enough;
            }
        }
    }
    stated.len()
}

/// Ends with a question mark of whatever script, behind quotes and brackets too.
fn asks(sentence: &str) -> bool {
    let end = sentence.trim_end_matches(|c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | ')' | ']' | '\u{201d}' | '\u{2019}' | '!')
    });
    end.ends_with(['?', '\u{ff1f}', '\u{61f}'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_speaker_stands_before_a_colon() {
        assert_eq!(labelled("Ann: I moved"), Some(("Ann", "I moved")));
        assert_eq!(labelled("Ann Lee: hi"), Some(("Ann Lee", "hi")));
        for text in ["error: no such file", "The port of it: 5432", "E0451: private", "Ann:hi", ""]
        {
            assert_eq!(labelled(text), None, "{text}");
        }
    }

    #[test]
    fn questions_and_pleasantries_state_nothing() {
        for (text, stated) in [
            ("Wow, that's gorgeous! Where did you find it?", 1),
            ("Hey Ann! How's it going", 3),
            ("Ann: Thanks, sounds great!", 0),
            ("Can you suggest some yoga studios in my area?", 0),
            ("\u{62}\u{61f}", 0),
            ("\u{4f60}\u{597d}\u{5417}\u{ff1f}", 99),
            ("(Did you try it?)", 0),
            ("Really?!", 0),
            ("I graduated with a degree in Business Administration.", 4),
            ("The port is 5433. The port is 5433.", 2),
            ("Is it the port? It's 5433", 1),
            ("", 0),
        ] {
            assert_eq!(words_stated(text, 99), stated, "{text}");
        }
    }

    #[test]
    fn counting_ends_where_it_is_enough() {
        assert_eq!(words_stated(&"alpha beta gamma delta ".repeat(1_000), 3), 3);
        assert_eq!(words_stated("alpha beta", 0), 0);
    }

    proptest! {
        #[test]
        fn any_text_has_a_count_within_bounds(text in "\\PC{0,200}", enough in 0usize..20) {
            prop_assert!(words_stated(&text, enough) <= enough);
        }
    }
}
