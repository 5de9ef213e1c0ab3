//! What one can ask of a store: which records, and as of when on either time line.

use crate::{Author, Kind, Namespace, ScopeLevel, Tier, Timestamp, Trust, Unit};

/// Which point on the world's time line a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// Also what is no longer, or not yet, true.
    Whenever,
    /// Only what is true now, by the store's own time: it never runs behind its last write.
    Now,
    /// Only what was true at this point.
    At(Timestamp),
}

/// A point on both time lines: what was true then, as the store believed then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    pub truth: Truth,
    /// `None` is what the store believes now.
    pub known: Option<Timestamp>,
}

impl At {
    /// What the store believes now, whether or not it is still true.
    pub const LATEST: At = At { truth: Truth::Whenever, known: None };
}

/// Which records to list. An empty list of anything means: do not filter by it.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    pub at: At,
    pub kinds: Vec<Kind>,
    /// Entities only where they say something beside their name.
    pub described: bool,
    pub levels: Vec<ScopeLevel>,
    pub namespaces: Vec<Namespace>,
    pub tiers: Vec<Tier>,
    pub trusts: Vec<Trust>,
    pub authors: Vec<Author>,
    /// All of them must be there.
    pub tags: Vec<String>,
    pub category: Option<String>,
    pub pinned: Option<bool>,
    pub min_importance: Option<Unit>,
    /// First recorded at or after, before.
    pub recorded_since: Option<Timestamp>,
    pub recorded_until: Option<Timestamp>,
    /// Words that must all occur.
    pub words: Option<String>,
    pub limit: usize,
    /// Go on behind the last page.
    pub after: Option<PageEnd>,
}

/// Where a page of a list ended: just behind one version. It stays where it is when that version is edited or
/// erased meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageEnd {
    pub recorded_at: Timestamp,
    /// Versions of one moment, in the order in which the store took them in.
    pub seq: i64,
}

impl Filter {
    pub fn new(at: At) -> Filter {
        Filter {
            at,
            kinds: Vec::new(),
            described: false,
            levels: Vec::new(),
            namespaces: Vec::new(),
            tiers: Vec::new(),
            trusts: Vec::new(),
            authors: Vec::new(),
            tags: Vec::new(),
            category: None,
            pinned: None,
            min_importance: None,
            recorded_since: None,
            recorded_until: None,
            words: None,
            limit: usize::MAX,
            after: None,
        }
    }
}
