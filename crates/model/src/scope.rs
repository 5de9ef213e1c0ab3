//! Whose memory it is: a level, a namespace that inherits from its parents, private or shared.

use crate::Invalid;
use crate::invalid::named;
use serde::{Deserialize, Serialize};
use std::fmt;

named! {
    /// From what holds everywhere to what holds for one conversation.
    ScopeLevel, "scope" {
        System = "system",
        Org = "org",
        User = "user",
        Project = "project",
        Agent = "agent",
        Session = "session",
    }
}

impl ScopeLevel {
    /// Which of the two files such a memory lies in: the person's or the project's.
    pub fn is_personal(self) -> bool {
        matches!(self, ScopeLevel::System | ScopeLevel::Org | ScopeLevel::User)
    }
}

named! {
    /// Who else may read it.
    Visibility, "visibility" {
        Private = "private",
        Shared = "shared",
    }
}

/// A named partition of a store. `default` is the root that every other one inherits from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Namespace(String);

impl Namespace {
    pub const ROOT: &'static str = "default";

    pub fn root() -> Namespace {
        Namespace(Namespace::ROOT.to_owned())
    }

    pub fn is_root(&self) -> bool {
        self.0 == Namespace::ROOT
    }

    pub fn parse(text: &str) -> Result<Namespace, Invalid> {
        let well_formed = !text.is_empty()
            && text.len() <= 100
            && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'));
        if well_formed {
            Ok(Namespace(text.to_owned()))
        } else {
            Err(Invalid::new(
                "namespace",
                format!("`{}` is not a name for a namespace", text.escape_debug()),
                "use letters, digits, - _ . /, at most 100 bytes",
            ))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Namespace {
    type Error = String;
    fn try_from(text: String) -> Result<Namespace, String> {
        Namespace::parse(&text).map_err(|e| format!("{}; {}", e.problem, e.hint))
    }
}

impl From<Namespace> for String {
    fn from(namespace: Namespace) -> String {
        namespace.0
    }
}

/// Whose memory it is. There is no "everything": a scope is always named.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope {
    pub level: ScopeLevel,
    pub namespace: Namespace,
    pub visibility: Visibility,
}

impl Scope {
    pub fn private(level: ScopeLevel) -> Scope {
        Scope { level, namespace: Namespace::root(), visibility: Visibility::Private }
    }

    /// Two memories compete for a slot only within one level and namespace.
    pub fn same_room(&self, other: &Scope) -> bool {
        self.level == other.level && self.namespace == other.namespace
    }
}
