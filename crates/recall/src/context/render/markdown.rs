//! Markdown: for hosts that show or render it.

use super::{Item, text};
use crate::context::profile::{Mark, TierRule};

pub(super) fn piece(item: Item<'_>) -> String {
    if item.is_pointer() {
        return text::pointer(item);
    }
    let (cite, statement, by) = (item.citation(), item.statement(), item.by());
    match item.mark {
        Mark::Mandate | Mark::Guardrail => format!("- **[{cite}]** {statement} — *{by}*"),
        Mark::Reference => format!("- {statement} — *{by}* [{cite}]"),
    }
}

/// The blank line above makes it a heading in every dialect.
pub(super) fn heading(tier: &TierRule) -> String {
    if tier.heading.is_empty() { String::new() } else { format!("\n## {}\n", tier.heading) }
}

pub(super) fn footer(example: &str) -> String {
    format!("\n{}\n", text::footer(example))
}

pub(super) fn labelled(label: &str, value: &str) -> String {
    format!("**{label}:** {value}  ")
}
