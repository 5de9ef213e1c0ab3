//! The pack of a subagent or a new phase, which starts empty, and what stays behind as pointers.

use super::assemble::{Ask, assemble};
use super::assembled::Assembled;
use super::counts::Counts;
use super::offer::Offer;
use super::profile::Profiles;
use super::role::Situation;
use mnemic_model::{Invalid, Link, RecordId, Relation, Timestamp};
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

/// The records that these depend on: what they require, provide or affect, and what requires,
/// provides or affects them.
pub fn contracts(of: &BTreeSet<RecordId>, links: &[Link]) -> BTreeSet<RecordId> {
    let is_contract = |link: &&Link| {
        matches!(link.relation, Relation::Requires | Relation::Provides | Relation::Affects)
    };
    let mut found = BTreeSet::new();
    for Link { from, to, .. } in links.iter().filter(is_contract) {
        if of.contains(from) {
            found.insert(to.clone());
        }
        if of.contains(to) {
            found.insert(from.clone());
        }
    }
    found.retain(|id| !of.contains(id));
    found
}

impl Segment {
    /// The work at hand for the one who begins: decisions on any of its contracts are decisions here.
    pub fn situation(&self, now: Timestamp) -> Situation {
        let names = [&self.requires, &self.provides, &self.affects];
        let files = names.into_iter().flatten().cloned().collect();
        Situation { now, files, task: Some(self.task.clone()) }
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::tests::sample::{time, version};
    use crate::context::{Role, roles};
    use mnemic_model::{ChangeId, Interval, Unit};
    use serde_json::json;

    fn id(text: &str) -> RecordId {
        RecordId::parse(text).unwrap()
    }

    fn link(from: &str, relation: Relation, to: &str) -> Link {
        let since = Interval::since(time("2026-03-01T08:00:00Z"));
        Link {
            from: id(from),
            to: id(to),
            relation,
            strength: Unit::ONE,
            valid: since,
            recorded: since,
            change: ChangeId("change-1".into()),
        }
    }

    #[test]
    fn contracts_are_found_along_links_of_both_directions() {
        let links = [
            link("task", Relation::Requires, "api"),
            link("schema", Relation::Affects, "task"),
            link("task", Relation::RelatedTo, "lunch"),
            link("task", Relation::Provides, "task"),
            link("other", Relation::Requires, "far"),
        ];
        let found = contracts(&BTreeSet::from([id("task")]), &links);
        assert_eq!(found, BTreeSet::from([id("api"), id("schema")]));
    }

    #[test]
    fn decisions_on_its_contracts_are_at_hand() {
        let segment = Segment { requires: vec!["store api".into()], ..Segment::default() };
        let situation = segment.situation(time("2026-03-10T12:00:00Z"));
        let decision = |affects: &str| {
            let body = json!({"kind": "decision", "decision": "d", "affects": [affects]});
            roles(&version("dec-1", body), &situation).contains(&Role::DecisionHere)
        };
        assert!(decision("store api"));
        assert!(!decision("store"));
    }
}
