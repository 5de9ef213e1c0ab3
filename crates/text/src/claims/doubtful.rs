//! What looks like the value of an attribute and is none: a property, an opinion, a plan.

use super::choices::choice;
use super::reading::Word;
use super::shapes::Shape;

/// Words by which a statement only weighs something.
#[rustfmt::skip]
const WEIGHED: &[&str] = &[
    "might", "maybe", "perhaps", "possibly", "consider", "considered", "considering", "evaluate", "evaluated", "evaluating",
    "propose", "proposed", "proposes", "suggest", "suggested", "suggests", "reject", "rejected", "rejects", "benchmarked",
    "discussed", "dismissed", "explored", "investigated", "tried", "tested", "compared", "recommended", "recommends",
    "hypothetically", "eventually", "someday",
];

/// Whether a clause says how things could be and not how they are.
pub(super) fn is_weighed(words: &[Word]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        // `may not exceed` and `may be up to 25` are limits, `May` is a month.
        let limits = words.get(at + 1).is_some_and(|next| next.is("not"))
            || words.iter().any(|word| matches!(word.shape, Shape::Number(..)));
        let could = word.is("can") && words.get(at + 1).is_some_and(|next| next.is("be"));
        word.is_any(WEIGHED) || could || word.is("may") && !word.capital && !limits
    })
}

/// Properties that no ending tells.
#[rustfmt::skip]
const PROPERTIES: &[&str] = &[
    "mandatory", "optional", "important", "expensive", "cheap", "fast", "slow", "quick", "persistent", "consistent", "unique",
    "flaky", "stable", "unstable", "fine", "great", "good", "bad", "wrong", "correct", "broken", "empty", "missing", "ready",
    "safe", "unsafe", "big", "small", "large", "huge", "tiny", "old", "hard", "easy", "simple", "complex", "noisy", "busy",
    "full", "obsolete", "legacy", "temporary", "permanent", "case-sensitive", "case-insensitive", "down", "up", "async",
    "public", "private", "local", "remote", "global", "strict", "read-only", "readonly", "annoying", "confusing", "unknown",
];

/// Attributes whose values are such words: `the log level is verbose`, `the theme is dark`.
#[rustfmt::skip]
const GRADED: &[&str] = &[
    "status", "level", "priority", "severity", "verbosity", "mode", "theme", "colour", "style", "strategy", "policy", "scheme",
    "approach", "convention", "default", "preference", "format", "role", "title", "method", "workflow", "branching model", "age",
    "indentation", "quotes", "merge strategy", "naming", "visibility", "cadence", "interval",
];

/// Whether what was found for an attribute only describes it: `the queue is durable` names no queue.
pub(super) fn is_property(value: &[Word], attribute: &str) -> bool {
    let [word] = value else {
        // Of several words one may tell what was done: `rejected Jenkins`.
        return value.len() > 1 && value.iter().any(|word| !word.capital && is_participle(word));
    };
    if word.capital || word.shape != Shape::Plain || choice(&word.text).is_some() {
        return false;
    }
    // `stable`, `old`, `public`: a branch may be called anything but what was done to it.
    if attribute.ends_with("branch") {
        return is_participle(word);
    }
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.text.ends_with(ending));
    let may_be = word.text.len() >= 6 && ends(&["able", "ible"]);
    let any = may_be || word.is_any(&["mandatory", "optional", "required", "important"]);
    let graded = GRADED.contains(&attribute);
    any || !graded
        && (word.is_any(PROPERTIES)
            || is_participle(word)
            || word.text.len() >= 6 && ends(&["ous", "ful", "less"])
            || word.text.len() >= 8 && ends(&["ive"]))
}

fn is_participle(word: &Word) -> bool {
    word.shape == Shape::Plain && word.text.len() >= 6 && word.text.ends_with("ed")
}

/// Attributes that tell where something is, so that `in` and `on` lead to their values.
const PLACED: &[&str] =
    &["host", "region", "domain", "default branch", "deploy branch", "time zone", "timezone"];

/// Whether a preposition leads to what was found: `the lead is on vacation` names no lead.
pub(super) fn is_led_to(words: &[Word], start: usize, attribute: &str) -> bool {
    let leads = |at: usize| words[at].is_any(&["on", "in", "under", "from"]);
    !PLACED.contains(&attribute) && start.checked_sub(1).is_some_and(leads)
}

#[cfg(test)]
mod tests {
    use crate::claims::claims;

    #[test]
    fn what_only_describes_or_weighs_is_no_value() {
        for text in [
            "The queue is durable",
            "The queue is fast",
            "The deploy region is configurable",
            "The log level is configurable",
            "The default branch is protected",
            "The formatter is strict",
            "The CI provider is expensive",
            "We rejected Jenkins as CI provider",
            "Bob proposed Buildkite as CI provider",
            "We may switch to GitLab as CI provider",
            "We migrated from MySQL as the main database",
            "The feature can be disabled",
            "The team lead is on vacation",
            "The CI provider is configured in .github/workflows/ci.yml",
        ] {
            let named = claims(text);
            assert_eq!(named, [], "{text}");
        }
        for text in [
            "The queue is RabbitMQ",
            "The log level is verbose",
            "The theme is dark",
            "The team lead is Maria",
            "The default branch is main",
            "Deploy the gateway from stable",
            "The deploy region is us-east-1",
            "The timeout may not exceed 30 s",
            "We use pnpm as package manager",
        ] {
            assert!(!claims(text).is_empty(), "{text}");
        }
    }
}
