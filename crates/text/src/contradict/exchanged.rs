//! Rules over sentences that are the same but for one thing: a number, a choice, who does it.

use super::align::Alignment;
use super::sentence::{Sentence, Term};
use super::{Conflict, Rule};
use crate::claims::choice;

/// Nouns whose numbers tell one of them from another.
#[rustfmt::skip]
const COUNTED_THINGS: &[&str] = &[
    "step", "phase", "part", "chapter", "section", "line", "page", "item", "task", "issue", "pr", "ticket", "case", "example",
    "replica", "node", "shard", "day", "week", "sprint", "milestone", "level", "tier", "option", "rule", "figure", "table", "round", "batch", "run",
];

/// A number, version or date that differs where the rest is the same.
pub(crate) fn numbers(
    aligned: &Alignment<'_>,
    one: &Sentence,
    other: &Sentence,
) -> Option<(Conflict, f32)> {
    let ([ours], [theirs]) = (aligned.first.as_slice(), aligned.second.as_slice()) else {
        return None;
    };
    if !(ours.number && theirs.number) || aligned.shared.len() < 2 || ours.stem == theirs.stem {
        return None;
    }
    let beside = |sentence: &Sentence, term: &Term, step: isize| {
        let at = term.at.checked_add_signed(step)?;
        sentence.words.get(at).map(|word| word.stem.clone())
    };
    let before = beside(one, ours, -1);
    let placed =
        before == beside(other, theirs, -1) || beside(one, ours, 1) == beside(other, theirs, 1);
    let named = before.is_some_and(|word| COUNTED_THINGS.contains(&word.as_str()));
    let told = one.tells_of_past() || other.tells_of_past();
    (placed && !named && !told).then(|| (conflict(Rule::Numbers, aligned, ours, theirs), 0.75))
}

/// Two choices of one sort where the rest is the same.
pub(crate) fn choices(aligned: &Alignment<'_>) -> Option<(Conflict, f32)> {
    let ([ours], [theirs]) = (aligned.first.as_slice(), aligned.second.as_slice()) else {
        return None;
    };
    let (one, other) = (choice(&ours.word)?, choice(&theirs.word)?);
    let exclusive = one.0 == other.0 && one.1 != other.1 && !aligned.shared.is_empty();
    exclusive.then(|| (conflict(Rule::Choice, aligned, ours, theirs), 0.75))
}

/// What is done by each to the other as well.
#[rustfmt::skip]
const MUTUAL: &[&str] = &[
    "meet", "marri", "talk", "speak", "fight", "equal", "match", "play", "hug", "kiss", "shake", "compet", "differ", "compar",
    "connect", "share", "link", "near", "resembl", "argu", "agre", "danc", "wrestl", "box", "next", "same", "and",
];

/// `A depends on B` against `B depends on A`: the same words, two of them exchanged.
pub(crate) fn roles(one: &Sentence, other: &Sentence) -> Option<(Conflict, f32)> {
    let (ours, theirs) = (&one.terms, &other.terms);
    if ours.len() != theirs.len() || ours.len() < 3 {
        return None;
    }
    let differing: Vec<usize> =
        (0..ours.len()).filter(|at| ours[*at].stem != theirs[*at].stem).collect();
    let [first, second] = differing.as_slice() else { return None };
    let swapped =
        ours[*first].stem == theirs[*second].stem && ours[*second].stem == theirs[*first].stem;
    let between = &ours[first + 1..*second];
    let mutual = ours.iter().any(|term| MUTUAL.contains(&term.stem.as_str()));
    let joined = |sentence: &Sentence| {
        sentence.words.iter().any(|word| word.is_any(&["and", "or", "each", ","]))
    };
    let turned = |sentence: &Sentence| sentence.small.iter().any(|word| word == "by");
    if !swapped
        || one.small != other.small
        || between.is_empty()
        || mutual
        || joined(one)
        || joined(other)
        || turned(one) != turned(other)
    {
        return None;
    }
    let about: Vec<&str> = between.iter().map(|term| term.word.as_str()).collect();
    let conflict = Conflict {
        rule: Rule::Roles,
        about: about.join(" "),
        first: format!("{} … {}", ours[*first].word, ours[*second].word),
        second: format!("{} … {}", theirs[*first].word, theirs[*second].word),
    };
    Some((conflict, 0.6))
}

fn conflict(rule: Rule, aligned: &Alignment<'_>, ours: &Term, theirs: &Term) -> Conflict {
    let about: Vec<&str> = aligned.shared.iter().map(|(term, _)| term.word.as_str()).collect();
    Conflict { rule, about: about.join(" "), first: ours.word.clone(), second: theirs.word.clone() }
}
