//! Choices that somebody made, with the reason where one is given.

use super::frames::without_opener;
use super::pointing::counts_items;
use super::prose::{Words, starts_with_words, without_reason};
use super::vocabulary::{
    BODIES, CHOSE, DECIDES, DECLARES, DID, INTENDS, OF_POLICY, OF_SCOPE, REFUSES, RESOLVED,
    UNDECIDED,
};

/// A choice as it was said, and its parts where they can be told apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    pub text: String,
    pub reason: Option<String>,
    pub alternative: Option<String>,
    pub confidence: f64,
}

const REASONS: &[&str] =
    &[" because ", " since ", " so that ", " due to ", " in order to ", " to avoid ", " to match "];

/// What a sentence decides. An agent must give a reason: without one it only tells what it does.
pub fn choice(sentence: &str, by_person: bool) -> Option<Choice> {
    let words = Words::of(sentence);
    if words.is_question() || !(5..=60).contains(&words.count()) || is_open(&words) {
        return None;
    }
    let reason = reason(words.text);
    if declares(&words) {
        return Some(made(&words, reason, if by_person { 0.85 } else { 0.7 }));
    }
    let replaced = replaced(words.text).is_some();
    let chose = words.has_any(CHOSE) || replaced || (!by_person && settles(&words));
    // Without a name or a number it is a wish: `let's keep going`.
    let firm = words.names_something() || words.low.contains(|c: char| c.is_ascii_digit());
    let start = without_opener(&words.low);
    let goes = start.starts_with("go with ") || start.starts_with("we take ");
    let picks = goes || words.has_any(&["let's go with", "i'll go with", "we'll go with"]);
    let says = goes || words.has_any(DECIDES);
    let decides = by_person
        && ((says && (firm || picks)) || is_resolved(&words))
        && !words.low.starts_with("if ");
    // What one person did on one day is a story, what "we" chose holds for others too.
    let ours = replaced || CHOSE.iter().any(|chose| chose.starts_with("we") && words.has(chose));
    let plain =
        chose && (reason.is_some() || (by_person && ours)) || (by_person && intends(&words));
    if !(plain || decides) || leans_back(&words, by_person) {
        return None;
    }
    let confidence = match (by_person, reason.is_some()) {
        (true, true) => 0.9,
        (true, false) => 0.75,
        (false, _) => 0.6,
    };
    Some(made(&words, reason, confidence))
}

fn made(words: &Words<'_>, reason: Option<String>, confidence: f64) -> Choice {
    let alternative = alternative(words.text, reason.as_deref())
        .or_else(|| replaced(words.text).map(str::to_owned));
    let text = match &reason {
        Some(reason) => without_its_reason(words.text, reason),
        None => words.text,
    };
    Choice { text: text.to_owned(), reason, alternative, confidence }
}

/// What was chosen alone, where a plain `because` tells where the reason begins: it has a place of
/// its own and need not be read twice.
fn without_its_reason<'t>(text: &'t str, reason: &str) -> &'t str {
    let before = text.find(reason).map_or("", |at| text[..at].trim_end());
    let low = before.to_ascii_lowercase();
    let mark = [" because", " because of"].iter().find(|mark| low.ends_with(*mark));
    mark.map_or(text, |mark| before[..before.len() - mark.len()].trim_end_matches([',', ' ', ';']))
}

/// Called a decision by whoever tells it: `Decision: …`, `as agreed, …`.
fn declares(words: &Words<'_>) -> bool {
    let low = without_opener(&words.low);
    let low = low.strip_prefix("right, ").unwrap_or(low);
    let agreed = ["as agreed,", "as decided,", "as discussed and agreed,"];
    let made = [
        "the decision was made to ",
        "it was decided to ",
        "it was decided that ",
        "decided to go with ",
        "decided to use ",
        "decided on ",
        "decided against ",
    ];
    let said = DECLARES.iter().chain(&agreed).chain(&made);
    said.into_iter().any(|label| low.starts_with(label))
}

/// `the board picked OAuth`, `team voted and we'll keep it`: not one person's whim.
fn is_resolved(words: &Words<'_>) -> bool {
    let list: Vec<&str> = without_opener(&words.low).split(' ').take(5).collect();
    let body = list.iter().position(|word| BODIES.contains(word));
    body.is_some_and(|at| {
        list[at + 1..].iter().take(2).any(|word| RESOLVED.contains(word)) && words.count() >= 6
    })
}

