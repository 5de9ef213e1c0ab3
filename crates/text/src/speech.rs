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

/// Labels that nobody is called by: roles, and parts of a text.
const NO_PERSON: &[&str] = &[
    "agent",
    "answer",
    "assistant",
    "bot",
    "error",
    "example",
    "fix",
    "fixme",
    "hint",
    "human",
    "info",
    "input",
    "mail",
    "model",
    "note",
    "output",
    "problem",
    "question",
    "reason",
    "result",
    "solution",
    "status",
    "step",
    "subject",
    "summary",
    "system",
    "task",
    "tip",
    "todo",
    "tool",
    "update",
    "user",
    "warning",
];

/// What may stand before a name.
const TITLES: &[&str] = &["dr", "mr", "mrs", "ms", "prof"];

/// A person by their first name, as a number that is the same everywhere: names are compared, never
/// told.
pub type Person = i64;

/// Who says a text like `Ann: I moved`.
pub fn speaker(text: &str) -> Option<Person> {
    let (name, _) = labelled(text)?;
    people(name).next()
}

/// Everybody whom a text may name: each of its words that could be a name.
pub fn people(text: &str) -> impl Iterator<Item = Person> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let names = words.map(str::to_lowercase).filter(|word| {
        let no_name = [NO_PERSON, TITLES].iter().any(|list| list.contains(&word.as_str()));
        word.chars().nth(1).is_some() && !no_name && !is_stop_word(word)
    });
    names.map(|name| number(&name))
}

/// FNV-1a.
fn number(name: &str) -> Person {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash.cast_signed()
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
    fn a_speaker_is_known_again_in_a_question() {
        for (said, asked) in [
            ("Ann: I moved", "where did ann move to"),
            ("Ann Lee: I moved", "What is Ann\u{2019}s new address?"),
            ("Dr. Lee: hi", "ask Dr. Lee"),
        ] {
            let speaker = speaker(said).expect(said);
            assert!(people(asked).any(|named| named == speaker), "{said}: {asked}");
        }
        for text in ["Note: it broke", "User: hi", "Will: hi", "A: b", "said without a name", ""] {
            assert_eq!(speaker(text), None, "{text}");
        }
        let ann = speaker("Ann: hi").expect("Ann");
        assert!(people("the annual report, by Anna").all(|named| named != ann));
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
