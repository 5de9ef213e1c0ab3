//! Where a memory came from, who wrote it, and how far it may be trusted.

use crate::invalid::named;
use crate::{Invalid, RecordId};
use serde::{Deserialize, Serialize};
use std::fmt;

named! {
    /// What kind of writer a text came from.
    Author, "author" {
        Human = "human",
        Agent = "agent",
        Tool = "tool",
        Web = "web",
        Import = "import",
    }
}

named! {
    /// How far a text may be trusted. It never rises without a person.
    Trust, "trust" {
        Trusted = "trusted",
        Unreviewed = "unreviewed",
        Quarantined = "quarantined",
    }
}

/// Who did something: a kind of writer and a name, written `human:alice`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Actor {
    pub author: Author,
    pub name: String,
}

impl Actor {
    pub fn new(author: Author, name: impl Into<String>) -> Actor {
        Actor { author, name: name.into() }
    }

    pub fn is_human(&self) -> bool {
        self.author == Author::Human
    }

    /// `human:alice`, or `human` alone.
    pub fn parse(text: &str) -> Result<Actor, Invalid> {
        let (author, name) = text.split_once(':').unwrap_or((text, ""));
        if name.len() > 200 || name.chars().any(char::is_control) {
            return Err(Invalid::new(
                "actor",
                format!("`{}` is not a name", name.escape_debug()),
                "write it like human:alice or agent:codex",
            ));
        }
        let author = author.parse().map_err(|_| {
            Invalid::new(
                "actor",
                format!("`{}` does not say who acts", text.escape_debug()),
                "write it like human:alice or agent:codex",
            )
        })?;
        Ok(Actor::new(author, name))
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" => write!(f, "{}", self.author),
            name => write!(f, "{}:{name}", self.author),
        }
    }
}

impl TryFrom<String> for Actor {
    type Error = String;
    fn try_from(text: String) -> Result<Actor, String> {
        Actor::parse(&text).map_err(|e| format!("{}; {}", e.problem, e.hint))
    }
}

impl From<Actor> for String {
    fn from(actor: Actor) -> String {
        actor.to_string()
    }
}

/// Where a memory came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    pub writer: Actor,
    /// A file, address, transcript line or tool that the text was taken from.
    pub source: Option<String>,
    /// The episodes that taught it.
    pub episodes: Vec<RecordId>,
    pub trust: Trust,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actors_read_back() {
        for text in ["human:alice", "agent", "tool:cargo test", "import:a:b"] {
            assert_eq!(Actor::parse(text).unwrap().to_string(), text);
        }
        assert!(Actor::parse("robot:x").is_err());
        assert!(Actor::parse("human:a\u{1b}[31m").is_err());
    }
}
