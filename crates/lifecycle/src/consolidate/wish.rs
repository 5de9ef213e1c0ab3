//! What somebody wanted, as a task that one can speak of later: `run a build and all the tests`.

use mnemic_text::sentences::sentences;

/// Longer wishes are whole plans: what was done about them is a story, not an approach.
const MOST_WORDS: usize = 16;
const FEWEST_WORDS: usize = 3;

/// How people lead up to what they want; none of it is part of it.
#[rustfmt::skip]
const LEADS: &[&str] = &[
    "plan:", "task:", "goal:", "implement the following plan:", "hey", "hi", "ok", "okay",
    "alright", "great", "perfect", "cool", "nice", "thanks", "so", "now", "next", "then", "and",
    "also", "please", "can you", "can we", "could you", "could we", "would you", "will you",
    "let's", "let us", "lets", "help me", "help me to", "i want to", "i want you to", "i'd like to",
    "i'd like you to", "i would like to", "i would like you to", "i need to", "i need you to",
    "we need to", "we have to", "we should", "you should", "go ahead and", "try to",
];

/// What one can be asked to do with code and its surroundings.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "add", "adjust", "allow", "analyse", "analyze", "audit", "automate", "bisect", "build", "bump",
    "change", "check", "clean", "compare", "compile", "compress", "configure", "connect", "convert",
    "copy", "create", "debug", "decouple", "delete", "deploy", "deprecate", "design", "diagnose",
    "disable", "document", "download", "draft", "drop", "enable", "ensure", "evaluate", "explain",
    "expose", "export", "extend", "extract", "find", "fix", "format", "generate", "handle", "harden",
    "hide", "implement", "import", "improve", "increase", "index", "inspect", "install", "instrument",
    "integrate", "investigate", "lint", "list", "load", "localise", "localize", "lower", "make",
    "measure", "merge", "migrate", "mock", "monitor", "move", "optimise", "optimize", "package",
    "parse", "pin", "port", "prepare", "print", "profile", "prune", "publish", "push", "raise",
    "rebase", "rebuild", "reduce", "refactor", "regenerate", "release", "remove", "rename", "render",
    "repair", "replace", "reproduce", "reset", "resolve", "restart", "restore", "retry", "revert",
    "review", "rewrite", "rotate", "run", "scale", "schedule", "seed", "serve", "set", "ship",
    "shorten", "show", "simplify", "solve", "sort", "speed", "split", "start", "stop", "store",
    "support", "swap", "switch", "sync", "test", "tidy", "trace", "track", "translate", "trim", "tune",
    "undo", "unify", "update", "upgrade", "upload", "validate", "verify", "wire", "wrap", "write",
];

/// Words that point at something said before, which nobody will have before them later.
#[rustfmt::skip]
const POINTERS: &[&str] = &[
    "it", "this", "that", "these", "those", "them", "there", "here", "above", "below", "following",
    "same", "attached", "one", "ones", "yours", "mine",
];

/// The task in the person's own words, where it can be told without what stood around it.
pub(super) fn wish(goal: &str) -> Option<String> {
    let goal = goal.replace('’', "'");
    let line = goal
        .lines()
        .map(|line| line.trim_start_matches(['#', ' ', '>', '-', '*']))
        .find(|line| !line.trim().is_empty())?;
    let mut rest = line.trim();
    while let Some(shorter) = LEADS.iter().find_map(|lead| without(rest, lead)) {
        rest = shorter;
    }
    let rest = sentences(rest).first().copied()?;
    let rest = rest.trim_end_matches(['.', '?', '!', ':', ',', ' ']);
    let rest = rest.strip_suffix(" please").unwrap_or(rest);
    let words: Vec<String> = rest
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '#').to_lowercase())
        .collect();
    let points = |word: &String| POINTERS.contains(&word.as_str()) || word.starts_with('#');
    let is_task = VERBS.contains(&words.first()?.as_str())
        && (FEWEST_WORDS..=MOST_WORDS).contains(&words.len())
        && !words.iter().any(points);
    is_task.then(|| uncapitalised(rest))
}

/// The text after a lead and what separates the two.
fn without<'t>(text: &'t str, lead: &str) -> Option<&'t str> {
    let head = text.get(..lead.len())?;
    let rest = &text[lead.len()..];
    let ends = lead.ends_with(':') || rest.starts_with([' ', ',', '.', '!', '-', '…']);
    let rest = rest.trim_start_matches([' ', ',', '.', '!', '-', '…']);
    (ends && !rest.is_empty() && head.eq_ignore_ascii_case(lead)).then_some(rest)
}

fn uncapitalised(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    first + rest.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_is_told_without_its_lead() {
        for (goal, expected) in [
            ("can we run a build and all the tests", "run a build and all the tests"),
            ("Fix the flaky login test", "fix the flaky login test"),
            ("OK, great. Please fix the flaky login test", "fix the flaky login test"),
            (
                "Let's update the changelog for the release please.",
                "update the changelog for the release",
            ),
            (
                "# Plan: Add a `--json` flag to watch\n\n## Context\nlong",
                "add a `--json` flag to watch",
            ),
            ("I’d like you to rename the crate to core", "rename the crate to core"),
        ] {
            assert_eq!(wish(goal).as_deref(), Some(expected), "{goal}");
        }
    }

    #[test]
    fn what_cannot_be_told_alone_is_not() {
        for goal in [
            "Let's address MIP #1",
            "fix it",
            "please fix this in the parser",
            "I just merged dev into this branch and have some merge conflicts.",
            "20:56:20 codex · 019c7 · 10.3 KB · 2 prompts",
            "⏭️ 1 session up to date (skipped)",
            "/pr-review 150",
            "why does the login fail on CI",
            "add a flag that does one thing and then another thing and a third thing as well as many more",
            "",
        ] {
            assert_eq!(wish(goal), None, "{goal}");
        }
    }
}
