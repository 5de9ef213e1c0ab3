//! What comes out: a text, what it shows, what it leaves out and why.

use super::level::Level;
use super::profile::Mark;
use mnemic_model::RecordId;
use std::fmt;

/// A text to read, and an account of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembled {
    pub text: String,
    /// Of the whole text, counted whole. Never more than the budget.
    pub tokens: usize,
    pub budget: usize,
    /// Of each tier with its heading, counted piece by piece.
    pub tiers: Vec<(String, usize)>,
    /// In the order of the text.
    pub shown: Vec<Shown>,
    /// By id.
    pub left_out: Vec<(RecordId, LeftOut)>,
    /// Why there is no text, when there is none.
    pub empty: Option<Empty>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub id: RecordId,
    /// As the agent cites it, without its letter.
    pub citation: String,
    pub mark: Mark,
    pub level: Level,
    /// The name of its tier.
    pub tier: String,
    pub tokens: usize,
}

/// Why a memory is not in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    Secret,
    Quarantined,
    /// It says nothing that could be shown.
    Blank,
    /// Another memory says the same.
    Repeated,
    /// It was taken out to make room.
    Trimmed,
    /// No tier of the profile takes what it is.
    NoTier,
    /// A tier would take it, were its score or importance higher.
    TooLow,
    NoRoom,
}

impl LeftOut {
    pub fn as_str(self) -> &'static str {
        match self {
            LeftOut::Secret => "it is a secret",
            LeftOut::Quarantined => "it is quarantined",
            LeftOut::Blank => "it is blank",
            LeftOut::Repeated => "another one says the same",
            LeftOut::Trimmed => "it was trimmed",
            LeftOut::NoTier => "no tier of the profile takes it",
            LeftOut::TooLow => "its score or importance is too low",
            LeftOut::NoRoom => "there was no room for it",
        }
    }
}

/// Why there is no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Empty {
    NothingOffered,
    NothingSuits,
    /// The fence alone, or with the shortest memory, costs more.
    TooSmall {
        budget: usize,
    },
}

impl fmt::Display for Empty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Empty::NothingOffered => f.write_str("there is nothing to show"),
            Empty::NothingSuits => f.write_str("nothing fits the profile"),
            Empty::TooSmall { budget } => write!(f, "`{budget}` tokens hold no memory"),
        }
    }
}
