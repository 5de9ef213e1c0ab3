//! The index, its topics and the timeline.

use super::memory::Memory;
use super::names::Time;
use mnemic_engine::recall::layers::{Index as Layer, IndexEntry};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What there is, within a budget.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Index {
    pub topics: Vec<Topic>,
    /// Topics that did not fit.
    pub left_out: u64,
    pub memories: u64,
    /// What reading everything would cost.
    pub tokens: u64,
    /// What reading this index costs.
    pub cost: u64,
    /// The index as an agent reads it.
    pub text: String,
}

/// A heading and what lies behind it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    pub id: String,
    pub summary: String,
    pub memories: u64,
    pub tokens: u64,
    pub relevance: f64,
    pub similarity: f64,
    pub last_used: Option<Time>,
    /// Full text is served as summaries.
    pub compressed: bool,
    /// Topics of one memory that stand here together, where not every topic has room.
    pub gathers: Vec<String>,
}

/// The topics, the most useful first.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TopicList {
    pub items: Vec<Topic>,
}

/// What happened around a point in time, oldest first.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Timeline {
    pub around: Time,
    pub moments: Vec<Memory>,
}

impl From<&Layer> for Index {
    fn from(index: &Layer) -> Index {
        Index {
            topics: index.entries.iter().map(Topic::from).collect(),
            left_out: index.left_out as u64,
            memories: index.memories,
            tokens: index.tokens,
            cost: index.cost as u64,
            text: index.text.clone(),
        }
    }
}

impl From<&IndexEntry> for Topic {
    fn from(entry: &IndexEntry) -> Topic {
        let heading = &entry.heading;
        Topic {
            id: heading.name.clone(),
            summary: entry.summary.clone(),
            memories: heading.memories,
            tokens: heading.tokens,
            relevance: heading.relevance,
            similarity: heading.similarity,
            last_used: heading.last_used.map(Time),
            compressed: heading.is_compressed,
            gathers: entry.gathers.clone(),
        }
    }
}
