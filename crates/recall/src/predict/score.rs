//! Adds up what speaks for a thing to the logarithm of odds, and says from what.

use super::hints::Hint;
use super::prediction::Reason;
use super::weights::WEIGHTS;
use crate::Part;
use mnemic_model::session::Thing;

/// The odds that everything begins with.
pub(crate) fn prior() -> Reason {
    alone("prior", 1.0, 1.0, WEIGHTS.prior)
}

fn alone(name: &'static str, raw: f64, value: f64, weight: f64) -> Reason {
    Reason { part: Part { name, raw, value, weight }, signal: None }
}

/// The terms that say something, the prior first.
pub(crate) fn reasons(hint: &Hint, voices: &[(&Thing, f64)], late: f64) -> Vec<Reason> {
    let mut reasons = vec![prior(), alone("late", late, late, WEIGHTS.late)];
    reasons.extend(by_signal("together", WEIGHTS.together, &hint.together, voices));
    reasons.extend(by_signal("often", WEIGHTS.often, &hint.often, voices));
    let activation = steps(hint.activation, 0.005);
    reasons.extend([
        alone("activation", hint.activation, activation, WEIGHTS.activation),
        alone("recency", hint.recency, steps(hint.recency, 0.02), WEIGHTS.recency),
        alone("place", hint.place, hint.place, WEIGHTS.place),
        alone("name", hint.name, hint.name, WEIGHTS.name),
    ]);
    reasons.retain(|reason| reason.part.value > 0.0);
    reasons
}

/// One reason a signal: the value of all signals' mean, shared out by what each gave to it.
fn by_signal(
    name: &'static str,
    weight: f64,
    shares: &[f64],
    voices: &[(&Thing, f64)],
) -> Vec<Reason> {
    let all: f64 = voices.iter().map(|(_, voice)| voice).sum();
    let sum: f64 = shares.iter().zip(voices).map(|(share, (_, voice))| share * voice).sum();
    if sum <= 0.0 {
        return Vec::new();
    }
    let value = steps(sum / all, 0.01);
    let reason = |(raw, (signal, voice)): (&f64, &(&Thing, f64))| Reason {
        part: Part { name, raw: *raw, value: value * raw * voice / sum, weight },
        signal: Some((*signal).clone()),
    };
    shares.iter().zip(voices).map(reason).collect()
}

/// A share as a value of 0..1 that grows with its logarithm: from 1 % to 2 % is about as much as
/// from 20 % to 40 %. Shares far below `least` count as none.
fn steps(share: f64, least: f64) -> f64 {
    (share.clamp(0.0, 1.0) / least).ln_1p() / least.recip().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_run_from_none_to_all() {
        assert_eq!(steps(0.0, 0.01), 0.0);
        assert_eq!(steps(1.0, 0.01), 1.0);
        assert_eq!(steps(7.0, 0.01), 1.0);
        let doubled = |share: f64| steps(2.0 * share, 0.01) - steps(share, 0.01);
        assert!((doubled(0.2) / doubled(0.4) - 1.0).abs() < 0.05);
    }

    #[test]
    fn signals_share_the_value_by_what_they_gave() {
        let (one, other) = (Thing::file("one"), Thing::file("other"));
        let reasons = by_signal("often", 2.0, &[0.6, 0.2], &[(&one, 1.0), (&other, 1.0)]);
        let values: Vec<f64> = reasons.iter().map(|reason| reason.part.value).collect();
        assert!((values.iter().sum::<f64>() - steps(0.4, 0.01)).abs() < 1e-12);
        assert!((values[0] / values[1] - 3.0).abs() < 1e-9);
        assert!(by_signal("often", 2.0, &[0.0], &[(&one, 0.0)]).is_empty());
    }
}
