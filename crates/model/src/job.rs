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

/// One piece of work in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub seq: i64,
    pub kind: JobKind,
    pub payload: String,
    pub created_at: Timestamp,
    pub attempts: u32,
    /// Another process works on it until then.
    pub leased_until: Option<Timestamp>,
    pub last_error: Option<String>,
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
