//! Why a memory stands where it stands: parts that add up to its score.

use crate::evidence::Grounds;
use crate::{Bound, Channel};

/// One term of the sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub name: &'static str,
    /// As it was measured: a cosine (in contrast to the store), a BM25 score, days, counts.
    pub raw: f64,
    /// Brought to a scale on which the best is 1; by meaning and gist, what is less than usual is less
    /// than 0.
    pub value: f64,
    pub weight: f64,
}

impl Part {
    pub fn product(&self) -> f64 {
        self.value * self.weight
    }
}

/// What the sum is multiplied by.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    pub name: &'static str,
    pub value: f64,
}

/// Where one channel ranked it, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelRank {
    pub channel: Channel,
    pub rank: u32,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Explanation {
    pub ranks: Vec<ChannelRank>,
    pub parts: Vec<Part>,
    pub factors: Vec<Factor>,
    pub score: f64,
    /// Why it is taken for an answer at all.
    pub grounds: Grounds,
    /// The bounds that it had to pass, in order.
    pub passed: Vec<Bound>,
}

impl Explanation {
    /// The score, from its parts alone.
    pub fn sum(&self) -> f64 {
        let base: f64 = self.parts.iter().map(Part::product).sum();
        self.factors.iter().fold(base, |score, factor| score * factor.value)
    }
}
