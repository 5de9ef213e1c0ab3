//! How much it says that something happened in the time that was asked about.

use crate::candidate::{Candidate, Channel};
use crate::explanation::Part;
use crate::understand::Span;
use mnemic_model::Timestamp;

/// How rare it can be at most. How many are found depends on how many are wanted, and the rest of a
/// score does not.
const RAREST: f64 = 0.01;

/// The share of what was found by what it says that also lies in the time asked about: so likely a
/// memory lies there that has nothing to do with the question. What lies ahead is spoken of before,
/// so that lying there says nothing.
pub(crate) fn share_by_chance(candidates: &[Candidate], asked: &[Span], now: Timestamp) -> f64 {
    if asked.iter().all(|span| span.from > now) {
        return 1.0;
    }
    let is_by_content = |one: &&Candidate| {
        [Channel::Meaning, Channel::Words].iter().any(|by| one.ranks.of(*by).is_some())
    };
    let found = candidates.iter().filter(is_by_content);
    let (mut inside, mut all) = (1.0, 2.0);
    for one in found {
        all += 1.0;
        inside += f64::from(u8::from(one.in_time));
    }
    f64::max(inside / all, RAREST)
}

/// What lying there adds. By the odds: that something is of last Tuesday says much in a store of
/// years, and that it is of this year says nothing in a store of months.
pub(crate) fn part(share: f64, weight: f64) -> Part {
    Part { name: "time", raw: share, value: share.recip().ln(), weight }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rarer_the_more_it_says() {
        let worth = |share| part(share, 0.1).product();
        assert!(worth(0.02) > 3.0 * worth(0.3));
        assert!(worth(0.99) < 0.002);
        let now = Timestamp::parse("2026-11-14T12:00:00Z").expect("a time");
        let span =
            |from: i64| Span { from: now.plus_seconds(from), to: now.plus_seconds(from + 60) };
        assert_eq!(share_by_chance(&[], &[span(60), span(-60)], now), 0.5);
        assert_eq!(share_by_chance(&[], &[span(60)], now), 1.0, "nothing has happened yet");
    }
}
