//! What a memory claims, read so that it can be held against others: a fact as it is written and as
//! one would say it, so that `db.port = 5432` meets "the database port is 6000".

use super::world::claim;
use mnemic_model::Body;
use mnemic_text::contradict::{Judgement, Reading, judge_readings};
use mnemic_text::words::spelled;

/// A claim in all the ways in which it may be put; the first is its own.
#[derive(Debug)]
pub(super) struct Claimed(Vec<Reading>);

impl Claimed {
    pub(super) fn of(body: &Body) -> Claimed {
        let mut ways = vec![Reading::of(&claim(body))];
        // What holds within a part of the code is not what people speak of without naming it.
        if let Body::Fact(fact) = body
            && fact.within.is_empty()
            && let said = spelled(&fact.key)
            && said != fact.key
        {
            ways.push(Reading::of(&format!("{said} = {}", fact.value)));
        }
        Claimed(ways)
    }

    /// The weightiest that any way of putting the one is to any way of putting the other.
    pub(super) fn judge(&self, other: &Claimed) -> Judgement {
        let mut judged = judge_readings(&self.0[0], &other.0[0]);
        for (mine, theirs) in self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a, b))) {
            let next = judge_readings(mine, theirs);
            if next.outweighs(&judged) {
                judged = next;
            }
        }
        judged
    }
}
