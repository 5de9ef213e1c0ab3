//! Tables of phrases with the days they mean.

use jiff::civil::Date;
use jiff::{Timestamp, Zoned};
use proptest::prelude::*;

use super::*;

/// A Saturday.
fn now() -> Zoned {
    "2026-11-14T12:00:00[UTC]".parse().unwrap()
}

#[track_caller]
fn check(now: &Zoned, text: &str, expected: &[(&str, &str, &str)]) {
    let found = phrases(text, now);
    let found: Vec<_> = found
        .iter()
        .map(|phrase| {
            let days = (phrase.first_day.to_string(), phrase.last_day.to_string());
            (text[phrase.span.clone()].to_owned(), days.0, days.1)
        })
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(phrase, first, last)| (phrase.to_string(), first.to_string(), last.to_string()))
        .collect();
    assert_eq!(found, expected, "{text:?}");
    nothing_begins_elsewhere(text, now);
}

/// Tries the grammar at every token, also where no phrase is said to begin.
#[track_caller]
fn nothing_begins_elsewhere(text: &str, now: &Zoned) {
    let tokens = tokens::tokens(text);
    let begins = beginnings(&tokens);
    let (today, now, zone) = (now.date(), now.datetime(), now.time_zone());
    for is_alone in [false, true] {
        let looks_ahead = looks_ahead(&tokens);
        let grammar = Grammar { tokens: &tokens, now, today, zone, is_alone, looks_ahead };
        for at in 0..tokens.len() {
            let is_phrase = grammar.phrase(at).is_some();
            assert!(begins[at] || !is_phrase, "a phrase at {:?} of {text:?}", tokens[at].span);
        }
    }
}

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "a", "an", "the", "of", "to", "in", "on", "at", "and", "than", "other", "ago", "back", "am",
    "last", "previous", "past", "this", "current", "next", "early", "mid", "late", "earlier",
    "later", "older", "more", "less", "newer", "beginning", "start", "middle", "end", "half", "h1",
    "first", "second", "third", "few", "several", "dozen", "couple", "two", "12", "5th", "2025",
    "2026-03-05", "3pm", "15:30", "7d", "-", ",", ".", "yesterday", "today", "tonight", "recently",
    "day", "days", "week", "weeks", "weekend", "month", "quarter", "year", "hour", "morning",
    "night", "noon", "march", "May", "jan", "friday", "sun", "summer", "fall", "q2", "before",
    "after", "since", "until", "up", "prior", "following", "between", "from", "through", "onwards",
    "around", "during", "we", "met", "Ann",
    "prior to", "up to", "earlier than", "later than", "more than", "younger than", "end of", "first half of",
    "first week of", "week of", "week before last", "day before", "morning of", "half an hour ago",
    "a couple of", "the other day", "on the 5th", "of march",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn no_phrase_begins_where_none_is_looked_for(
        words in prop::collection::vec(prop::sample::select(PIECES), 1..12),
    ) {
        nothing_begins_elsewhere(&words.join(" "), &now());
    }
}

