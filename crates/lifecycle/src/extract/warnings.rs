//! Failures that somebody tells in words, together with what helps: what a reader should know
//! before walking into them.

use super::pointing::counts_items;
use super::prose::{Words, starts_with_words};
use super::vocabulary::{CAUSES, FAILS, GUESSES, LESSONS, REMEDIES, WARNS};

/// A failure as it was told, and its parts where they can be told apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Warning {
    pub(super) what_fails: String,
    pub(super) prevention: Option<String>,
    pub(super) confidence: f64,
}

/// What a sentence warns of; what helps may stand in the sentence after it.
///
/// A failure with its cause is no warning yet: most are mended a minute later, and nobody meets
/// them again. It takes a remedy, a word of warning, or something that was tried in vain.
pub(super) fn warning(sentence: &str, next: Option<&str>, by_person: bool) -> Option<Warning> {
    let words = Words::of(sentence);
    if is_passing(&words) || !(6..=60).contains(&words.count()) {
        return None;
    }
    let next = next.map(Words::of).filter(helps);
    let warned = WARNS.iter().any(|start| words.low.starts_with(start));
    let learnt = words.has_any(LESSONS) || was_tried_in_vain(&words, next.as_ref());
    let explained = words.has_any(FAILS) && words.has_any(CAUSES) && speaks_of_something(&words);
    let mended = words.has_any(REMEDIES) || next.is_some();
    let habitual = fails_for_anybody(&words) && mended;
    if !(warned || learnt || habitual || (explained && mended)) {
        return None;
    }
    Some(Warning {
        what_fails: words.text.to_owned(),
        prevention: next.map(|next| next.text.to_owned()),
        confidence: if by_person { 0.8 } else { 0.6 },
    })
}

/// Asked, guessed, or still being looked into.
fn is_passing(words: &Words<'_>) -> bool {
    words.is_question() || words.has_any(GUESSES) || words.is_hearsay() || counts_items(&words.low)
}

/// Says what was done about it or is to be done: `Pinned to 0.8.`, `Run it with the workers stopped.`
fn helps(next: &Words<'_>) -> bool {
    const DONE: &[&str] = &["pinned", "reverted", "run it", "use", "set", "avoid", "stop", "keep"];
    let starts = DONE.iter().any(|done| starts_with_words(&next.low, done));
    !is_passing(next) && (2..=30).contains(&next.count()) && (starts || next.has_any(REMEDIES))
}

fn was_tried_in_vain(words: &Words<'_>, next: Option<&Words<'_>>) -> bool {
    const VAIN: &[&str] = &[
        "slower",
        "worse",
        "didn't help",
        "did not help",
        "doesn't work",
        "does not work",
        "didn't work",
        "did not work",
        "no effect",
        "disaster",
        "reverted",
    ];
    let reverted = next.is_some_and(|next| next.low.starts_with("reverted"));
    words.has("tried") && (words.has_any(VAIN) || reverted)
}

/// `hangs if you run it from the root`, `fails unless PYTHON is set`; `crashes when I click` is a
/// report of this moment.
fn fails_for_anybody(words: &Words<'_>) -> bool {
    const PRESENT: &[&str] = &["fails", "hangs", "breaks", "crashes", "deadlocks", "freezes"];
    words.has_any(PRESENT) && words.has_any(&["if you", "when you", "unless"])
}

/// Names something, or at least some thing of its own: not `it failed because of that`.
fn speaks_of_something(words: &Words<'_>) -> bool {
    let first = words.low.split(' ').next().unwrap_or_default();
    words.names_something() || !["it", "this", "that", "they", "he", "she"].contains(&first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_that_others_would_meet() {
        for (text, next) in [
            ("The build failed because `cmake` was missing; installing it fixed it.", None),
            ("Tried a bloom filter for the lookups, it made them slower.", None),
            (
                "The upload failed since the proxy cuts off at 10 MB.",
                Some("Pinned to chunks of 8 MB."),
            ),
            ("Beware: `tar` without `-p` loses the permissions of the scripts.", None),
            ("the indexer hangs if you start it twice, stop the first one", None),
            ("It turned out that the driver drops frames that come late.", None),
        ] {
            let found = warning(text, next, false);
            assert!(found.is_some_and(|it| it.prevention.as_deref() == next), "{text}");
        }
    }

    #[test]
    fn failures_of_the_moment() {
        for text in [
            "The test fails because the function returns nothing.",
            "The failure might be caused by a stale cache, I am checking.",
            "it crashes when I click on save in the dialog",
            "What went wrong, and was it fixed because of the proxy?",
            "I tried it again and now everything is fine here.",
            "You're right about the cache, that was a mistake on my part.",
            "A missing locale is silently replaced by the default one.",
        ] {
            assert_eq!(warning(text, None, false), None, "{text}");
        }
    }
}
