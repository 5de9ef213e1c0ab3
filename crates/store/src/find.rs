//! The words of finding: what the indexes are asked and what they answer.

/// A vector as stores keep it and hand it out, and such a one as it was asked.
pub use mnemic_index::meaning::{rotated as as_kept, unrotated as as_asked};

/// Who speaks, as a number.
pub use mnemic_text::speech::Person;

use mnemic_model::{
    Interval, Kind, Namespace, RecordId, ScopeLevel, Slot, Tier, Timestamp, Trust, Unit, Usage,
};

/// The row of a version. Only good within the view that gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub i64);

/// Which model made a vector. Two vectors can be compared when theirs is the same, or another
/// generation of the same arithmetic.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VectorModel {
    pub name: String,
    pub generation: String,
    pub dimensions: usize,
}

/// How much of a text a vector stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    /// A long stretch: what it is about. A short text has this one alone.
    Coarse,
    /// A few sentences: what is said.
    Fine,
}

/// One vector of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    pub grain: Grain,
    pub vector: Vec<f32>,
}

/// Some time, and from which end it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub from: Timestamp,
    pub to: Timestamp,
    pub latest_first: bool,
}

/// A version found by its words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WordHit {
    pub key: Key,
    /// BM25: zero or more, the higher the better.
    pub score: f32,
}

/// A version found by what it means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeaningHit {
    pub key: Key,
    /// The cosine of its nearest part, of whatever grain.
    pub score: f32,
}

/// How common words are in the store.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WordStatistics {
    pub documents: u64,
    /// In terms.
    pub average_length: f32,
    /// In how many documents each term asked for occurs.
    pub frequencies: Vec<u64>,
}

/// All that scoring needs of a version, without reading its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Glance {
    pub key: Key,
    pub id: RecordId,
    pub kind: Kind,
    /// False for an entity that has nothing but its name.
    pub is_described: bool,
    pub level: ScopeLevel,
    pub namespace: Namespace,
    pub tier: Tier,
    pub trust: Trust,
    pub importance: Unit,
    pub recorded_at: Timestamp,
    pub valid: Interval,
    pub slot: Option<Slot>,
    pub usage: Usage,
    /// Set when it is a turn of a task or conversation.
    pub turn: Option<Turn>,
}

/// What a version says first, and who may be told.
#[derive(Debug, Clone, PartialEq)]
pub struct Beginning {
    pub text: String,
    pub namespace: Namespace,
    pub trust: Trust,
    /// Whether the store still believes it.
    pub is_current: bool,
}

/// One episode among those of a task or conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Which task or conversation.
    pub thread: i64,
    /// How many it has.
    pub words: u32,
    /// Words of content outside of questions, counted up to [`Turn::STATED_AT_MOST`].
    pub stated: u32,
    /// Said by a person, not by an agent.
    pub by_human: bool,
    /// By whom, where its text says so.
    pub speaker: Option<Person>,
}

impl Turn {
    /// What states so much is no mere question or greeting.
    pub const STATED_AT_MOST: usize = 32;
}

/// How far the vectors have come.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VectorCensus {
    /// Vectors by model, the present one first.
    pub models: Vec<(VectorModel, u64)>,
    /// Versions whose vectors are still to come.
    pub waiting: u64,
}
