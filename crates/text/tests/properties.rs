//! What must hold for every text, however hostile.

use mnemic_text::levels::levels;
use mnemic_text::normalise::{defuse, loosened, normalised};
use mnemic_text::sentences::sentences;
use mnemic_text::tokens::estimate;
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
}
