//! How present a memory is: often and lately used is near, long unused is far.

use super::world::Memory;
use mnemic_model::Timestamp;

/// From here on a memory is too present to be put away, however long ago its last use was.
pub const PRESENT: f64 = 0.0;

const DAY: f64 = 86_400e6;

/// Base-level activation after ACT-R with the usual decay of a half: `ln(Σ days^-0.5)` over all
/// uses. Of the last use the time is known; the others are taken as spread evenly over the life of
/// the memory. It depends on what happened and on the time that passed, not on who asks how often.
pub fn activation(uses: u64, life_days: f64, idle_days: f64) -> f64 {
    if uses == 0 {
        return f64::NEG_INFINITY;
    }
    // Less than an hour ago is now.
    let idle = idle_days.max(1.0 / 24.0);
    let life = life_days.max(idle);
    let earlier = 2.0 * (uses - 1) as f64 / (life.sqrt() + idle.sqrt());
    (idle.powf(-0.5) + earlier).ln()
}

/// The activation of a stored memory.
pub(super) fn of(memory: &Memory, now: Timestamp) -> f64 {
    let days = |since: Timestamp| ((now.micros() - since.micros()) as f64 / DAY).max(0.0);
    let Some(last) = memory.usage.last_used else { return f64::NEG_INFINITY };
    let uses = memory.usage.loaded.max(memory.usage.referenced).max(1);
    activation(uses, days(memory.recorded_at), days(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn often_and_lately_is_near() {
        for (uses, life, idle, is_present) in [
            (0, 1.0, 1.0, false),
            (1, 90.0, 0.5, true),
            (1, 90.0, 90.0, false),
            (4, 200.0, 90.0, false),
            (30, 200.0, 90.0, true),
            (30, 4_000.0, 2_000.0, false),
        ] {
            let near = activation(uses, life, idle);
            assert_eq!(near >= PRESENT, is_present, "{uses} uses, {life}, {idle}: {near}");
        }
    }

    proptest! {
        #[test]
        fn more_use_never_harms_and_time_never_helps(
            uses in 1u64..1_000, life in 0.0f64..4_000.0, idle in 0.0f64..4_000.0, more in 0.1f64..400.0
        ) {
            let idle = idle.min(life);
            let near = activation(uses, life, idle);
            prop_assert!(activation(uses + 1, life, idle) >= near);
            prop_assert!(activation(uses, life + more, idle + more) <= near + 1e-9);
        }
    }
}
