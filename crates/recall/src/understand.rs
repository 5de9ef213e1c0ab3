//! Understanding a question: its task, the times and things it names, what it wants, its terms.

use crate::Question;
use crate::spelling::Correction;
use mnemic_model::{Kind, Timestamp};
use mnemic_text::intent::{Wanted, wanted};
use mnemic_text::mentions::{Mention, mentions};
use mnemic_text::stems::query_terms;
use mnemic_text::task::{Detected, Signals, TaskType, detect};
use mnemic_text::when::{Phrase, phrases};
use std::ops::Range;

/// Some time that a question speaks of, half open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub from: Timestamp,
    pub to: Timestamp,
}

impl Span {
    /// `None` for what lies outside of the times that a store can hold.
    pub(crate) fn of(range: Range<jiff::Timestamp>) -> Option<Span> {
        let time = |at: jiff::Timestamp| Timestamp::from_micros(at.as_microsecond()).ok();
        Some(Span { from: time(range.start)?, to: time(range.end)? })
    }

    pub fn holds(&self, time: Timestamp) -> bool {
        self.from <= time && time < self.to
    }
}

/// What a question was taken to mean.
#[derive(Debug, Clone)]
pub struct Understanding {
    /// The caller's, or the one found in the words; `None` where nothing points to any.
    pub task: Option<TaskType>,
    pub detected: Detected,
    pub times: Vec<Span>,
    /// Those of its terms that only name these times.
    pub time_terms: Vec<String>,
    /// Whether it asks for what happened then, and for nothing more.
    pub asks_of_time_alone: bool,
    /// The kinds that it calls by name: `what did we decide`, `which mistakes`.
    pub kinds: Vec<Kind>,
    /// Whether it asks for what there is of them, whatever it is about.
    pub asks_of_kind_alone: bool,
    pub mentions: Vec<Mention>,
    pub wanted: Wanted,
    /// What the words channel looks for, with weights.
    pub terms: Vec<(String, f32)>,
    /// Words that the stores do not know, and what they were read as.
    pub corrected: Vec<Correction>,
    /// Whether it asks what the agent itself said or did.
    pub asks_the_agent: bool,
    /// Whether it asks how things are, not how they were or came about.
    pub asks_how_things_are: bool,
    /// Whether it asks for what was asked: then a question may answer.
    pub asks_for_questions: bool,
}

/// Words that ask rather than name: they say how to answer, not what about. As stems.
const ASKING: &[&str] = &[
    "after", "ago", "befor", "between", "convers", "current", "day", "differ", "first", "happen",
    "kind", "last", "long", "mani", "mention", "month", "much", "name", "number", "order", "pass",
    "past", "previous", "recent", "rememb", "remind", "tell", "time", "told", "total", "type",
    "week",
];

/// Words that leave open what happened, beside those that ask. As stems.
const WHATEVER: &[&str] = &[
    "activ", "anyth", "chang", "continu", "did", "do", "done", "event", "everyth", "get", "go",
    "learn", "learnt", "most", "news", "recap", "summari", "thing", "updat", "went", "work",
];

/// Words that call a kind of memory by its name. As stems.
const KINDS: &[(&str, Kind)] = &[
    ("decid", Kind::Decision),
    ("decis", Kind::Decision),
    ("avoid", Kind::AntiPattern),
    ("forbidden", Kind::AntiPattern),
    ("gotcha", Kind::AntiPattern),
    ("mistak", Kind::AntiPattern),
    ("pitfal", Kind::AntiPattern),
];

/// Ways to ask for a kind in words that are too common to be terms: for what is forbidden, for what was
/// chosen, and for where the work stands.
const PHRASES: &[(&str, Kind)] = &[
    ("not do", Kind::AntiPattern),
    ("never do", Kind::AntiPattern),
    ("don't do", Kind::AntiPattern),
    ("not allowed", Kind::AntiPattern),
    ("left off", Kind::Episode),
    ("leave off", Kind::Episode),
    ("where were we", Kind::Episode),
    ("did we stop", Kind::Episode),
    ("did i stop", Kind::Episode),
    ("last session", Kind::Episode),
    ("previous session", Kind::Episode),
    ("last time", Kind::Episode),
    ("did we choose", Kind::Decision),
    ("did we pick", Kind::Decision),
    ("have we chosen", Kind::Decision),
    ("do we use", Kind::Decision),
    ("are we using", Kind::Decision),
    ("why did we", Kind::Decision),
    ("why do we", Kind::Decision),
    ("still open", Kind::Episode),
    ("left to do", Kind::Episode),
];

