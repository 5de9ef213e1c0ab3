//! The nodes beside memories: entities, communities of them, and sagas of episodes.

use crate::invalid::named;
use serde::{Deserialize, Serialize};

named! {
    /// What sort of thing a name in a memory refers to.
    EntityKind, "entity_kind" {
        File = "file",
        Symbol = "symbol",
        Module = "module",
        Command = "command",
        ErrorCode = "error_code",
        Package = "package",
        Person = "person",
        Service = "service",
        Concept = "concept",
        Other = "other",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    pub entity_kind: EntityKind,
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Entities or memories that belong together; members are its `has_member` links.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Community {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A run of episodes that belong to one long piece of work; they are its `has_member` links.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saga {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}
