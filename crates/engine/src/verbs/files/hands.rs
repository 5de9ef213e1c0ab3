//! Whose edits the files hold, as far as that can be told.

use mnemic_exchange::files::{Hand, hand_of};
use mnemic_model::{Actor, Author};
use std::path::Path;

/// Tells who changed a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hands {
    /// Git is asked, when a person acts; where it does not know, it was whoever acts.
    Git,
    /// It was whoever acts.
    Actor,
}

impl Hands {
    /// Who it was, and whether that is the person who acts here.
    pub(super) fn of(self, file: &Path, actor: &Actor) -> (Actor, bool) {
        // An agent that reads files may have written them, whatever name the commits carry.
        let known = match self {
            Hands::Git if actor.is_human() => hand_of(file),
            Hands::Git | Hands::Actor => None,
        };
        match known {
            Some(Hand { name, own }) => (Actor::new(Author::Human, name), own),
            None => (actor.clone(), true),
        }
    }
}
