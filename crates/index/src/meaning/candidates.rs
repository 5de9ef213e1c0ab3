//! The vectors worth comparing exactly: those with the best estimates so far.

/// A vector by segment and slot, with an estimate of its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) estimate: f32,
    pub(super) segment: u32,
    pub(super) slot: u32,
}

/// Collects up to twice as many as are to be kept and then drops the worse half, which is
/// cheaper than keeping order and raises the threshold soon enough.
pub(super) struct Candidates {
    keep: usize,
    collected: Vec<Candidate>,
    threshold: f32,
}

impl Candidates {
    pub(super) fn new(keep: usize) -> Candidates {
        Candidates { keep, collected: Vec::new(), threshold: f32::NEG_INFINITY }
    }

    /// Only a candidate with an estimate above this will be kept.
    pub(super) fn threshold(&self) -> f32 {
        self.threshold
    }

    pub(super) fn add(&mut self, candidate: Candidate) {
        self.collected.push(candidate);
        if self.collected.len() >= self.keep.saturating_mul(2) {
            self.drop_worse();
        }
    }

    fn drop_worse(&mut self) {
        if self.collected.len() <= self.keep || self.keep == 0 {
            return;
        }
        let by_falling_estimate =
            |one: &Candidate, other: &Candidate| other.estimate.total_cmp(&one.estimate);
        let (_, worst, _) =
            self.collected.select_nth_unstable_by(self.keep - 1, by_falling_estimate);
        self.threshold = worst.estimate;
        self.collected.truncate(self.keep);
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
    fn the_best_are_kept() {
        let mut candidates = Candidates::new(3);
        for slot in 0..100 {
            let estimate = (slot * 37 % 100) as f32;
            if estimate > candidates.threshold() {
                candidates.add(Candidate { estimate, segment: 0, slot });
            }
        }
        let mut kept: Vec<f32> = candidates.finish().iter().map(|kept| kept.estimate).collect();
        kept.sort_by(f32::total_cmp);
        assert_eq!(kept, [97.0, 98.0, 99.0]);
    }
}
