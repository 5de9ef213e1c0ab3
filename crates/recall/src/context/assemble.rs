//! The whole way from offered memories to a text that keeps its budget, with an account of it.

use super::admit::admit;
use super::assembled::{Assembled, Empty, LeftOut, Shown};
use super::cite::citations;
use super::counts::Counts;
use super::level::Level;
use super::offer::Offer;
use super::pack::{self, Filled, suits};
use super::pieces::Pieces;
use super::profile::{Profile, Style};
use super::render::{self, Frame, Section};
use super::window::{Quality, Sharpness};
use mnemic_model::RecordId;
use std::collections::BTreeMap;

/// The budget where neither profile nor caller names one: the tiers' own limits hold then.
const UNBOUND: usize = 1_000_000;

/// Where sources stand above what they said, what that costs shows only in the whole: as many
/// times it is packed anew with what is known by then.
const ROUNDS: usize = 4;

/// Tokens left over that no memory would fill.
const SLACK: usize = 8;

/// What the caller wants of a profile.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ask {
    /// In place of the profile's.
    pub budget: Option<usize>,
    /// How full the caller's window is, 0 to 1; it gets less and sharper as that fills.
    pub fullness: Option<f64>,
    /// In place of the profile's.
    pub style: Option<Style>,
    pub frame: Frame,
    /// Memories that were trimmed: the most that may be shown of each, `None` for nothing.
    pub trimmed: BTreeMap<RecordId, Option<Level>>,
}

/// Chooses and renders what an agent should read now. The same offers, in whatever order, give the
/// same bytes.
pub fn assemble(profile: &Profile, offers: &[Offer], ask: &Ask, counts: &dyn Counts) -> Assembled {
    let sharp = Quality::at(ask.fullness.unwrap_or(0.0)).sharpness();
    let budget = sharp.budget(ask.budget.or(profile.budget).unwrap_or(UNBOUND));
    let (offers, mut left_out) = admit(offers, &ask.trimmed);
    let names = citations(offers.iter().map(|offer| &offer.id));
    let cites: Vec<String> = offers.iter().map(|offer| names[&offer.id].clone()).collect();
    let style = ask.style.unwrap_or(profile.style);
    let mut pieces = Pieces::new(style, &offers, &cites, ask.caps(&offers), counts);
    let mut sheet = Sheet { pieces: &mut pieces, profile, frame: &ask.frame };
    let (text, tokens, packed) = sheet.fit(&sharp, budget).unwrap_or_default();
    let shown = sheet.shown(&packed);
    let tiers = profile.tiers.iter().zip(&packed);
    let tiers = tiers.map(|(t, filled)| (t.name.clone(), pack::cost(&pieces, t, filled))).collect();
    let is_shown = |offer: &Offer| shown.iter().any(|memory| memory.id == offer.id);
    let reasons = offers.iter().filter(|offer| !is_shown(offer));
    left_out.extend(reasons.map(|offer| (offer.id.clone(), reason(offer, profile, &sharp))));
    left_out.sort();
    let empty = shown.is_empty().then(|| why_empty(&offers, &left_out, budget));
    Assembled { text, tokens, budget, tiers, shown, left_out, empty }
}

impl Ask {
    /// The most that may be shown of each.
    fn caps(&self, offers: &[Offer]) -> Vec<Level> {
        let cap = |offer: &Offer| self.trimmed.get(&offer.id).copied().flatten();
        offers.iter().map(|offer| cap(offer).unwrap_or(Level::Full)).collect()
    }
}

fn why_empty(offers: &[Offer], left_out: &[(RecordId, LeftOut)], budget: usize) -> Empty {
    let had_no_room = left_out.iter().any(|(_, why)| *why == LeftOut::NoRoom);
    match had_no_room {
        true => Empty::TooSmall { budget },
        false if offers.is_empty() => Empty::NothingOffered,
        false => Empty::NothingSuits,
    }
}

/// Why a memory that may be shown is not.
fn reason(offer: &Offer, profile: &Profile, sharp: &Sharpness) -> LeftOut {
    let verdicts = profile
        .tiers
        .iter()
        .flat_map(|tier| tier.fill.iter().filter_map(|fill| suits(offer, tier, fill, sharp)));
    match verdicts.max() {
        Some(true) => LeftOut::NoRoom,
        Some(false) => LeftOut::TooLow,
        None => LeftOut::NoTier,
    }
}

/// One rendering in the making.
struct Sheet<'a, 'b> {
    pieces: &'b mut Pieces<'a>,
    profile: &'b Profile,
    frame: &'b Frame,
}