/// What stands in such phrases, and in a wish for a list. As stems; where a question has none but
/// the commonest words, these are its terms.
const PHRASED: &[&str] = &[
    "allow", "all", "far", "give", "i", "must", "never", "not", "should", "we", "were", "what",
    "where", "leav", "left", "list", "made", "make", "off", "open", "session", "show", "still",
    "stop", "take", "taken", "took",
];

/// What an asking word counts beside one that names: it may be meant after all.
const ASKING_WEIGHT: f32 = 0.5;

pub(crate) fn understand(question: &Question) -> Understanding {
    let text = question.text.as_str();
    let actions: Vec<&str> = question.actions.iter().map(String::as_str).collect();
    let signals = Signals { goal: text, actions: &actions, phase: question.phase.as_deref() };
    let detected = detect(signals);
    let found = (!detected.signals.is_empty()).then_some(detected.task);
    let now = question.now.to_jiff().to_zoned(question.zone.clone());
    let mut phrases = phrases(text, &now);
    // Where nothing else is asked for, it can only be the time.
    if !leaves_open(&without(text, &phrases)) {
        let low = text.to_ascii_lowercase();
        phrases.retain(|phrase| tells_when(&low, phrase));
    }
    let kinds = kinds(text);
    let rest = without(text, &phrases);
    let is_open = leaves_open(&rest);
    Understanding {
        task: question.task.or(found),
        times: times(&phrases),
        time_terms: time_terms(text, &phrases, &rest),
        asks_of_time_alone: !phrases.is_empty() && is_open,
        asks_of_kind_alone: !kinds.is_empty() && is_open,
        mentions: mentions(text),
        wanted: wanted(text),
        // What is called for is not what these words stand in: `what changed today`.
        terms: match is_open && !(phrases.is_empty() && kinds.is_empty()) {
            true => Vec::new(),
            false => terms(text),
        },
        corrected: Vec::new(),
        asks_the_agent: asks_the_agent(text),
        asks_how_things_are: phrases.is_empty() && asks_how_things_are(text),
        asks_for_questions: asks_for_questions(text),
        kinds,
        detected,
    }
}

