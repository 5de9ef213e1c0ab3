//! Each memory rendered and counted once for every way in which it may be shown.

use super::counts::Counts;
use super::level::Level;
use super::offer::Offer;
use super::profile::{Mark, Style, TierRule};
use super::render::{self, Item};
use std::collections::BTreeMap;

/// Text that anybody reads has fewer bytes to a token, in any tokenizer and script.
const LONGEST_TOKEN: usize = 24;

/// A memory as it would stand in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) tokens: usize,
}

pub(super) struct Pieces<'a> {
    pub(super) style: Style,
    pub(super) offers: &'a [Offer],
    /// One for each offer.
    pub(super) citations: &'a [String],
    /// The most that may be shown of each offer.
    caps: Vec<Level>,
    counts: &'a dyn Counts,
    made: BTreeMap<(usize, Mark, Level), Piece>,
}

/// One way to show a memory in a tier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Way {
    pub(super) level: Level,
    pub(super) tokens: usize,
    pub(super) value: f64,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(
        style: Style,
        offers: &'a [Offer],
        citations: &'a [String],
        caps: Vec<Level>,
        counts: &'a dyn Counts,
    ) -> Pieces<'a> {
        Pieces { style, offers, citations, caps, counts, made: BTreeMap::new() }
    }

    pub(super) fn count(&self, text: &str) -> usize {
        self.counts.count(text)
    }

    pub(super) fn heading(&self, tier: &TierRule) -> usize {
        self.count(&format!("{}\n", render::heading(self.style, tier)))
    }

    /// The tokens of a piece, or `None` when it is too long to be worth counting: counting is what
    /// takes the time, and most full texts are far from fitting.
    fn tokens(&mut self, key: (usize, Mark, Level), longest: usize) -> Option<usize> {
        if let Some(piece) = self.made.get(&key) {
            return Some(piece.tokens);
        }
        let (offer, mark, level) = key;
        let citation = &self.citations[offer];
        let item = Item { offer: &self.offers[offer], citation, mark, level };
        let text = render::piece(self.style, item);
        if text.len() > longest {
            return None;
        }
        let tokens = self.counts.count(&format!("{text}\n"));
        self.made.insert(key, Piece { text, tokens });
        Some(tokens)
    }

    /// A piece that [`Pieces::ways`] has made.
    pub(super) fn get(&self, offer: usize, mark: Mark, level: Level) -> &Piece {
        &self.made[&(offer, mark, level)]
    }

    /// Every way that is worth considering with `room` tokens, cheapest first, each worth more than
    /// the one before.
    pub(super) fn ways(
        &mut self,
        (offer, mark): (usize, Mark),
        most: Level,
        worth: f64,
        room: usize,
    ) -> Vec<Way> {
        // Three words do not bind anybody: a mandate is shown so that it can be followed.
        let least = if mark == Mark::Reference { Level::Index } else { Level::Compressed };
        let levels = least..=most.min(self.caps[offer]).max(least);
        let longest = room.saturating_mul(LONGEST_TOKEN);
        let mut ways: Vec<Way> = Vec::new();
        for level in Level::ALL.into_iter().filter(|level| levels.contains(level)) {
            let Some(tokens) = self.tokens((offer, mark, level), longest) else { continue };
            while ways.last().is_some_and(|shorter| shorter.tokens >= tokens) {
                ways.pop();
            }
            ways.push(Way { level, tokens, value: worth * level.gain() });
        }
        ways
    }
}
