//! The whole way from offered memories to a text that keeps its budget, with an account of it.

use super::cite::citations;
use super::counts::Counts;
use super::level::Level;
use super::offer::Offer;
use super::pack::{self, Filled, suits};
use super::pieces::Pieces;
use super::profile::{Mark, Profile, Style};
use super::render::{self, Frame, Section};
use super::window::{Quality, Sharpness};
use mnemic_model::{Kind, RecordId, Trust};
use std::collections::BTreeMap;
use std::fmt;

/// The budget where neither profile nor caller names one: the tiers' own limits hold then.
const UNBOUND: usize = 1_000_000;

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
    /// The block alone, or with the shortest memory, costs more.
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

/// Chooses and renders what an agent should read now. The same offers, in whatever order, give the
/// same bytes.
pub fn assemble(profile: &Profile, offers: &[Offer], ask: &Ask, counts: &dyn Counts) -> Assembled {
    let sharp = Quality::at(ask.fullness.unwrap_or(0.0)).sharpness();
    let budget = sharp.budget(ask.budget.or(profile.budget).unwrap_or(UNBOUND));
    let (offers, mut left_out) = admitted(offers, &ask.trimmed);
    let names = citations(offers.iter().map(|offer| &offer.id));
    let cites: Vec<String> = offers.iter().map(|offer| names[&offer.id].clone()).collect();
    let cap = |offer: &Offer| ask.trimmed.get(&offer.id).copied().flatten();
    let caps = offers.iter().map(|offer| cap(offer).unwrap_or(Level::Full)).collect();
    let style = ask.style.unwrap_or(profile.style);
    let mut pieces = Pieces::new(style, &offers, &cites, caps, counts);
    let mut sheet = Sheet { pieces: &mut pieces, profile, frame: &ask.frame };
    let (text, tokens, packed) = sheet.fit(&sharp, budget).unwrap_or_default();
    let shown = sheet.shown(&packed);
    let suited = offers.iter().any(|offer| reason(offer, profile, &sharp) == LeftOut::NoRoom);
    let empty = match (shown.is_empty(), offers.is_empty()) {
        (false, _) => None,
        (_, true) => Some(Empty::NothingOffered),
        _ if suited => Some(Empty::TooSmall { budget }),
        _ => Some(Empty::NothingSuits),
    };
    let tiers = profile.tiers.iter().zip(&packed);
    let tiers = tiers.map(|(t, filled)| (t.name.clone(), pack::cost(&pieces, t, filled))).collect();
    for offer in &offers {
        if !shown.iter().any(|memory| memory.id == offer.id) {
            left_out.push((offer.id.clone(), reason(offer, profile, &sharp)));
        }
    }
    left_out.sort();
    Assembled { text, tokens, budget, tiers, shown, left_out, empty }
}

/// What may be shown at all, each record once.
fn admitted(
    offers: &[Offer],
    trimmed: &BTreeMap<RecordId, Option<Level>>,
) -> (Vec<Offer>, Vec<(RecordId, LeftOut)>) {
    let mut out = Vec::new();
    let mut admitted = Vec::new();
    for offer in once_each(offers) {
        match barred(&offer) {
            Some(why) => out.push((offer.id, why)),
            None if trimmed.get(&offer.id) == Some(&None) => out.push((offer.id, LeftOut::Trimmed)),
            None => admitted.push(offer),
        }
    }
    (admitted, out)
}

/// Of a record the latest version speaks, and all that is known about it counts. The order, by id,
/// does not depend on the caller's.
fn once_each(offers: &[Offer]) -> Vec<Offer> {
    let mut once: BTreeMap<&RecordId, Offer> = BTreeMap::new();
    let mut sorted: Vec<&Offer> = offers.iter().collect();
    sorted.sort_by(|a, b| {
        a.id.cmp(&b.id)
            .then(b.n.cmp(&a.n))
            .then_with(|| b.score().total_cmp(&a.score()))
            .then_with(|| a.texts.full.cmp(&b.texts.full))
            .then_with(|| format!("{a:?}").cmp(&format!("{b:?}")))
    });
    for offer in sorted {
        match once.get_mut(&offer.id) {
            None => _ = once.insert(&offer.id, offer.clone()),
            Some(kept) => {
                kept.score = kept.score().max(offer.score());
                kept.roles.extend(offer.roles.iter().copied());
                if kept.trust != Trust::Quarantined && offer.trust == Trust::Quarantined {
                    kept.trust = Trust::Quarantined;
                }
            }
        }
    }
    once.into_values().collect()
}

fn barred(offer: &Offer) -> Option<LeftOut> {
    let is_blank = |level| super::quote::quoted(offer.text(level), 8).is_empty();
    match offer {
        _ if offer.kind == Kind::Secret => Some(LeftOut::Secret),
        _ if offer.trust == Trust::Quarantined => Some(LeftOut::Quarantined),
        _ if Level::ALL.into_iter().any(is_blank) => Some(LeftOut::Blank),
        _ => None,
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
        let around = self.around();
        let room = budget.checked_sub(around)?;
        let mut packed = pack::pack(self.pieces, self.profile, sharp, room);
        while packed.iter().any(|filled| !filled.is_empty()) {
            let text = self.render(&packed);
            let tokens = self.pieces.count(&text);
            if tokens <= budget {
                return Some((text, tokens, packed));
            }
            if !pack::shrink(&mut packed, tokens - budget) {
                break;
            }
        }
        None
    }

    /// What the block costs without any memory. The footer cites the first one: they cost alike.
    fn around(&self) -> usize {
        let example = self.pieces.citations.first().map(|cite| format!("M:{cite}"));
        let text = render::whole(self.pieces.style, self.frame, &[], example.as_deref());
        self.pieces.count(&text)
    }

    fn render(&self, packed: &[Filled]) -> String {
        let tiers = self.profile.tiers.iter().zip(packed).filter(|(_, filled)| !filled.is_empty());
        let sections: Vec<Section<'_>> = tiers
            .map(|(tier, filled)| {
                let piece = |pick: &pack::Pick| {
                    self.pieces.get(pick.offer, tier.mark, pick.way().level).text.as_str()
                };
                Section { tier, pieces: filled.iter().map(piece).collect() }
            })
            .collect();
        let shown = self.shown(packed);
        let citable = shown.iter().find(|memory| memory.level != Level::Index);
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
