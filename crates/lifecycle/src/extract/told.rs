//! What a person asks outright to have remembered: `remember that …`, `for future reference, …`.

use super::circumstances::is_circumstance;
use super::frames::without;
use super::pointing::{counts_items, points_elsewhere};
use super::prose::{Words, starts_with_words};
use super::statements::{Statement, StatementKind, rule};
use super::vocabulary::{BINDS, COURTESIES, HINTS, MANNER, MOMENT, PASSING, POINTERS, REMINDERS};

/// Longer messages are pasted, or set a task: what is to be remembered in them is part of it.
const MOST_SENTENCES: usize = 6;

/// A sentence behind the words that ask to remember it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told<'a> {
    pub(super) text: &'a str,
    /// `note that …` is said as often of the task at hand as for good.
    is_hint: bool,
}

impl<'a> Told<'a> {
    pub(super) fn of(sentence: &'a str) -> Option<Told<'a>> {
        let sentence = sentence.trim();
        let low = sentence.to_ascii_lowercase();
        let mut rest = low.as_str();
        while without(COURTESIES, rest).len() < rest.len() {
            rest = without(COURTESIES, rest);
        }
        let behind = |leads: &[&str]| {
            let lead = leads.iter().find(|lead| rest.starts_with(**lead))?;
            let rest = rest[lead.len()..].trim_start_matches([' ', ',', ':', '-']);
            Some(&sentence[sentence.len() - rest.len()..])
        };
        let is_hint = behind(REMINDERS).is_none();
        let text = behind(REMINDERS).or_else(|| behind(HINTS))?;
        Some(Told { text, is_hint })
    }

    /// What is to be remembered, where it can be understood without the conversation. `others` are
    /// the other sentences of the message: who says only this means it for good.
    pub(super) fn statement(self, others: &[&str]) -> Option<Statement> {
        let words = Words::of(self.text);
        let spoken = |sentence: &&&str| Words::of(sentence).count() >= 4;
        let around = others.iter().filter(spoken).count();
        if around >= MOST_SENTENCES || self.text.ends_with(':') {
            return None;
        }
        let ruled = rule(&words).map(|ruled| Statement { text: self.text.to_owned(), ..ruled });
        ruled.or_else(|| {
            let lasts = !self.is_hint || around == 0 || is_circumstance(&words);
            (lasts && can_stand_alone(&words, self.is_hint)).then(|| self.kept(&words))
        })
    }

    fn kept(self, words: &Words<'_>) -> Statement {
        let is_manner = MANNER.iter().any(|verb| starts_with_words(&words.low, verb));
        let kind = if words.has_any(BINDS) {
            StatementKind::Requirement
        } else if is_manner {
            StatementKind::Preference
        } else {
            StatementKind::Circumstance
        };
        let confidence = if self.is_hint { 0.75 } else { 0.85 };
        let text = self.text.to_owned();
        Statement { kind, text, wanted: None, unwanted: None, confidence }
    }
}

/// A whole clause about something that it names, and not of the moment.
fn can_stand_alone(words: &Words<'_>, is_hint: bool) -> bool {
    let least = if is_hint && !words.low.starts_with("we ") { 5 } else { 4 };
    // `note that when the list is empty …` tells what a program does.
    let tells_case = is_hint && ["when ", "if "].iter().any(|start| words.low.starts_with(start));
    (least..=40).contains(&words.count())
        && !tells_case
        && !words.is_question()
        && !words.is_hearsay()
        && !words.text.contains(['[', '{'])
        && !words.has_any(MOMENT)
        && !words.has_any(PASSING)
        && !counts_items(&words.low)
        && !leans(words)
        && is_clause(&words.low)
}

/// Leans on what was said before; to be short is no fault in what is to be remembered.
fn leans(words: &Words<'_>) -> bool {
    words.has_any(POINTERS) && points_elsewhere(words, StatementKind::Circumstance)
}

/// `remember that staging runs on Fly`; not `remember that bug on staging`, nor what was lived
/// through: `remember that we had a bug there`.
fn is_clause(low: &str) -> bool {
    let words: Vec<&str> =
        low.split([' ', ',', '.', '!']).filter(|word| !word.is_empty()).collect();
    let Some(first) = words.first() else { return false };
    let speakers = ["i", "we", "you", "he", "she", "they"];
    let lived = (0..words.len())
        .filter(|at| speakers.contains(&words[*at]))
        .any(|at| is_past(&words[at + 1..]));
    let told_off = ["must", "should", "may", "cannot", "can't", "never", "always", "only"];
    let binds_you = *first == "you" && words.get(1).is_some_and(|next| told_off.contains(next));
    let addressed = UNTOLD.contains(first) && !binds_you;
    let does = |word: &&str| word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
    let has_verb = words.iter().skip(1).any(|word| VERBS.contains(word) || does(word));
    let of_person = ["i", "we", "i'm", "we're"].contains(first);
    let stands = has_verb || of_person || MANNER.contains(first);
    !addressed && !POINTERS.contains(first) && !RECALLED.contains(first) && !lived && stands
}

/// How a clause begins that speaks to somebody, or asks: nothing is told by it.
#[rustfmt::skip]
const UNTOLD: &[&str] = &[
    "you", "you're", "you'll", "you've", "i've", "i'll", "we've", "we'll", "he", "she", "what", "how",
    "why", "who", "where", "me",
];

/// What somebody did: `had …`, `tested …`, `have not tested …`.
fn is_past(words: &[&str]) -> bool {
    let has = words.first().is_some_and(|word| ["have", "haven't"].contains(word));
    let little = |word: &&&str| has && ["have", "haven't", "not", "already"].contains(*word);
    let verb = words.iter().find(|word| !little(word)).copied().unwrap_or_default();
    let irregular = [
        "had", "did", "saw", "wrote", "got", "made", "found", "went", "hit", "told", "said", "was",
        "were", "ran", "spoke", "met", "left", "built", "sent", "came", "took", "set",
    ];
    irregular.contains(&verb) || (verb.ends_with("ed") && verb != "need")
}

/// What somebody is asked to think back to: `remember that time …`.
#[rustfmt::skip]
const RECALLED: &[&str] = &[
    "time", "day", "one", "thing", "bug", "guy", "person", "moment", "trip", "movie", "song", "story",
    "conversation", "discussion", "meeting", "error", "issue", "question", "trick", "place", "test",
    "function", "file", "script", "class", "method", "page", "button", "ticket", "commit", "change",
];

/// Verbs that do not end in an s.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "is", "are", "isn't", "aren't", "has", "have", "can", "can't", "cannot", "must", "may", "need",
    "do", "don't", "does", "doesn't", "will", "won't", "only", "never", "always", "use", "run", "live",
    "go", "come", "want", "work", "require", "belong", "depend", "deploy", "pay", "speak", "start",
    "expire", "take", "keep", "cost", "hold", "send", "read", "write", "share", "contain", "store",
];

