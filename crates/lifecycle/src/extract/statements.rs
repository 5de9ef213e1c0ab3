//! Preferences and rules that a person states, word for word.

use super::circumstances::{is_circumstance, is_of_project};
use super::frames::{Lead, without_opener};
use super::necessity::is_binding;
use super::pointing::{counts_items, points_elsewhere};
use super::prose::{Words, is_name, starts_with_words};
use super::vocabulary::{
    ASKS, CHEER, CUSTOMS, DEMANDS, FORBIDS, HABITS, MANNER, MOMENT, OF_ONESELF, POINTERS, PREFERS,
    UNWANTED, WISHES,
};

/// What sort of statement it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementKind {
    /// One thing rather than another.
    Preference,
    /// Must not be done.
    Prohibition,
    /// Must be done.
    Obligation,
    /// How things are done here.
    Convention,
    /// How something must behave.
    Requirement,
    /// How things are here.
    Circumstance,
}

impl StatementKind {
    pub fn as_str(self) -> &'static str {
        match self {
            StatementKind::Preference => "preference",
            StatementKind::Prohibition => "prohibition",
            StatementKind::Obligation => "obligation",
            StatementKind::Convention => "convention",
            StatementKind::Requirement => "requirement",
            StatementKind::Circumstance => "circumstance",
        }
    }
}

/// A statement and, where it says so, what is preferred to what.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub kind: StatementKind,
    pub text: String,
    pub wanted: Option<String>,
    pub unwanted: Option<String>,
    pub confidence: f64,
}

/// What a sentence of a person states; none for most sentences.
pub fn statement(sentence: &str) -> Option<Statement> {
    let words = Words::of(sentence);
    rule(&words).or_else(|| aside(&words)).or_else(|| circumstance(&words))
}

/// A rule that somebody thinks of while asking for something: `fix it, and by the way we never …`.
fn aside(words: &Words<'_>) -> Option<Statement> {
    let low = words.text.to_ascii_lowercase();
    let found = ["by the way", "btw"].iter().filter_map(|mark| {
        let at = low.find(mark).filter(|at| low[..*at].ends_with([' ', '(']))?;
        Some(at + mark.len())
    });
    let rest = &words.text[found.min()?..];
    rule(&Words::of(rest.trim_start_matches([' ', ',', ':', '.'])))
}

/// What a sentence of an agent states about the project.
pub(super) fn description(sentence: &str) -> Option<Statement> {
    let words = Words::of(sentence);
    is_of_project(&words).then(|| described(&words, 0.6))
}

fn circumstance(words: &Words<'_>) -> Option<Statement> {
    is_circumstance(words).then(|| described(words, 0.7))
}

fn described(words: &Words<'_>, confidence: f64) -> Statement {
    let (kind, text) = (StatementKind::Circumstance, words.text.to_owned());
    Statement { kind, text, wanted: None, unwanted: None, confidence }
}

pub(super) fn rule(words: &Words<'_>) -> Option<Statement> {
    let lead = Lead::of(&words.low);
    let low = lead.rest;
    if is_passing(words, low) || words.is_hearsay() {
        return None;
    }
    let (kind, confidence) = kind_of(words, lead)?;
    // A rule that names its subject may come back to it: `keys must be hashed before they …`.
    let names_subject =
        is_called_rule(&words.low) || is_of_every_one(low) || is_binding(low) && !words.has("this");
    if !names_subject && points_elsewhere(words, kind) || counts_items(&words.low) {
        return None;
    }
    let sides = contrast(own_words(words.text));
    // Half a sentence: what is wanted in its place stands elsewhere.
    let half = ["rather than", "instead of"].iter().any(|start| low.starts_with(start));
    if half && sides.is_none() {
        return None;
    }
    let (wanted, unwanted) = sides.unzip();
    Some(Statement { kind, text: unjoined(words.text), wanted, unwanted, confidence })
}

/// A sentence without the word that joins it to the one before, which nobody will see beside it.
fn unjoined(text: &str) -> String {
    let low = text.to_ascii_lowercase();
    let joins = ["and ", "also, ", "also ", "but ", "so "];
    let length = joins.iter().find(|word| low.starts_with(*word)).map_or(0, |word| word.len());
    let rest = &text[length..];
    match rest.chars().next() {
        Some(first) if length > 0 => first.to_uppercase().chain(rest.chars().skip(1)).collect(),
        _ => rest.to_owned(),
    }
}

