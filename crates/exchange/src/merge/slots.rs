//! One slot that several records want: who holds it when.

use super::copies;
use super::view::Said;
use mnemic_model::slot::{Fate, settle};
use mnemic_model::{Content, Interval, Kind, RecordId};
use std::collections::BTreeMap;

/// How a slot is shared out.
#[derive(Debug, Default)]
pub(super) struct Settled {
    /// What each says now; `None` has no time left.
    pub(super) now: BTreeMap<RecordId, Option<Content>>,
    /// Values that go on after an interruption: of which record, as which, saying what.
    pub(super) resumed: Vec<(RecordId, RecordId, Content)>,
    /// Pairs that gave different values for the same time.
    pub(super) disputed: Vec<(RecordId, RecordId)>,
}

/// Lets them in by the time from which they hold, as if one person had told them in that order.
pub(super) fn settle_room(said: &BTreeMap<RecordId, Said<'_>>, ids: &[RecordId]) -> Settled {
    let mut order: Vec<&RecordId> = ids.iter().collect();
    order.sort_by_key(|id| (said[*id].content.valid.from(), said[*id].stamp, *id));
    let mut settled = Settled::default();
    let mut held: Vec<(RecordId, Content)> = Vec::new();
    for id in order.iter().copied() {
        let content = &said[id].content;
        let intervals: Vec<Interval> = held.iter().map(|(_, held)| held.valid).collect();
        // A newcomer begins at or after all others, so an open one never has to give way.
        let Ok(plan) = settle(&intervals, content.valid) else { continue };
        let mut next = Vec::new();
        for ((old, before), fate) in held.into_iter().zip(plan.fates) {
            let during =
                |from, to| Interval::new(from, to).ok().map(|valid| before.valid_during(valid));
            let valid = before.valid;
            let left = match fate {
                Fate::Stays => Some(before.clone()),
                Fate::EndsAt(end) => during(valid.from(), Some(end)),
                Fate::BeginsAt(begin) => during(begin, valid.to()),
                Fate::Displaced => None,
                Fate::Split(end, again) => {
                    if let Some(rest) = during(again, valid.to()) {
                        let id = copies::resumed(rest.kind(), &old, again);
                        settled.resumed.push((old.clone(), id.clone(), rest.clone()));
                        next.push((id, rest));
                    }
                    during(valid.from(), Some(end))
                }
            };
            if let Some(left) = left {
                next.push((old, left));
            }
        }
        next.push((id.clone(), content.valid_during(plan.newcomer)));
        held = next;
    }
    disputes(said, &order, &mut settled);
    finish(ids, held, settled)
}

fn disputes(said: &BTreeMap<RecordId, Said<'_>>, order: &[&RecordId], settled: &mut Settled) {
    for (at, a) in order.iter().enumerate() {
        let first = &said[*a].content;
        if first.kind() != Kind::Fact && first.kind() != Kind::Block {
            return;
        }
        for b in &order[at + 1..] {
            let second = &said[*b].content;
            if first.valid.to().is_some_and(|end| second.valid.from() >= end) {
                break;
            }
            if first.body != second.body {
                settled.disputed.push(((*a).clone(), (*b).clone()));
            }
        }
    }
}

fn finish(ids: &[RecordId], held: Vec<(RecordId, Content)>, mut settled: Settled) -> Settled {
    let mut held: BTreeMap<RecordId, Content> = held.into_iter().collect();
    settled.resumed.retain_mut(|(_, id, content)| match held.get(id) {
        Some(now) => {
            content.clone_from(now);
            true
        }
        None => false,
    });
    settled.now = ids.iter().map(|id| (id.clone(), held.remove(id))).collect();
    settled
}