impl Sheet<'_, '_> {
    /// The text that keeps the budget when counted whole, if there is one.
    fn fit(&mut self, sharp: &Sharpness, budget: usize) -> Option<(String, usize, Vec<Filled>)> {
        let mut room = budget.checked_sub(self.around())?;
        let mut packed = self.packed(sharp, room);
        let mut best = None;
        for _ in 0..ROUNDS {
            let text = self.render(&packed);
            let tokens = self.pieces.count(&text);
            let is_settled = budget.checked_sub(tokens).is_some_and(|left| left < SLACK);
            let before = room;
            room = (room + budget).saturating_sub(tokens);
            // What is a little too much may be more than what fits, when its end is given up.
            let found = match tokens <= budget {
                true => Some((text, tokens, packed.clone())),
                false => self.shrunk(packed.clone(), budget),
            };
            let worth = |found: &(String, usize, Vec<Filled>)| pack::worth_of(&found.2);
            let least = best.as_ref().map(worth);
            best = found.filter(|found| least.is_none_or(|least| worth(found) > least)).or(best);
            if self.pieces.style != Style::Terse || is_settled || room == before {
                break;
            }
            packed = self.packed(sharp, room);
        }
        match best.filter(|(_, _, packed)| packed.iter().any(|filled| !filled.is_empty())) {
            None => self.shrunk(packed, budget),
            best => best,
        }
    }

    /// What was packed, less and less of it until it keeps the budget.
    fn shrunk(
        &mut self,
        mut packed: Vec<Filled>,
        budget: usize,
    ) -> Option<(String, usize, Vec<Filled>)> {
        while packed.iter().any(|filled| !filled.is_empty()) {
            let text = self.render(&packed);
            let tokens = self.pieces.count(&text);
            if tokens <= budget {
                return Some((text, tokens, packed));
            }
            // What stands above several goes with the last of them: half as much may be enough.
            if !pack::shrink(&mut packed, (tokens - budget).div_ceil(2)) {
                break;
            }
        }
        None
    }

    /// With all that one source said side by side, where it is named once.
    fn packed(&mut self, sharp: &Sharpness, room: usize) -> Vec<Filled> {
        let mut packed = pack::pack(self.pieces, self.profile, sharp, room);
        for (tier, filled) in self.profile.tiers.iter().zip(&mut packed) {
            let mut order: BTreeMap<Option<String>, usize> = BTreeMap::new();
            for (at, pick) in filled.iter().enumerate() {
                order.entry(self.pieces.source(pick, tier.mark)).or_insert(at);
            }
            filled.sort_by_cached_key(|pick| order[&self.pieces.source(pick, tier.mark)]);
        }
        packed
    }

    /// What the fence costs without any memory. The footer cites the first one: they cost alike.
    fn around(&self) -> usize {
        let style = self.pieces.style;
        let is_cited = self.profile.tiers.iter().any(|tier| render::is_cited(style, tier.mark));
        let example = self.pieces.citations.first().filter(|_| is_cited);
        let example = example.map(|cite| format!("M:{cite}"));
        let text = render::whole(self.pieces.style, self.frame, &[], example.as_deref());
        self.pieces.count(&text)
    }

    fn render(&self, packed: &[Filled]) -> String {
        let tiers = self.profile.tiers.iter().zip(packed).filter(|(_, filled)| !filled.is_empty());
        let sections: Vec<Section<'_>> = tiers
            .map(|(tier, filled)| {
                let piece = |pick: &pack::Pick| {
                    let piece = self.pieces.get(pick.offer, tier.mark, pick.way().level);
                    (self.pieces.source(pick, tier.mark), piece.text.as_str())
                };
                Section { tier, pieces: filled.iter().map(piece).collect() }
            })
            .collect();
        let shown = self.shown(packed);
        let citable = shown.iter().find(|memory| {
            memory.level != Level::Index && render::is_cited(self.pieces.style, memory.mark)
        });
        let example = citable.map(|memory| format!("{}:{}", memory.mark.letter(), memory.citation));
        render::whole(self.pieces.style, self.frame, &sections, example.as_deref())
    }

    fn shown(&self, packed: &[Filled]) -> Vec<Shown> {
        let mut shown = Vec::new();
        for (tier, filled) in self.profile.tiers.iter().zip(packed) {
            shown.extend(filled.iter().map(|pick| Shown {
                id: self.pieces.offers[pick.offer].id.clone(),
                citation: self.pieces.citations[pick.offer].clone(),
                mark: tier.mark,
                level: pick.way().level,
                tier: tier.name.clone(),
                tokens: pick.way().tokens,
            }));
        }
        shown
    }
}