/// `we're going to replace moment`, `we won't support Windows`, and what is planned one way and not
/// another.
fn intends(words: &Words<'_>) -> bool {
    let follows = |intents: &[&str], verbs: &[&str]| {
        intents
            .iter()
            .filter_map(|intent| words.low.split_once(intent))
            .any(|(_, rest)| verbs.iter().any(|verb| starts_with_words(rest.trim_start(), verb)))
    };
    let plans = ["the plan is to", "the plan is now to"];
    let weighed = words.has_any(&["not", "instead of", "rather than"]);
    follows(INTENDS, OF_POLICY) || follows(REFUSES, OF_SCOPE) || (words.has_any(&plans) && weighed)
}

/// What had to go: `Jenkins` of `we replaced Jenkins with Buildkite`.
fn replaced(text: &str) -> Option<&str> {
    let low = text.to_ascii_lowercase();
    let said = ["we replaced ", "we've replaced ", "we have replaced "];
    let begin = said.iter().find_map(|said| low.find(said).map(|at| at + said.len()))?;
    let rest = &low[begin..];
    let end = [" with ", " by "].iter().filter_map(|by| rest.find(by)).min()?;
    let gone = &text[begin..begin + end];
    (gone.split(' ').count() <= 5 && !gone.contains([',', '.', ';'])).then_some(gone)
}

/// An agent tells how it settled something it could have done otherwise.
fn settles(words: &Words<'_>) -> bool {
    let by_whom = ["i", "we", "i've", "we've", "i deliberately", "i intentionally"];
    if words.low.starts_with("going with ") {
        return words.names_something();
    }
    let did = by_whom.iter().any(|who| DID.iter().any(|did| words.has(&format!("{who} {did}"))));
    let weighed = words.has_any(&["rather than", "instead of", "deliberately", "convention"]);
    did && (weighed || words.has_any(&["because", "since"])) && words.names_something()
}

fn is_open(words: &Words<'_>) -> bool {
    words.has_any(UNDECIDED)
        || words.is_hearsay()
        || words.text.contains("[Image")
        || counts_items(&words.low)
}

/// `let's go with that` says nothing to anybody who was not there.
fn leans_back(words: &Words<'_>, by_person: bool) -> bool {
    let pointers = ["this", "that", "those", "these", "it", "them", "your", "you", "both"];
    let core = Words { text: words.text, low: without_reason(&words.low).to_owned() };
    let points = core.has_any(&pointers) || core.has("the same") || names_offer(&core.low);
    // What is meant may stand in brackets or behind a comma: `option B, the append-only log`.
    let told = words.low.split_once(['(', ',']).map(|(_, told)| told).unwrap_or_default();
    let is_told = told.split(' ').count() >= 3 && names_offer(&core.low);
    points && by_person && !words.names_something() && words.count() < 16 && !is_told
}

/// Something that was on offer in the conversation: `the approach`, `the second variant`; the event
/// sourcing approach is named.
fn names_offer(low: &str) -> bool {
    const OFFERS: &[&str] =
        &["option", "approach", "suggestion", "recommendation", "variant", "proposal", "version"];
    const BEFORE: &[&str] = &[
        "the", "your", "that", "this", "first", "second", "third", "last", "other", "same", "with",
        "take", "an",
    ];
    let list: Vec<&str> = low.split(' ').map(|word| word.trim_matches([',', '.', ':'])).collect();
    list.windows(2).any(|pair| OFFERS.contains(&pair[1]) && BEFORE.contains(&pair[0]))
}

fn reason(text: &str) -> Option<String> {
    let low = text.to_ascii_lowercase();
    let (at, mark) = REASONS.iter().filter_map(|mark| Some((low.find(mark)?, mark))).min()?;
    let mut reason = &text[at + mark.len()..];
    // A purpose is only one together with its verb.
    if matches!(*mark, " to avoid " | " so that " | " in order to ") {
        reason = &text[at + 1..];
    }
    let reason = reason.trim_end_matches(['.', '!', ' ', '*']);
    let of_what = reason.strip_prefix("of ").filter(|_| *mark == " because ");
    let tells = reason.split_whitespace().count() >= 3;
    tells.then(|| of_what.unwrap_or(reason).to_owned())
}

