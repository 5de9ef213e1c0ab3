//! What agents leave for themselves and for each other: ledgers, handoffs, verdicts.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// An agent's checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    pub agent_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_checkpoint: Option<Timestamp>,
    #[serde(default)]
    pub tasks_completed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_task: Option<String>,
    #[serde(default)]
    pub state: LedgerState,
    #[serde(default)]
    pub context: LedgerContext,
}

/// How the work tree stood.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerState {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files_modified: Vec<String>,
    #[serde(default)]
    pub uncommitted_changes: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_git_commit: Option<String>,
}

/// What the agent had in mind.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerContext {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tech_stack: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns_learned: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_goal: Option<String>,
}

/// A transfer of work from one agent to another.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handoff {
    pub from_agent: String,
    pub to_agent: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what_was_done: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_state: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs_testing: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_issues: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relevant_patterns: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files_modified: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recent_commits: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_status: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_questions: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key_decisions: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blockers: Vec<String>,
}

/// The outcome of a review or of a vote on completion.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// What was judged: a change, a task, a memory.
    pub subject: String,
    pub outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub votes_for: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub votes_against: Option<u64>,
}
