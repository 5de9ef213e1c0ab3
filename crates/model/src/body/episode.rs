//! What happened in one task or conversation; never edited afterwards.

use crate::Invalid;
use crate::invalid::named;
use serde::{Deserialize, Serialize};

named! {
    /// How a task ended.
    Outcome, "outcome" {
        Success = "success",
        Failure = "failure",
        Partial = "partial",
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Episode {
    pub goal: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_seconds: Option<f64>,
    /// In the order in which they happened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// Where it was a conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Failure>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_commit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_branch: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_used: Option<u64>,
}

impl Episode {
    /// JSON has no word for a number that is not one.
    pub(super) fn check(&self) -> Result<(), Invalid> {
        let times = self.actions.iter().map(|action| action.t).chain(self.duration_seconds);
        match times.into_iter().find(|seconds| !seconds.is_finite()) {
            None => Ok(()),
            Some(odd) => Err(Invalid::new(
                "actions",
                format!("`{odd}` is not a number of seconds"),
                "use a finite number",
            )),
        }
    }
}

/// One step of an episode.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// Seconds from the start of the episode.
    #[serde(default)]
    pub t: f64,
    pub action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    pub role: String,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<crate::Timestamp>,
}

impl Message {
    /// Whether a person said it, as hosts and our own captures call them.
    pub fn is_of_person(&self) -> bool {
        matches!(self.role.as_str(), "person" | "user" | "human")
    }

    /// Whether an agent said it.
    pub fn is_of_agent(&self) -> bool {
        matches!(self.role.as_str(), "agent" | "assistant" | "ai" | "model")
    }
}

/// What went wrong, and what resolved it if anything did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    #[serde(default, rename = "type")]
    pub error_type: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
}
