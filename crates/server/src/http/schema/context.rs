//! Contexts and predictions.

use super::bounds::{brief, few, named, short};
use super::names::{Id, LevelName, OutcomeName, Space, StyleName, TaskName, ThingName, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What an agent is about to do, and how much it can read.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextAsk {
    /// What the agent is about to do or wants to know; empty at the start of a session.
    #[serde(default, deserialize_with = "short::<_, 20000>")]
    #[schema(max_length = 20000, example = "fix the login timeout")]
    pub task: String,
    /// Which mix of memories: brief, working, task, answer or one of yours [default: working].
    #[serde(default, deserialize_with = "brief::<_, 100>")]
    #[schema(max_length = 100)]
    pub profile: Option<String>,
    /// The most tokens, in place of the profile's.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1000000)]
    pub budget: Option<u32>,
    /// The model that reads it; decides how tokens are counted.
    #[serde(default, deserialize_with = "brief::<_, 100>")]
    #[schema(max_length = 100)]
    pub model: Option<String>,
    /// How full the agent's window is.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1)]
    pub window_fill: Option<f64>,
    #[serde(default)]
    pub format: Option<StyleName>,
    /// Files at hand.
    #[serde(default, deserialize_with = "few::<_, String, 100>")]
    #[schema(max_items = 100)]
    pub files: Vec<String>,
    /// The id or name of the task.
    #[serde(default, deserialize_with = "brief::<_, 200>")]
    #[schema(max_length = 200)]
    pub task_id: Option<String>,
    /// What kind of work it is; otherwise found out from the words.
    #[serde(default)]
    pub task_type: Option<TaskName>,
    /// The session that it is for.
    #[serde(default)]
    pub session: Option<Id>,
    /// Fill the budget also with what lacks evidence.
    #[serde(default)]
    pub fill: bool,
    #[serde(default)]
    pub namespace: Option<Space>,
    /// Do not count the memories as loaded.
    #[serde(default)]
    pub no_usage: bool,
}

/// The text, what it costs, and what stands in it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Assembled {
    pub text: String,
    pub tokens: u64,
    pub budget: u64,
    /// Tokens by tier.
    pub tiers: BTreeMap<String, u64>,
    pub shown: Vec<ShownPiece>,
    pub left_out: Vec<LeftOut>,
    /// Why there is no text.
    pub empty: Option<String>,
    pub task_type: Option<TaskName>,
    /// How sure we are that the store knows anything about it.
    pub evidence: f64,
}

/// One memory in a context.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownPiece {
    pub id: Id,
    /// How the agent cites it.
    pub citation: String,
    pub level: LevelName,
    pub tier: String,
    pub tokens: u64,
}

/// One memory that found no place.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    pub id: Id,
    pub because: String,
}

/// What happens now, to predict what will be needed.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PredictAsk {
    #[serde(default)]
    pub session: Option<Id>,
    #[serde(default, deserialize_with = "few::<_, Thing, 100>")]
    #[schema(max_items = 100)]
    pub signals: Vec<Thing>,
    /// What to predict [default: memories and files].
    #[serde(default)]
    pub kinds: Vec<ThingName>,
    /// How many at most [default: 10].
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
}

/// A file, branch, error, command or memory that work touches.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Thing {
    pub kind: ThingName,
    #[serde(deserialize_with = "named::<_, 4000>")]
    #[schema(min_length = 1, max_length = 4000)]
    pub name: String,
}

/// What will probably be needed, the likeliest first.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Predictions {
    pub predictions: Vec<Prediction>,
}

/// A thing that will be needed, how sure that is, and why.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    pub kind: ThingName,
    pub name: String,
    #[schema(minimum = 0, maximum = 1)]
    pub confidence: f64,
    pub score: f64,
    pub because: Vec<Reason>,
}

/// One term of a prediction's score.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    pub part: String,
    pub value: f64,
    pub weight: f64,
    pub signal: Option<String>,
}

/// An episode as it went.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    pub id: Id,
    pub store: String,
    pub goal: String,
    pub outcome: Option<OutcomeName>,
    pub began: Time,
    pub ended: Option<Time>,
    pub source: Option<String>,
    pub steps: Vec<ReplayStep>,
    pub files: Vec<String>,
}

/// One thing that was said or done.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayStep {
    /// Seconds from the beginning.
    pub t: Option<f64>,
    pub action: String,
    pub target: Option<String>,
    pub result: Option<String>,
    pub error: Option<String>,
    pub is_message: bool,
}
