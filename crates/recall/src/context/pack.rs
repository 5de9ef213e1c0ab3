//! Fills the tiers of a profile in order, and lets what one leaves unused go on to the next.

use super::choose::{self, Choice};
use super::level::Level;
use super::offer::Offer;
use super::pieces::{Pieces, Way};
use super::profile::{Fill, Mark, Profile, TierRule};
use super::window::Sharpness;
use std::collections::BTreeSet;

/// More candidates than this for each place in a tier change nothing but the time it takes.
const CANDIDATES: usize = 4;

/// A memory in its tier, and at which of its ways.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pick {
    pub(super) offer: usize,
    pub(super) ways: Vec<Way>,
    pub(super) at: usize,
}

impl Pick {
    pub(super) fn way(&self) -> Way {
        self.ways[self.at]
    }
}

/// What fills one tier, in the order in which it is shown.
pub(super) type Filled = Vec<Pick>;

/// Whether a memory may stand in a tier: `None` by what it is, `Some(false)` by its score or
/// importance alone.
pub(super) fn suits(
    offer: &Offer,
    tier: &TierRule,
    fill: &Fill,
    sharp: &Sharpness,
) -> Option<bool> {
    let mut roles = fill.roles.iter().filter(|role| offer.roles.contains(role)).peekable();
    let may_bind = !tier.vouched || offer.is_vouched_for();
    if roles.peek().is_none() || !may_bind {
        return None;
    }
    // What binds and what is at hand is read however full the window is.
    let is_spared = tier.mark != Mark::Reference || roles.any(|role| role.is_at_hand());
    let sharper = if is_spared { 0.0 } else { sharp.least_score };
    let good = offer.score() >= fill.least_score.max(sharper);
    Some(good && offer.importance() >= fill.least_importance)
}

/// What a memory is worth in a tier: what binds counts by its importance as well. Scores fade from
/// day to day, so they count in steps of a twentieth: a text whose order follows every breath of
/// theirs would never be found in a host's prompt cache.
fn worth(offer: &Offer, tier: &TierRule) -> f64 {
    if let Some(focus) = tier.focus {
        return offer.score().powf(focus).min(f64::MAX);
    }
    let weight = if tier.mark == Mark::Reference { 0.1 } else { 1.0 };
    0.01 + (offer.score() * 20.0).round() / 20.0 + weight * offer.importance()
}

/// Fills all tiers with `room` tokens together.
pub(super) fn pack(
    pieces: &mut Pieces<'_>,
    profile: &Profile,
    sharp: &Sharpness,
    room: usize,
) -> Vec<Filled> {
    let mut taken = BTreeSet::new();
    let mut all: Vec<Filled> = Vec::new();
    let (mut left, mut unspent) = (0, room);
    for tier in &profile.tiers {
        let share = (left + (room as f64 * tier.share) as usize).min(unspent);
        let filled = fill(pieces, tier, sharp, Room { share, whole: unspent }, &taken);
        let cost = cost(pieces, tier, &filled);
        left = share.saturating_sub(cost);
        unspent -= cost;
        taken.extend(filled.iter().map(|pick| pick.offer));
        all.push(filled);
    }
    // What nobody wanted to the end goes to those who had to shorten or leave out, in order.
    let spent: usize =
        profile.tiers.iter().zip(&all).map(|(tier, filled)| cost(pieces, tier, filled)).sum();
    left = room.saturating_sub(spent);
    for (tier, filled) in profile.tiers.iter().zip(&mut all) {
        filled.iter().for_each(|pick| _ = taken.remove(&pick.offer));
        let before = cost(pieces, tier, filled);
        let room = Room { share: before + left, whole: before + left };
        let again = fill(pieces, tier, sharp, room, &taken);
        if value(&again) > value(filled) {
            left = before + left - cost(pieces, tier, &again);
            *filled = again;
        }
        taken.extend(filled.iter().map(|pick| pick.offer));
    }
    all
}

/// What all that was packed is worth together.
pub(super) fn worth_of(all: &[Filled]) -> f64 {
    all.iter().map(value).sum()
}

fn value(filled: &Filled) -> f64 {
    filled.iter().map(|pick| pick.way().value).sum()
}

/// Tokens of a tier with its heading; nothing when it is empty.
pub(super) fn cost(pieces: &Pieces<'_>, tier: &TierRule, filled: &Filled) -> usize {
    match filled.is_empty() {
        true => 0,
        false => pieces.heading(tier) + filled.iter().map(|pick| pick.way().tokens).sum::<usize>(),
    }
}

