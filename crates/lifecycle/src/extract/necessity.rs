//! What must or must not be, said of a thing: `personal data may not leave the region`.

use super::vocabulary::{BEHAVES, BINDING, MANNER, POINTERS};

/// Whether something binding is said of a thing that a reader knows without the conversation.
/// What a program under discussion should do when it works is a task, and no rule.
pub(super) fn is_binding(low: &str) -> bool {
    forbids_openly(low) || low.split([',', ';']).any(|clause| binds(clause.trim()))
}

fn binds(low: &str) -> bool {
    let Some((at, mark)) = BINDING.iter().filter_map(|mark| Some((low.find(mark)?, mark))).min()
    else {
        return false;
    };
    let (subject, rest) = (&low[..at], low[at + mark.len()..].trim_start());
    let verb = rest.split(' ').find(|word| !["not", "never", "always", "only"].contains(word));
    let verb = verb.unwrap_or_default();
    if !is_thing(subject) || is_guess(mark, rest) {
        return false;
    }
    match *mark {
        " has to " | " have to " if !is_class(subject) => KEEPS.contains(&verb),
        " is allowed to " => ["nothing", "nobody", "only"].contains(&first_of(subject)),
        _ => is_class(subject) || !BEHAVES.contains(&verb),
    }
}

/// What has to stay as it is holds longer than what has to be done.
const KEEPS: &[&str] = &["stay", "remain", "keep", "support", "work", "run", "fit"];

/// Words that forbid wherever they stand.
fn forbids_openly(low: &str) -> bool {
    let openly = [
        "you are not allowed to",
        "you're not allowed to",
        "it's forbidden to",
        "it is forbidden to",
        "under no circumstances",
    ];
    let only_may = low.starts_with("only ") && [" may ", " can "].iter().any(|m| low.contains(m));
    only_may || openly.iter().any(|phrase| low.contains(phrase))
}

fn first_of(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// Names what it speaks of, within a few words; no order that only contains such words, nobody who
/// is spoken to, and nothing that somebody lives through: `flying home must be odd`.
fn is_thing(subject: &str) -> bool {
    const NOBODY: &[&str] = &["i", "you", "he", "she", "what", "which", "who", "that", "user"];
    let words: Vec<&str> = subject.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    words.len() <= 7
        && !words.iter().any(|word| NOBODY.contains(word))
        && !POINTERS.contains(first)
        && !POINTERS.contains(last)
        && !["a", "an", "to"].contains(last)
        && !MANNER.contains(first)
        && !(first.ends_with("ing") && !first.ends_with("thing") && words.len() > 1)
}

/// Every one of its sort: `all endpoints`, or a plural without an article.
fn is_class(subject: &str) -> bool {
    let first = first_of(subject);
    let all = ["all", "any", "every", "each", "no", "nothing", "nobody", "only"].contains(&first);
    let narrowed = ["the", "this", "these", "those", "my", "your"].contains(&first);
    let last = subject.rsplit(' ').next().unwrap_or_default();
    all || (!narrowed && last.ends_with('s') && last.len() > 3)
}

/// `it must be the cache`, `that must be fun`, `that may not work` only guess.
fn is_guess(mark: &str, rest: &str) -> bool {
    let mut words = rest.split([' ', ',', '.', '!']);
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    match (mark, first) {
        (" must ", "have") => !["a", "an", "at", "no", "exactly", "one", "its"].contains(&second),
        (" must ", "be") => GUESSED.contains(&second) || second.ends_with("ing"),
        (" must ", "feel" | "mean" | "know" | "love") => true,
        (" may not ", _) => {
            ["be", "work", "have", "exist", "matter", "need", "help", "even"].contains(&first)
        }
        _ => false,
    }
}

/// What stands behind `must be` when somebody guesses or feels with another.
#[rustfmt::skip]
const GUESSED: &[&str] = &[
    "something", "a", "an", "the", "some", "because", "due", "wrong", "so", "such", "really", "quite",
    "very", "pretty", "hard", "tough", "nice", "great", "incredible", "fun", "proud", "there", "here",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_bind_and_guesses_do_not() {
        for (low, expected) in [
            ("customer names must be encrypted before they are stored", true),
            ("the image may not grow beyond one megabyte", true),
            ("all handlers have to be idempotent", true),
            ("the protocol has to stay compatible with old clients", true),
            ("only the release job may write to the bucket", true),
            ("you are not allowed to add a dependency", true),
            ("the budget is 5 ms, nothing on the main thread is allowed to block", true),
            ("the imports have to be updated", false),
            ("the test must have been broken before", false),
            ("it must be something with the cache", false),
            ("the page must show the name", false),
            ("implement the rule that a player must not move twice", false),
            ("this may not work on friday", false),
            ("you must be joking", false),
            ("ah - you must be so tired", false),
            ("flying home after a year must be odd", false),
            ("a visit to the harbour is a must if it is warm", false),
        ] {
            assert_eq!(is_binding(low), expected, "{low}");
        }
    }
}
