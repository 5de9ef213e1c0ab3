//! Work that must still be done after its cause was committed, and survives a crash in between.

use crate::Timestamp;
use crate::invalid::named;

named! {
    /// The closed list of what a job can be.
    JobKind, "job" {
        /// Remove forgotten text from the free pages and journal of the store itself.
        ScrubStore = "scrub_store",
        /// Erase forgotten records from one backup; the payload is its path.
        ScrubBackup = "scrub_backup",
        /// Compare what a change wrote with what stands near it; the payload is the change.
        ScanContradictions = "scan_contradictions",
        /// Find what captured episodes name; the payload is the change that brought them.
        Extract = "extract",
        /// Make the vectors that still wait.
        Embed = "embed",
        /// Move what old episodes say in full into cold storage.
        Cool = "cool",
        /// Tend the whole store.
        Consolidate = "consolidate",
        /// Serve the topics that a session read most by their summaries; as in all below, the
        /// payload is the session.
        CompressTopics = "compress_topics",
        /// Let topics sink that were loaded and not used.
        ReviewTopics = "review_topics",
        /// Give the parts of a topic that is loaded often headings of their own.
        SpecialiseIndex = "specialise_index",
        /// Merge topics that hold next to nothing.
        ReorganiseTopics = "reorganise_topics",
        /// Scan only the newest end of long timelines.
        SplitTimelines = "split_timelines",
        /// Note that memory did not pay in a session.
        QuestionMemory = "question_memory",
    }
}

impl JobKind {
    /// What forgetting leaves behind.
    pub const SCRUBBING: &'static [JobKind] = &[JobKind::ScrubStore, JobKind::ScrubBackup];

    /// What a session leaves behind.
    pub const OF_SESSIONS: &'static [JobKind] = &[
        JobKind::CompressTopics,
        JobKind::ReviewTopics,
        JobKind::SpecialiseIndex,
        JobKind::ReorganiseTopics,
        JobKind::SplitTimelines,
        JobKind::QuestionMemory,
    ];
}

/// One piece of work in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub seq: i64,
    pub kind: JobKind,
    pub payload: String,
    pub created_at: Timestamp,
    pub attempts: u32,
    /// Nobody takes it before: somebody works on it until then, or it rests after a failure.
    pub leased_until: Option<Timestamp>,
    /// Why it failed last; nothing while somebody works on it.
    pub last_error: Option<String>,
}

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Waiting,
    Running,
    /// It failed and is tried again later.
    Resting,
    /// It failed too often; a person decides.
    GivenUp,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Running => "running",
            State::Resting => "resting",
            State::GivenUp => "given_up",
        }
    }
}

impl Job {
    pub fn state(&self, now: Timestamp) -> State {
        let is_held = self.leased_until.is_some_and(|until| holds(until, now));
        match (is_held, &self.last_error) {
            (true, None) => State::Running,
            _ if self.attempts >= MAX_ATTEMPTS => State::GivenUp,
            (true, Some(_)) => State::Resting,
            (false, _) => State::Waiting,
        }
    }
}

/// Which jobs may be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Those that nobody works on.
    Free,
    /// Also those that somebody began and may have died over.
    Anyone,
}

/// After so many failures a job is left for a person, who finds it in `doctor`.
pub const MAX_ATTEMPTS: u32 = 5;

/// How long whoever takes a job has it for himself.
pub const LEASE_SECONDS: i64 = 600;

/// Half a minute after the first failure, then four times as long after each.
pub fn rest_seconds(attempts: u32) -> i64 {
    30 << (2 * attempts.clamp(1, MAX_ATTEMPTS) - 2)
}

/// Whether a lease or a rest still holds. One that ends later than any can was written by a clock
/// that ran ahead, and holds nobody back.
pub fn holds(until: Timestamp, now: Timestamp) -> bool {
    let longest = LEASE_SECONDS.max(rest_seconds(MAX_ATTEMPTS));
    until > now && until <= now.plus_seconds(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_by_the_table() {
        let at = |seconds: i64| Timestamp::EPOCH.plus_seconds(seconds);
        let (now, error) = (at(1_000_000), Some("why".to_owned()));
        for (attempts, until, last_error, expected) in [
            (0, None, None, State::Waiting),
            (1, Some(at(1_000_001)), None, State::Running),
            (1, Some(at(1_000_000)), None, State::Waiting),
            (1, Some(at(1_000_001)), error.clone(), State::Resting),
            (1, Some(at(999_999)), error.clone(), State::Waiting),
            (5, Some(at(1_000_001)), None, State::Running),
            (5, Some(at(1_000_001)), error.clone(), State::GivenUp),
            (5, None, None, State::GivenUp),
            (1, Some(at(9_000_000)), None, State::Waiting),
        ] {
            let job = Job {
                seq: 1,
                kind: JobKind::Embed,
                payload: String::new(),
                created_at: at(0),
                attempts,
                leased_until: until,
                last_error,
            };
            assert_eq!(job.state(now), expected, "{job:?}");
        }
    }

    #[test]
    fn each_failure_rests_longer() {
        let rests: Vec<i64> = (0..=6).map(rest_seconds).collect();
        assert_eq!(rests, [30, 30, 120, 480, 1_920, 7_680, 7_680]);
    }
}