/// A text as it was written, without its opener.
pub(super) fn own_words(text: &str) -> &str {
    let low = text.to_ascii_lowercase();
    &text[text.len() - without_opener(&low).len()..]
}

/// Said for the moment, asked, wondered about, or too short or long to be a rule.
fn is_passing(words: &Words<'_>, low: &str) -> bool {
    let odd = words.text.contains("[Image") || (words.text.contains('…') && words.count() < 6);
    let opens_question = ASKS.iter().any(|start| starts_with_words(low, start));
    let asks = words.is_question() || words.low.ends_with("yeah") || words.low.ends_with("right");
    let least = if is_terse_rule(low) { 3 } else { 4 };
    !(least..=45).contains(&words.count()) || words.has_any(MOMENT) || odd || asks || opens_question
}

/// `must work offline` is short and says enough.
fn is_terse_rule(low: &str) -> bool {
    let rest = ["must ", "never ", "always "].iter().find_map(|start| low.strip_prefix(start));
    let verb = rest.and_then(|rest| rest.split(' ').next());
    verb.is_some_and(|verb| !CHEER.contains(&verb) && !OF_ONESELF.contains(&verb))
}

fn kind_of(words: &Words<'_>, lead: Lead<'_>) -> Option<(StatementKind, f64)> {
    let low = lead.rest;
    let starts = |phrases: &[&str]| phrases.iter().any(|phrase| starts_with_words(low, phrase));
    let henceforth = ["going forward", "in the future", "in future", "by convention", "next time"];
    if words.has("from now on") || starts(&henceforth) || is_called_rule(&words.low) {
        return Some((StatementKind::Obligation, 0.9));
    }
    if (starts(FORBIDS) && !is_past(low))
        || is_command_not_to(low)
        || later_clauses(low).any(is_command_not_to)
        || is_unwanted(&words.low)
    {
        return Some((StatementKind::Prohibition, 0.85));
    }
    let terse = low.starts_with("must ");
    if (starts(DEMANDS) || terse) && asks_for_deed(low) || is_always_so(words, low) {
        return Some((StatementKind::Obligation, 0.85));
    }
    if starts(PREFERS) && words.has_any(&["instead of", "rather than", "over", "not"]) {
        return Some((StatementKind::Preference, 0.85));
    }
    if starts(WISHES) || starts(HABITS) && is_telling(words, lead) {
        return Some((StatementKind::Preference, 0.85));
    }
    if lead.is_general && starts(MANNER) {
        return Some((StatementKind::Preference, 0.75));
    }
    if starts(UNWANTED) && !low.starts_with("i don't want to") {
        return Some((StatementKind::Prohibition, 0.75));
    }
    if starts(CUSTOMS) {
        return Some((StatementKind::Convention, 0.75));
    }
    if is_binding(low) {
        return Some((StatementKind::Requirement, 0.75));
    }
    is_requirement(words, low).then_some((StatementKind::Requirement, 0.6))
}

/// `one rule in this team: …`
fn is_called_rule(low: &str) -> bool {
    let label = low.split_once(": ").map(|(label, _)| label).unwrap_or_default();
    let named = ["rule", "policy", "convention"];
    label.split(' ').count() <= 6 && label.split(' ').any(|word| named.contains(&word))
}

/// `from now on every commit names its ticket`
fn is_of_every_one(low: &str) -> bool {
    let rest = low.strip_prefix("from now on").map(|rest| rest.trim_start_matches([',', ' ']));
    let first = rest.and_then(|rest| rest.split(' ').next());
    first.is_some_and(|first| ["every", "each", "all", "any", "no"].contains(&first))
}

/// `no emojis in the docs please`; without a plea it may as well tell what is there.
fn is_unwanted(low: &str) -> bool {
    let rest = low.strip_prefix("please, ").or(low.strip_prefix("please ")).unwrap_or(low);
    let Some(what) = rest.strip_prefix("no ") else { return false };
    let first = what.split([' ', ',']).next().unwrap_or_default();
    let answers = ["idea", "problem", "need", "worries", "way", "one", "longer", "rush", "hurry"];
    let is_thing = !answers.contains(&first) && !POINTERS.contains(&first) && first.len() > 3;
    is_thing && crate::capture::contains_words(low, "please")
}

