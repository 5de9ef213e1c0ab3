//! Things that a question asks about side by side: `which came first, A or B`, `between A and B`.

/// Words that a question may have; a whole prompt is about more than its last `or`.
const MOST_WORDS: usize = 40;

/// What begins with one of these says or asks something of its own: `…, or am I wrong`.
#[rustfmt::skip]
const CLAUSES: &[&str] = &[
    "am", "are", "can", "could", "did", "do", "does", "had", "has", "have", "i", "if", "is", "it", "just", "not", "should", "they",
    "was", "we", "were", "will", "would", "you",
];

/// The two things that a question sets side by side, in its own words; `None` where it asks about
/// one thing, or names them so briefly that they can only be told from what is around them.
///
/// Together they blur each other: what answers one of them is only half of what was asked.
pub fn aspects(question: &str) -> Option<[&str; 2]> {
    let text = bare(question);
    if text.split_whitespace().nth(MOST_WORDS).is_some() {
        return None;
    }
    let pair = between(text).or_else(|| either(text))?.map(bare);
    let names_something = |one: &&str| {
        let terms = crate::stems::query_terms(one);
        terms.iter().any(|term| term.chars().any(char::is_alphabetic))
    };
    pair.iter().all(names_something).then_some(pair)
}

/// `… between A and B`.
fn between(text: &str) -> Option<[&str; 2]> {
    let (_, both) = split(text, " between ")?;
    let pair = split(both, " and ")?;
    let says_more = |one: &str| one.split_whitespace().nth(1).is_some();
    (says_more(pair.0) && says_more(pair.1)).then_some([pair.0, pair.1])
}

/// `…, A or B` with whatever follows B; before a last comma there is a longer list.
fn either(text: &str) -> Option<[&str; 2]> {
    let (before, other) = rsplit(text, " or ")?;
    let (_, one) = before.rsplit_once([',', ':', ';'])?;
    let says_itself = |text: &str| {
        let first = text.split_whitespace().next().unwrap_or_default();
        CLAUSES.iter().any(|word| word.eq_ignore_ascii_case(first))
    };
    (!says_itself(one) && !says_itself(other)).then_some([one, other])
}

/// At the first of these words, in any case.
fn split<'t>(text: &'t str, at: &str) -> Option<(&'t str, &'t str)> {
    let start = text.to_ascii_lowercase().find(at)?;
    Some((&text[..start], &text[start + at.len()..]))
}

/// At the last of these words, in any case.
fn rsplit<'t>(text: &'t str, at: &str) -> Option<(&'t str, &'t str)> {
    let start = text.to_ascii_lowercase().rfind(at)?;
    Some((&text[..start], &text[start + at.len()..]))
}

/// Without spaces and signs around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ",;:.?!".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn two_things_side_by_side() {
        for (question, pair) in [
            (
                "Which did we add first, the queue of the mailer or the cache?",
                ["the queue of the mailer", "the cache"],
            ),
            ("Who reviews it: Ann or Bob?", ["Ann", "Bob"]),
            (
                "How long was it Between the first release and the move to Postgres?",
                ["the first release", "the move to Postgres"],
            ),
        ] {
            assert_eq!(aspects(question), Some(pair), "{question}");
        }
    }

    #[test]
    fn one_thing_has_no_aspects() {
        for question in [
            "",
            "or",
            ", or ",
            "which port does the database use",
            "is it slow or broken",
            "which port, 5672 or 5673",
            "what did we buy, sell, or fix in the past months",
            "what is between 5 and 6",
            "which one, this or that",
            "it is slow, is it broken or am I wrong",
            "is there a cutoff, a day when nothing ships, or am I imagining that",
        ] {
            assert_eq!(aspects(question), None, "{question}");
        }
        assert_eq!(aspects(&format!("{} it, a queue or a cache", "word ".repeat(40))), None);
    }

    proptest! {
        #[test]
        fn any_text_is_cut_within_itself(text in r"\PC{0,40}( between | and | or |, )\PC{0,40}( or | AND )\PC{0,40}") {
            for part in aspects(&text).into_iter().flatten() {
                prop_assert!(text.contains(part));
            }
        }
    }
}
