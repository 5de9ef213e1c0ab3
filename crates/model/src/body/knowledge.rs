//! What was learnt or told: facts, decisions, patterns, anti-patterns, resources, blocks, secrets.

use crate::{Invalid, RecordId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One value under one key.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    pub key: String,
    #[serde(deserialize_with = "scalar")]
    pub value: String,
    /// The part of the code that it holds for: language, module, path…
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub within: BTreeMap<String, String>,
}

/// A number or a truth value is as good as its text: `5432` need not be quoted.
fn scalar<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    use serde_json::Value;
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(text),
        value @ (Value::Number(_) | Value::Bool(_)) => Ok(value.to_string()),
        other => Err(serde::de::Error::custom(format!("`value` is {other}, expected a string"))),
    }
}

/// A choice and its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    pub decision: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub affects: Vec<String>,
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub active: bool,
}

fn yes() -> bool {
    true
}

fn is_yes(flag: &bool) -> bool {
    *flag
}

/// How something works in general.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    pub statement: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correct_approach: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incorrect_approach: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_episodes: Vec<RecordId>,
    /// A code pattern, found in syntax trees and not in prose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
}

/// Code with holes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    pub language: String,
    pub code: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placeholders: Vec<String>,
    #[serde(default)]
    pub hint: String,
}

/// What fails, why, and how not to get there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AntiPattern {
    pub what_fails: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prevention: Option<String>,
    /// The task, incident or place that taught it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learnt_from: Option<String>,
}

impl AntiPattern {
    /// The category of what somebody said to mind, in words of their own: a sentence, and not the
    /// name of something that one might do.
    pub const TOLD: &str = "warning";
}

/// A document, transcript or excerpt kept whole.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resource {
    pub title: String,
    #[serde(default)]
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

/// A small text that is always in the agent's context and that the agent edits itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    pub label: String,
    #[serde(default)]
    pub text: String,
    #[serde(default = "Block::usual_limit")]
    pub limit: usize,
}

impl Block {
    pub const USUAL_LIMIT: usize = 2_000;
    pub const MAX_LIMIT: usize = 100_000;

    fn usual_limit() -> usize {
        Block::USUAL_LIMIT
    }

    /// Length in characters, the unit of its limit.
    pub fn length(&self) -> usize {
        self.text.chars().count()
    }

    /// At nine tenths the agent is told to tidy up before it has to.
    pub fn is_nearly_full(&self) -> bool {
        self.length() * 10 >= self.limit * 9
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        if !(1..=Block::MAX_LIMIT).contains(&self.limit) {
            return Err(Invalid::new(
                "limit",
                format!("`{}` characters is not a size for a block", self.limit),
                format!("use 1 to {}", Block::MAX_LIMIT),
            ));
        }
        if self.length() > self.limit {
            return Err(Invalid::new(
                "text",
                format!(
                    "block `{}` would hold {} characters, and its limit is {}",
                    self.label,
                    self.length(),
                    self.limit
                ),
                "shorten it, or raise the limit with `mnemic block limit LABEL N`",
            ));
        }
        Ok(())
    }
}

/// A vault entry. Only its name is ever seen outside the vault; the value is sealed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Secret {
    pub name: String,
    /// Encrypted by the engine before it comes here; base64.
    pub sealed: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}
