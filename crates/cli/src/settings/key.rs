//! The settings there are: their names, and what each accepts.

use super::environment;
use mnemic_engine::model::body::Block;
use mnemic_engine::model::{Actor, Invalid, Namespace, Visibility};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Actor,
    Namespace,
    Visibility,
    ListLimit,
    BlockLimit,
}

impl Key {
    pub(crate) const ALL: &'static [Key] =
        &[Key::Actor, Key::Namespace, Key::Visibility, Key::ListLimit, Key::BlockLimit];

    /// As it is written in a file, with a dot for the table.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Key::Actor => "actor",
            Key::Namespace => "namespace",
            Key::Visibility => "visibility",
            Key::ListLimit => "list.limit",
            Key::BlockLimit => "block.limit",
        }
    }

    pub(crate) fn variable(self) -> Option<&'static str> {
        match self {
            Key::Actor => Some(environment::MNEMIC_ACTOR),
            Key::Namespace => Some(environment::MNEMIC_NAMESPACE),
            Key::Visibility => Some(environment::MNEMIC_VISIBILITY),
            Key::ListLimit | Key::BlockLimit => None,
        }
    }

    pub(crate) fn is_number(self) -> bool {
        matches!(self, Key::ListLimit | Key::BlockLimit)
    }

    /// Whether the value may stand under this key.
    pub(crate) fn check(self, value: &str) -> Result<(), Invalid> {
        match self {
            Key::Actor => Actor::parse(value).map(drop),
            Key::Namespace => Namespace::parse(value).map(drop),
            Key::Visibility => value.parse::<Visibility>().map(drop),
            Key::ListLimit => self.number(value, 100_000).map(drop),
            Key::BlockLimit => self.number(value, Block::MAX_LIMIT).map(drop),
        }
    }

    pub(crate) fn number(self, value: &str, most: usize) -> Result<usize, Invalid> {
        value.parse().ok().filter(|number| (1..=most).contains(number)).ok_or_else(|| {
            Invalid::new(
                self.as_str(),
                format!("`{value}` is not a number from 1 to {most}"),
                format!("use 1 to {most}"),
            )
        })
    }
}
