//! Consolidation: what was learnt becomes clearer, what is no longer needed steps back.
//!
//! Each step looks at one [`World`] and answers with [`Act`]s; whoever called carries them out, a
//! step a transaction. A step asks only what is stored, never what it did before: stopped anywhere
//! and begun again, the outcome is the same, and a second run finds nothing to do.

mod act;
pub mod contradictions;
pub mod deduplicate;
mod near;
mod world;

pub use act::{Act, Effect, What};
pub use near::Sense;
pub use world::{Memory, SEMANTIC, World};

use mnemic_model::RecordId;
use mnemic_store::{Read, Result};
use std::collections::BTreeSet;

/// One step, in the order in which they are taken: what makes memories comes first, so that those
/// that follow see them in the same run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    Deduplicate,
    Contradictions,
}

impl Step {
    pub const ALL: [Step; 2] = [Step::Deduplicate, Step::Contradictions];

    pub fn as_str(self) -> &'static str {
        match self {
            Step::Deduplicate => "deduplicate",
            Step::Contradictions => "contradictions",
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
        Ok(match self {
            Step::Deduplicate => {
                let likeness = near::likeness(read)?;
                deduplicate::plan(world, changed, &likeness)
            }
            Step::Contradictions => contradictions::plan(world, changed, read, sense)?,
        })
    }
}
