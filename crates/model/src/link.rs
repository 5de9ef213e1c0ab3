//! Typed, directed connections between records, on the same two time lines.

use crate::invalid::named;
use crate::{ChangeId, Interval, RecordId, Unit};

named! {
    /// What a connection says, read from its first end to its second.
    Relation, "relation" {
        DerivedFrom = "derived_from",
        RelatedTo = "related_to",
        Contradicts = "contradicts",
        Elaborates = "elaborates",
        ExampleOf = "example_of",
        Supersedes = "supersedes",
        SupersededBy = "superseded_by",
        Supports = "supports",
        Mentions = "mentions",
        HasMember = "has_member",
        FollowedBy = "followed_by",
        Requires = "requires",
        Provides = "provides",
        Affects = "affects",
    }
}

/// One connection.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    pub from: RecordId,
    pub to: RecordId,
    pub relation: Relation,
    pub strength: Unit,
    /// When it held in the world.
    pub valid: Interval,
    /// When the store believed it.
    pub recorded: Interval,
    pub change: ChangeId,
}
