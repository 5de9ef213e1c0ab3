//! Whether a later statement names what it takes the place of: by the value that was left (`switched
//! from Parquet to Avro`), or as the very thing that an earlier one told one thing of (`the choir was
//! moved to Wednesdays`).

use super::statement::Said;
use super::values::{Sort, tokens};
use mnemic_text::stems::query_terms;
use std::collections::HashSet;

/// What stands before a value that was left, and what ends it.
const LEFT: &[(&[&str], &[&str])] = &[
    (&["from"], &["to", "onto"]),
    (&["replaced"], &["by", "with"]),
    (&["swapped"], &["for", "with"]),
    (&["exchanged"], &["for"]),
    (&["ditched"], &["for"]),
    (&["dropped"], &["for"]),
];

/// A value is named in a few words; what is longer tells something else.
const LONGEST_VALUE: usize = 3;

/// Words behind `is` that can hardly be anything but what the thing is: `our feature store is Feast`.
const SHORTEST_NAME: usize = 2;

const ARTICLES: &[&str] = &["the", "our", "a", "an", "my", "your", "their"];

const IS: &[&str] = &["is", "are", "was", "were"];

/// After what a thing is, or by whom its work is done.
#[rustfmt::skip]
const MADE_OUT: &[&[&str]] = &[
    &["a"], &["an"], &["the"], &["handled", "by"], &["done", "by"], &["served", "by"],
    &["provided", "by"], &["powered", "by"], &["run", "by"],
];

/// Verbs of what takes place at another time than before.
const SHIFTED: &[&str] =
    &["moved", "shifted", "postponed", "rescheduled", "pushed", "pulled", "brought", "changed"];

/// Whether the later one names what the earlier one told, of which nothing more was `asked`.
pub(super) fn names(later: &Said, earlier: &Said, asked: &HashSet<String>) -> bool {
    let (after, before) = (low(&later.text), low(&earlier.text));
    names_the_value(later, earlier, (&after, &before), asked)
        || names_the_thing(&after, &before)
        || moves_the_thing(later, earlier, (&after, &before))
}

fn low(text: &str) -> Vec<String> {
    tokens(text).map(str::to_lowercase).collect()
}

fn is_one_of(word: &str, any: &[&str]) -> bool {
    any.contains(&word)
}

/// `switched from Parquet to Avro`, where the earlier one speaks of Parquet and the question does not. It
/// must be the same thing that was switched, unless only `we` have switched.
fn names_the_value(
    later: &Said,
    earlier: &Said,
    (after, before): (&[String], &[String]),
    asked: &HashSet<String>,
) -> bool {
    let is_ours = after.first().is_some_and(|first| is_one_of(first, &["we", "i"]));
    let is_named = |left: &[String]| {
        let left: Vec<&str> =
            left.iter().map(String::as_str).filter(|word| !is_one_of(word, ARTICLES)).collect();
        let terms = query_terms(&left.join(" "));
        let is_said = left.iter().all(|word| before.iter().any(|said| said == word));
        let mut shared = later.terms.intersection(&earlier.terms);
        !left.is_empty()
            && is_said
            && !terms.iter().any(|term| asked.contains(term))
            && (is_ours || shared.any(|term| !terms.contains(term)))
    };
    LEFT.iter().any(|(begins, ends)| {
        let begins = after.iter().enumerate().filter(|(_, word)| is_one_of(word, begins));
        begins.into_iter().any(|(at, _)| {
            let rest = &after[at + 1..];
            let end = rest.iter().take(LONGEST_VALUE + 1).position(|word| is_one_of(word, ends));
            end.is_some_and(|end| is_named(&rest[..end]))
        })
    })
}

