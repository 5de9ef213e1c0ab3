//! What is asked: the words, who may answer, how many, and by which weights.

use crate::rerank::{Reader, Skimmer};
use crate::spelling::Vocabulary;
use crate::{Switches, Weights};
use jiff::tz::TimeZone;
use mnemic_model::{At, Filter, Kind, RecordId, Tier, Timestamp, Trust, Truth};
use mnemic_store::{Read, VectorModel};
use mnemic_text::task::TaskType;
use std::sync::Arc;

/// The least that a channel is asked for.
pub(crate) const LEAST_REACH: usize = 40;

/// One store that is asked.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub name: &'a str,
    pub read: &'a dyn Read,
}

impl std::fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Source").field(&self.name).finish()
    }
}

/// The question as a model sees it. While a store changes its model there are two.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryVector {
    pub model: VectorModel,
    pub vector: Vec<f32>,
    /// How much of the question it has read, 0..1: for the rest of it the words must speak.
    pub read: f64,
    /// Without what is usual in the stores, where enough lies there to tell; worked out by recall.
    pub(crate) contrast: Option<Vec<f32>>,
}

impl QueryVector {
    pub fn new(model: VectorModel, vector: Vec<f32>) -> QueryVector {
        QueryVector { model, vector, read: 1.0, contrast: None }
    }

    /// What ranks: how near something is compared with everything else here.
    pub(crate) fn ranking(&self) -> &[f32] {
        self.contrast.as_ref().unwrap_or(&self.vector)
    }
}

/// One of several things that a question asks about side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Aspect {
    pub text: String,
    pub vectors: Vec<QueryVector>,
}

/// A question to the memories.
#[derive(Debug, Clone)]
pub struct Question {
    pub text: String,
    pub vectors: Vec<QueryVector>,
    /// What it sets side by side; none where it asks about one thing.
    pub aspects: Vec<Aspect>,
    /// What the caller is doing; found out from the text where nothing is said.
    pub task: Option<TaskType>,
    pub actions: Vec<String>,
    pub phase: Option<String>,
    pub filter: Filter,
    pub limit: usize,
    pub now: Timestamp,
    pub zone: TimeZone,
    /// Prefer what stands near this memory in the graph.
    pub centre: Option<RecordId>,
    /// Reads the best answers again beside the question.
    pub reader: Option<Arc<dyn Reader>>,
    /// Tells the gist of the best answers and of others.
    pub skimmer: Option<Arc<dyn Skimmer>>,
    /// Tells words from slips; without it nothing is taken for one.
    pub vocabulary: Option<Arc<dyn Vocabulary>>,
    pub weights: Weights,
    pub switches: Switches,
}

/// Tiers that are not at rest.
const LIVE: &[Tier] = &[Tier::Mandate, Tier::Guardrail, Tier::Reference];

/// As many as are returned when nothing else is asked.
const USUAL_LIMIT: usize = 5;

impl Question {
    pub fn new(text: impl Into<String>, now: Timestamp) -> Question {
        let mut filter = Filter::new(At { truth: Truth::Now, known: None });
        // Quarantined memories never surface; graph and bookkeeping are not answers, but what somebody
        // wrote of an entity is.
        filter.trusts = vec![Trust::Trusted, Trust::Unreviewed];
        filter.kinds = Kind::ALL
            .iter()
            .copied()
            .filter(|kind| (kind.is_memory() && kind.is_indexed()) || *kind == Kind::Entity)
            .collect();
        filter.described = true;
        // What is archived rests, and answers where it is clearly meant: see `reaching_rest`.
        filter.tiers = LIVE.to_vec();
        Question {
            text: text.into(),
            vectors: Vec::new(),
            aspects: Vec::new(),
            task: None,
            actions: Vec::new(),
            phase: None,
            filter,
            limit: USUAL_LIMIT,
            now,
            zone: TimeZone::UTC,
            centre: None,
            reader: None,
            skimmer: None,
            vocabulary: None,
            weights: Weights::default(),
            switches: Switches::default(),
        }
    }

    /// The same question to the archive too, unless somebody chose the tiers.
    pub(crate) fn reaching_rest(&self) -> Question {
        let mut question = self.clone();
        if question.switches.rest && question.filter.tiers == LIVE {
            question.filter.tiers.push(Tier::Archive);
        }
        question
    }

    /// How many each channel is asked for: enough that what two of them find is among them.
    pub(crate) fn reach(&self) -> usize {
        (self.limit * 4).min(self.limit + 60).max(LEAST_REACH)
    }
}
