//! Which of the offered memories may be shown at all, each record and each text once.

use super::assembled::LeftOut;
use super::level::Level;
use super::offer::Offer;
use super::quote::quoted;
use super::role::Role;
use mnemic_model::{Digest, Kind, RecordId, Trust};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

/// What is admitted, by id whatever the caller's order, and why the others are not. `trimmed` says
/// what was taken out before.
pub(super) fn admit(
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
    let repeated = repeated(&admitted);
    admitted.retain(|offer| !repeated.contains(&offer.id));
    out.extend(repeated.into_iter().map(|id| (id, LeftOut::Repeated)));
    (admitted, out)
}

/// Of a record the latest version speaks, and all that is known about it counts: the best score,
/// every role, the least trust.
fn once_each(offers: &[Offer]) -> Vec<Offer> {
    let mut sorted: Vec<&Offer> = offers.iter().collect();
    sorted.sort_by(|a, b| a.id.cmp(&b.id).then_with(|| later_first(a, b)));
    let mut once: Vec<Offer> = Vec::new();
    for offer in sorted {
        match once.last_mut().filter(|kept| kept.id == offer.id) {
            None => once.push(offer.clone()),
            Some(kept) => {
                kept.score = kept.score().max(offer.score());
                kept.roles.extend(offer.roles.iter().copied());
                kept.trust = kept.trust.max(offer.trust);
            }
        }
    }
    once
}

/// Of two offers of one version all that differs decides, so that their order does not.
fn later_first(a: &Offer, b: &Offer) -> Ordering {
    let by_all = || format!("{a:?}").cmp(&format!("{b:?}"));
    b.n.cmp(&a.n).then_with(|| b.score().total_cmp(&a.score())).then_with(by_all)
}

fn barred(offer: &Offer) -> Option<LeftOut> {
    let is_blank = |level| quoted(offer.text(level), 8).is_empty();
    match offer {
        _ if offer.kind == Kind::Secret => Some(LeftOut::Secret),
        _ if offer.trust == Trust::Quarantined => Some(LeftOut::Quarantined),
        _ if Level::ALL.into_iter().any(is_blank) => Some(LeftOut::Blank),
        _ => None,
    }
}

/// Memories that say to the letter what another one says with more weight. Nothing passes over from
/// one to the other: a copy must not lend a text its place.
fn repeated(offers: &[Offer]) -> BTreeSet<RecordId> {
    let weight = |offer: &Offer| {
        let score = (offer.score() * 1e6) as u64;
        let is_gotcha = offer.roles.contains(&Role::Gotcha);
        (offer.is_vouched_for(), Reverse(offer.tier), is_gotcha, score, Reverse(offer.id.clone()))
    };
    let mut best: BTreeMap<Digest, &Offer> = BTreeMap::new();
    let mut repeated = BTreeSet::new();
    for offer in offers {
        let text = Digest::of("text", [offer.texts.full.trim().as_bytes()]);
        let Some(other) = best.insert(text, offer) else { continue };
        let (more, less) =
            if weight(other) > weight(offer) { (other, offer) } else { (offer, other) };
        best.insert(text, more);
        repeated.insert(less.id.clone());
    }
    repeated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::tests::sample::fact;

    fn ids(offers: &[Offer]) -> Vec<&str> {
        offers.iter().map(|offer| offer.id.as_str()).collect()
    }

    #[test]
    fn of_equal_texts_the_weightiest_stays_as_it_is() {
        let mut copy = fact("fact-1", 0.9, "port 5432");
        copy.trust = Trust::Unreviewed;
        copy.roles.insert(Role::Gotcha);
        let own = fact("fact-2", 0.3, " port 5432\n");
        let other = fact("fact-3", 0.1, "port 5433");
        let (admitted, out) = admit(&[copy, own, other], &BTreeMap::new());
        assert_eq!(ids(&admitted), ["fact-2", "fact-3"]);
        assert!(!admitted[0].roles.contains(&Role::Gotcha));
        assert_eq!(out, [(RecordId::parse("fact-1").unwrap(), LeftOut::Repeated)]);
    }

    #[test]
    fn one_doubt_about_a_record_is_enough() {
        let plain = fact("fact-1", 0.9, "x");
        let mut doubted = fact("fact-1", 0.1, "x");
        doubted.trust = Trust::Quarantined;
        let (admitted, out) = admit(&[plain, doubted], &BTreeMap::new());
        assert!(admitted.is_empty());
        assert_eq!(out[0].1, LeftOut::Quarantined);
    }

    #[test]
    fn what_cannot_be_seen_is_blank() {
        let (admitted, out) = admit(&[fact("fact-1", 0.9, "\u{200b} \u{e0041}")], &BTreeMap::new());
        assert!(admitted.is_empty());
        assert_eq!(out[0].1, LeftOut::Blank);
    }
}