/// `commits should always be signed`; what one thing in a program always does is a task.
fn is_always_so(words: &Words<'_>, low: &str) -> bool {
    let marks = [" should always ", " must always ", " needs to always "];
    let Some(at) = marks.iter().filter_map(|mark| low.find(mark)).min() else { return false };
    let subject = &low[..at];
    let first = subject.split(' ').next().unwrap_or_default();
    let universal = ["we", "you", "all", "any", "every", "each"].contains(&first);
    universal || subject.ends_with('s') || words.names_something()
}

/// A habit is worth knowing where it names something, weighs it, or holds for a sort of work.
fn is_telling(words: &Words<'_>, lead: Lead<'_>) -> bool {
    let weighs = words.has_any(&["instead of", "rather than", "not", "never"]);
    // `i want`, `i like`: said of the matter at hand unless it is said of more.
    let wants = ["i want", "i like"].iter().any(|start| lead.rest.starts_with(start));
    if wants { lead.is_general } else { words.names_something() || weighs }
}

/// `we never started over` tells of something, `we never commit to main` rules something.
fn is_past(low: &str) -> bool {
    let verb = low.split(' ').skip_while(|word| *word != "never").nth(1).unwrap_or_default();
    let irregular =
        ["wrote", "did", "had", "got", "went", "saw", "made", "said", "was", "were", "been"];
    (verb.ends_with("ed") && verb != "need") || irregular.contains(&verb)
}

/// `don't touch…` is an order; `don't think…` is half a sentence about oneself.
fn is_command_not_to(low: &str) -> bool {
    let starts = ["don't ever ", "do not ever ", "don't ", "do not ", "stop "];
    let Some(rest) = starts.iter().find_map(|start| low.strip_prefix(start)) else { return false };
    let verb = rest.split(|c: char| !(c.is_alphanumeric() || c == '\'')).next().unwrap_or_default();
    !verb.is_empty() && !OF_ONESELF.contains(&verb) && !CHEER.contains(&verb)
}

/// `always run the tests` asks for something; `always good to see you` does not.
fn asks_for_deed(low: &str) -> bool {
    let mut rest = low.split(' ').skip_while(|word| !matches!(*word, "always" | "must"));
    let next = rest.nth(1).unwrap_or_default();
    let next = if next == "always" { rest.next().unwrap_or_default() } else { next };
    let bent = next.ends_with("ing") || next.ends_with("ed");
    !bent && !OF_ONESELF.contains(&next) && !CHEER.contains(&next)
}

/// What stands behind a comma or semicolon: `put it in x.go, don't join outside of it`.
fn later_clauses(low: &str) -> impl Iterator<Item = &str> {
    low.split([',', ';']).skip(1).map(|clause| without_opener(clause.trim_start()))
}

/// How something named must behave: `auth.go should be in cmd`, `every flag must have a default`.
fn is_requirement(words: &Words<'_>, low: &str) -> bool {
    let ought =
        [" should ", " must ", " shouldn't "].iter().filter_map(|word| low.find(word)).min();
    let Some(at) = ought else { return false };
    let subject = &low[..at];
    let first = subject.split(' ').next().unwrap_or_default();
    if ["any", "every", "each", "all"].contains(&first) {
        return !POINTERS.iter().any(|pointer| subject.ends_with(pointer));
    }
    // The names must be in the subject itself, as it was written.
    let written = own_words(words.text).split_whitespace().take(subject.split(' ').count());
    let named = written.into_iter().any(is_name);
    named && subject.split(' ').count() <= 4 && !POINTERS.contains(&first) && words.count() >= 6
}

