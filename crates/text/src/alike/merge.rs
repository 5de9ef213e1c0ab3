//! Whether two texts may become one: only where they say the same in nearly the same words.

use super::shingles::{jaccard, shingles};
use crate::claims::grammar::is_function_word;
use crate::claims::reading::{Word, read_all};
use crate::claims::shapes::Shape;
use crate::contradict::{Verdict, judge};
use crate::normalise::normalised;

/// Why two texts must not become one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// They share too few of their shingles.
    NotAlike,
    /// Too short or too uniform for shingles to tell.
    TooLittle,
    /// They cannot both hold, with what stands against what.
    Contradiction(String, String),
    /// A number, version, date or unit differs.
    Number,
    /// A path or an identifier differs.
    Identifier,
    /// The name of somebody or something differs.
    Name,
    /// Only one of them denies something.
    Negation,
    /// How many, how often or how binding differs: `all`, `always`, `must`.
    Quantifier,
    /// Another word differs, or stands elsewhere.
    Wording,
}

/// Texts that share less are linked at most, never merged.
const NEAR_VERBATIM: f32 = 0.9;

/// Below this a single letter is a large share of the text.
const FEWEST_WORDS: usize = 4;
const FEWEST_SHINGLES: usize = 16;

/// Whether two texts may become one without anything being lost.
pub fn may_merge(a: &str, b: &str) -> Result<(), Reason> {
    // The same but for white space: there is nothing to lose.
    if normalised(a) == normalised(b) {
        return Ok(());
    }
    if jaccard(a, b) < NEAR_VERBATIM {
        return Err(Reason::NotAlike);
    }
    let (ours, theirs) = (read_all(a), read_all(b));
    tells_enough(a, &ours)?;
    tells_enough(b, &theirs)?;
    same_words(&ours, &theirs)?;
    match judge(a, b).verdict {
        Verdict::Contradicts(conflict) => {
            Err(Reason::Contradiction(conflict.first, conflict.second))
        }
        _ => Ok(()),
    }
}

fn tells_enough(text: &str, words: &[Word]) -> Result<(), Reason> {
    let telling = words.iter().filter(|word| !word.is_mark() && !is_function_word(&word.text));
    let enough = telling.count() >= FEWEST_WORDS && shingles(text).len() >= FEWEST_SHINGLES;
    if enough { Ok(()) } else { Err(Reason::TooLittle) }
}

/// Grammar that may differ between two texts that say the same.
const LOOSE: &[&str] =
    &["a", "an", "the", "that", "please", "just", "also", "very", "really", "so", "then"];

/// How many, how often, how binding.
#[rustfmt::skip]
const QUANTIFIERS: &[&str] = &[
    "all", "every", "each", "some", "any", "most", "many", "few", "several", "both", "only", "always", "often", "sometimes", "rarely",
    "must", "may", "might", "can", "could", "should", "shall", "will", "would", "least", "more", "less",
];
const NEGATIONS: &[&str] = &[
    "not", "no", "never", "nobody", "none", "nothing", "neither", "nor", "without", "cannot",
    "unless", "except",
];

fn same_words(ours: &[Word], theirs: &[Word]) -> Result<(), Reason> {
    let kept = |words: &[Word]| -> Vec<Word> {
        words.iter().filter(|word| !is_loose(word)).cloned().collect()
    };
    let (ours, theirs) = (kept(ours), kept(theirs));
    let differing = ours.iter().zip(&theirs).find(|(one, other)| !is_same(one, other));
    match differing {
        Some((one, other)) => Err(graver(reason(one), reason(other))),
        None if ours.len() == theirs.len() => Ok(()),
        None => {
            let rest = if ours.len() > theirs.len() {
                &ours[theirs.len()..]
            } else {
                &theirs[ours.len()..]
            };
            Err(rest.iter().map(reason).reduce(graver).unwrap_or(Reason::Wording))
        }
    }
}

fn is_loose(word: &Word) -> bool {
    // A name in small letters is still a name: `The Who`, `A` of `A and B`.
    word.is_mark() && !matches!(word.shape, Shape::Mark('→' | '='))
        || word.is_any(LOOSE) && !word.capital
}

