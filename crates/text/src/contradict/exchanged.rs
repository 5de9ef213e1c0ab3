//! Rules over sentences that are the same but for one thing: a number, a choice, who does it.

use super::align::Alignment;
use super::sentence::{Sentence, Term};
use super::{Conflict, Rule};
use crate::claims::choice;
use crate::claims::reading::Word;
use crate::claims::shapes::Shape;
use crate::dates::MONTHS;

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

/// A time, or a number in words, that differs where every other word is the same: `the standup is at
/// 9:15` and `the standup is at 9:45`.
pub(crate) fn times(one: &Sentence, other: &Sentence) -> Option<(Conflict, f32)> {
    if one.words.len() != other.words.len() || one.tells_of_past() || other.tells_of_past() {
        return None;
    }
    let pairs = one.words.iter().zip(&other.words);
    let mut differing = pairs.enumerate().filter(|(_, (ours, theirs))| ours.stem != theirs.stem);
    let (at, (ours, theirs)) = differing.next()?;
    let is_named = at > 0 && COUNTED_THINGS.contains(&one.words[at - 1].stem.as_str());
    let is_one_value = is_time(ours) && is_time(theirs) && at > 0 && !is_named;
    let about: Vec<&str> =
        one.terms.iter().filter(|term| term.at != at).map(|term| term.word.as_str()).collect();
    let is_all = differing.next().is_none() && is_one_value && !about.is_empty();
    is_all.then(|| {
        let (first, second) = (ours.raw.clone(), theirs.raw.clone());
        (Conflict { rule: Rule::Numbers, about: about.join(" "), first, second }, 0.75)
    })
}

fn is_time(word: &Word) -> bool {
    let is_clock =
        word.text.contains(':') && word.text.chars().all(|c| c.is_ascii_digit() || c == ':');
    let is_counted = matches!(word.shape, Shape::Number(..));
    is_clock || is_counted || MONTHS.contains(&word.text.as_str())
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