/// `the espresso machine was replaced by a Rocket`, where the earlier one says which it is.
fn names_the_thing(after: &[String], before: &[String]) -> bool {
    let Some((thing, verb)) = subject(after) else { return false };
    if verb.first().map(String::as_str) != Some("replaced") {
        return false;
    }
    let Some((earlier, told)) = subject(before) else { return false };
    let is_made_out = MADE_OUT.iter().any(|words| {
        words.len() <= told.len() && words.iter().zip(told).all(|(word, told)| word == told)
    });
    earlier.ends_with(thing) && (is_made_out || told.len() <= SHORTEST_NAME)
}

/// `the choir was moved to Wednesdays`, where the earlier one gives one time, and of the choir itself.
fn moves_the_thing(later: &Said, earlier: &Said, (after, before): (&[String], &[String])) -> bool {
    let Some((thing, verb)) = subject(after) else { return false };
    let is_shifted = verb.first().is_some_and(|verb| is_one_of(verb, SHIFTED));
    let times = |said: &Said| -> Vec<Sort> {
        let sorts = said.values.iter().map(|value| value.sort.clone());
        sorts.filter(|sort| matches!(sort, Sort::Clock | Sort::Weekday | Sort::Date)).collect()
    };
    let (old, new) = (times(earlier), times(later));
    let rest = without_article(before);
    // Of `the choir meets` the thing and one verb are all that stands before the time.
    let is_its_own = rest.starts_with(thing)
        && rest.iter().skip(thing.len() + 1).take(2).any(|word| is_one_of(word, AT));
    is_shifted && is_its_own && old.len() == 1 && new == old
}

/// What stands before a time.
const AT: &[&str] = &["on", "at", "every", "each"];

/// What a sentence speaks of, where it says what that is or what became of it, and what it says.
fn subject(words: &[String]) -> Option<(&[String], &[String])> {
    let words = without_article(words);
    let at = words.iter().position(|word| is_one_of(word, IS)).filter(|at| *at > 0)?;
    let rest = &words[at + 1..];
    let now = rest.first().is_some_and(|word| is_one_of(word, &["now", "been"]));
    Some((&words[..at], &rest[usize::from(now)..]))
}

fn without_article(words: &[String]) -> &[String] {
    match words.first() {
        Some(first) if is_one_of(first, ARTICLES) => &words[1..],
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn does_name(later: &str, earlier: &str, asked: &str) -> bool {
        names(&Said::by(later), &Said::by(earlier), &query_terms(asked).into_iter().collect())
    }

    #[test]
    fn what_was_left_is_named() {
        for (later, earlier, asked) in [
            ("We switched from Parquet to Avro.", "The loader reads Parquet.", "what is read"),
            ("The loader switched from Parquet to Avro.", "The loader reads Parquet.", "read"),
            (
                "We replaced Jenkins with Buildkite.",
                "Builds run in Jenkins.",
                "where do builds run",
            ),
            ("The oven was replaced by a Smeg.", "Our oven is a Bosch.", "which oven"),
            ("The store was replaced by Tecton.", "Our store is Feast.", "what is our store"),
            ("Ingress was replaced by traefik.", "Ingress is handled by nginx.", "which ingress"),
            ("The choir was moved to Fridays.", "The choir meets on Mondays.", "when is choir"),
        ] {
            assert!(does_name(later, earlier, asked), "{later} / {earlier}");
        }
        for (later, earlier, asked) in [
            (
                "Builds moved from Jenkins to CI.",
                "Jenkins needs Java 17.",
                "which Java for Jenkins",
            ),
            ("The writer moved from Parquet to Avro.", "The reader takes Parquet.", "what is read"),
            ("The oven was replaced by a Smeg.", "The oven is cleaned by Paul.", "who cleans it"),
            ("The oven was replaced by a Smeg.", "The oven door is a spare part.", "the oven door"),
            ("The choir was moved to Fridays.", "The choir notes are due on Mondays.", "when due"),
            ("The choir was moved to Fridays.", "Ada drives to the choir on Mondays.", "when"),
        ] {
            assert!(!does_name(later, earlier, asked), "{later} / {earlier}");
        }
    }
}