/// What was not chosen: behind `over`, `instead of`, `rather than`, up to the reason.
fn alternative(text: &str, reason: Option<&str>) -> Option<String> {
    let head = match reason {
        Some(reason) => &text[..text.find(reason).unwrap_or(text.len())],
        None => text,
    };
    let low = head.to_ascii_lowercase();
    let begin = [" instead of ", " rather than ", " over "]
        .iter()
        .find_map(|mark| low.find(mark).map(|at| at + mark.len()))?;
    let rest = &head[begin..];
    let low = &low[begin..];
    let end =
        REASONS.iter().filter_map(|mark| low.find(mark.trim_end())).chain(low.find(", ")).min();
    let rest = rest[..end.unwrap_or(rest.len())]
        .trim_matches(|c: char| c.is_whitespace() || ",.;".contains(c));
    (!rest.is_empty()).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_with_their_reasons() {
        let said = "We chose SQLite over Postgres because it needs no server.";
        let found = choice(said, false).unwrap();
        assert_eq!(found.reason.as_deref(), Some("it needs no server"));
        assert_eq!(found.alternative.as_deref(), Some("Postgres"));
        assert_eq!(found.text, "We chose SQLite over Postgres");
        let of = "We decided to keep prices in cents, because of rounding errors.";
        let found = choice(of, true).unwrap();
        assert_eq!(found.reason.as_deref(), Some("rounding errors"));
        assert_eq!(found.text, "We decided to keep prices in cents");
        let found = choice("let's go with sessions.db for the file name", true).unwrap();
        assert_eq!((found.reason, found.alternative), (None, None));
    }

    #[test]
    fn what_was_replaced_was_not_chosen_any_more() {
        let found = choice("We replaced Jenkins with Buildkite", true).unwrap();
        assert_eq!(found.alternative.as_deref(), Some("Jenkins"));
        let found =
            choice("We've replaced the old ORM by sqlx because it lied to us", true).unwrap();
        assert_eq!(found.alternative.as_deref(), Some("the old ORM"));
        for story in
            ["We replaced the broken fan on Monday", "They replaced Jenkins with Buildkite"]
        {
            assert_eq!(choice(story, true), None, "{story}");
        }
    }

    #[test]
    fn many_ways_to_decide() {
        for (sentence, by_person) in [
            ("Decision: the desktop client stays on Qt.", true),
            ("Design choice: thumbnails are made on upload.", false),
            ("As agreed, tokens live in the keychain.", false),
            ("We're going to drop the old importer in spring.", true),
            ("The board chose Ada for the flight software.", true),
            ("ok let's go with the two phase approach for payments", true),
            ("Go with the second option (one queue a customer).", true),
            ("The plan is to ship a library, not a service.", true),
            ("Going with `ureq` over `reqwest`, because it needs no runtime.", false),
        ] {
            assert!(choice(sentence, by_person).is_some(), "{sentence}");
        }
    }

    #[test]
    fn what_decides_nothing() {
        for (sentence, by_person) in [
            ("I chose a different file name here", false),
            ("let's go with that", true),
            ("Let's keep supporting each other on our journey.", true),
            ("If we go with option 1, what will happen with existing files?", true),
            ("We haven't decided on the file name because nobody asked", false),
            ("I thought we were going with session_tui", true),
            ("I'm still not sure if I should go with AXA or another one", true),
            ("I picked up the Revell kit because it was cheap", true),
            ("I decided to take my guitar to the shop today", true),
            ("let's go with your approach then, please", true),
            ("Go with the second option then please", true),
            ("We're going to look at the logs first", true),
            ("We won't see the end of it before noon", true),
            ("I think we'll stick with the smaller room upstairs", true),
            ("The plan is to run the tests first", true),
            ("Scratch that, we won't go with Kafka after all", true),
            ("The team asked what was decided yesterday in the meeting", true),
        ] {
            assert_eq!(choice(sentence, by_person), None, "{sentence}");
        }
    }
}
