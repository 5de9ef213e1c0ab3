//! How things are here: what somebody tells of the project, its surroundings and himself, in a
//! sentence that fits no slot.

use super::frames::without_opener;
use super::pointing::counts_items;
use super::prose::{Words, is_name, starts_with_words};
use super::vocabulary::{LASTING, MOMENT, OF_ONES_WORK, TRANSIENT, WORLD};

/// Whether a person tells of something that will still be so when nobody remembers who said it.
pub(super) fn is_circumstance(words: &Words<'_>) -> bool {
    let low = without_opener(&words.low);
    !is_passing(words) && (tells_of_oneself(low, words) || tells_of_world(low, words))
}

/// The same of an agent: only what it says about the project as a whole. What it reads in single
/// files can be read there again.
pub(super) fn is_of_project(words: &Words<'_>) -> bool {
    let low = without_opener(&words.low);
    let low = low.split_once(": ").map_or(low, |(_, rest)| rest);
    let whole = [
        "this repository",
        "this repo",
        "the repository",
        "the repo",
        "this project",
        "the project",
        "this codebase",
        "the codebase",
    ];
    let says = whole.iter().find_map(|whole| low.strip_prefix(whole)).map(str::trim_start);
    let lasting = |rest: &str| {
        let verbs = ["uses", "is a", "is an", "is written in", "follows", "targets", "requires"];
        verbs.iter().any(|verb| starts_with_words(rest, verb))
    };
    !is_passing(words) && says.is_some_and(lasting) && is_specific(words)
}

fn is_passing(words: &Words<'_>) -> bool {
    words.is_question()
        || words.is_hearsay()
        || words.text.contains('[')
        || counts_items(&words.low)
        || words.has_any(MOMENT)
        || words.has_any(TRANSIENT)
        || !(5..=40).contains(&words.count())
}

/// `I'm on Windows with WSL2`, `my name is …`, `we're a team of four`.
fn tells_of_oneself(low: &str, words: &Words<'_>) -> bool {
    OF_ONES_WORK.iter().any(|start| starts_with_words(low, start))
        && !words.has_any(&["bit", "little"])
}

/// A thing of the project's world, a verb of lasting, and something to hold on to.
fn tells_of_world(low: &str, words: &Words<'_>) -> bool {
    let found = LASTING.iter().filter_map(|verb| {
        let at = low.find(&format!(" {verb} "))?;
        Some((at, verb))
    });
    let Some((at, verb)) = found.min_by_key(|(at, verb)| (*at, usize::MAX - verb.len())) else {
        return false;
    };
    let subject: Vec<&str> = low[..at].split(' ').collect();
    let ours = subject[0] == "our";
    let of_world = ours || subject.iter().any(|word| WORLD.contains(&word.trim_matches('`')));
    let named = subject.iter().any(|word| word.contains('`'));
    // Every `is` describes; only with an article, a place or a name does it define.
    let rest = low[at + verb.len() + 2..].trim_start();
    let defines = match *verb {
        "is" | "are" => DEFINES.iter().any(|start| rest.starts_with(start)) && !judges(rest),
        // `has been nice` tells what happened.
        "has" | "have" => !rest.split(' ').next().is_some_and(is_participle),
        _ => true,
    };
    let nobody = !subject.iter().any(|word| ["i", "you", "we", "it", "they"].contains(word));
    nobody && subject.len() <= 5 && (of_world || named) && defines && is_specific(words)
}

const DEFINES: &[&str] = &["a ", "an ", "at ", "in ", "on ", "our "];

/// `is a nice switch` gives an opinion.
fn judges(rest: &str) -> bool {
    ["good", "great", "bad", "nice", "bit", "mess", "pain"]
        .iter()
        .any(|word| rest.split(' ').nth(1) == Some(word))
}

fn is_participle(word: &str) -> bool {
    word.ends_with("ed") || ["been", "seen", "gone", "become", "got", "gotten"].contains(&word)
}

/// A number, a name, a place with a capital letter: `the app is on fire` has none.
fn is_specific(words: &Words<'_>) -> bool {
    let number = ["two", "three", "four", "five", "six", "every"];
    let inner = words.text.split_whitespace().skip(1);
    inner.clone().any(|word| word.starts_with(|c: char| c.is_uppercase()) && word != "I")
        || inner.clone().any(|word| word.contains(|c: char| c.is_ascii_digit()) || is_name(word))
        || words.has_any(&number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_will_still_be_so() {
        for sentence in [
            "Our frontend is written in Elm, the rest is Haskell.",
            "The device has a Cortex-M0 with 16 KB of memory.",
            "my name is Olga and I look after the search",
            "We're a team of three spread over two continents.",
            "The docs live in `site/` and are built with mkdocs.",
            "the api runs on Fly in three regions",
        ] {
            assert!(is_circumstance(&Words::of(sentence)), "{sentence}");
        }
        assert!(is_of_project(&Words::of("This project uses Gradle 8 with the Kotlin DSL.")));
    }

    #[test]
    fn what_is_so_for_the_moment() {
        for sentence in [
            "The app is on fire again and nobody knows",
            "the server is down right now in Frankfurt",
            "I'm a bit lost in Kubernetes to be honest",
            "My cat has 9 lives and sits on the keyboard",
            "The test has 3 failures on Linux",
            "Is our API on Fly or on AWS?",
            "The API is broken since Monday on Safari",
            "`--fast` is a nice switch to have in Docker",
            "The network has been quiet since Anna left",
            "In the app I have two empty rows under Berlin",
            "My name is [Your Name] from [Your Company]",
        ] {
            assert!(!is_circumstance(&Words::of(sentence)), "{sentence}");
        }
        assert!(!is_of_project(&Words::of("The function uses Gradle 8.")));
    }
}
