//! Consolidation: what was learnt becomes clearer, what is no longer needed steps back.
//!
//! Each step looks at one [`World`] and answers with [`Act`]s; whoever called carries them out, a
//! step a transaction. A step asks only what is stored, never what it did before: stopped anywhere
//! and begun again, the outcome is the same, and a second run finds nothing to do.

mod act;
pub mod activation;
mod angles;
mod answered;
pub mod anti_patterns;
mod blocks;
mod claimed;
pub mod cluster;
pub mod contradictions;
pub mod deduplicate;
pub mod entities;
pub mod evidence;
pub mod forget;
pub mod generalise;
pub mod graph;
mod known;
mod lesson;
pub mod links;
mod made;
mod near;
pub mod promote;
mod relation;
mod rooms;
pub mod served;
pub mod settle;
mod taken_back;
mod terms;
pub mod unsure;
mod wish;
mod world;

pub use act::{Act, Effect, What};
pub use near::Sense;
pub use terms::Terms;
pub use world::{Memory, SEMANTIC, World, is_corrected};

use mnemic_model::RecordId;
use mnemic_store::{Read, Result};
use near::Vectors;
use std::collections::BTreeSet;

/// One step, in the order in which they are taken: what makes memories comes first, so that those
/// that follow see them in the same run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    Generalise,
    AntiPatterns,
    Deduplicate,
    Contradictions,
    Promote,
    Forget,
    Link,
    Graph,
}

impl Step {
    pub const ALL: [Step; 8] = [
        Step::Generalise,
        Step::AntiPatterns,
        Step::Deduplicate,
        Step::Contradictions,
        Step::Promote,
        Step::Forget,
        Step::Link,
        Step::Graph,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Step::Generalise => "generalise",
            Step::AntiPatterns => "anti_patterns",
            Step::Deduplicate => "deduplicate",
            Step::Contradictions => "contradictions",
            Step::Promote => "promote",
            Step::Forget => "forget",
            Step::Link => "link",
            Step::Graph => "graph",
        }
    }

    /// What this step would do now.
    pub fn plan(
        self,
        world: &World,
        changed: &BTreeSet<RecordId>,
        read: &dyn Read,
        sense: Sense<'_>,
    ) -> Result<Vec<Act>> {
        let mut acts = match self {
            Step::Generalise => {
                let vectors = Vectors::of_store(read)?;
                generalise::plan(world, changed, &|one, other| vectors.cosine(one, other))
            }
            Step::AntiPatterns => anti_patterns::plan(world, changed),
            Step::Deduplicate => {
                let vectors = Vectors::of_store(read)?;
                deduplicate::plan(world, changed, &|one, other| vectors.cosine(one, other))
            }
            Step::Contradictions => contradictions::plan(world, changed, read, sense)?,
            Step::Promote => promote::plan(world),
            Step::Forget => forget::plan(world),
            Step::Link => links::plan(world, changed, read, sense)?,
            Step::Graph if changed.is_empty() => Vec::new(),
            Step::Graph => graph::plan(world),
        };
        acts.retain(|act| !world.taken_back().forbids(act));
        Ok(acts)
    }
}
