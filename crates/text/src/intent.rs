//! What a question wants: a current value, a list, an order in time, a procedure, the past.

use crate::words::{Class, visit};

/// The shape of the answer that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Intent {
    /// What holds now: `which database do we use`.
    CurrentValue,
    /// Everything of a kind: `list all endpoints`.
    List,
    /// What came before what, or when: `in which order`, `when did we`.
    Order,
    /// How to do something: `how do I release`.
    Procedure,
    /// What held before or how it came about: `what was the port before`.
    History,
    /// Whether something is so.
    YesNo,
    /// Anything else.
    Open,
}

impl Intent {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CurrentValue => "current value",
            Self::List => "list",
            Self::Order => "order",
            Self::Procedure => "procedure",
            Self::History => "history",
            Self::YesNo => "yes or no",
            Self::Open => "open",
        }
    }
}

/// An intent and the words that decided it; empty for [`Intent::Open`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub intent: Intent,
    pub decided_by: String,
}

/// A rule: some words, and whether they have to begin the question. `*` stands for any one to six
/// words.
struct Rule(Intent, bool, &'static str);

const START: bool = true;
const ANYWHERE: bool = false;

/// The first that fits wins: from the most telling to the most common.
#[rustfmt::skip]
const RULES: &[Rule] = &[
    Rule(Intent::Order, ANYWHERE, "in which order"),
    Rule(Intent::Order, ANYWHERE, "in what order"),
    Rule(Intent::Order, ANYWHERE, "what order"),
    Rule(Intent::Order, ANYWHERE, "chronological"),
    Rule(Intent::Order, ANYWHERE, "timeline"),
    Rule(Intent::Order, ANYWHERE, "from earliest to latest"),
    Rule(Intent::Order, ANYWHERE, "which came first"),
    Rule(Intent::Order, ANYWHERE, "what came first"),
    Rule(Intent::Order, ANYWHERE, "happened first"),
    Rule(Intent::Order, ANYWHERE, "how long ago"),
    Rule(Intent::Order, ANYWHERE, "when did"),
    Rule(Intent::Order, ANYWHERE, "when was"),
    Rule(Intent::Order, ANYWHERE, "when were"),
    Rule(Intent::Order, ANYWHERE, "what date"),
    Rule(Intent::Order, ANYWHERE, "which day"),
    Rule(Intent::Order, ANYWHERE, "how many days"),
    Rule(Intent::Order, ANYWHERE, "how many weeks"),
    Rule(Intent::Order, ANYWHERE, "how many months"),
    Rule(Intent::Order, ANYWHERE, "sequence of"),

    Rule(Intent::History, ANYWHERE, "used to"),
    Rule(Intent::History, ANYWHERE, "history of"),
    Rule(Intent::History, ANYWHERE, "previous value"),
    Rule(Intent::History, ANYWHERE, "previously"),
    Rule(Intent::History, ANYWHERE, "originally"),
    Rule(Intent::History, ANYWHERE, "what was * before"),
    Rule(Intent::History, ANYWHERE, "what were * before"),
    Rule(Intent::History, ANYWHERE, "what did * before"),
    Rule(Intent::History, ANYWHERE, "which * did * before"),
    Rule(Intent::History, ANYWHERE, "what changed"),
    Rule(Intent::History, ANYWHERE, "what has changed"),
    Rule(Intent::History, ANYWHERE, "how has * changed"),
    Rule(Intent::History, ANYWHERE, "how did * change"),
    Rule(Intent::History, ANYWHERE, "what happened"),
    Rule(Intent::History, ANYWHERE, "back then"),
    Rule(Intent::History, ANYWHERE, "why did we"),
    Rule(Intent::History, ANYWHERE, "what did we"),
    Rule(Intent::History, START, "what was"),
    Rule(Intent::History, START, "what were"),

    Rule(Intent::Procedure, ANYWHERE, "how do i"),
    Rule(Intent::Procedure, ANYWHERE, "how do we"),
    Rule(Intent::Procedure, ANYWHERE, "how do you"),
    Rule(Intent::Procedure, ANYWHERE, "how can i"),
    Rule(Intent::Procedure, ANYWHERE, "how can we"),
    Rule(Intent::Procedure, ANYWHERE, "how should i"),
    Rule(Intent::Procedure, ANYWHERE, "how should we"),
    Rule(Intent::Procedure, ANYWHERE, "how would i"),
    Rule(Intent::Procedure, ANYWHERE, "how to"),
    Rule(Intent::Procedure, ANYWHERE, "steps to"),
    Rule(Intent::Procedure, ANYWHERE, "steps for"),
    Rule(Intent::Procedure, ANYWHERE, "what steps"),
    Rule(Intent::Procedure, ANYWHERE, "what are the steps"),
    Rule(Intent::Procedure, ANYWHERE, "procedure for"),
    Rule(Intent::Procedure, ANYWHERE, "process for"),
    Rule(Intent::Procedure, ANYWHERE, "which command"),
    Rule(Intent::Procedure, ANYWHERE, "what command"),
    Rule(Intent::Procedure, ANYWHERE, "walk me through"),
    Rule(Intent::Procedure, ANYWHERE, "what is the command"),

    Rule(Intent::List, START, "list"),
    Rule(Intent::List, START, "show all"),
    Rule(Intent::List, START, "show me all"),
    Rule(Intent::List, START, "give me all"),
    Rule(Intent::List, START, "give me a list"),
    Rule(Intent::List, START, "name all"),
    Rule(Intent::List, START, "enumerate"),
    Rule(Intent::List, START, "find all"),
    Rule(Intent::List, START, "how many"),
    Rule(Intent::List, ANYWHERE, "list all"),
    Rule(Intent::List, ANYWHERE, "list of"),
    Rule(Intent::List, ANYWHERE, "what are all"),
    Rule(Intent::List, ANYWHERE, "what are the"),
    Rule(Intent::List, ANYWHERE, "what are our"),
    Rule(Intent::List, ANYWHERE, "what are my"),
    Rule(Intent::List, ANYWHERE, "what other"),
    Rule(Intent::List, ANYWHERE, "which ones"),
    Rule(Intent::List, ANYWHERE, "what kinds of"),
    Rule(Intent::List, ANYWHERE, "what types of"),
    Rule(Intent::List, ANYWHERE, "everything we know about"),
    Rule(Intent::List, ANYWHERE, "every"),
    Rule(Intent::List, ANYWHERE, "all the"),
    Rule(Intent::List, ANYWHERE, "all of the"),
    Rule(Intent::List, ANYWHERE, "all of our"),

    Rule(Intent::CurrentValue, ANYWHERE, "what is * now"),
    Rule(Intent::CurrentValue, ANYWHERE, "currently"),
    Rule(Intent::CurrentValue, ANYWHERE, "right now"),
    Rule(Intent::CurrentValue, ANYWHERE, "at the moment"),
    Rule(Intent::CurrentValue, ANYWHERE, "the current"),
    Rule(Intent::CurrentValue, ANYWHERE, "the latest"),
    Rule(Intent::CurrentValue, ANYWHERE, "these days"),
    Rule(Intent::CurrentValue, ANYWHERE, "which * do we"),
    Rule(Intent::CurrentValue, ANYWHERE, "which * are we"),
    Rule(Intent::CurrentValue, ANYWHERE, "which * does"),
    Rule(Intent::CurrentValue, ANYWHERE, "which * do i"),
    Rule(Intent::CurrentValue, ANYWHERE, "which * is"),
    Rule(Intent::CurrentValue, ANYWHERE, "what * do we use"),
    Rule(Intent::CurrentValue, ANYWHERE, "what * are we using"),
    Rule(Intent::CurrentValue, ANYWHERE, "what * does * use"),
    Rule(Intent::CurrentValue, START, "what is"),
    Rule(Intent::CurrentValue, START, "whats"),
    Rule(Intent::CurrentValue, START, "where is"),
    Rule(Intent::CurrentValue, START, "wheres"),
    Rule(Intent::CurrentValue, START, "who is"),
    Rule(Intent::CurrentValue, START, "whos"),
    Rule(Intent::CurrentValue, START, "how much"),

    Rule(Intent::YesNo, START, "is"),
    Rule(Intent::YesNo, START, "are"),
    Rule(Intent::YesNo, START, "was"),
    Rule(Intent::YesNo, START, "were"),
    Rule(Intent::YesNo, START, "do"),
    Rule(Intent::YesNo, START, "does"),
    Rule(Intent::YesNo, START, "did"),
    Rule(Intent::YesNo, START, "have"),
    Rule(Intent::YesNo, START, "has"),
    Rule(Intent::YesNo, START, "can"),
    Rule(Intent::YesNo, START, "could"),
    Rule(Intent::YesNo, START, "should"),
    Rule(Intent::YesNo, START, "would"),
    Rule(Intent::YesNo, START, "will"),
    Rule(Intent::YesNo, START, "isnt"),
    Rule(Intent::YesNo, START, "arent"),
    Rule(Intent::YesNo, START, "doesnt"),
    Rule(Intent::YesNo, START, "didnt"),
];

/// Politeness before the question.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "ok", "okay", "so", "hey", "hi", "and", "but", "please", "well", "hmm", "also", "now", "again",
];

