//! What must hold of judging and merging for every pair of texts, however hostile.

use mnemic_text::alike::{Signature, jaccard, may_merge};
use mnemic_text::claims::claims;
use mnemic_text::contradict::{Verdict, judge};
use proptest::prelude::*;

/// What statements are made of, in every order.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "the", "API", "port", "of", "is", "not", "no", "longer", "8080", "9090", "30", "s", "v1.2", "from", "to", "moved", "use",
    "pnpm", "npm", "instead", "over", "Ann", "owns", "billing", ":", "=", ",", ";", "->", ".", "?", "and", "enabled", "off", "due",
    "on", "Friday", "March", "5", "until", "2024", "src/main.rs", "`x`", "isn't", "'s", "’", "(", ")", "replaced", "by", "with",
    "never", "there", "a", "dog", "日本", "é", "\n", "- ", "as", "has", "3", "nodes", "written", "in", "Rust", "--", "because",
];

fn statements() -> impl Strategy<Value = String> {
    let woven = prop::collection::vec(prop::sample::select(PIECES), 0..24)
        .prop_map(|pieces| pieces.join(" "));
    let any = prop::collection::vec(any::<char>(), 0..120).prop_map(String::from_iter);
    prop_oneof![3 => woven, 1 => any, 1 => "[ -~\\n]{0,120}"]
}

proptest! {
    #[test]
    fn a_text_says_the_same_as_itself(text in statements()) {
        prop_assert_eq!(judge(&text, &text).verdict, Verdict::Same);
        prop_assert_eq!(may_merge(&text, &text), Ok(()));
        prop_assert_eq!(claims(&text), claims(&text));
    }

    #[test]
    fn both_ways_of_asking_get_one_answer(a in statements(), b in statements()) {
        let (one, other) = (judge(&a, &b), judge(&b, &a));
        prop_assert_eq!(one.confidence, other.confidence);
        match (one.verdict, other.verdict) {
            (Verdict::Contradicts(one), Verdict::Contradicts(other)) => {
                prop_assert_eq!((one.rule, one.first, one.second), (other.rule, other.second, other.first));
            }
            (one, other) => prop_assert_eq!(one, other),
        }
        prop_assert_eq!(may_merge(&a, &b).is_ok(), may_merge(&b, &a).is_ok());
    }

    #[test]
    fn a_contradiction_is_never_merged(a in statements(), b in statements()) {
        if matches!(judge(&a, &b).verdict, Verdict::Contradicts(_)) {
            prop_assert!(may_merge(&a, &b).is_err());
        }
    }

    #[test]
    fn signatures_estimate_what_is_shared(a in statements(), b in statements()) {
        let estimate = Signature::of(&a).likeness(&Signature::of(&b));
        // Six times the deviation of 128 hashes.
        prop_assert!((estimate - jaccard(&a, &b)).abs() <= 0.27);
    }
}

#[test]
fn long_texts_are_cut_short() {
    let long = "the port of the API is 8080 and ".repeat(40_000);
    let other = "x".repeat(1_000_000);
    judge(&long, &other);
    assert_eq!(judge(&long, &long).verdict, Verdict::Same);
    assert!(claims(&long).len() <= 16 * 64);
}