/// Tokens for a tier: those that are its own, and all that nobody has spent.
#[derive(Debug, Clone, Copy)]
struct Room {
    share: usize,
    whole: usize,
}

fn fill(
    pieces: &mut Pieces<'_>,
    tier: &TierRule,
    sharp: &Sharpness,
    room: Room,
    taken: &BTreeSet<usize>,
) -> Filled {
    let heading = pieces.heading(tier);
    let Some(mut whole) = room.whole.checked_sub(heading) else { return Filled::new() };
    let mut share = room.share.saturating_sub(heading);
    let mut most = sharp.most(tier.most);
    let mut filled = Filled::new();
    let first = tier.fill.iter().filter(|fill| fill.first).map(std::slice::from_ref);
    let others: Vec<Fill> = tier.fill.iter().filter(|fill| !fill.first).cloned().collect();
    for stage in first.chain([others.as_slice()]) {
        let mut found = candidates(pieces.offers, tier, stage, sharp);
        found.retain(|(offer, _)| {
            !taken.contains(offer) && filled.iter().all(|pick| pick.offer != *offer)
        });
        found.truncate(most.saturating_mul(CANDIDATES));
        let left = if stage.iter().any(|fill| fill.beyond) { whole } else { share };
        let ways = |(offer, level): (usize, Level)| {
            let worth = worth(&pieces.offers[offer], tier);
            let mut ways = pieces.ways((offer, tier.mark), level, worth, left);
            if tier.whole {
                ways.retain(|way| way.tokens <= left);
                ways.drain(..ways.len().saturating_sub(1));
            }
            (offer, ways)
        };
        let picks = best(found.into_iter().map(ways).collect(), left, most);
        let spent = picks.iter().map(|pick| pick.way().tokens).sum::<usize>();
        whole -= spent;
        share = share.saturating_sub(spent).min(whole);
        most -= picks.len();
        filled.extend(picks);
    }
    filled
}

/// What suits any of these fills, best first, and the most that may be shown of it.
fn candidates(
    offers: &[Offer],
    tier: &TierRule,
    fills: &[Fill],
    sharp: &Sharpness,
) -> Vec<(usize, Level)> {
    let level = |offer: &Offer| -> Option<Level> {
        let suiting = fills.iter().filter(|fill| suits(offer, tier, fill, sharp) == Some(true));
        suiting.map(|fill| fill.level.unwrap_or(tier.level)).max()
    };
    let suiting = offers.iter().enumerate();
    let mut found: Vec<(usize, Level)> =
        suiting.filter_map(|(at, offer)| level(offer).map(|level| (at, level))).collect();
    found.sort_by(|(a, _), (b, _)| {
        let (a, b) = (&offers[*a], &offers[*b]);
        worth(b, tier)
            .total_cmp(&worth(a, tier))
            .then_with(|| b.importance().total_cmp(&a.importance()))
            .then_with(|| b.attribution.at.cmp(&a.attribution.at))
            .then_with(|| a.id.cmp(&b.id))
    });
    found
}

fn best(candidates: Vec<(usize, Vec<Way>)>, room: usize, most: usize) -> Filled {
    let choice = |way: &Way| Choice { tokens: way.tokens, value: way.value };
    let memories: Vec<Vec<Choice>> =
        candidates.iter().map(|(_, ways)| ways.iter().map(choice).collect()).collect();
    let chosen = choose::choose(&memories, room, most);
    let picked = candidates.into_iter().zip(chosen);
    picked.filter_map(|((offer, ways), at)| at.map(|at| Pick { offer, ways, at })).collect()
}

/// Gives up about `tokens` of what was packed, from the end: shorter first, then out. Always gives
/// up something; `false` when there is nothing left.
pub(super) fn shrink(all: &mut [Filled], tokens: usize) -> bool {
    let mut freed = 0;
    let mut gave = false;
    for filled in all.iter_mut().rev() {
        while freed < tokens.max(1) {
            let Some(pick) = filled.last_mut() else { break };
            let before = pick.way().tokens;
            if pick.at > 0 {
                pick.at -= 1;
                freed += before - pick.way().tokens;
            } else {
                freed += before;
                filled.pop();
            }
            gave = true;
        }
    }
    gave
}
