//! Rules over two aligned sentences: denial, opposites, numbers, exchanged roles.

use super::align::{Alignment, is_of_a_part, unaffirmed};
use super::antonyms::{are_opposites, are_small_opposites};
use super::sentence::{Sentence, Term};
use super::{Conflict, Rule};

/// One denies what the other affirms.
pub(crate) fn denial(one: &Sentence, other: &Sentence) -> Option<(Conflict, f32)> {
    match (one.denial(), other.denial()) {
        (Some(word), None) => denied_by(one, word, other),
        (None, Some(word)) => {
            let (conflict, sure) = denied_by(other, word, one)?;
            Some((conflict.turned(), sure))
        }
        _ => None,
    }
}

fn denied_by(denying: &Sentence, word: &str, affirming: &Sentence) -> Option<(Conflict, f32)> {
    // What holds under a condition may well fail without it.
    if denying.conditional != affirming.conditional {
        return None;
    }
    let judged = denying.denials().into_iter().enumerate().filter_map(|(nth, denied)| {
        // A later clause may lack its subject.
        let enough = nth == 0 || denied.len() >= 3;
        // An order forbids what it names, and not what has to do with it.
        let meant = !denying.orders() || !is_of_a_part(&denied, affirming);
        let sure = affirmation(&denied, affirming).filter(|_| enough && meant)?;
        Some((denied, sure))
    });
    let (denied, sure) = judged.max_by(|one, other| one.1.total_cmp(&other.1))?;
    let about: Vec<&str> = denied.iter().map(|term| term.word.as_str()).collect();
    let conflict = Conflict {
        rule: Rule::Denial,
        about: about.join(" "),
        first: format!("{word} {}", about.join(" ")),
        second: about.join(" "),
    };
    Some((conflict, sure))
}

/// How surely a sentence affirms what another denies.
fn affirmation(denied: &[&Term], affirming: &Sentence) -> Option<f32> {
    let missing = unaffirmed(denied, affirming);
    match (denied.len(), missing.as_slice()) {
        (2.., []) => Some(0.95),
        (1, []) if affirming.terms.len() <= 3 => Some(0.85),
        // How it is done matters less than that it is.
        (3.., [one]) if one.word.ends_with("ly") => Some(0.8),
        _ => None,
    }
}

/// Words that exclude one another where the rest is the same.
pub(crate) fn opposites(
    aligned: &Alignment<'_>,
    one: &Sentence,
    other: &Sentence,
) -> Option<(Conflict, f32)> {
    content_opposites(aligned).or_else(|| small_opposites(aligned, one, other))
}

fn content_opposites(aligned: &Alignment<'_>) -> Option<(Conflict, f32)> {
    let mut first = aligned.first.clone();
    let mut second = aligned.second.clone();
    let mut pairs = Vec::new();
    first.retain(|term| {
        let place = second.iter().position(|other| are_opposites(&term.stem, &other.stem));
        let Some(place) = place else { return true };
        pairs.push((*term, second.remove(place)));
        false
    });
    if pairs.is_empty() || first.iter().chain(&second).any(|term| term.firm) {
        return None;
    }
    let shared = aligned.shared.len();
    let left = first.len().max(second.len());
    let sure = match (shared, left) {
        (1.., 0) => 0.9,
        (2.., 1) if first.is_empty() || second.is_empty() => 0.8,
        (3.., 1) => 0.7,
        (4.., 2) if first.is_empty() || second.is_empty() => 0.7,
        _ => return None,
    };
    let said = |terms: Vec<&Term>| join(&terms);
    let (ours, theirs): (Vec<&Term>, Vec<&Term>) = pairs.into_iter().unzip();
    let conflict = Conflict {
        rule: Rule::Opposites,
        about: said(aligned.shared.iter().map(|(term, _)| *term).collect()),
        first: said(ours),
        second: said(theirs),
    };
    Some((conflict, sure))
}

fn small_opposites(
    aligned: &Alignment<'_>,
    one: &Sentence,
    other: &Sentence,
) -> Option<(Conflict, f32)> {
    if aligned.shared.len() < 2 || !aligned.first.is_empty() || !aligned.second.is_empty() {
        return None;
    }
    let alone = |mine: &[String], theirs: &[String]| -> Vec<String> {
        mine.iter().filter(|word| !theirs.contains(word)).cloned().collect()
    };
    let (ours, theirs) = (alone(&one.small, &other.small), alone(&other.small, &one.small));
    let pair = ours.iter().find_map(|mine| {
        theirs.iter().find(|their| are_small_opposites(mine, their)).map(|their| (mine, their))
    })?;
    let terms: Vec<&Term> = aligned.shared.iter().map(|(term, _)| *term).collect();
    let conflict = Conflict {
        rule: Rule::Opposites,
        about: join(&terms),
        first: pair.0.clone(),
        second: pair.1.clone(),
    };
    Some((conflict, 0.75))
}

fn join(terms: &[&Term]) -> String {
    terms.iter().map(|term| term.word.as_str()).collect::<Vec<_>>().join(" ")
}
