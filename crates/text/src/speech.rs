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

/// Labels that nobody is called by: roles, parts of a text, days, greetings.
const NO_PERSON: &[&str] = &[
    "action",
    "actual",
    "agent",
    "answer",
    "april",
    "assistant",
    "august",
    "background",
    "bot",
    "bug",
    "build",
    "cause",
    "caveat",
    "context",
    "dear",
    "december",
    "decision",
    "deploy",
    "description",
    "error",
    "example",
    "expected",
    "february",
    "fix",
    "fixed",
    "fixes",
    "fixme",
    "friday",
    "goal",
    "hello",
    "hey",
    "hi",
    "hint",
    "human",
    "idea",
    "important",
    "info",
    "input",
    "issue",
    "january",
    "july",
    "june",
    "link",
    "mail",
    "march",
    "model",
    "monday",
    "next",
    "note",
    "notes",
    "november",
    "october",
    "output",
    "plan",
    "problem",
    "question",
    "reason",
    "release",
    "reply",
    "result",
    "results",
    "review",
    "root",
    "saturday",
    "september",
    "solution",
    "source",
    "status",
    "step",
    "steps",
    "subject",
    "summary",
    "sunday",
    "system",
    "task",
    "test",
    "thursday",
    "tip",
    "title",
    "today",
    "todo",
    "tomorrow",
    "tool",
    "tuesday",
    "update",
    "usage",
    "user",
    "version",
    "warning",
    "wednesday",
    "yesterday",
];

/// What may stand before a name.
const TITLES: &[&str] = &["dr", "mr", "mrs", "ms", "prof"];

/// A person by their first name, as a number that is the same everywhere: names are compared, never
/// told.
pub type Person = i64;

/// Who says a text like `Ann: I moved`.
pub fn speaker(text: &str) -> Option<Person> {
    let (name, _) = labelled(text)?;
    words(name)
        .map(str::to_lowercase)
        .find(|word| !TITLES.contains(&word.as_str()))
        .and_then(person)
}

/// Everybody whom a question may name: its capitalised words, or all of them where it is written without
/// capitals.
pub fn named_in(question: &str) -> impl Iterator<Item = Person> {
    let is_capitalised = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    let has_capitals = words(question).skip(1).any(is_capitalised);
    let may_be_name = move |word: &&str| !has_capitals || is_capitalised(word);
    words(question).filter(may_be_name).filter_map(|word| person(word.to_lowercase()))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn person(name: String) -> Option<Person> {
    let is_initial = name.chars().nth(1).is_none();
    let is_no_name = is_initial || NO_PERSON.contains(&name.as_str()) || is_stop_word(&name);
    (!is_no_name).then(|| number(&name))
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
            assert!(named_in(asked).any(|named| named == speaker), "{said}: {asked}");
        }
        for text in [
            "Note: it broke",
            "Root Cause: a typo",
            "User: hi",
            "Will: hi",
            "A: b",
            "said without a name",
            "",
        ] {
            assert_eq!(speaker(text), None, "{text}");
        }
        let ann = speaker("Ann: hi").expect("Ann");
        assert!(named_in("the annual report, by Anna").all(|named| named != ann));
        let mark = speaker("Mark: hi").expect("Mark");
        assert!(named_in("Did Ann mark the test as slow?").all(|named| named != mark));
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

        #[test]
        fn whoever_speaks_is_named_by_their_label(name in "[A-Z][a-z]{2,9}", text in "\\PC{0,60}") {
            let said = format!("{name}: {text}");
            if let Some(speaker) = speaker(&said) {
                prop_assert!(named_in(&said).any(|named| named == speaker));
            }
            let _ = (speaker(&text), named_in(&text).count());
        }
    }
}
