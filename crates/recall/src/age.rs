//! How far from the time of the question something was lived through: of what answers alike, the one
//! nearer to it is more likely meant.
//!
//! `recency` goes by when a memory came in or was last used, which for a year of transcripts imported
//! at once is the same moment; this goes by when it happened. What is captured as it happens ages by
//! both.

use crate::candidate::Candidate;
use crate::explanation::{Explanation, Part};
use crate::score::{days_between, recency};
use crate::understand::Span;
use crate::{Question, Understanding};
use mnemic_model::{Kind, Timestamp, Truth};

/// The times that a question is about: those that it names, and the moment it is asked as of, for what
/// happened then is also spoken of later.
#[derive(Debug)]
pub(crate) struct Around {
    times: Vec<Span>,
    /// What the nearest episode of all would lose.
    least: f64,
}

impl Around {
    /// What lies ahead is spoken of before, so that its own time says nothing.
    pub(crate) fn of(
        question: &Question,
        understanding: &Understanding,
        candidates: &[Candidate],
    ) -> Around {
        let now = match question.filter.at.truth {
            Truth::At(point) => point,
            Truth::Now | Truth::Whenever => question.now,
        };
        let named = understanding.times.iter().filter(|span| span.from <= now);
        let times = named.copied().chain([Span { from: now, to: now }]).collect();
        let mut around = Around { times, least: 0.0 };
        let lost = candidates.iter().filter_map(|one| Some(around.lost(question, one)?.1));
        around.least = lost.reduce(f64::min).unwrap_or_default();
        around
    }

    /// Days to the nearest of them, in either direction; none within.
    fn days_to(&self, time: Timestamp) -> f64 {
        let to = |span: &Span| days_between(time, span.from).max(days_between(span.to, time));
        self.times.iter().map(to).fold(f64::INFINITY, f64::min)
    }

    /// How many days off an episode is, and what share of the most it would lose for that. What is known
    /// holds for as long as it is valid and does not age.
    fn lost(&self, question: &Question, candidate: &Candidate) -> Option<(f64, f64)> {
        let glance = &candidate.glance;
        let days = (glance.kind == Kind::Episode).then(|| self.days_to(glance.valid.from()))?;
        Some((days, 1.0 - recency(days, question.weights.half_life_age)))
    }
}

/// Takes from an episode's score what it loses more than the nearest of all, so that a store where
/// nothing is new ranks as ever, and says how much.
pub(crate) fn cede(
    question: &Question,
    around: &Around,
    candidate: &Candidate,
    explanation: &mut Explanation,
) -> f64 {
    let lost = around.lost(question, candidate).filter(|_| question.switches.age);
    let Some((days, lost)) = lost.filter(|(_, lost)| *lost > around.least) else { return 0.0 };
    let (value, weight) = (lost - around.least, -question.weights.age);
    explanation.parts.push(Part { name: "age", raw: days, value, weight });
    let before = explanation.score;
    explanation.score = explanation.sum();
    before - explanation.score
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(spans: &[(&str, &str)]) -> Around {
        let time = |text| Timestamp::parse(text).expect("a time");
        let times =
            spans.iter().map(|(from, to)| Span { from: time(from), to: time(to) }).collect();
        Around { times, least: 0.0 }
    }

    #[test]
    fn days_go_to_the_nearest_time_that_is_named() {
        let march = ("2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z");
        let may = ("2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z");
        for (spans, time, expected) in [
            (&[march][..], "2026-03-09T12:00:00Z", 0.0),
            (&[march], "2026-02-27T00:00:00Z", 2.0),
            (&[march], "2026-04-11T00:00:00Z", 10.0),
            (&[march, may], "2026-04-21T00:00:00Z", 10.0),
        ] {
            let days = around(spans).days_to(Timestamp::parse(time).expect("a time"));
            assert!((days - expected).abs() < 1e-9, "{time}: {days}");
        }
    }
}
