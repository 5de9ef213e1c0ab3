//! One sentence against another: slots first, then the rules over words.

use super::align::Alignment;
use super::sentence::Sentence;
use super::slots::{Slots, compare};
use super::{Conflict, Judgement, Verdict, exchanged, left, rules};

pub(crate) fn judge(one: &Sentence, other: &Sentence) -> Judgement {
    let unrelated = Judgement { verdict: Verdict::Unrelated, confidence: 0.7 };
    if one.asks || other.asks {
        return unrelated;
    }
    if let Some((conflict, confidence)) = left::left(one, other) {
        return Judgement { verdict: Verdict::Contradicts(conflict), confidence };
    }
    let slots = by_slots(one, other);
    if let Some(judgement) = slots.as_ref().and_then(settled) {
        return judgement;
    }
    let may_meet = slots.is_none() && one.time.overlaps(&other.time);
    if let Some((conflict, confidence)) = may_meet.then(|| by_words(one, other)).flatten() {
        return Judgement { verdict: Verdict::Contradicts(conflict), confidence };
    }
    open(one, other, slots.as_ref()).unwrap_or(unrelated)
}

/// What the claims say; a contradiction before all else.
fn by_slots(one: &Sentence, other: &Sentence) -> Option<Slots> {
    let pairs =
        one.claims.iter().flat_map(|ours| other.claims.iter().map(move |theirs| (ours, theirs)));
    let compared = pairs.filter_map(|(ours, theirs)| compare(ours, theirs));
    compared.max_by_key(|slots| match slots {
        Slots::Contradict(..) => 3,
        Slots::Same => 2,
        Slots::Unclear => 1,
        Slots::Apart => 0,
    })
}

fn settled(slots: &Slots) -> Option<Judgement> {
    match slots {
        Slots::Contradict(conflict, confidence) => {
            let verdict = Verdict::Contradicts(conflict.clone());
            Some(Judgement { verdict, confidence: *confidence })
        }
        Slots::Same => Some(Judgement { verdict: Verdict::Same, confidence: 0.85 }),
        Slots::Apart | Slots::Unclear => None,
    }
}

fn by_words(one: &Sentence, other: &Sentence) -> Option<(Conflict, f32)> {
    if let Some(found) = rules::denial(one, other) {
        return Some(found);
    }
    let same_manner =
        one.denial().is_some() == other.denial().is_some() && one.conditional == other.conditional;
    // Two strangers may well do opposite things.
    if !same_manner || one.passing || other.passing {
        return None;
    }
    let aligned = Alignment::of(one, other);
    rules::opposites(&aligned, one, other)
        .or_else(|| exchanged::choices(&aligned))
        .or_else(|| exchanged::numbers(&aligned, one, other))
        .or_else(|| exchanged::times(one, other))
        .or_else(|| exchanged::roles(one, other))
}

/// Nothing excludes the other: do they say the same, or at least speak of the same?
fn open(one: &Sentence, other: &Sentence, slots: Option<&Slots>) -> Option<Judgement> {
    let aligned = Alignment::of(one, other);
    let equal = |(ours, theirs): &(&super::sentence::Term, &super::sentence::Term)| {
        ours.stem == theirs.stem
    };
    let all =
        aligned.first.is_empty() && aligned.second.is_empty() && aligned.shared.iter().all(equal);
    let manner = one.denial().is_some() == other.denial().is_some() && one.time == other.time;
    let order =
        one.terms.iter().map(|term| &term.stem).eq(other.terms.iter().map(|term| &term.stem));
    if all
        && manner
        && order
        && one.small == other.small
        && slots.is_none()
        && !one.terms.is_empty()
    {
        return Some(Judgement { verdict: Verdict::Same, confidence: 0.9 });
    }
    let shared = aligned.shared.len();
    let near = slots == Some(&Slots::Unclear)
        || 2 * shared >= one.terms.len().min(other.terms.len()).max(1);
    (near && shared > 0 && slots != Some(&Slots::Apart))
        .then_some(Judgement { verdict: Verdict::Unsure, confidence: 0.5 })
}
