//! What is said: a thing that will be needed, how sure that is, and why.

use crate::Part;
use mnemic_model::session::Thing;

/// One term of a prediction's score.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    pub part: Part,
    /// The signal that it comes from, where it comes from one.
    pub signal: Option<Thing>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    pub thing: Thing,
    /// The chance that the session will use it, 0..1.
    pub confidence: f64,
    /// The logarithm of its odds.
    pub score: f64,
    /// The products of these parts add up to the score.
    pub because: Vec<Reason>,
}

impl Prediction {
    pub(crate) fn new(thing: Thing, because: Vec<Reason>) -> Prediction {
        let score = because.iter().map(|reason| reason.part.product()).sum();
        Prediction { thing, confidence: chance(score), score, because }
    }

    /// One more thing that speaks for it; a second of the same name says nothing new.
    pub(crate) fn add(&mut self, reason: Reason) {
        if self.because.iter().any(|known| known.part.name == reason.part.name) {
            return;
        }
        self.score += reason.part.product();
        self.confidence = chance(self.score);
        self.because.push(reason);
    }
}

fn chance(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_odds_are_a_half() {
        for (score, expected) in [(0.0, 0.5), (f64::ln(3.0), 0.75), (-1e9, 0.0), (1e9, 1.0)] {
            assert!((chance(score) - expected).abs() < 1e-12, "{score}");
        }
    }
}
