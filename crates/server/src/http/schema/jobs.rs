//! Jobs and redaction as they are asked for and answered.

use super::bounds::brief;
use super::memory::Proof;
use super::names::{Id, Time};
use mnemic_engine::{JobView, Redacted};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Jobs, oldest first.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JobList {
    pub items: Vec<JobEntry>,
}

/// Work that is done later.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JobEntry {
    pub number: i64,
    pub store: String,
    pub kind: String,
    /// What it is about: a change, a session, a backup.
    pub about: String,
    /// `waiting`, `running`, `resting` after a failure, or `given_up`.
    pub state: String,
    pub queued_at: Time,
    pub attempts: u32,
    /// Until then it is somebody's, or rests.
    pub not_before: Option<Time>,
    pub error: Option<String>,
}

impl From<&JobView> for JobEntry {
    fn from(view: &JobView) -> JobEntry {
        let job = &view.job;
        JobEntry {
            number: job.seq,
            store: view.store.to_string(),
            kind: job.kind.to_string(),
            about: job.payload.clone(),
            state: view.state.as_str().to_owned(),
            queued_at: Time(job.created_at),
            attempts: job.attempts,
            not_before: job.leased_until.map(Time),
            error: job.last_error.clone(),
        }
    }
}

/// What working off the queue came to.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkDone {
    pub done: u64,
    /// What could not be done, and why.
    pub failed: Vec<String>,
    pub left: u64,
}

/// How many jobs will be tried again.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Retried {
    pub retried: u64,
}

/// What to take out: what fits a pattern, or what a rule finds; neither for all that would not be
/// let in today.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RedactAsk {
    /// A regular expression.
    #[serde(default, deserialize_with = "brief::<_, 1000>")]
    #[schema(max_length = 1000)]
    pub pattern: Option<String>,
    /// The name of a rule, such as `aws-key`.
    #[serde(default, deserialize_with = "brief::<_, 100>")]
    #[schema(max_length = 100)]
    pub rule: Option<String>,
    /// Say how much would be replaced and change nothing [default: true].
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub dry_run: bool,
}

fn yes() -> bool {
    true
}

/// What redacting came to, or would come to. No text of it is told.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Redaction {
    pub dry_run: bool,
    pub ids: Vec<Id>,
    pub versions: u64,
    /// Reasons, traces, notes and the like.
    pub elsewhere: u64,
    /// Places replaced, by rule.
    pub counts: BTreeMap<String, u64>,
    /// Names of records and audit entries that fit and cannot be changed.
    pub unchangeable: u64,
    pub proof: Proof,
    /// What could not be cleaned yet.
    pub waiting: Vec<String>,
}

impl Redaction {
    pub fn of(done: Redacted, dry_run: bool) -> Redaction {
        Redaction {
            dry_run,
            ids: done.ids.into_iter().map(|(_, id)| Id(id)).collect(),
            versions: done.versions,
            elsewhere: done.elsewhere,
            counts: done.counts,
            unchangeable: done.unchangeable,
            proof: Proof::from(done.proof),
            waiting: done.waiting,
        }
    }
}