const REQUESTS: &[&[&str]] = &[
    &["can", "you", "tell", "me"],
    &["could", "you", "tell", "me"],
    &["do", "you", "know"],
    &["do", "you", "remember"],
    &["remind", "me"],
    &["tell", "me"],
    &["can", "you"],
    &["could", "you"],
];

/// Only the beginning of a text says what it wants; the rest is what it is about.
const READ: usize = 60;

/// What a question wants.
pub fn intent(text: &str) -> Intent {
    wanted(text).intent
}

/// What a question wants and by which of its words.
pub fn wanted(text: &str) -> Wanted {
    let words = words(text);
    let words = without_request(&words);
    for Rule(intent, starts, pattern) in RULES {
        let starts_at = if *starts { 0..1 } else { 0..words.len() };
        let pattern: Vec<&str> = pattern.split(' ').collect();
        let found = starts_at
            .into_iter()
            .find_map(|at| length(words.get(at..)?, &pattern).map(|l| (at, l)));
        if let Some((at, length)) = found {
            return Wanted { intent: *intent, decided_by: words[at..at + length].join(" ") };
        }
    }
    Wanted { intent: Intent::Open, decided_by: String::new() }
}

fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let opening: String = text.trim_start().chars().take(READ * 12).collect();
    visit(&opening, |class, chunk| {
        if class == Class::Spaced && found.len() < READ {
            found.push(chunk.to_lowercase());
        }
    });
    found
}

