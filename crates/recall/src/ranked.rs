//! Candidates in their order, and what became of each.

use crate::candidate::Candidate;
use crate::{Bound, Explanation, Past, Twin};
use mnemic_model::RecordId;
use std::fmt;

/// A candidate with its score and what happened to it.
#[derive(Debug)]
pub(crate) struct Ranked {
    pub(crate) candidate: Candidate,
    pub(crate) explanation: Explanation,
    pub(crate) evidence: f64,
    /// What age and gist took from the score. They are about the order, not about what is shown at all.
    pub(crate) ceded: f64,
    pub(crate) dropped: Option<Dropped>,
    pub(crate) twins: Vec<Twin>,
    pub(crate) history: Vec<Past>,
}

/// Why a candidate is not among the answers.
#[derive(Debug)]
pub(crate) enum Dropped {
    ByBound(Bound),
    ReplacedBy(RecordId),
    /// Another one says the same to the letter, and names it.
    SaidBy(RecordId),
    /// So many are wanted, and others are better.
    ByLimit(usize),
}

impl Dropped {
    /// The step that dropped it.
    pub(crate) fn step(&self) -> &'static str {
        match self {
            Dropped::ByBound(_) => "bounds",
            Dropped::ReplacedBy(_) => "current value",
            Dropped::SaidBy(_) => "twins",
            Dropped::ByLimit(_) => "limit",
        }
    }
}

impl fmt::Display for Dropped {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dropped::ByBound(bound) => bound.fmt(to),
            Dropped::ReplacedBy(by) => write!(to, "replaced by `{by}`"),
            Dropped::SaidBy(by) => write!(to, "`{by}` says the same and stands for it"),
            Dropped::ByLimit(limit) => write!(to, "not among the best {limit}"),
        }
    }
}

/// Best first; of equals the later one, which is what one would ask about.
pub(crate) fn sort(ranked: &mut [Ranked]) {
    ranked.sort_by(|a, b| {
        let by_score = b.explanation.score.total_cmp(&a.explanation.score);
        by_score.then_with(|| b.candidate.spot.cmp(&a.candidate.spot))
    });
}
