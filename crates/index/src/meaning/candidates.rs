//! The vectors worth comparing exactly: those with the best estimates so far.

/// A vector by segment and slot, with an estimate of its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) estimate: f32,
    pub(super) segment: u32,
    pub(super) slot: u32,
}

/// Collects a quarter more than are to be kept and then drops the worst, which is cheaper than
/// keeping order. The threshold rises each time, and with it grows what a scan passes by: with
/// twice as many, cells were looked into that nothing could come of.
///
/// Whether one may be found at all is asked only then, of many in a row: the answers lie somewhere
/// else in memory, and one does not wait for the other.
pub(super) struct Candidates<'a> {
    keep: usize,
    collected: Vec<Candidate>,
    /// So many of the first have been accepted.
    accepted: usize,
    threshold: f32,
    accept: &'a dyn Fn(&Candidate) -> bool,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(keep: usize, accept: &'a dyn Fn(&Candidate) -> bool) -> Candidates<'a> {
        let (collected, threshold) = (Vec::new(), f32::NEG_INFINITY);
        Candidates { keep, collected, accepted: 0, threshold, accept }
    }

    /// Only a candidate with an estimate above this will be kept.
    pub(super) fn threshold(&self) -> f32 {
        self.threshold
    }

    pub(super) fn add(&mut self, candidate: Candidate) {
        self.collected.push(candidate);
        if self.collected.len() > self.keep.saturating_add(self.keep / 4) {
            self.drop_worse();
        }
    }

    /// Leaves the best that are accepted; when there are enough of them, others must be better.
    fn drop_worse(&mut self) {
        let mut new = self.collected.split_off(self.accepted);
        new.retain(|candidate| (self.accept)(candidate));
        self.collected.append(&mut new);
        if self.collected.len() > self.keep && self.keep > 0 {
            let by_falling_estimate =
                |one: &Candidate, other: &Candidate| other.estimate.total_cmp(&one.estimate);
            let (_, worst, _) =
                self.collected.select_nth_unstable_by(self.keep - 1, by_falling_estimate);
            self.threshold = worst.estimate;
            self.collected.truncate(self.keep);
        }
        self.accepted = self.collected.len();
    }

    pub(super) fn finish(mut self) -> Vec<Candidate> {
        self.drop_worse();
        self.collected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_that_are_accepted_are_kept() {
        let even = |candidate: &Candidate| candidate.slot.is_multiple_of(2);
        let mut candidates = Candidates::new(3, &even);
        for slot in 0..100 {
            let estimate = (slot * 37 % 100) as f32;
            if estimate > candidates.threshold() {
                candidates.add(Candidate { estimate, segment: 0, slot });
            }
        }
        let mut kept: Vec<f32> = candidates.finish().iter().map(|kept| kept.estimate).collect();
        kept.sort_by(f32::total_cmp);
        assert_eq!(kept, [94.0, 96.0, 98.0]);
    }
}