/// Plain words may bend, all else must be the same to the letter.
fn is_same(one: &Word, other: &Word) -> bool {
    match (&one.shape, &other.shape) {
        (Shape::Plain, Shape::Plain) => one.text == other.text || is_bent(one, other),
        _ => {
            one.raw == other.raw
                || one.text == other.text && one.shape == other.shape && !is_cased(one)
        }
    }
}

/// One and several, but no other tense: what was need not be.
fn is_bent(one: &Word, other: &Word) -> bool {
    let (short, long) = if one.text.len() < other.text.len() { (one, other) } else { (other, one) };
    let plural = long.text.strip_suffix('s') == Some(&short.text);
    plural
        && one.stem == other.stem
        && one.text.len().min(other.text.len()) >= 4
        && !one.capital
        && !other.capital
}

fn is_cased(word: &Word) -> bool {
    matches!(word.shape, Shape::Identifier | Shape::Path)
}

fn reason(word: &Word) -> Reason {
    match word.shape {
        Shape::Number(..) | Shape::Version | Shape::Date => Reason::Number,
        Shape::Path | Shape::Identifier => Reason::Identifier,
        _ if crate::claims::quantity::scale(&word.text).is_some() => Reason::Number,
        _ if word.is_any(NEGATIONS) => Reason::Negation,
        _ if word.is_any(QUANTIFIERS) => Reason::Quantifier,
        _ if word.capital => Reason::Name,
        _ => Reason::Wording,
    }
}

/// Of two reasons the one that tells more.
fn graver(one: Reason, other: Reason) -> Reason {
    let weight = |reason: &Reason| match reason {
        Reason::Negation => 5,
        Reason::Number => 4,
        Reason::Identifier => 3,
        Reason::Quantifier => 2,
        Reason::Name => 1,
        _ => 0,
    };
    if weight(&other) > weight(&one) { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_says_the_same_is_merged() {
        let base =
            "We deploy the billing service from the main branch to Frankfurt every single night";
        for other in [
            "we deploy the billing service from the main branch to Frankfurt every single night.",
            "We deploy billing service from the main branch to Frankfurt every single night",
            "We  deploy the billing service from the main branch, to Frankfurt, every single night!",
            "We deploy the billing services from the main branch to Frankfurt every single night",
        ] {
            assert_eq!(may_merge(base, other), Ok(()), "{other}");
            assert_eq!(may_merge(other, base), Ok(()), "{other}");
        }
    }

    #[test]
    fn every_small_difference_that_matters_keeps_them_apart() {
        let long = |middle: &str| {
            format!(
                "When the nightly export of the accounting tables to the warehouse finishes, the scheduler \
                 {middle} and afterwards the operators receive a short summary of everything by mail"
            )
        };
        for (one, other, reason) in [
            ("waits 30 seconds", "waits 35 seconds", Reason::Number),
            ("waits 30 seconds", "waits 30 minutes", Reason::Number),
            ("runs on version 1.2.3", "runs on version 1.2.4", Reason::Number),
            ("does restart", "does not restart", Reason::Negation),
            ("writes to /var/log/a", "writes to /var/log/b", Reason::Identifier),
            ("calls open_file", "calls open_files", Reason::Identifier),
            ("wakes Anna", "wakes Anne", Reason::Name),
            ("restarts all jobs", "restarts any jobs", Reason::Quantifier),
            ("must restart", "may restart", Reason::Quantifier),
            ("is stopped", "is started", Reason::Wording),
            ("was here", "is here", Reason::Wording),
        ] {
            let (one, other) = (long(one), long(other));
            assert!(jaccard(&one, &other) >= NEAR_VERBATIM, "{one}");
            assert_eq!(may_merge(&one, &other), Err(reason), "{one} / {other}");
        }
    }

    #[test]
    fn short_names_are_never_merged_by_their_looks() {
        for (one, other) in
            [("config", "Config!"), ("db-hist-01", "DB-hist-01"), ("aaaaaaa", "aaaaaaaa")]
        {
            assert!(may_merge(one, other).is_err(), "{one}");
        }
        assert_eq!(may_merge("config", " config "), Ok(()));
    }
}
