//! What must hold for every text, however hostile.

use mnemic_text::intent::wanted;
use mnemic_text::levels::levels;
use mnemic_text::mentions::mentions;
use mnemic_text::normalise::{defuse, loosened, normalised};
use mnemic_text::segments::{nested_segments, segments};
use mnemic_text::sentences::sentences;
use mnemic_text::stems::{query_terms, recall_terms, stem};
use mnemic_text::task::{DecidedBy, Signals, TaskType, detect};
use mnemic_text::tokens::estimate;
use mnemic_text::when::phrases;
use mnemic_text::words::{QueryChunk, index_terms, matches, query_chunks};
use proptest::prelude::*;

/// Pieces that meet the rules more often than random characters do. Each starts a new grapheme.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "word", "getUserName", "HTTPServer2", "URLs", "c++", "C#", "--force", ".env", "src/main.rs",
    "@a/b", "#1", "don't", "e.g.", "E0382", "日本", "テキスト", "か", "한국", "ไทย", "हिन्दी", "العربية",
    "é", "e\u{301}", "👩‍💻", "🇩🇪", "🎉", "⚠\u{fe0f}", "1\u{fe0f}\u{20e3}", "*\u{fe0f}\u{20e3}",
    " ", " ", ", ", ". ", "\n", "\n- ", "\n# ", "。", "“", "(", ")", "[", "/", "::", "_", "-",
    "+", "\"", "`", "\0", "x\u{200b}y",
];

/// What time phrases are made of, in every order.
#[rustfmt::skip]
const TIMES: &[&str] = &[
    "the", "last", "this", "past", "next", "week", "weeks", "days", "month", "year", "night", "ago",
    "a", "few", "couple", "of", "two", "9999", "2025", "0", "31", "5", "3rd", "march", "may", "feb",
    "friday", "sun", "before", "after", "since", "until", "between", "and", "from", "to", "through",
    "early", "mid-", "late", "yesterday", "today", "at", "3pm", "12:00", "2026-03-05", "5.3.2026",
    "q2", "summer", "29", ",", ".", "-", "hours", "decades", "older", "than", "half", "first", "on",
    "2026-03-29T02:30", "earlier", "9999-12-31T23:59:59Z", "7d", "morning", "in", "2099", "1900",
];

/// What names are made of.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "`", "```", "\n", "$ make", "cargo", "\"", "“", "”", "Anna", "Schmidt", "src/a.rs:1", "exit",
    "code", "137", "#1", "ABC-1", "(", "foo()", ")", "é", "日本", " ", " ", ".", "v1.2", "~~~", "/",
    "https://x", "::", "HTTP", "404", "'s", "’s", "C:\\a",
];

fn named() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(NAMES), 0..40).prop_map(|pieces| pieces.concat())
}

fn timely() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(TIMES), 0..12).prop_map(|words| words.join(" "))
}

fn woven() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..80).prop_map(|pieces| pieces.concat())
}

fn texts() -> impl Strategy<Value = String> {
    let any = prop::collection::vec(any::<char>(), 0..200).prop_map(String::from_iter);
    let ascii = "[ -~\\n\\x00]{0,200}";
    prop_oneof![woven(), any, ascii, "(aB1?_?[.-]?){0,60}"]
}

