//! Claims against claims: one thing, one attribute, two values.

use super::{Conflict, Rule};
use crate::claims::{Claim, Likeness, Tense};

/// What two claims are to one another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Slots {
    Contradict(Conflict, f32),
    Same,
    /// They speak of one attribute and do not exclude one another: another thing, another time.
    Apart,
    /// They may speak of the same.
    Unclear,
}

/// What two claims are to one another, if they speak of one attribute.
pub(crate) fn compare(one: &Claim, other: &Claim) -> Option<Slots> {
    if let Some(conflict) = changed(one, other) {
        return Some(Slots::Contradict(conflict, 0.9));
    }
    if let Some(conflict) = changed(other, one) {
        return Some(Slots::Contradict(conflict.turned(), 0.9));
    }
    if one.attribute != other.attribute {
        return None;
    }
    if one.entity != other.entity || !one.time.overlaps(&other.time) {
        return Some(Slots::Apart);
    }
    Some(match values(one, other) {
        Slots::Contradict(..) if speak_of_nothing(one, other) => Slots::Apart,
        slots => slots,
    })
}

/// Whether nothing says that both speak of one thing: `we replaced Sentry with GlitchTip` and `the oven
/// was replaced by a Smeg` name what was left, and a value of neither says what it is a value of.
fn speak_of_nothing(one: &Claim, other: &Claim) -> bool {
    let is_unnamed = one.attribute == "value" || (one.old.is_some() && other.old.is_some());
    one.entity.is_empty() && is_unnamed
}

fn values(one: &Claim, other: &Claim) -> Slots {
    match (one.holds == other.holds, one.holds, one.value.likeness(&other.value)) {
        (_, _, Likeness::Unclear) => Slots::Unclear,
        (true, _, Likeness::Same) => Slots::Same,
        (true, true, Likeness::Differs) => {
            let sure = if may_be_both(one, other) { 0.8 } else { 0.95 };
            Slots::Contradict(conflict(Rule::Slot, one, other), sure)
        }
        (false, _, Likeness::Same) => Slots::Contradict(conflict(Rule::Denial, one, other), 0.95),
        // Two denials, or the denial of another value.
        (_, _, Likeness::Differs) => Slots::Apart,
    }
}

/// Choices of which a project may well make several, for its parts.
#[rustfmt::skip]
const SEVERAL: &[&str] = &[
    "language", "database", "cache", "queue", "cloud", "api style", "format", "web framework", "frontend framework",
    "operating system", "infrastructure", "monitoring", "http client", "chat", "containers", "colour", "browser tests",
];

/// Whether somebody should be asked: things of which there are many may be in several places, and
/// what is used without a word of for what may be used for something else.
fn may_be_both(one: &Claim, other: &Claim) -> bool {
    let is_many = one.named.ends_with('s') && !one.named.ends_with("ss");
    let unsaid = one.entity.is_empty() && one.implied && other.implied;
    let attribute = one.attribute.as_str();
    let is_place = matches!(attribute, "location" | "value" | "host");
    is_place && is_many || unsaid && SEVERAL.contains(&attribute)
}

/// One says that the value of the other was left.
fn changed(one: &Claim, other: &Claim) -> Option<Conflict> {
    let old = one.old.as_ref()?;
    // A change may tell of its attribute by the values alone.
    let broad = |claim: &Claim| matches!(claim.attribute.as_str(), "value" | "location" | "tool");
    let one_attribute = one.attribute == other.attribute || broad(one);
    let still =
        other.holds && other.time.tense == Tense::Present && one.time.tense == Tense::Present;
    let left = old.likeness(&other.value) == Likeness::Same
        && one.value.likeness(&other.value) == Likeness::Differs;
    (one_attribute && one.entity == other.entity && still && left)
        .then(|| conflict(Rule::Changed, one, other))
}

fn conflict(rule: Rule, one: &Claim, other: &Claim) -> Conflict {
    let mut about = vec![one.attribute.clone()];
    if !one.named.is_empty() {
        about.push(format!("of {}", one.named));
    }
    let said = |claim: &Claim| match claim.holds {
        true => claim.said.clone(),
        false => format!("not {}", claim.said),
    };
    Conflict { rule, about: about.join(" "), first: said(one), second: said(other) }
}
