//! Each memory rendered and counted once for every way in which it may be shown.

use super::counts::Counts;
use super::level::{Level, kept};
use super::offer::Offer;
use super::pack::Pick;
use super::profile::{Mark, Style, TierRule};
use super::quote::quoted;
use super::render::{self, Item};
use mnemic_model::Kind;
use std::collections::BTreeMap;

/// Text that anybody reads has fewer bytes to a token, in any tokenizer and script.
const LONGEST_TOKEN: usize = 12;

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
    /// How long each offer's text is at each level, as it is shown.
    lengths: BTreeMap<(usize, Level), usize>,
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
        Pieces {
            style,
            offers,
            citations,
            caps,
            counts,
            made: BTreeMap::new(),
            lengths: BTreeMap::new(),
        }
    }

    pub(super) fn count(&self, text: &str) -> usize {
        self.counts.count(text)
    }

    pub(super) fn heading(&self, tier: &TierRule) -> usize {
        match render::heading(self.style, tier) {
            heading if heading.is_empty() => 0,
            heading => self.count(&format!("{heading}\n")),
        }
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

    /// What a level is worth, of the whole. A pointer says neither who said it nor whether it is to
    /// be done or avoided.
    fn share(&mut self, offer: usize, level: Level) -> f64 {
        let stated = if level == Level::Index { 0.5 } else { 1.0 };
        stated * kept(self.length(offer, level), self.length(offer, Level::Full))
    }

    fn length(&mut self, offer: usize, level: Level) -> usize {
        let offers = self.offers;
        let length = || quoted(offers[offer].text(level), render::most(level)).chars().count();
        *self.lengths.entry((offer, level)).or_insert_with(length)
    }

    /// The line above what this source said, where the style has one.
    pub(super) fn source(&self, pick: &Pick, mark: Mark) -> Option<String> {
        let citation = &self.citations[pick.offer];
        let offer = &self.offers[pick.offer];
        render::source(self.style, Item { offer, citation, mark, level: pick.way().level })
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
        let most = most.min(self.caps[offer]);
        let least = match (mark, most, self.offers[offer].kind) {
            // Three words tell nobody more than that there is something: they stand where pointers
            // are asked for, and where the reader has seen the rest.
            (Mark::Reference, Level::Index, _) => Level::Index,
            // What was asked for once is of no use without what came of it.
            (_, Level::Summary | Level::Full, Kind::Episode) => Level::Summary,
            _ => Level::Compressed,
        };
        let levels = least..=most.max(least);
        let longest = room.saturating_mul(LONGEST_TOKEN);
        let mut ways: Vec<Way> = Vec::new();
        for level in Level::ALL.into_iter().filter(|level| levels.contains(level)) {
            let Some(tokens) = self.tokens((offer, mark, level), longest) else { continue };
            let value = worth * self.share(offer, level);
            while ways.last().is_some_and(|shorter| shorter.tokens >= tokens) {
                ways.pop();
            }
            if ways.last().is_none_or(|shorter| shorter.value < value) {
                ways.push(Way { level, tokens, value });
            }
        }
        ways
    }
}