#[cfg(test)]
mod tests {
    use super::*;
    use StatementKind::{Circumstance, Obligation, Preference, Prohibition, Requirement};

    fn told(sentence: &str, others: &[&str]) -> Option<(StatementKind, String)> {
        let found = Told::of(sentence)?.statement(others)?;
        Some((found.kind, found.text))
    }

    #[test]
    fn what_is_to_be_remembered_is() {
        for (sentence, kind, text) in [
            (
                "Remember that staging deploys only from the release branch.",
                Requirement,
                "staging deploys only from the release branch.",
            ),
            (
                "Please remember: customers in Norway pay in kroner",
                Circumstance,
                "customers in Norway pay in kroner",
            ),
            ("Ok, remember: never log a token.", Prohibition, "never log a token."),
            (
                "Note that the importer needs Java 21 on every machine.",
                Circumstance,
                "the importer needs Java 21 on every machine.",
            ),
            (
                "Please keep in mind that the billing service belongs to another team.",
                Circumstance,
                "the billing service belongs to another team.",
            ),
            (
                "For future reference, use the `ops` profile for AWS.",
                Preference,
                "use the `ops` profile for AWS.",
            ),
            (
                "for future reference: the staging database is wiped every night",
                Circumstance,
                "the staging database is wiped every night",
            ),
            (
                "Remember, prod is read-only on weekends.",
                Requirement,
                "prod is read-only on weekends.",
            ),
            ("Keep in mind that we support Python 3.9.", Circumstance, "we support Python 3.9."),
            ("FYI, Anna owns the billing module.", Circumstance, "Anna owns the billing module."),
            (
                "I want you to remember that you should not edit generated files.",
                Requirement,
                "you should not edit generated files.",
            ),
            (
                "Don't forget that we always tag from `main`.",
                Obligation,
                "we always tag from `main`.",
            ),
        ] {
            assert_eq!(told(sentence, &[]), Some((kind, text.to_owned())), "{sentence}");
        }
    }

    #[test]
    fn what_is_said_of_the_task_at_hand_is_not() {
        for sentence in [
            "Do you remember that staging deploys only from the release branch?",
            "Remember that staging deploys from main?",
            "Remember that test needs a fix",
            "Remember that bug with the release branch and the tags?",
            "Remember that time the release branch was gone.",
            "Remember that we had two branches for the releases.",
            "Remember the last agent and have that be the default.",
            "It should remember that the panel is closed.",
            "I can't remember that the port is 8080.",
            "Remember that it only happens on Windows.",
            "Remember that this is only a sketch.",
            "Remember that you are a careful reviewer of code.",
            "Remember that the server is down at the moment.",
            "Note that the build is still broken on Linux.",
            "Note that it fails:",
            "Note that I have not tested the change on Windows.",
            "Note that I've already run the migrations on staging.",
            "Note that when the list is empty the page shows a spinner.",
            "Remember: the meeting is at 3.",
            "fyi I'm going for lunch with the others",
            "Remember to push.",
            "Keep in mind what she said about the releases.",
            "Keep in mind that my colleague says tests are slow.",
            "Remember that maybe the cache is too small for this.",
        ] {
            assert_eq!(told(sentence, &[]), None, "{sentence}");
        }
    }

    #[test]
    fn a_hint_in_a_task_belongs_to_the_task() {
        let task = ["Add a filter to the list of orders."];
        assert_eq!(told("Note that the list has no entries at first.", &task), None);
        let world = "Note that our API runs on Fly in two regions.";
        assert_eq!(told(world, &task).map(|found| found.0), Some(Circumstance));
        let asked = "Remember that orders are sorted by day everywhere.";
        assert_eq!(told(asked, &task).map(|found| found.0), Some(Circumstance));
        let many = ["One more sentence of a text."; MOST_SENTENCES];
        assert_eq!(told(asked, &many), None);
    }
}
