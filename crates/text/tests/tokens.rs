//! Counting and cutting by tokens: known counts, hostile texts, and what holds for every text.

use mnemic_text::tokens::{Counter, Encoding};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

/// Counts by tiktoken's own rules: text, o200k, cl100k.
#[rustfmt::skip]
const KNOWN: &[(&str, usize, usize)] = &[
    ("", 0, 0),
    ("a", 1, 1),
    (" ", 1, 1),
    ("\n", 1, 1),
    ("hello world", 2, 2),
    ("Hello, world!", 4, 4),
    ("The quick brown fox jumps over the lazy dog.", 10, 10),
    ("tokenization", 2, 2),
    ("antidisestablishmentarianism", 6, 6),
    ("don't you'll WE'RE I'VE", 7, 9),
    ("it'ſ", 3, 4),
    ("getUserName", 3, 2),
    ("HTTPServer2", 3, 3),
    ("fn main() { println!(\"hi\"); }", 9, 9),
    ("    if x == 1:\n        return None\n", 11, 11),
    ("a  b", 3, 3),
    ("a   \n  b", 4, 4),
    ("end \n  ", 3, 3),
    ("tabs\t\tand\r\nlines\r\n\r\n", 6, 6),
    ("1234567890", 4, 4),
    ("3.14159", 4, 4),
    ("2026-03-01T12:00:00Z", 13, 13),
    ("日本語の文章", 4, 6),
    ("中文句子也很长", 6, 9),
    ("한국어 문장", 4, 6),
    ("Привет, мир!", 5, 7),
    ("שלום עולם", 2, 10),
    ("مرحبا بالعالم", 4, 10),
    ("हिन्दी में", 4, 9),
    ("ไทย", 1, 3),
    ("👩‍💻🎉🇩🇪", 11, 16),
    ("👍🏽", 3, 6),
    ("e\u{301}", 2, 2),
    ("\u{301}\u{301}", 2, 2),
    ("\u{301}A", 2, 2),
    ("\u{0}\u{1}\u{7f}", 3, 3),
    ("ǅ", 2, 2),
    ("中A!", 3, 3),
    ("!!!---===", 4, 4),
    ("https://example.com/a/b?c=d#e", 11, 11),
    ("src/main.rs:12:5", 7, 7),
    ("<|endoftext|>", 7, 7),
    ("{\"key\": [1, 2, null]}", 11, 11),
    ("\u{3000}\u{a0}x", 3, 3),
    ("Ünïcödé ÉCOLE", 8, 10),
    ("²Ⅷ½", 4, 4),
];

#[test]
fn counts_are_those_of_the_encodings() {
    for &(text, o200k, cl100k) in KNOWN {
        assert_eq!(Counter::exact(Encoding::O200k).count(text), o200k, "o200k of {text:?}");
        assert_eq!(Counter::exact(Encoding::Cl100k).count(text), cl100k, "cl100k of {text:?}");
    }
}

#[test]
fn a_million_of_the_same_is_counted() {
    for (unit, tokens) in [(" ", 7813), ("a", 125_000)] {
        let text = unit.repeat(1_000_000);
        assert_eq!(Counter::exact(Encoding::O200k).count(&text), tokens, "{unit:?}");
    }
}

#[test]
fn encodings_are_read_as_they_are_printed() {
    for encoding in Encoding::ALL {
        assert_eq!(encoding.to_string().parse(), Ok(encoding));
        assert_eq!(format!("{encoding}_base").parse(), Ok(encoding));
    }
    let error = "o100k".parse::<Encoding>().expect_err("there is no such encoding");
    assert_eq!(error.to_string(), "`o100k` is no encoding; there are `o200k` and `cl100k`");
}

#[test]
fn cuts_at_a_sentence_then_at_a_word_then_between_graphemes() {
    let exact = Counter::exact(Encoding::O200k);
    for (text, tokens, kept) in [
        ("One two three. Four five six seven.", 100, "One two three. Four five six seven."),
        ("One two three. Four five six seven.", 5, "One two three."),
        ("One two three. Four five six seven.", 7, "One two three. Four five six"),
        ("one two three", 2, "one two"),
        ("one two three", 0, ""),
        ("👩‍💻👩‍💻", 1, ""),
        ("", 3, ""),
    ] {
        assert_eq!(exact.truncate(text, tokens), kept, "{text:?} to {tokens}");
    }
}

fn counters() -> impl Strategy<Value = Counter> {
    let names = ["gpt-4o", "gpt-4", "claude-3-5-sonnet", "claude", "gemini-pro", "else"];
    prop::sample::select(names.to_vec()).prop_map(Encoding::for_model)
}

fn texts() -> impl Strategy<Value = String> {
    let woven = prop::collection::vec(
        prop::sample::select(vec![
            "word",
            "Word",
            "WORD",
            " ",
            "  ",
            "\n",
            "\r\n",
            "\t",
            "'s",
            "'LL",
            "123",
            "é",
            "e\u{301}",
            "\u{301}",
            "👩‍💻",
            "🇩🇪",
            "日本",
            "العربية",
            "हिन्दी",
            ". ",
            "!",
            "/",
            "\0",
            "ǅ",
        ]),
        0..60,
    );
    prop_oneof![any::<String>(), woven.prop_map(|pieces| pieces.concat())]
}

proptest! {
    #[test]
    fn a_cut_text_fits_and_is_a_beginning_in_whole_graphemes(
        text in texts(), tokens in 0_usize..80, counter in counters(),
    ) {
        let kept = counter.truncate(&text, tokens);
        prop_assert!(text.starts_with(kept));
        prop_assert!(counter.count(kept) <= tokens);
        let whole: usize = text.graphemes(true).map(str::len)
            .scan(0, |end, length| { *end += length; Some(*end) })
            .take_while(|end| *end <= kept.len()).last().unwrap_or(0);
        prop_assert_eq!(whole, kept.len());
        if counter.count(&text) <= tokens {
            prop_assert_eq!(kept, text.as_str());
        }
    }

    #[test]
    fn a_margin_never_counts_less_and_rounds_up(text in texts(), counter in counters()) {
        let exact = Counter::exact(counter.encoding).count(&text);
        prop_assert!(counter.count(&text) >= exact);
        prop_assert!(exact <= text.len());
        prop_assert_eq!(exact == 0, text.is_empty());
    }
}