fn is_met(chunk: &QueryChunk, terms: &[String]) -> bool {
    chunk.whole.as_ref().is_some_and(|whole| terms.contains(whole))
        || (!chunk.parts.is_empty() && terms.windows(chunk.parts.len()).any(|w| w == chunk.parts))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn terms_are_fit_for_the_index(text in texts()) {
        for term in index_terms(&text) {
            prop_assert!(!term.is_empty() && term.chars().count() <= 64, "{term:?}");
            let unfit = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '\'' | '`');
            prop_assert!(!term.contains(unfit), "{term:?}");
        }
    }

    #[test]
    fn a_text_finds_itself(text in texts()) {
        let terms = index_terms(&text);
        let query = query_chunks(&text);
        for chunk in &query {
            prop_assert!(is_met(chunk, &terms), "{chunk:?} in {terms:?}");
        }
        prop_assert_eq!(matches(&terms, &query), !query.is_empty());
    }

    #[test]
    fn case_does_not_matter_to_words_without_humps(text in "[a-z0-9 /._#+-]{0,80}") {
        prop_assert_eq!(index_terms(&text), index_terms(&text.to_uppercase()));
    }

    #[test]
    fn normal_forms_are_stable(text in texts()) {
        let normal = normalised(&text);
        prop_assert_eq!(&normalised(&normal), &normal);
        let loose = loosened(&text);
        prop_assert_eq!(&loosened(&loose), &loose);
        let plain = defuse(&text);
        prop_assert!(!plain.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
        prop_assert_eq!(&defuse(&plain), &plain);
    }

    #[test]
    fn sentences_lose_only_white_space(text in texts()) {
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(bare(&sentences(&text).concat()), bare(&text));
    }

    #[test]
    fn levels_are_never_empty_and_always_short(text in texts(), subject in prop::option::of(texts())) {
        let made = levels(&text, subject.as_deref());
        if !text.trim().is_empty() {
            prop_assert!(!made.summary.is_empty());
            prop_assert!(!made.compressed.is_empty());
            prop_assert!(!made.index.is_empty());
        }
        prop_assert!(made.summary.chars().count() <= 280);
        prop_assert!(made.index.chars().count() <= 48);
        prop_assert_eq!(levels(&text, subject.as_deref()), made);
        estimate(&text);
    }

    #[test]
    fn levels_are_cut_between_graphemes(text in woven()) {
        use unicode_segmentation::UnicodeSegmentation;
        let known: std::collections::HashSet<&str> = text.graphemes(true).chain([" ", "…"]).collect();
        let made = levels(&text, None);
        for line in [&made.summary, &made.compressed, &made.index] {
            for grapheme in line.graphemes(true) {
                prop_assert!(known.contains(grapheme), "{grapheme:?} of {line:?}");
            }
        }
    }

    #[test]
    fn recall_terms_are_distinct_and_asked_for_alike(text in texts()) {
        let terms = recall_terms(&text);
        let distinct: std::collections::HashSet<&str> = terms.iter().map(|(term, _)| term.as_str()).collect();
        prop_assert_eq!(distinct.len(), terms.len());
        prop_assert!(terms.iter().all(|(term, count)| !term.is_empty() && *count > 0));
        let asked = query_terms(&text);
        prop_assert!(asked.iter().eq(terms.iter().map(|(term, _)| term)));
    }

    #[test]
    fn segments_cover_the_text_between_graphemes(text in texts(), most in 0..30_usize) {
        use unicode_segmentation::UnicodeSegmentation;
        let mut borders: std::collections::HashSet<usize> =
            text.grapheme_indices(true).map(|(at, _)| at).collect();
        borders.insert(text.len());
        let pieces = segments(&text, most);
        prop_assert_eq!(pieces.first().map(|piece| piece.start), Some(0));
        prop_assert_eq!(pieces.last().map(|piece| piece.end), Some(text.len()));
        for pair in pieces.windows(2) {
            prop_assert!(pair[1].start <= pair[0].end && pair[0].start < pair[1].start, "{pieces:?}");
            prop_assert!(pair[0].end < pair[1].end, "{pieces:?}");
        }
        for piece in &pieces {
            prop_assert!(borders.contains(&piece.start) && borders.contains(&piece.end));
            let words = text[piece.clone()].split_whitespace().count();
            prop_assert!(words <= most.max(1), "{words} in {piece:?}");
        }
    }

    #[test]
    fn nested_segments_are_the_small_ones_taken_together(
        text in texts(), most in 0..60_usize, few in 0..20_usize,
    ) {
        let nested = nested_segments(&text, most, few);
        let parts: Vec<_> = nested.iter().flat_map(|piece| piece.parts.clone()).collect();
        prop_assert_eq!(parts, segments(&text, few));
        for piece in nested {
            let ends = piece.parts.first().zip(piece.parts.last());
            let whole = ends.map(|(first, last)| first.start..last.end);
            prop_assert_eq!(whole.as_ref(), Some(&piece.whole));
            let words = text[piece.whole].split_whitespace().count();
            prop_assert!(words <= most.max(few).max(1), "{words} words");
        }
    }

    #[test]
    fn time_phrases_lie_in_the_text_and_in_order(
        text in prop_oneof![texts(), timely(), timely()],
        seconds in -60_000_000_000_i64..250_000_000_000,
        zone in prop::sample::select(&["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia"][..]),
    ) {
        let now = jiff::Timestamp::from_second(seconds).unwrap().in_tz(zone).unwrap();
        let mut end = 0;
        for phrase in phrases(&text, &now) {
            prop_assert!(phrase.from < phrase.to, "{text:?} {phrase:?}");
            prop_assert!(phrase.first_day <= phrase.last_day, "{text:?} {phrase:?}");
            prop_assert!(end <= phrase.span.start && phrase.span.start < phrase.span.end);
            prop_assert!(text.get(phrase.span.clone()).is_some());
            end = phrase.span.end;
        }
    }

    #[test]
    fn mentions_lie_in_the_text_and_in_order(text in prop_oneof![texts(), named()]) {
        let mut end = 0;
        for mention in mentions(&text) {
            prop_assert!(!mention.text.is_empty());
            prop_assert!(text.get(mention.span.clone()).is_some_and(|text| !text.is_empty()));
            prop_assert!(end <= mention.span.start, "{mention:?}");
            end = mention.span.end;
        }
    }

    #[test]
    fn every_goal_has_a_task_and_an_intent(text in texts(), phase in prop::option::of(texts())) {
        let action = text.as_str();
        let detected = detect(Signals { goal: &text, actions: &[action], phase: phase.as_deref() });
        let is_default = detected.decided_by == DecidedBy::Default;
        prop_assert_eq!(is_default, detected.signals.is_empty());
        if is_default {
            prop_assert_eq!(detected.task, TaskType::Implementation);
        }
        wanted(&text);
    }

    #[test]
    fn every_word_has_a_stem(word in "[a-z']{0,40}") {
        prop_assert_eq!(stem(&word).is_empty(), word.is_empty());
    }
}
