//! Plain text for small budgets: each source stands once above what it said, and only what binds is
//! cited.

use super::{Item, text};
use crate::context::profile::Mark;

pub(super) fn piece(item: Item<'_>) -> String {
    match item.mark {
        _ if item.is_pointer() => text::piece(item),
        Mark::Reference => format!("- {}", item.statement()),
        Mark::Mandate | Mark::Guardrail => {
            format!("[{}] {}", item.citation(), item.statement())
        }
    }
}

/// The line above all that this source said, in brackets: no name can make it pass for another line.
pub(super) fn source(item: Item<'_>) -> Option<String> {
    Some(match item.is_pointer() {
        true => "(by id):".to_owned(),
        false => format!("({}):", item.by()),
    })
}
