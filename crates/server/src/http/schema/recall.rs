//! Questions and their answers.

use super::bounds::{few, short};
use super::names::{Id, KindName, Share, Space, TaskName, TierName, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A question to the memories.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecallAsk {
    #[serde(deserialize_with = "short::<_, 20000>")]
    #[schema(
        min_length = 1,
        max_length = 20000,
        pattern = "\\S",
        example = "which port does the database use?"
    )]
    pub query: String,
    /// How many at most [default: 5].
    #[serde(default)]
    #[schema(minimum = 1, maximum = 200)]
    pub limit: Option<u32>,
    /// Only these kinds; empty for all memories.
    #[serde(default)]
    pub kinds: Vec<KindName>,
    /// Only these tiers; empty for all but the archive.
    #[serde(default)]
    pub tiers: Vec<TierName>,
    /// With all of these tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// What the caller is doing; otherwise found out from the words.
    #[serde(default)]
    pub task: Option<TaskName>,
    /// What was true then.
    #[serde(default)]
    pub as_of: Option<Time>,
    /// As the store believed then.
    #[serde(default)]
    pub known_at: Option<Time>,
    #[serde(default)]
    pub namespace: Option<Space>,
    /// Also what lacks evidence.
    #[serde(default)]
    pub fill: bool,
    /// Do not count the memories as loaded.
    #[serde(default)]
    pub no_usage: bool,
}

/// A question, and a memory that one expects among the answers.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainAsk {
    #[serde(deserialize_with = "short::<_, 20000>")]
    #[schema(min_length = 1, max_length = 20000, pattern = "\\S")]
    pub query: String,
    pub id: Id,
    #[serde(default)]
    #[schema(minimum = 1, maximum = 200)]
    pub limit: Option<u32>,
    #[serde(default)]
    pub namespace: Option<Space>,
}

/// What became of one memory.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Fate {
    pub query: String,
    pub id: Id,
    /// `shown`, or the step that dropped it.
    pub step: String,
    pub reason: String,
    /// Its place among everything that was considered, from 1.
    pub rank: Option<u64>,
    pub explanation: Option<Explanation>,
}

/// What was found, why, and how the question was taken.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    pub query: String,
    /// How sure we are that the store knows anything about it.
    pub evidence: f64,
    pub found: Vec<Found>,
    /// Why nothing is shown.
    pub refusal: Option<Refused>,
    pub understanding: Understanding,
    pub strategy: Strategy,
    /// Why what should have read the answers again did not.
    pub unread: Option<String>,
    /// Candidates by channel.
    pub gathered: BTreeMap<String, u64>,
}

/// One memory that answers.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Found {
    pub id: Id,
    pub kind: KindName,
    pub store: String,
    /// What it is ranked by. The best has about the same in every answer, good or bad: to decide
    /// whether to believe one, look at `evidence`.
    pub score: f64,
    /// How sure it is that this speaks of what was asked, 0 to 1.
    pub evidence: f64,
    pub title: String,
    pub text: String,
    pub summary: String,
    pub tokens: u64,
    pub valid_at: Time,
    pub invalid_at: Option<Time>,
    pub recorded_at: Time,
    pub explanation: Explanation,
    /// Earlier statements that no longer hold.
    pub history: Vec<Past>,
    /// What says the same to the letter, at other times or in other conversations, best first.
    pub twins: Vec<Twin>,
    /// What says otherwise, where nobody has settled which holds.
    pub disputes: Vec<Dispute>,
}

/// A memory that says to the letter what the one it stands with says.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Twin {
    pub id: Id,
    pub store: String,
    pub valid_at: Time,
    pub invalid_at: Option<Time>,
}

/// A memory that contradicts the one it stands with.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Dispute {
    /// To be settled with `POST /v1/contradictions/{id}/resolution`.
    pub contradiction: Id,
    pub id: Id,
    pub text: String,
}

/// An earlier statement that no longer holds.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Past {
    pub id: Id,
    pub text: String,
    pub valid_at: Time,
    pub invalid_at: Option<Time>,
    pub because: String,
}

/// Why nothing is shown.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    pub best_id: Option<Id>,
    pub best_score: Option<f64>,
    pub reason: String,
}

/// How a score came to be.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// Its place in each channel.
    pub ranks: BTreeMap<String, u64>,
    pub parts: Vec<Part>,
    pub factors: Vec<Factor>,
    pub score: f64,
    pub grounds: Grounds,
    pub passed: Vec<String>,
}

/// What the evidence for a memory is made of: why it is taken for an answer at all.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Grounds {
    /// Of its nearest part and the question; below .6 it says nothing.
    pub cosine: Option<f64>,
    /// The share of the question's words that it has, by how rare they are.
    pub coverage: f64,
    /// Whether the question asks for its kind.
    pub is_called: bool,
}

/// One term of a score's sum.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub name: String,
    pub raw: f64,
    pub value: f64,
    pub weight: f64,
    pub product: f64,
}

/// What the sum is multiplied by.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Factor {
    pub name: String,
    pub value: f64,
}

/// How the question was taken.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Understanding {
    pub task: Option<TaskName>,
    pub decided_by: String,
    pub signals: Vec<TaskSignal>,
    pub times: Vec<Span>,
    pub intent: String,
    pub mentions: Vec<Mention>,
    pub terms: Vec<Term>,
    /// Words that no memory has, and what they were read as.
    pub corrected: Vec<Correction>,
}

/// A word that no memory has, taken for a slip of the finger.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    pub from: String,
    pub to: String,
}

/// A word that tells what kind of work it is.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskSignal {
    pub task: TaskName,
    pub kind: String,
    pub what: String,
    pub weight: f64,
}

/// A time that the question names.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Span {
    pub from: Time,
    pub to: Time,
}

/// Something that the question names.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Mention {
    pub kind: String,
    pub text: String,
}

/// A word that is looked for.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Term {
    pub term: String,
    pub weight: f64,
}

/// How the places were shared out.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Strategy {
    pub task: Option<TaskName>,
    pub weights: BTreeMap<String, f64>,
    pub places: BTreeMap<String, u64>,
}

/// What became of memories after they were handed out.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    pub event: FeedbackEvent,
    #[serde(deserialize_with = "few::<_, Id, 200>")]
    #[schema(min_items = 1, max_items = 200)]
    pub ids: Vec<Id>,
    /// How well they fitted.
    #[serde(default)]
    pub relevance: Option<Share>,
}

/// `retrieved`: put into a context. `cited`: applied by the agent. `ignored`: not used. `outcome`:
/// part of a task that succeeded.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FeedbackEvent {
    Retrieved,
    Cited,
    Ignored,
    Outcome,
}

/// What was counted.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    pub event: FeedbackEvent,
    pub counted: u64,
}
