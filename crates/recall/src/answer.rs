//! What recall answers: memories with their reasons, or the reason why there are none.

use crate::{Explanation, Strategy, Understanding};
use mnemic_model::{Interval, RecordId, Version};

/// A memory that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The name of the store it lies in.
    pub source: String,
    pub version: Version,
    pub score: f64,
    /// How sure we are that it speaks of what was asked, 0..1.
    pub evidence: f64,
    pub explanation: Explanation,
    /// What was said of the same before, newest first.
    pub history: Vec<Past>,
    /// What says the same to the letter, at other times or in other conversations, best first.
    pub twins: Vec<Twin>,
    /// What says otherwise, where nobody has settled which holds.
    pub disputes: Vec<Dispute>,
}

/// A memory that says to the letter what the one it stands with says.
#[derive(Debug, Clone, PartialEq)]
pub struct Twin {
    pub id: RecordId,
    /// The name of the store it lies in.
    pub source: String,
    pub valid: Interval,
}

/// A memory that contradicts another one, as that one sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispute {
    /// The contradiction, which is to be settled.
    pub contradiction: RecordId,
    /// The other side.
    pub id: RecordId,
    pub text: String,
}

/// An earlier statement that no longer holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    pub id: RecordId,
    pub text: String,
    pub valid: Interval,
    /// How we know that it is past.
    pub because: &'static str,
}

/// Nothing was good enough.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    pub best_id: RecordId,
    pub best_score: f64,
    pub reason: String,
}

/// The whole answer to one question.
#[derive(Debug, Clone)]
pub struct Recall {
    pub found: Vec<Found>,
    /// How sure we are that the store knows anything about it, 0..1.
    pub evidence: f64,
    /// Set when there were candidates and none was good enough.
    pub refusal: Option<Refusal>,
    pub understanding: Understanding,
    pub strategy: Strategy,
    /// How many candidates each channel brought.
    pub gathered: Vec<(&'static str, usize)>,
    /// Why what should have read the answers again did not; they stand as they are.
    pub unread: Option<String>,
}
