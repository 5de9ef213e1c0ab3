//! How far from the time of the question something was lived through: of what answers alike, the one
//! nearer to it is more likely meant.
//!
//! `recency` goes by when a memory came in or was last used, which for a year of transcripts imported
//! at once is the same moment; this goes by when it happened.

use crate::candidate::Candidate;
use crate::explanation::{Explanation, Part};
use crate::score::{days_between, recency};
use crate::understand::Span;
use crate::{Question, Understanding};
use mnemic_model::{Kind, Timestamp, Truth};

/// The time that a question is about: what it names, else the moment it is asked as of.
#[derive(Debug)]
pub(crate) struct Around(Vec<Span>);

impl Around {
    /// What lies ahead is spoken of before, so that its own time says nothing.
    pub(crate) fn of(question: &Question, understanding: &Understanding) -> Around {
        let now = match question.filter.at.truth {
            Truth::At(point) => point,
            Truth::Now | Truth::Whenever => question.now,
        };
        let named = understanding.times.iter().filter(|span| span.from <= now);
        Around(named.copied().chain([Span { from: now, to: now }]).collect())
    }

    /// Days to the nearest end, in either direction; none within.
    fn days_to(&self, time: Timestamp) -> f64 {
        let to = |span: &Span| days_between(time, span.from).max(days_between(span.to, time));
        self.0.iter().map(to).fold(f64::INFINITY, f64::min)
    }
}

/// Takes from an episode's score for its distance, half of the most by `half_life_age` days, and says
/// how much. What is known holds for as long as it is valid and loses nothing.
pub(crate) fn cede(
    question: &Question,
    around: &Around,
    candidate: &Candidate,
    explanation: &mut Explanation,
) -> f64 {
    let Question { weights, switches, .. } = question;
    let glance = &candidate.glance;
    if !switches.age || glance.kind != Kind::Episode {
        return 0.0;
    }
    let days = around.days_to(glance.valid.from());
    let value = 1.0 - recency(days, weights.half_life_age);
    explanation.parts.push(Part { name: "age", raw: days, value, weight: -weights.age });
    let before = explanation.score;
    explanation.score = explanation.sum();
    before - explanation.score
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(spans: &[(&str, &str)]) -> Around {
        let time = |text| Timestamp::parse(text).expect("a time");
        Around(spans.iter().map(|(from, to)| Span { from: time(from), to: time(to) }).collect())
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
