//! What consolidation does, as values: each act happens as a whole or not at all.

use mnemic_model::{Content, RecordId, Relation, Usage};
use mnemic_store::NewLink;

/// What an act is, as the report counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// Episodes became a pattern.
    Generalised,
    /// More evidence for a pattern or an anti-pattern that was known.
    Strengthened,
    /// An error and its resolution became an anti-pattern.
    Warned,
    Merged,
    /// A contradiction that waits for a person.
    Opened,
    /// A contradiction with a clear winner.
    Settled,
    Promoted,
    Archived,
    Linked,
    /// A community or a saga was made, changed or ended.
    Grouped,
    /// What neighbours say was added to a note's tags and keywords.
    Refined,
}

impl What {
    pub const ALL: [What; 11] = [
        What::Generalised,
        What::Strengthened,
        What::Warned,
        What::Merged,
        What::Opened,
        What::Settled,
        What::Promoted,
        What::Archived,
        What::Linked,
        What::Grouped,
        What::Refined,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            What::Generalised => "generalised",
            What::Strengthened => "strengthened",
            What::Warned => "warned",
            What::Merged => "merged",
            What::Opened => "opened",
            What::Settled => "settled",
            What::Promoted => "promoted",
            What::Archived => "archived",
            What::Linked => "linked",
            What::Grouped => "grouped",
            What::Refined => "refined",
        }
    }
}

/// One thing that is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// A version; planned on version `base` of the same record, or as the first of a new one.
    Put {
        id: RecordId,
        base: Option<u32>,
        content: Box<Content>,
    },
    Link(NewLink),
    /// A link that consolidation made and that no longer holds.
    Unlink {
        from: RecordId,
        relation: Relation,
        to: RecordId,
    },
    /// Counts of others that this memory now stands for.
    AddUsage {
        to: RecordId,
        usage: Usage,
    },
}

/// Effects that belong together, and what they are told as.
#[derive(Debug, Clone, PartialEq)]
pub struct Act {
    pub what: What,
    /// One line for a person: what, and why.
    pub told: String,
    pub effects: Vec<Effect>,
}
