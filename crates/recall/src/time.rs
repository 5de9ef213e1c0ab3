//! How much it says that something happened in the time that was asked about.

use crate::candidate::Candidate;
use crate::explanation::Part;
use crate::understand::Span;
use mnemic_model::Timestamp;

/// How rare it can be at most. How many are found depends on how many are wanted, and the rest of a
/// score does not.
const RAREST: f64 = 0.01;

/// What being of the time asked about says of a memory.
pub(crate) struct Asked {
    /// The share of what was found by what it says that is also of that time: so likely a memory is of
    /// it that has nothing to do with the question.
    share: f64,
    /// Whether it lies ahead altogether. Then it is spoken of before, and who lies there is there by
    /// chance.
    is_ahead: bool,
}

impl Asked {
    pub(crate) fn of(candidates: &[Candidate], times: &[Span], now: Timestamp) -> Asked {
        let mut asked = Asked { share: 1.0, is_ahead: times.iter().all(|span| span.from > now) };
        let (mut inside, mut all) = (1.0, 2.0);
        for one in candidates.iter().filter(|one| one.is_found_by_content()) {
            all += 1.0;
            inside += f64::from(u8::from(asked.counts(one)));
        }
        asked.share = f64::max(inside / all, RAREST);
        asked
    }

    fn counts(&self, candidate: &Candidate) -> bool {
        candidate.tells_of_time || (candidate.in_time && !self.is_ahead)
    }

    /// By the odds: that something is of last Tuesday says much in a store of years, and that it is of
    /// this year says nothing in a store of months.
    fn worth(&self) -> f64 {
        self.share.recip().ln()
    }

    /// What being of that time adds.
    pub(crate) fn part(&self, candidate: &Candidate, weight: f64) -> Option<Part> {
        let name = if candidate.in_time { "time" } else { "told" };
        let (raw, value) = (self.share, self.worth());
        self.counts(candidate).then_some(Part { name, raw, value, weight })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rarer_the_more_it_says() {
        let worth = |share: f64| Asked { share, is_ahead: false }.worth() * 0.1;
        assert!(worth(0.02) > 3.0 * worth(0.3));
        assert!(worth(0.99) < 0.002);
    }

    #[test]
    fn what_lies_ahead_altogether_is_there_by_chance() {
        let now = Timestamp::parse("2026-11-14T12:00:00Z").expect("a time");
        let span =
            |from: i64| Span { from: now.plus_seconds(from), to: now.plus_seconds(from + 60) };
        assert!(!Asked::of(&[], &[span(60), span(-60)], now).is_ahead);
        assert!(Asked::of(&[], &[span(60)], now).is_ahead);
        assert_eq!(Asked::of(&[], &[span(-60)], now).share, 0.5);
    }
}
