//! Maximal marginal relevance: a second memory that says the same gives its place to another.

/// The order in which to show: each next one is good and unlike those before. `similarity` is
/// between 0 and 1; `keep` is how much the score counts against it.
pub(crate) fn diverse(
    scores: &[f64],
    similarity: &dyn Fn(usize, usize) -> f64,
    keep: f64,
    limit: usize,
) -> Vec<usize> {
    let best = scores.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let mut left: Vec<usize> = (0..scores.len()).collect();
    let mut shown: Vec<usize> = Vec::new();
    while shown.len() < limit && !left.is_empty() {
        let value = |one: &usize| {
            let like = shown.iter().map(|other| similarity(*one, *other)).fold(0.0, f64::max);
            keep * scores[*one] / best - (1.0 - keep) * like
        };
        let (place, _) = left
            .iter()
            .enumerate()
            .map(|(place, one)| (place, value(one)))
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
            .expect("something is left");
        shown.push(left.remove(place));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_twin_gives_its_place_to_another() {
        let scores = [1.0, 0.99, 0.8];
        let twins = |a: usize, b: usize| if a + b == 1 { 1.0 } else { 0.0 };
        assert_eq!(diverse(&scores, &twins, 0.7, 2), [0, 2]);
        assert_eq!(diverse(&scores, &twins, 1.0, 2), [0, 1]);
        assert_eq!(diverse(&scores, &twins, 0.7, 9), [0, 2, 1]);
    }
}
