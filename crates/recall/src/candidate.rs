//! A version on its way through recall, with all that has been learnt about it so far.

use crate::understand::Understanding;
use foldhash::HashMap;
use mnemic_store::{Glance, Key};
use std::sync::Arc;

/// A way of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    Meaning,
    Words,
    Graph,
    Time,
    Kind,
    Skills,
    Neighbours,
}

impl Channel {
    /// In the order of their names here, which is that of explanations.
    const ALL: [Channel; 7] = [
        Channel::Meaning,
        Channel::Words,
        Channel::Graph,
        Channel::Time,
        Channel::Kind,
        Channel::Skills,
        Channel::Neighbours,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Channel::Meaning => "meaning",
            Channel::Words => "words",
            Channel::Graph => "graph",
            Channel::Time => "time",
            Channel::Kind => "kind",
            Channel::Skills => "skills",
            Channel::Neighbours => "neighbours",
        }
    }
}

/// Where each channel ranked something, from 1; nowhere if it did not find it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ranks([Option<u32>; Channel::ALL.len()]);

impl Ranks {
    pub(crate) fn of(&self, channel: Channel) -> Option<u32> {
        self.0[channel as usize]
    }

    pub(crate) fn each(&self) -> impl Iterator<Item = (Channel, u32)> {
        let ranked = |channel: Channel| Some((channel, self.of(channel)?));
        Channel::ALL.into_iter().filter_map(ranked)
    }

    fn best(&self) -> Option<u32> {
        self.0.into_iter().flatten().min()
    }

    /// The first rank that a channel gives is the better one.
    fn note(&mut self, channel: Channel, rank: u32) {
        self.0[channel as usize].get_or_insert(rank);
    }
}

/// Which store, and which row in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Spot {
    pub(crate) source: usize,
    pub(crate) key: Key,
}

/// How near a vector lies, where there is one: as it is, and to what sets the question apart.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cosines {
    pub(crate) plain: Option<f64>,
    pub(crate) contrast: Option<f64>,
}

#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) spot: Spot,
    pub(crate) glance: Arc<Glance>,
    pub(crate) ranks: Ranks,
    /// How near it is to the question, and to each of its aspects.
    pub(crate) near: Cosines,
    pub(crate) near_aspects: Vec<Cosines>,
    /// BM25, and what each term of the question adds to it.
    pub(crate) bm25: f64,
    pub(crate) parts: Vec<f32>,
    /// Steps to what the question names, in the graph.
    pub(crate) distance: Option<usize>,
    /// Whether it was lived through in a time that the question names.
    pub(crate) in_time: bool,
    /// Whether it tells of such a time, having been said at another.
    pub(crate) tells_of_time: bool,
}

impl Candidate {
    /// The cosine to what it is nearest to: the question, or one of its aspects.
    pub(crate) fn nearest(&self) -> Option<f64> {
        let near = self.near_aspects.iter().chain([&self.near]);
        near.filter_map(|near| near.plain).reduce(f64::max)
    }

    /// Whether by what it says, and not by where it stands.
    pub(crate) fn is_found_by_content(&self) -> bool {
        [Channel::Meaning, Channel::Words].iter().any(|by| self.ranks.of(*by).is_some())
    }

    /// Whether it was lived through in a time that the question names, or tells of it.
    pub(crate) fn is_of_time(&self) -> bool {
        self.in_time || self.tells_of_time
    }

    /// Whether it is of what a question asks for that names nothing but a time or a kind.
    pub(crate) fn is_called_for(&self, asked: &Understanding) -> bool {
        let is_one = asked.kinds.is_empty() || asked.kinds.contains(&self.glance.kind);
        let in_time = asked.asks_of_time_alone && self.is_of_time() && is_one;
        in_time || self.ranks.of(Channel::Kind).is_some()
    }
}

/// Spots as the channels found them: where each ranked them, and how far in the graph.
#[derive(Debug, Default)]
pub(crate) struct Finds {
    ranks: HashMap<Spot, Ranks>,
    distances: HashMap<Spot, usize>,
}

impl Finds {
    /// Takes what one channel found, best first.
    pub(crate) fn add(&mut self, channel: Channel, spots: impl IntoIterator<Item = Spot>) {
        for (rank, spot) in (1..).zip(spots) {
            self.ranks.entry(spot).or_default().note(channel, rank);
        }
    }

    pub(crate) fn at_distance(&mut self, spot: Spot, steps: usize) {
        let nearest = self.distances.entry(spot).or_insert(steps);
        *nearest = steps.min(*nearest);
    }

    pub(crate) fn distance(&self, spot: &Spot) -> Option<usize> {
        self.distances.get(spot).copied()
    }

    pub(crate) fn ranks(&self, spot: &Spot) -> Ranks {
        self.ranks.get(spot).copied().unwrap_or_default()
    }

    /// The best rank that any channel gave it.
    pub(crate) fn best_rank(&self, spot: &Spot) -> Option<u32> {
        self.ranks.get(spot)?.best()
    }

    /// Every spot, in a fixed order.
    pub(crate) fn spots(&self) -> Vec<Spot> {
        let mut spots: Vec<Spot> = self.ranks.keys().copied().collect();
        spots.sort_unstable();
        spots
    }
}
