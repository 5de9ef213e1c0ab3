//! What prediction reads and says: things, their uses, and signals that one is in use now.

use mnemic_model::Timestamp;
use std::sync::Arc;

/// What sort of thing was used, in the order of the kinds' names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThingKind {
    Branch,
    Command,
    Error,
    File,
    Hour,
    Memory,
    Person,
    Symbol,
    Tool,
}

impl ThingKind {
    pub const ALL: [ThingKind; 9] = [
        ThingKind::Branch,
        ThingKind::Command,
        ThingKind::Error,
        ThingKind::File,
        ThingKind::Hour,
        ThingKind::Memory,
        ThingKind::Person,
        ThingKind::Symbol,
        ThingKind::Tool,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ThingKind::Branch => "branch",
            ThingKind::Command => "command",
            ThingKind::Error => "error",
            ThingKind::File => "file",
            ThingKind::Hour => "hour",
            ThingKind::Memory => "memory",
            ThingKind::Person => "person",
            ThingKind::Symbol => "symbol",
            ThingKind::Tool => "tool",
        }
    }

    pub fn from_name(name: &str) -> Option<ThingKind> {
        ThingKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Something that work touches: a file by its path, a memory by its id, an hour by its number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thing {
    pub kind: ThingKind,
    pub name: Arc<str>,
}

impl Thing {
    pub fn new(kind: ThingKind, name: impl Into<Arc<str>>) -> Thing {
        Thing { kind, name: name.into() }
    }

    pub fn file(path: impl Into<Arc<str>>) -> Thing {
        Thing::new(ThingKind::File, path)
    }
}

/// One use of a thing in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    pub session: Arc<str>,
    pub thing: Thing,
    pub at: Timestamp,
}

/// Something that happens now: a file was opened, an error appeared, somebody joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    pub thing: Thing,
    pub at: Timestamp,
}

impl Signal {
    pub fn new(thing: Thing, at: Timestamp) -> Signal {
        Signal { thing, at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_by_their_names() {
        for kind in ThingKind::ALL {
            assert_eq!(ThingKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(ThingKind::from_name("File"), None);
        assert!(ThingKind::ALL.is_sorted_by_key(|kind| kind.name()));
    }
}
