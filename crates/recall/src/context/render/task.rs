//! The structured form that is read before a task: each warning in its parts.

use super::{Item, Sort, Warning, text};
use crate::context::profile::TierRule;

pub(super) fn piece(item: Item<'_>) -> String {
    if item.is_pointer() {
        return text::pointer(item);
    }
    let (cite, by) = (item.citation(), item.by());
    let Some(Warning { sort, context, what, instead, .. }) = item.warning() else {
        return format!("- [{cite}] {} ({by})", item.text());
    };
    let lead = match sort {
        Sort::Failed => "",
        Sort::Avoid => "avoid: ",
        Sort::Mind => "mind: ",
    };
    let mut lines = format!("- [{cite}] {lead}{what} ({by})\n  in: {context}");
    if let Some(instead) = instead.filter(|text| !text.is_empty()) {
        lines.push_str("\n  instead: ");
        lines.push_str(&instead);
    }
    lines
}

pub(super) fn heading(tier: &TierRule) -> String {
    text::heading(tier)
}