/// Days of the week, by the beginnings of their names.
const WEEKDAYS: &[&str] = &["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Before a day of the week these make it any such day, or part of a name: `on a Sunday`, `my Sunday
/// rides`, `the Friday deploy`.
const ANY_OR_NAMED: &[&str] =
    &["a", "an", "any", "each", "every", "her", "his", "my", "our", "the", "their", "your"];

/// After a day of the week these make it every such day.
const EVERY: &[&str] = &["mornings", "afternoons", "evenings", "nights"];

/// Whether a phrase says when something was, rather than how often or what it is called; nor is what
/// happened most recently asked for by a time.
fn tells_when(low: &str, phrase: &Phrase) -> bool {
    let part = |range: Range<usize>| low.get(range).unwrap_or_default();
    let word = |word: Option<&str>| -> String {
        word.unwrap_or_default().chars().filter(|c| c.is_alphanumeric()).collect()
    };
    let Range { start, end } = phrase.span.clone();
    let before = word(part(0..start).split_whitespace().next_back());
    let after = word(part(end..low.len()).split_whitespace().next());
    let named = part(start..end);
    let is_weekday = !named.contains(' ') && WEEKDAYS.iter().any(|day| named.starts_with(day));
    match named {
        "recently" | "lately" => !matches!(before.as_str(), "most" | "mostly"),
        _ if is_weekday => {
            !ANY_OR_NAMED.contains(&before.as_str()) && !EVERY.contains(&after.as_str())
        }
        _ => true,
    }
}

fn times(phrases: &[Phrase]) -> Vec<Span> {
    phrases.iter().flat_map(|phrase| phrase.stretches().filter_map(Span::of)).collect()
}

fn time_terms(text: &str, phrases: &[Phrase], rest: &str) -> Vec<String> {
    let others = query_terms(rest);
    let named = phrases.iter().filter_map(|phrase| text.get(phrase.span.clone()));
    let mut terms: Vec<String> = named.flat_map(query_terms).collect();
    terms.retain(|term| !others.contains(term));
    terms
}

/// What a text says beside the times that it names.
fn without(text: &str, phrases: &[Phrase]) -> String {
    let mut rest = String::new();
    let mut from = 0;
    for phrase in phrases {
        rest += text.get(from..phrase.span.start).unwrap_or_default();
        rest.push(' ');
        from = from.max(phrase.span.end);
    }
    rest + text.get(from..).unwrap_or_default()
}

/// Whether a text names nothing that an answer would have to be about.
fn leaves_open(text: &str) -> bool {
    let is_open = |term: &str| {
        let is_kind = KINDS.iter().any(|(word, _)| *word == term);
        is_kind || [ASKING, WHATEVER, PHRASED].iter().any(|words| words.contains(&term))
    };
    query_terms(text).iter().all(|term| is_open(term))
}

fn kinds(text: &str) -> Vec<Kind> {
    let terms = query_terms(text);
    let called = KINDS.iter().filter(|(word, _)| terms.iter().any(|term| term == word));
    let mut kinds: Vec<Kind> = called.map(|(_, kind)| *kind).collect();
    let low = text.to_lowercase();
    // Which version is used, and since when, is no choice that somebody explained.
    let asks_for_figure = low.contains(" version")
        || ["since ", "when ", "how "].iter().any(|it| low.starts_with(it));
    let is_meant =
        |words: &str| !(asks_for_figure && matches!(words, "do we use" | "are we using"));
    let called = PHRASES.iter().filter(|(words, _)| low.contains(words) && is_meant(words));
    kinds.extend(called.map(|(_, kind)| *kind));
    kinds.dedup();
    kinds
}

fn terms(text: &str) -> Vec<(String, f32)> {
    let weighed = |term: String| {
        let asks = ASKING.contains(&term.as_str());
        (term, if asks { ASKING_WEIGHT } else { 1.0 })
    };
    query_terms(text).into_iter().map(weighed).collect()
}

fn asks_for_questions(text: &str) -> bool {
    const WORDS: &[&str] =
        &["ask", "asked", "asking", "asks", "question", "questions", "wonder", "wondered"];
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

/// In any of these words a question speaks of the past, or of how something came to be.
fn asks_how_things_are(text: &str) -> bool {
    #[rustfmt::skip]
    const PAST: &[&str] = &[
        "ago", "been", "before", "change", "changed", "did", "didn't", "ever", "first", "from", "had", "has", "have", "history", "last",
        "originally", "previous", "previously", "used", "was", "wasn't", "were", "when", "why",
    ];
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    !words.any(|word| PAST.contains(&word.to_lowercase().as_str()))
}

fn asks_the_agent(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.any(|word| matches!(word, "you" | "your"))
        || ["remind me", "our previous", "our last", "our earlier"]
            .iter()
            .any(|phrase| text.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn understood(text: &str) -> Understanding {
        let now = Timestamp::parse("2026-11-14T12:00:00Z").expect("a time");
        understand(&Question::new(text, now))
    }

    #[test]
    fn a_question_is_taken_apart() {
        let read = understood("fix the crash in src/main.rs that we saw last week");
        assert_eq!(read.times.len(), 1);
        assert!(read.times[0].holds(Timestamp::parse("2026-11-04T00:00:00Z").expect("a time")));
        assert!(read.mentions.iter().any(|mention| mention.text == "src/main.rs"));
        assert_eq!(read.task, Some(TaskType::Debugging));
        assert!(read.terms.iter().any(|(term, _)| term == "fix"));
    }

    #[test]
    fn asking_words_count_half() {
        let read = understood("remind me of the name of the port");
        let terms: Vec<(&str, f32)> =
            read.terms.iter().map(|(term, weight)| (term.as_str(), *weight)).collect();
        assert_eq!(terms, [("remind", 0.5), ("name", 0.5), ("port", 1.0)]);
        for asking in ["before", "conversations", "many", "previously", "mentioned", "types"] {
            assert_eq!(understood(asking).terms[0].1, 0.5, "{asking}");
        }
    }

    #[test]
    fn some_questions_ask_of_a_time_alone() {
        for (text, alone) in [
            ("what happened last week", true),
            ("what did we do yesterday?", true),
            ("what did I learn today", true),
            ("continue the work from last week", true),
            ("what changed most recently?", true),
            ("what changed since October", true),
            ("yesterday", true),
            ("the incident last week", false),
            ("which port did we use in March", false),
            ("what happened", false),
            ("what changed in src/main.rs since October", false),
        ] {
            assert_eq!(understood(text).asks_of_time_alone, alone, "{text}");
        }
    }

    #[test]
    fn a_day_of_two_is_not_what_lies_between() {
        let read = understood("what did we do last friday");
        let day = |at: &str| Timestamp::parse(&format!("{at}T12:00:00Z")).expect("a time");
        let holds = |at: &str| read.times.iter().any(|span| span.holds(day(at)));
        // It is a Saturday.
        assert!(holds("2026-11-06") && holds("2026-11-13"));
        assert!(!holds("2026-11-09") && !holds("2026-11-14"));
    }

    #[test]
    fn what_only_names_a_time_is_known() {
        let read = understood("who had lunch with me yesterday, and not on a day off");
        assert_eq!(read.time_terms, ["yesterday"]);
        assert!(understood("who had lunch with me").time_terms.is_empty());
    }

    #[test]
    fn habits_and_names_tell_no_time() {
        for (text, times) in [
            ("what broke on Sunday", 1),
            ("what did we do last Sunday", 1),
            ("what did I do with Ann on the Wednesday two months ago", 1),
            ("when do I wake up on Saturday mornings", 0),
            ("who leads the Friday deploy", 0),
            ("which route do my Sunday rides take", 0),
            ("who is on call on a Sunday", 0),
            ("which lens did I buy most recently", 0),
            ("which lens did I buy recently", 1),
        ] {
            assert_eq!(understood(text).times.len(), times, "{text}");
        }
    }

    #[test]
    fn some_questions_ask_for_a_kind() {
        for (text, kinds, alone) in [
            ("what did we decide yesterday?", &[Kind::Decision][..], true),
            ("which decisions have we made so far", &[Kind::Decision], true),
            ("what must I not do", &[Kind::AntiPattern], true),
            ("what should I avoid?", &[Kind::AntiPattern], true),
            ("list all decisions", &[Kind::Decision], true),
            ("where did we leave off last time?", &[Kind::Episode], true),
            ("where were we? what is left to do", &[Kind::Episode], true),
            ("what did we do in the last session", &[Kind::Episode], true),
            ("is the session store still open", &[Kind::Episode], false),
            ("what should I avoid in migrations", &[Kind::AntiPattern], false),
            ("what did we decide about the database", &[Kind::Decision], false),
            ("which web framework did we choose and why", &[Kind::Decision], false),
            ("which decisions did we take today", &[Kind::Decision], true),
            ("which port does the database use", &[], false),
            ("which database do we use", &[Kind::Decision], false),
            ("which version of dbt do we use", &[], false),
            ("since when do we use Postgres", &[], false),
        ] {
            let understood = understood(text);
            assert_eq!(
                (&understood.kinds[..], understood.asks_of_kind_alone),
                (kinds, alone),
                "{text}"
            );
        }
    }

    #[test]
    fn some_questions_ask_how_things_are() {
        for (text, so) in [
            ("where do I live", true),
            ("which cache do we use?", true),
            ("Where did I live before Lisbon", false),
            ("what was the cache last year", false),
            ("where did I move from", false),
            ("when do I move", false),
        ] {
            assert_eq!(understood(text).asks_how_things_are, so, "{text}");
        }
    }

    #[test]
    fn questions_to_the_agent() {
        assert!(understood("what did you recommend?").asks_the_agent);
        assert!(understood("Remind me of that recipe").asks_the_agent);
        assert!(!understood("which young person moved?").asks_the_agent);
        assert!(understood("what did Ann ask about?").asks_for_questions);
        assert!(!understood("what task is left?").asks_for_questions);
    }
}