fn without_request(words: &[String]) -> &[String] {
    let mut rest = words;
    loop {
        let filler = rest.first().is_some_and(|word| FILLERS.contains(&word.as_str()));
        let request = REQUESTS.iter().find(|request| {
            rest.len() > request.len()
                && rest.iter().zip(**request).all(|(word, said)| word == said)
        });
        rest = match request {
            Some(request) => &rest[request.len()..],
            None if filler => &rest[1..],
            None => return rest,
        };
    }
}

/// How many words from the first on meet the pattern.
fn length(words: &[String], pattern: &[&str]) -> Option<usize> {
    let Some((first, rest)) = pattern.split_first() else { return Some(0) };
    if *first == "*" {
        return (1..=6).find_map(|skip| Some(skip + length(words.get(skip..)?, rest)?));
    }
    if words.first()? != first {
        return None;
    }
    Some(1 + length(&words[1..], rest)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_by_what_they_want() {
        for (text, intent, by) in [
            ("What is the port now?", Intent::CurrentValue, "what is the port now"),
            ("which database do we use", Intent::CurrentValue, "which database do we"),
            ("What's the retry limit?", Intent::CurrentValue, "whats"),
            ("Who is on call right now?", Intent::CurrentValue, "right now"),
            ("How do I release a version?", Intent::Procedure, "how do i"),
            ("remind me how to reset the cache", Intent::Procedure, "how to"),
            ("List all endpoints", Intent::List, "list"),
            ("so, what are the open questions", Intent::List, "what are the"),
            ("How many tests are flaky?", Intent::List, "how many"),
            ("In which order did we migrate?", Intent::Order, "in which order"),
            ("When did we drop Redis?", Intent::Order, "when did"),
            ("What was the port before the move?", Intent::History, "what was the port before"),
            ("Where did we used to host it?", Intent::History, "used to"),
            ("what changed in the parser", Intent::History, "what changed"),
            ("Is the cache shared?", Intent::YesNo, "is"),
            ("Can you tell me which editor is mine?", Intent::CurrentValue, "which editor is"),
            ("the parser", Intent::Open, ""),
            ("", Intent::Open, ""),
            ("日本語", Intent::Open, ""),
        ] {
            let expected = Wanted { intent, decided_by: by.to_owned() };
            assert_eq!(wanted(text), expected, "{text}");
        }
    }
}
