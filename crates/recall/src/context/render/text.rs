//! Plain text: a heading a tier, a line a memory.

use super::{Item, Sort};
use crate::context::profile::{Mark, TierRule};

pub(super) fn piece(item: Item<'_>) -> String {
    if item.is_pointer() {
        return pointer(item);
    }
    let (cite, statement, by) = (item.citation(), item.statement(), item.by());
    match item.mark {
        Mark::Mandate | Mark::Guardrail => format!("[{cite}] {statement} ({by})"),
        Mark::Reference => format!("- {statement} ({by}) [{cite}]"),
    }
}

/// A few words and the name to ask for the rest by.
pub(super) fn pointer(item: Item<'_>) -> String {
    let name = item.id().map_or_else(|| item.citation(), str::to_owned);
    // A few words of a warning would read like advice.
    let lead = match item.offer.avoid.as_ref().map(|avoid| Sort::of(avoid, &avoid.what)) {
        Some(Sort::Mind) => "mind: ",
        Some(Sort::Avoid) => "avoid ",
        Some(Sort::Failed) => "known failure of ",
        None => "",
    };
    format!("- {name}: {lead}{}", item.text())
}

pub(super) fn heading(tier: &TierRule) -> String {
    if tier.heading.is_empty() { String::new() } else { format!("{}:", tier.heading) }
}

pub(super) fn footer(example: &str) -> String {
    format!("Cite what you apply: `Applied: [{example}]`")
}

pub(super) fn labelled(label: &str, value: &str) -> String {
    format!("{label}: {value}")
}
