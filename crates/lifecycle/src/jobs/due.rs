//! When consolidation is due: after a task, at a phase boundary, when nobody works, at night.

use mnemic_model::Timestamp;

/// What makes one think of consolidating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trigger {
    /// A task ended or was captured.
    Task,
    /// Work passed on: a checkpoint, a handoff, another phase.
    Phase,
    /// Nobody has written for a while.
    Idle,
    /// A night has passed.
    Night,
}

impl Trigger {
    pub const ALL: [Trigger; 4] = [Trigger::Task, Trigger::Phase, Trigger::Idle, Trigger::Night];

    pub fn as_str(self) -> &'static str {
        match self {
            Trigger::Task => "task",
            Trigger::Phase => "phase",
            Trigger::Idle => "idle",
            Trigger::Night => "night",
        }
    }
}

/// What is known when the question comes up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Circumstances {
    pub now: Timestamp,
    /// The last run, or the first write of the store where there was none.
    pub since: Option<Timestamp>,
    /// Records that changed after that.
    pub changed: u64,
    pub last_write: Option<Timestamp>,
    /// Seconds without a write that count as idle.
    pub idle_seconds: i64,
    /// How far the clocks here are ahead of UTC.
    pub offset_seconds: i64,
}

/// After a task: so much news, and so long after the last run.
const TASK: (u64, i64) = (20, 3_600);

/// At a phase boundary: any news, so long after the last run.
const PHASE_SECONDS: i64 = 600;

/// The hour of the night.
const HOUR: i64 = 3;

const DAY: i64 = 86_400;

/// Whether a trigger is reason enough. Without a store that was ever written to, nothing is.
pub fn due(trigger: Trigger, seen: &Circumstances) -> bool {
    let Some(since) = seen.since else { return false };
    let passed = seconds_between(since, seen.now);
    match trigger {
        Trigger::Task => seen.changed >= TASK.0 && passed >= TASK.1,
        Trigger::Phase => seen.changed > 0 && passed >= PHASE_SECONDS,
        Trigger::Idle => {
            let quiet = seen.last_write.map(|last| seconds_between(last, seen.now));
            seen.changed > 0 && quiet.is_some_and(|quiet| quiet >= seen.idle_seconds)
        }
        // Also without news: what nobody uses grows older all the same.
        Trigger::Night => night(since, seen.offset_seconds) < night(seen.now, seen.offset_seconds),
    }
}

/// Less than none where a clock went back.
fn seconds_between(earlier: Timestamp, later: Timestamp) -> i64 {
    (later.micros() - earlier.micros()).div_euclid(1_000_000)
}

/// The number of the night that was the last to pass its hour.
fn night(at: Timestamp, offset: i64) -> i64 {
    (at.micros().div_euclid(1_000_000) + offset - HOUR * 3_600).div_euclid(DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> Timestamp {
        Timestamp::parse(time).expect("a test writes its times well")
    }

    const NOON: &str = "2026-03-01T12:00:00Z";

    fn seen(since: &str, changed: u64) -> Circumstances {
        Circumstances {
            now: at(NOON),
            since: Some(at(since)),
            changed,
            last_write: Some(at("2026-03-01T11:55:00Z")),
            idle_seconds: 600,
            offset_seconds: 0,
        }
    }

    #[test]
    fn each_trigger_by_its_table() {
        use Trigger::*;
        for (trigger, since, changed, expected) in [
            (Task, "2026-03-01T11:00:00Z", 20, true),
            (Task, "2026-03-01T11:00:00Z", 19, false),
            (Task, "2026-03-01T11:00:01Z", 500, false),
            (Phase, "2026-03-01T11:50:00Z", 1, true),
            (Phase, "2026-03-01T11:50:01Z", 1, false),
            (Phase, "2026-02-01T11:50:00Z", 0, false),
            (Idle, "2026-03-01T11:50:00Z", 1, false),
            (Night, "2026-03-01T02:59:59Z", 0, true),
            (Night, "2026-03-01T03:00:00Z", 900, false),
            (Night, "2025-03-01T03:00:00Z", 0, true),
        ] {
            let told = format!("{trigger:?} since {since} with {changed}");
            assert_eq!(due(trigger, &seen(since, changed)), expected, "{told}");
        }
    }

    #[test]
    fn idle_counts_from_the_last_write() {
        for (last, changed, expected) in [
            ("2026-03-01T11:50:00Z", 1, true),
            ("2026-03-01T11:50:01Z", 1, false),
            ("2026-03-01T10:00:00Z", 0, false),
        ] {
            let one = Circumstances {
                last_write: Some(at(last)),
                ..seen("2026-03-01T09:00:00Z", changed)
            };
            assert_eq!(due(Trigger::Idle, &one), expected, "{last}");
        }
    }

    #[test]
    fn the_night_is_the_one_of_this_place() {
        // Three o'clock five hours east of Greenwich is ten in the evening in Greenwich.
        for (since, expected) in [("2026-02-28T21:59:59Z", true), ("2026-02-28T22:00:00Z", false)] {
            let one = Circumstances { offset_seconds: 5 * 3_600, ..seen(since, 0) };
            assert_eq!(due(Trigger::Night, &one), expected, "{since}");
        }
    }

    #[test]
    fn nothing_is_due_in_an_empty_store_or_after_a_clock_went_back() {
        for trigger in Trigger::ALL {
            let empty = Circumstances { since: None, ..seen(NOON, 99) };
            assert!(!due(trigger, &empty), "{trigger:?}");
            let back = Circumstances {
                last_write: Some(at("2030-01-01T00:00:00Z")),
                ..seen("2030-01-01T00:00:00Z", 99)
            };
            assert!(!due(trigger, &back), "{trigger:?}");
        }
    }
}
