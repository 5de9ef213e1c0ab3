//! Where the weights come from: logistic regression over the parts of every candidate.

use super::replay::{Case, SHOWN};
use mnemic_engine::recall::predict::Prediction;

/// The first two are the same for all candidates of a case.
pub(super) const PARTS: [&str; 8] =
    ["prior", "late", "together", "often", "activation", "recency", "place", "name"];
const SIZE: usize = PARTS.len();
type Values = [f64; SIZE];

/// Keeps the weights finite where parts say the same.
const RIDGE: f64 = 0.01;
/// Newton's steps are cut to this length: from far away the full step overshoots.
const LONGEST_STEP: f64 = 1.5;
/// What all works of a set count for together, so that each set counts the same.
const SET: f64 = 500.0;

struct Sample {
    values: Values,
    came: f64,
    weight: f64,
}

/// The weights under which what came was likeliest, over the sets together.
///
/// Only the first few of each case are ever shown, and the best of many look better than they are:
/// a second fit over those alone sets the scale of all weights, which leaves their order as it is.
pub(super) fn fit(sets: &[Vec<Vec<&Case>>]) -> Values {
    let cases: Vec<Vec<Sample>> = sets.iter().flat_map(|works| of_set(works)).collect();
    let order = newton(&cases.iter().flatten().collect::<Vec<_>>());
    let shown: Vec<Sample> = cases.into_iter().flat_map(|case| first(case, &order)).collect();
    let [prior, late, scale, ..] = newton(&shown.iter().collect::<Vec<_>>());
    let mut weights = order.map(|weight| weight * scale);
    (weights[0], weights[1]) = (prior, late);
    weights
}

/// The first few of a case, with the sum of all parts that tell one from another as one part.
fn first(mut case: Vec<Sample>, weights: &Values) -> Vec<Sample> {
    for Sample { values, .. } in &mut case {
        let sum = values.iter().zip(weights).skip(2).map(|(value, weight)| value * weight).sum();
        values[2..].fill(0.0);
        values[2] = sum;
    }
    case.sort_by(|a, b| b.values[2].total_cmp(&a.values[2]));
    case.truncate(SHOWN);
    case
}

fn newton(samples: &[&Sample]) -> Values {
    let mut weights = [0.0; SIZE];
    weights[0] = -4.0;
    for _ in 0..50 {
        let step = step(samples, &weights);
        let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
        let cut = (LONGEST_STEP / longest).min(1.0);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += cut * step);
        if longest < 1e-6 {
            break;
        }
    }
    weights
}

/// The candidates of each case. A work counts the same however many cases it has.
fn of_set(works: &[Vec<&Case>]) -> Vec<Vec<Sample>> {
    let mut cases = Vec::new();
    for work in works {
        let weight = SET / works.len() as f64 / work.len() as f64;
        let sample = |(prediction, came): &(Prediction, bool)| Sample {
            values: values(prediction),
            came: f64::from(u8::from(*came)),
            weight,
        };
        cases.extend(work.iter().map(|case| case.candidates.iter().map(sample).collect()));
    }
    cases
}

fn values(prediction: &Prediction) -> Values {
    PARTS.map(|name| {
        let parts = prediction.because.iter().map(|reason| &reason.part);
        parts.filter(|part| part.name == name).map(|part| part.value).sum()
    })
}

/// Newton's step: the gradient of the likelihood through its curvature.
fn step(samples: &[&Sample], weights: &Values) -> Values {
    let mut gradient: Values = weights.map(|weight| -RIDGE * weight);
    let mut curvature = [[0.0; SIZE]; SIZE];
    for (part, row) in curvature.iter_mut().enumerate() {
        row[part] = RIDGE;
    }
    for Sample { values, came, weight } in samples {
        let score: f64 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        let chance = 1.0 / (1.0 + (-score).exp());
        for (part, value) in values.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            gradient[part] += weight * (came - chance) * value;
            let bend = weight * chance * (1.0 - chance) * value;
            curvature[part].iter_mut().zip(values).for_each(|(sum, other)| *sum += bend * other);
        }
    }
    solve(curvature, gradient)
}

/// Gauss's elimination. The matrix has no negative direction and a ridge, so no pivot is zero.
fn solve(mut matrix: [Values; SIZE], mut right: Values) -> Values {
    for pivot in 0..SIZE {
        let row = matrix[pivot];
        for below in pivot + 1..SIZE {
            let factor = matrix[below][pivot] / row[pivot];
            matrix[below].iter_mut().zip(row).for_each(|(cell, above)| *cell -= factor * above);
            right[below] -= factor * right[pivot];
        }
    }
    for pivot in (0..SIZE).rev() {
        let known: f64 =
            (pivot + 1..SIZE).map(|column| matrix[pivot][column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_a_known_law_are_found() {
        let law: Values = [-2.0, 3.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5];
        let mut samples = Vec::new();
        for code in 0..128_u32 {
            let mut values = [1.0; SIZE];
            (1..SIZE).for_each(|part| values[part] = f64::from(code >> (part - 1) & 1));
            let score: f64 = values.iter().zip(law).map(|(value, weight)| value * weight).sum();
            let chance = 1.0 / (1.0 + (-score).exp());
            samples.push(Sample { values, came: 1.0, weight: 100.0 * chance });
            samples.push(Sample { values, came: 0.0, weight: 100.0 * (1.0 - chance) });
        }
        let weights = newton(&samples.iter().collect::<Vec<_>>());
        for (found, expected) in weights.iter().zip(law) {
            assert!((found - expected).abs() < 0.01, "{weights:?}");
        }
    }
}
