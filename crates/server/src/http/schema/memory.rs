//! Memories as they are answered: the flat form with what the store knows around it.

use super::bounds::brief;
use super::names::{
    Id, KindName, PageCursor, RelationName, ScopeName, Share, TierName, Time, TrustName, VerbName,
    VisibilityName,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A memory. The fields of its body stand beside those that every memory has; which they are
/// depends on its kind, as in `Draft`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Memory {
    pub id: Id,
    pub kind: KindName,
    /// 1, 2, 3… within its record; also the ETag.
    #[schema(minimum = 1)]
    pub version: u32,
    /// When the store came to believe it.
    pub recorded_at: Time,
    /// When the store stopped to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub expired_at: Option<Time>,
    /// When it began to be true.
    pub valid_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub invalid_at: Option<Time>,
    pub tier: TierName,
    pub importance: Share,
    pub confidence: Share,
    pub trust: TrustName,
    /// Who wrote it, e.g. `agent:codex`.
    pub writer: String,
    pub scope: ScopeName,
    pub namespace: String,
    pub visibility: VisibilityName,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub pinned: bool,
    /// `project` or `user`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub store: Option<String>,
    #[serde(flatten)]
    pub body: Map<String, Value>,
}

/// A page of memories.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryPage {
    pub items: Vec<Memory>,
    /// Ask for what follows with `cursor`.
    pub next: Option<PageCursor>,
}

/// A memory with all that is known about it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct MemoryInFull {
    #[serde(flatten)]
    pub memory: Memory,
    /// Whether it was true at the time asked about, or is true now.
    pub valid: bool,
    /// How many versions there are.
    pub versions: u32,
    pub change: Change,
    pub levels: Levels,
    pub links: Vec<Link>,
    pub usage: Usage,
}

/// All that one command did.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    pub id: String,
    pub at: Time,
    /// Who did it.
    pub actor: String,
    pub verb: VerbName,
    pub reason: Option<String>,
    /// The change that this one took back.
    pub undoes: Option<String>,
}

/// A text and what reading it costs.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LevelText {
    pub text: String,
    pub tokens: u64,
}

/// A memory's text in four lengths.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    pub full: LevelText,
    pub summary: LevelText,
    pub compressed: LevelText,
    pub index: LevelText,
}

/// A typed arrow from one record to another.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    pub from: Id,
    pub relation: RelationName,
    pub to: Id,
    pub strength: Share,
    pub valid_at: Time,
    pub invalid_at: Option<Time>,
    pub recorded_at: Time,
    pub expired_at: Option<Time>,
    pub change: String,
}

/// What became of a memory after it was handed out.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    pub loaded: u64,
    pub referenced: u64,
    pub ignored: u64,
    pub succeeded: u64,
    pub last_used: Option<Time>,
    pub average_relevance: Option<f64>,
    pub discovery_tokens: u64,
    pub read_tokens: u64,
}

/// What became of a draft.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Remembered {
    pub id: Id,
    pub store: String,
    pub outcome: RememberedOutcome,
    /// Memories whose validity ended because this one took their place.
    pub superseded: Vec<Id>,
    /// The change to undo; none when nothing was written.
    pub change: Option<String>,
    /// What was replaced by placeholders and not kept, by rule.
    pub redacted: BTreeMap<String, u64>,
    /// It reads like an order to an agent: nobody is shown it until a person accepts it.
    pub quarantined: bool,
    /// The same in words.
    pub warnings: Vec<String>,
}

/// `known`: the same was there already. `replayed`: the key was answered before.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RememberedOutcome {
    Created,
    Known,
    Replayed,
}

/// The version that an edit made.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Edited {
    #[serde(flatten)]
    pub memory: Memory,
    /// The change to undo.
    pub change: String,
    /// What was replaced by placeholders and not kept, by rule.
    pub redacted: BTreeMap<String, u64>,
    pub warnings: Vec<String>,
}

/// Several edits in one change.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EditedList {
    pub items: Vec<Edited>,
}

/// A version and the change that made it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct MemoryEvent {
    #[serde(flatten)]
    pub memory: Memory,
    pub change: Change,
}

/// Every version of a memory, oldest first.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct History {
    pub items: Vec<MemoryEvent>,
}

/// What forgetting came to, and the search that proves it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Forgotten {
    pub ids: Vec<Id>,
    pub proof: Proof,
    /// What could not be cleaned yet and why.
    pub waiting: Vec<String>,
    /// What may hold the text and is for a person to clean, such as what git keeps.
    pub unreached: Vec<String>,
}

impl From<mnemic_engine::Forgotten> for Forgotten {
    fn from(done: mnemic_engine::Forgotten) -> Forgotten {
        Forgotten {
            ids: done.ids.into_iter().map(Id).collect(),
            proof: Proof::from(done.proof),
            waiting: done.waiting,
            unreached: done.unreached,
        }
    }
}

/// The search for the forgotten text after it was erased.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    pub files: u64,
    pub bytes: u64,
    /// Distinct pieces of text that were looked for.
    pub pieces: u64,
    /// Where one was still found.
    pub traces: Vec<String>,
}

impl From<mnemic_engine::Proof> for Proof {
    fn from(proof: mnemic_engine::Proof) -> Proof {
        Proof {
            files: proof.files as u64,
            bytes: proof.bytes,
            pieces: proof.pieces as u64,
            traces: proof.traces,
        }
    }
}

/// Memories around one, and the links between them.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
    /// There are more than were asked for.
    pub more: bool,
}

/// One record of a graph.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Node {
    pub id: Id,
    pub kind: KindName,
    pub title: String,
    /// How many links it is away from the centre.
    pub distance: u32,
}

/// A new link.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLink {
    pub from: Id,
    pub relation: RelationName,
    pub to: Id,
    #[serde(default)]
    pub strength: Option<Share>,
    #[serde(default, deserialize_with = "brief::<_, 1000>")]
    #[schema(max_length = 1000)]
    pub reason: Option<String>,
}

/// The links of a memory.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkList {
    pub items: Vec<Link>,
}