/// What is wanted and what is not in `X instead of Y`, `prefer X over Y`, `rather than Y, X`.
fn contrast(text: &str) -> Option<(String, String)> {
    let low = text.to_ascii_lowercase();
    let clean = |side: &str| {
        let side = side.trim_matches(|c: char| c.is_whitespace() || ",.;:!".contains(c));
        (!side.is_empty()).then(|| side.to_owned())
    };
    for mark in ["instead of ", "rather than "] {
        if let Some(lower) = low.strip_prefix(mark) {
            let rest = &text[mark.len()..];
            let turns = [", ", " let's ", " have ", " use ", " name "];
            let at = turns.iter().filter_map(|turn| lower.find(turn)).min()?;
            // What somebody tells about himself asks nothing of others.
            if [", i ", ", i'", ", you can "].iter().any(|own| lower[at..].starts_with(own)) {
                return None;
            }
            return Some((clean(&rest[at + 1..])?, clean(&rest[..at])?));
        }
    }
    for mark in [" instead of ", " rather than "] {
        if let Some(at) = low.find(mark) {
            return Some((clean(&text[..at])?, clean(&text[at + mark.len()..])?));
        }
    }
    let at = low.find("prefer ")?;
    let rest = &text[at + "prefer ".len()..];
    let over = rest.to_ascii_lowercase().find(" over ")?;
    Some((clean(&rest[..over])?, clean(&rest[over + " over ".len()..])?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use StatementKind::{
        Circumstance, Convention, Obligation, Preference, Prohibition, Requirement,
    };

    #[test]
    fn rules_and_preferences_are_heard() {
        for (sentence, kind) in [
            ("Use pnpm instead of npm in this repo.", Preference),
            ("Never commit to main directly.", Prohibition),
            ("please don't touch the generated files in `gen/`", Prohibition),
            ("Always run the linter before you commit.", Obligation),
            ("We deploy from main, not from develop.", Convention),
            ("I prefer tabs over spaces in Go files", Preference),
            ("From now on put fixtures under tests/data.", Obligation),
            ("We don't want a @../pkg/providers/droidcli/debug.go file.", Prohibition),
            ("No, we don't use the replace directive in go.mod", Prohibition),
            ("Add a GetLogPath to path_utils, don't do a join outside of path_utils", Prohibition),
            ("`run` should error when the provider name is unknown", Requirement),
            ("yes, GetSpecDir should not be in session.go, that's what paths is for", Requirement),
            ("Every flag must have a default in the table of flags", Requirement),
            ("Account numbers must be masked before they are logged.", Requirement),
            ("Must run without network.", Obligation),
            ("One rule here: whoever merges it watches it.", Obligation),
            ("dont ever rewrite the history of shared branches", Prohibition),
            ("No abbreviations in the public names please.", Prohibition),
            ("For migrations I prefer plain SQL files", Preference),
            ("I favour plain data over clever types, keep it like that.", Preference),
            ("Whenever you add a flag, write a line in the manual.", Preference),
            ("Our crawler runs on two machines in Oslo.", Circumstance),
            ("By the way, we always use pnpm here, never npm", Obligation),
            ("Fix the build, and by the way, we always use pnpm here, never npm.", Obligation),
            ("Fix the typo (btw we never abbreviate names in the docs)", Prohibition),
            ("From now on every commit names its ticket.", Obligation),
        ] {
            let found = statement(sentence);
            assert_eq!(found.map(|s| s.kind), Some(kind), "{sentence}");
        }
    }

    #[test]
    fn what_is_only_said_in_passing_is_not() {
        for sentence in [
            "Don't make any changes yet, just show me where in the code this happens.",
            "Don't touch the other commands for now.",
            "At line 576, identityManager is created but never used.",
            "Nothing to update if we never wrote it.",
            "I don't understand this one.",
            "We don't want this repeated 5 times.",
            "don't you read the docs before you start?",
            "Should we use tabs instead of spaces?",
            "Presumably we are polling rather than watching.",
            "proceed",
            "let's use 12 chars instead of 10 for issue 17",
            "Rather than using ESC to quit.",
            "You should see `main.go` in the folder now.",
            "no we never started over",
            "Don't give up on your dreams.",
            "You must feel amazing every time you get inside!",
            "Always good chatting with you.",
            "I like the idea of being able to swap parts in the future.",
            "Instead of just scrolling, I've been trying to read on the train.",
            "I don't want to have to remember all these passwords.",
            "Let's not worry about keeping it warm yet.",
            "Don't think we want the JSON validity check though...",
            "Never give up!",
            "The docs say \"you must always call init first\".",
            "My colleague says one should never use an ORM.",
            "In the game the enemy should always turn left at a wall.",
            "I'm in a hurry, only fix the typo and never mind the rest.",
            "by the way, can you show me where to download the docs?",
            "Fix the build, and by the way, should we always use pnpm?",
            "I saw it by the way we never log anything there.",
        ] {
            assert_eq!(statement(sentence), None, "{sentence}");
        }
    }

    #[test]
    fn both_sides_of_a_preference() {
        for (sentence, wanted, unwanted) in [
            ("Use 12 chars instead of 10.", "Use 12 chars", "10"),
            ("Rather than the 5 columns, use 5 tables.", "use 5 tables", "the 5 columns"),
            ("I prefer tabs over spaces everywhere", "tabs", "spaces everywhere"),
        ] {
            let found = statement(sentence).unwrap();
            assert_eq!(found.wanted.as_deref(), Some(wanted));
            assert_eq!(found.unwanted.as_deref(), Some(unwanted));
        }
    }
}
