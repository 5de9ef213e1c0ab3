//! The pack of a subagent or a new phase, which starts empty, and what stays behind as pointers.

use super::assemble::{Ask, assemble};
use super::assembled::Assembled;
use super::counts::Counts;
use super::offer::Offer;
use super::profile::Profiles;
use mnemic_model::Invalid;
use std::collections::BTreeSet;

/// A piece of work that somebody else will do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Segment {
    pub task: String,
    /// Contracts, by the names that people give them.
    pub requires: Vec<String>,
    pub provides: Vec<String>,
    pub affects: Vec<String>,
}

/// What each side reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Handout {
    /// For the one who begins: the task stands above the fence, in the caller's words.
    pub pack: Assembled,
    /// For the one who handed it out: pointers to what went along.
    pub pointers: Assembled,
}

/// Packs what a segment depends on. Offers that the segment's links reach carry the role
/// [`Role::Contract`](super::Role); everything else tells its role by itself.
pub fn hand_out(
    segment: &Segment,
    profiles: &Profiles,
    offers: &[Offer],
    ask: &Ask,
    counts: &dyn Counts,
) -> Result<Handout, Invalid> {
    let mut inner = ask.clone();
    inner.frame.above.extend(segment.lines());
    let pack = assemble(profiles.choose("fresh", None)?, offers, &inner, counts);
    let shown: BTreeSet<_> = pack.shown.iter().map(|memory| &memory.id).collect();
    let kept: Vec<Offer> =
        offers.iter().filter(|offer| shown.contains(&offer.id)).cloned().collect();
    let outer = Ask { style: ask.style, ..Ask::default() };
    let pointers = assemble(profiles.choose("pointers", None)?, &kept, &outer, counts);
    Ok(Handout { pack, pointers })
}

impl Segment {
    fn lines(&self) -> Vec<(String, String)> {
        let joined = |names: &[String]| names.join(", ");
        let lines = [
            ("Task", self.task.clone()),
            ("Requires", joined(&self.requires)),
            ("Provides", joined(&self.provides)),
            ("Affects", joined(&self.affects)),
        ];
        lines.map(|(label, value)| (label.to_owned(), value)).into()
    }
}
