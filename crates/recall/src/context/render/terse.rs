//! Plain text for small budgets: each source stands once above what it said, and only what binds is
//! cited.

use super::{Item, text};
use crate::context::profile::Mark;

pub(super) fn piece(item: Item<'_>) -> String {
    match item.mark {
        Mark::Reference if !item.is_pointer() => format!("- {}", item.statement()),
        _ => text::piece(item),
    }
}

/// The line above all that this source said, in brackets: no name can make it pass for another line.
/// What binds names its source itself.
pub(super) fn source(item: Item<'_>) -> Option<String> {
    match item.mark {
        Mark::Reference if item.is_pointer() => Some("(by id):".to_owned()),
        Mark::Reference => Some(format!("({}):", item.by())),
        Mark::Mandate | Mark::Guardrail => None,
    }
}
