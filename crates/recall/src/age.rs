//! How far from the time of the question something was lived through: of what answers alike, the one
//! nearer to it is more likely meant.
//!
//! `recency` goes by when a memory came in or was last used, which for a year of transcripts imported
//! at once is the same moment; this goes by when it happened. What is far follows what is found: where
//! it is spread over a year a month says nothing, where it is of this week a month is out of line.

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
    /// Days by which an episode loses half of the most.
    half_life: f64,
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
        let mut around = Around { times, half_life: question.weights.half_life_age };
        let days = candidates.iter().filter_map(|one| around.days_of(one)).collect();
        let far = question.weights.far_age * median(days);
        around.half_life = around.half_life.max(far);
        around
    }

    /// How many days off an episode is. What is known holds for as long as it is valid and does not age.
    fn days_of(&self, candidate: &Candidate) -> Option<f64> {
        let glance = &candidate.glance;
        (glance.kind == Kind::Episode).then(|| match candidate.tells_of_time {
            true => 0.0,
            false => self.days_to(glance.valid.from()),
        })
    }

    /// Days to the nearest of the times, in either direction; none within.
    fn days_to(&self, time: Timestamp) -> f64 {
        let to = |span: &Span| days_between(time, span.from).max(days_between(span.to, time));
        self.times.iter().map(to).fold(f64::INFINITY, f64::min)
    }
}

/// The lower of the two in the middle; none of nothing.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

/// Takes from an episode's score for its distance, and says how much.
pub(crate) fn cede(
    question: &Question,
    around: &Around,
    candidate: &Candidate,
    explanation: &mut Explanation,
) -> f64 {
    let days = around.days_of(candidate).filter(|days| question.switches.age && *days > 0.0);
    let Some(days) = days else { return 0.0 };
    let value = 1.0 - recency(days, around.half_life);
    let weight = -question.weights.age;
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
        Around { times, half_life: 14.0 }
    }

    #[test]
    fn the_median_of_two_is_the_lower_one() {
        for (values, expected) in
            [(&[][..], 0.0), (&[3.0], 3.0), (&[9.0, 1.0], 1.0), (&[9.0, 1.0, 2.0], 2.0)]
        {
            assert_eq!(median(values.to_vec()), expected, "{values:?}");
        }
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
