//! The formula: relevance, recency and usage, weighted, times what the tier is worth.
//!
//! `base = 0.4·meaning + 0.2·words + 0.2·recency + 0.2·usage`, then `× {mandate 2, guardrail 1.5,
//! reference 1}`. Where the weights adapt, meaning and words share their 0.6 differently. What else adds
//! to a score or takes from it has a file of its own: the time asked about, the age of an episode.

use crate::candidate::Candidate;
use crate::explanation::{Factor, Part};
use crate::{Question, Weights};
use mnemic_model::{Tier, Timestamp, Usage};
use mnemic_store::Glance;

const MICROS_PER_DAY: f64 = 86_400e6;

/// Days between two times, never less than none.
pub(crate) fn days_between(earlier: Timestamp, later: Timestamp) -> f64 {
    ((later.micros() - earlier.micros()) as f64 / MICROS_PER_DAY).max(0.0)
}

/// `0.5^(days / half-life)`.
pub(crate) fn recency(days: f64, half_life: f64) -> f64 {
    0.5_f64.powf(days / half_life)
}

/// A half for what was never loaded; more for what is cited when loaded, and helps when cited.
pub(crate) fn usage(usage: &Usage) -> f64 {
    if usage.loaded == 0 {
        return 0.5;
    }
    let share = |part: u64, whole: u64| match whole {
        0 => 0.0,
        _ => (part as f64 / whole as f64).min(1.0),
    };
    0.5 + 0.3 * share(usage.referenced, usage.loaded)
        + 0.2 * share(usage.succeeded, usage.referenced)
}

pub(crate) fn tier_factor(weights: &Weights, tier: Tier) -> f64 {
    match tier {
        Tier::Mandate => weights.mandate,
        Tier::Guardrail => weights.guardrail,
        Tier::Reference | Tier::Archive => weights.reference,
    }
}

/// The parts that do not depend on the question's words.
pub(crate) fn standing(candidate: &Candidate, question: &Question) -> Vec<Part> {
    let Question { weights, switches, .. } = question;
    let glance = &candidate.glance;
    let mut parts = Vec::new();
    if switches.recency {
        let days = idle_days(glance, question);
        let half_life = match glance.tier {
            Tier::Mandate => weights.half_life_mandate,
            _ => weights.half_life,
        };
        let value = recency(days, half_life);
        parts.push(Part { name: "recency", raw: days, value, weight: weights.recency });
    }
    if switches.usage {
        let value = usage(&glance.usage);
        let raw = glance.usage.loaded as f64;
        parts.push(Part { name: "usage", raw, value, weight: weights.usage });
    }
    parts
}

/// Days since a memory was last used or came in. Being shown is no use: whatever stood beside an
/// answer once would come before what answers the next question. What lies in the archive was not
/// used for a whole window when it was put there, and being put there is no use either: otherwise
/// what nobody ever asked for would come before what somebody did.
fn idle_days(glance: &Glance, question: &Question) -> f64 {
    let used = glance.usage.last_used.filter(|_| glance.usage.referenced > 0);
    let since = used.unwrap_or(glance.recorded_at);
    let days = days_between(since, question.now);
    match (glance.tier, used) {
        (Tier::Archive, None) => days.max(question.weights.reference_window_days),
        _ => days,
    }
}

pub(crate) fn factors(candidate: &Candidate, question: &Question) -> Vec<Factor> {
    if !question.switches.tiers {
        return Vec::new();
    }
    let tier = candidate.glance.tier;
    vec![Factor { name: tier.as_str(), value: tier_factor(&question.weights, tier) }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recency_halves_with_each_half_life() {
        assert!((recency(0.0, 7.0) - 1.0).abs() < 1e-12);
        assert!((recency(7.0, 7.0) - 0.5).abs() < 1e-12);
        assert!((recency(30.0, 30.0) - 0.5).abs() < 1e-12);
        assert!((recency(14.0, 7.0) - 0.25).abs() < 1e-12);
    }

    #[test]
    fn usage_by_the_book() {
        let counts = |loaded, referenced, succeeded| Usage {
            loaded,
            referenced,
            succeeded,
            ..Usage::default()
        };
        for (counts, expected) in [
            (counts(0, 0, 0), 0.5),
            (counts(0, 3, 3), 0.5),
            (counts(10, 0, 0), 0.5),
            (counts(10, 5, 0), 0.65),
            (counts(10, 5, 5), 0.85),
            (counts(10, 10, 10), 1.0),
            (counts(1, 9, 0), 0.8),
        ] {
            assert!((usage(&counts) - expected).abs() < 1e-12, "{counts:?}");
        }
    }
}
