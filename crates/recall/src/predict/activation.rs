//! How present a use still is: one term of ACT-R's base level, a power of its age.

use mnemic_model::Timestamp;

/// The exponent of forgetting: a use counts with age^-0.5. It is not delicate: on four histories
/// -0.3 and -0.8 found half a point less, on few sessions -0.8 a little more.
const FORGETTING: f64 = -0.5;
/// Younger uses count alike: seconds between two commands tell nothing.
const YOUNGEST_DAYS: f64 = 1.0 / 24.0;

/// What one use counts for now. A use later than `now` counts as one just made.
pub(crate) fn presence(used: Timestamp, now: Timestamp) -> f64 {
    let days = now.micros().saturating_sub(used.micros()) as f64 / 86_400e6;
    days.max(YOUNGEST_DAYS).powf(FORGETTING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_times_the_age_is_half_the_presence() {
        let at = |day: i64| Timestamp::from_micros(day * 86_400_000_000).expect("a small time");
        assert_eq!(presence(at(99), at(100)), 1.0);
        assert_eq!(presence(at(96), at(100)), 0.5);
        assert_eq!(presence(at(100), at(100)), presence(at(500), at(100)));
    }
}