#[test]
fn phrases_by_kind() {
    for (text, first, last) in [
        ("3 days ago", "2026-11-11", "2026-11-11"),
        ("a week ago", "2026-11-02", "2026-11-08"),
        ("three weeks ago", "2026-10-19", "2026-10-25"),
        ("a fortnight ago", "2026-10-26", "2026-11-01"),
        ("two months ago", "2026-09-01", "2026-09-30"),
        ("a year ago", "2025-01-01", "2025-12-31"),
        ("20 minutes ago", "2026-11-14", "2026-11-14"),
        ("13 hours ago", "2026-11-13", "2026-11-13"),
        ("half a year ago", "2026-05-01", "2026-05-31"),
        ("a few weeks ago", "2026-10-05", "2026-11-01"),
        ("several months ago", "2026-04-01", "2026-08-31"),
        ("a couple of days ago", "2026-11-11", "2026-11-12"),
        ("5d ago", "2026-11-09", "2026-11-09"),
        ("the day before yesterday", "2026-11-12", "2026-11-12"),
        ("tomorrow", "2026-11-15", "2026-11-15"),
        ("this week", "2026-11-09", "2026-11-15"),
        ("last week", "2026-11-02", "2026-11-08"),
        ("past week", "2026-11-07", "2026-11-14"),
        ("this quarter", "2026-10-01", "2026-12-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("previous month", "2026-10-01", "2026-10-31"),
        ("last 3 months", "2026-08-14", "2026-11-14"),
        ("past fortnight", "2026-10-31", "2026-11-14"),
        ("last few days", "2026-11-09", "2026-11-14"),
        ("last 24 hours", "2026-11-13", "2026-11-14"),
        ("past 7d", "2026-11-07", "2026-11-14"),
        ("recently", "2026-10-31", "2026-11-14"),
        ("the other day", "2026-11-07", "2026-11-12"),
        ("month before last", "2026-09-01", "2026-09-30"),
        ("last monday", "2026-11-02", "2026-11-09"),
        ("last saturday", "2026-11-07", "2026-11-07"),
        ("last sunday", "2026-11-08", "2026-11-08"),
        ("this friday", "2026-11-13", "2026-11-13"),
        ("friday", "2026-11-13", "2026-11-13"),
        ("saturday", "2026-11-07", "2026-11-07"),
        ("last fri", "2026-11-06", "2026-11-13"),
        ("monday of last week", "2026-11-02", "2026-11-02"),
        ("this weekend", "2026-11-14", "2026-11-15"),
        ("next week", "2026-11-16", "2026-11-22"),
        ("december", "2025-12-01", "2025-12-31"),
        ("november", "2026-11-01", "2026-11-30"),
        ("last november", "2025-11-01", "2025-11-30"),
        ("may", "2026-05-01", "2026-05-31"),
        ("sept 2025", "2025-09-01", "2025-09-30"),
        ("march of last year", "2025-03-01", "2025-03-31"),
        ("early march", "2026-03-01", "2026-03-10"),
        ("mid-march", "2026-03-11", "2026-03-20"),
        ("late march 2025", "2025-03-21", "2025-03-31"),
        ("the end of last month", "2026-10-21", "2026-10-31"),
        ("the first half of 2025", "2025-01-01", "2025-06-30"),
        ("nov 3rd", "2026-11-03", "2026-11-03"),
        ("nov 20", "2025-11-20", "2025-11-20"),
        ("Nov. 3, 2025", "2025-11-03", "2025-11-03"),
        ("the third of november", "2026-11-03", "2026-11-03"),
        ("5-7 march", "2026-03-05", "2026-03-07"),
        ("march 5 to 7, 2025", "2025-03-05", "2025-03-07"),
        ("15-jan-2024", "2024-01-15", "2024-01-15"),
        ("friday, march 6", "2026-03-06", "2026-03-06"),
        ("feb 29", "2024-02-29", "2024-02-29"),
        ("2026-03-05", "2026-03-05", "2026-03-05"),
        ("2026-03-05T23:30:00-02:00", "2026-03-06", "2026-03-06"),
        ("2026-03", "2026-03-01", "2026-03-31"),
        ("q2", "2026-04-01", "2026-06-30"),
        ("Q1 of 2025", "2025-01-01", "2025-03-31"),
        ("2025 q4", "2025-10-01", "2025-12-31"),
        ("summer 2025", "2025-06-01", "2025-08-31"),
        ("winter 2025", "2025-12-01", "2026-02-28"),
        ("last summer", "2026-06-01", "2026-08-31"),
        ("since monday", "2026-11-09", "2026-11-14"),
        ("until march", "0001-01-01", "2026-03-31"),
        ("before march", "0001-01-01", "2026-02-28"),
        ("after 2025", "2026-01-01", "2026-11-14"),
        ("older than 2 weeks", "0001-01-01", "2026-10-30"),
        ("between march and may", "2026-03-01", "2026-05-31"),
        ("between december and february", "2025-12-01", "2026-02-28"),
        ("from march to may 2025", "2025-03-01", "2025-05-31"),
        ("march through may", "2026-03-01", "2026-05-31"),
        ("from 2024 to 2025", "2024-01-01", "2025-12-31"),
        ("nov 2025 to feb", "2025-11-01", "2026-02-28"),
        ("monday to wednesday", "2026-11-09", "2026-11-11"),
        ("march onwards", "2026-03-01", "2026-11-14"),
        ("this morning", "2026-11-14", "2026-11-14"),
        ("monday evening", "2026-11-09", "2026-11-09"),
        ("at 3pm yesterday", "2026-11-13", "2026-11-13"),
        ("earlier this week", "2026-11-09", "2026-11-14"),
        ("the first week of march", "2026-03-01", "2026-03-07"),
        ("the last two weeks of August 2023", "2023-08-18", "2023-08-31"),
        ("the last day of last month", "2026-10-31", "2026-10-31"),
        ("the week of march 5", "2026-03-02", "2026-03-08"),
        ("the week before march 5", "2026-02-26", "2026-03-04"),
    ] {
        check(&now(), text, &[(text, first, last)]);
    }
}

#[test]
fn phrases_in_sentences() {
    let week = ("2026-11-02", "2026-11-08");
    check(&now(), "what did we change last week about auth?", &[("last week", week.0, week.1)]);
    check(&now(), "Last week's deploy broke.", &[("Last week's", week.0, week.1)]);
    check(&now(), "Did it run in March?", &[("March", "2026-03-01", "2026-03-31")]);
    check(&now(), "the March release", &[("March", "2026-03-01", "2026-03-31")]);
    check(&now(), "on friday we met", &[("friday", "2026-11-13", "2026-11-13")]);
    check(&now(), "in May we moved", &[("May", "2026-05-01", "2026-05-31")]);
    check(&now(), "What happened in 2025?", &[("2025", "2025-01-01", "2025-12-31")]);
    check(&now(), "in 2024-2025", &[("2024-2025", "2024-01-01", "2025-12-31")]);
    check(&now(), "deployed on the 5th.", &[("the 5th", "2026-11-05", "2026-11-05")]);
    check(&now(), "logs of `2026-03-05` please", &[("2026-03-05", "2026-03-05", "2026-03-05")]);
    check(
        &now(),
        "Yesterday, not today: fix it",
        &[("Yesterday", "2026-11-13", "2026-11-13"), ("today", "2026-11-14", "2026-11-14")],
    );
    check(&now(), "what is he up to lately", &[("lately", "2026-10-31", "2026-11-14")]);
    check(&now(), "within the last 2 weeks", &[("last 2 weeks", "2026-10-31", "2026-11-14")]);
}

#[test]
fn what_is_not_a_time() {
    for text in [
        "may I ask",
        "it may break",
        "option 5 may break things",
        "march on",
        "soldiers march forward",
        "last sprint",
        "the last 5 commits",
        "a last minute change",
        "give me a second",
        "the sun sat on the mon",
        "fall back to spring boot",
        "in Spring Boot",
        "main.rs:2025",
        "port 2025",
        "line 2025",
        "v2.10.2024",
        "version 2.10.2024",
        "in 2025 files",
        "it took two weeks",
        "the 3rd attempt",
        "on the 3rd floor",
        "release-march-5",
        "`git log --since yesterday`",
        "```\nlast week\n```",
        "before the refactor",
        "the last week of the project",
        "the last 2 days of testing",
        "at the Spring Market",
        "10.0.0.1",
        "the last. week",
        "",
    ] {
        check(&now(), text, &[]);
    }
}

#[test]
fn long_chains_end() {
    for piece in
        ["the day before ", "the week of ", "last monday ", "between ", "early ", "may to "]
    {
        let text = piece.repeat(4_000);
        assert!(phrases(&text, &now()).len() <= 4_000);
    }
}

#[test]
fn instants_follow_the_zone_and_the_time_of_day() {
    let now: Zoned = "2026-03-30T09:00:00[Europe/Berlin]".parse().unwrap();
    let instant = |text: &str| text.parse::<Timestamp>().unwrap();
    for (text, from, to) in [
        ("today", "2026-03-29T22:00:00Z", "2026-03-30T22:00:00Z"),
        // The clock was put forward on this day.
        ("yesterday", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
        ("yesterday afternoon", "2026-03-29T10:00:00Z", "2026-03-29T16:00:00Z"),
        ("yesterday at 3pm", "2026-03-29T12:30:00Z", "2026-03-29T13:30:00Z"),
        ("2026-03-27 14:15", "2026-03-27T13:00:00Z", "2026-03-27T13:30:00Z"),
        ("an hour ago", "2026-03-30T05:30:00Z", "2026-03-30T06:30:00Z"),
        ("earlier today", "2026-03-29T22:00:00Z", "2026-03-30T07:00:00Z"),
        ("last night", "2026-03-29T16:00:00Z", "2026-03-30T03:00:00Z"),
        ("2026-03-05T14:00:00Z", "2026-03-05T14:00:00Z", "2026-03-05T14:00:01Z"),
    ] {
        let found = phrases(text, &now);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!((found[0].from, found[0].to), (instant(from), instant(to)), "{text}");
    }
}

#[test]
fn open_ends_are_told() {
    for (text, relation, open) in [
        ("last week", Relation::Within, (false, false)),
        ("since march", Relation::Since, (false, true)),
        ("after march", Relation::After, (false, true)),
        ("until march", Relation::Until, (true, false)),
        ("prior to march", Relation::Before, (true, false)),
    ] {
        let found = phrases(text, &now());
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].relation, relation, "{text}");
        assert_eq!((found[0].has_open_start(), found[0].has_open_end()), open, "{text}");
    }
    assert_eq!(phrases("until march", &now())[0].first_day, Date::constant(1, 1, 1));
}

#[test]
fn what_is_to_come_lies_ahead() {
    for (text, phrase, first, last) in [
        ("what will change on 1 December", "1 December", "2026-12-01", "2026-12-01"),
        ("what happens in December", "December", "2026-12-01", "2026-12-31"),
        ("what is due on Friday", "Friday", "2026-11-20", "2026-11-20"),
        ("we are going to move in march", "march", "2027-03-01", "2027-03-31"),
        ("what will be done in November", "November", "2026-11-01", "2026-11-30"),
        ("what will be left before December", "before December", "0001-01-01", "2026-11-30"),
        ("what was due on Friday", "Friday", "2026-11-13", "2026-11-13"),
        ("what happened in December", "December", "2025-12-01", "2025-12-31"),
        ("what did we say will happen in March", "March", "2026-03-01", "2026-03-31"),
    ] {
        check(&now(), text, &[(phrase, first, last)]);
    }
    check(&now(), "everything must be done before black friday", &[]);
}
