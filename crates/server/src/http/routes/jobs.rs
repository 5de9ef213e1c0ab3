//! Jobs and redaction: what waits to be done, and what must be taken out of everything.

use super::Answered;
use crate::http::door::Caller;
use crate::http::extract::{At as Address, Body};
use crate::http::policy::{self, Deed};
use crate::http::schema::jobs::{JobEntry, JobList, RedactAsk, Redaction, Retried, WorkDone};
use axum::Json;
use mnemic_engine::model::job::State;
use mnemic_engine::{Error, ErrorKind, JobView, Target};
use std::time::{Duration, Instant};

/// A request must end; what is not done by then waits for the next one.
const LONGEST: Duration = Duration::from_secs(20);

/// The jobs that wait, run or failed
#[utoipa::path(
    get, path = "/v1/jobs", tag = "upkeep", operation_id = "list_jobs",
    responses((status = 200, body = JobList)),
)]
pub(crate) async fn list(caller: Caller) -> Answered<JobList> {
    let jobs = caller.run(Deed::Jobs, |engine, _| Ok(engine.jobs()?));
    jobs.await.map(|jobs| Json(JobList { items: jobs.iter().map(JobEntry::from).collect() }))
}

/// Do what waits
#[utoipa::path(
    post, path = "/v1/jobs/run", tag = "upkeep", operation_id = "run_jobs",
    description = "Works for some seconds at most and says what is left. Needs the scope `admin`.",
    responses((status = 200, body = WorkDone)),
)]
pub(crate) async fn run(caller: Caller) -> Answered<WorkDone> {
    let worked = caller.run(Deed::Work, |engine, _| {
        let begun = Instant::now();
        Ok(engine.work(&mut || begun.elapsed() < LONGEST)?)
    });
    let worked = worked.await?;
    Ok(Json(WorkDone { done: worked.done, failed: worked.failed, left: worked.left }))
}

/// Let a job that failed be tried again
#[utoipa::path(
    post, path = "/v1/jobs/{number}/retry", tag = "upkeep", operation_id = "retry_job",
    description = "A job that rests after a failure, or was given up, waits again. Needs the scope \
        `admin`.",
    params(("number" = i64, Path)), responses((status = 200, body = Retried)),
)]
pub(crate) async fn retry(caller: Caller, Address(number): Address<i64>) -> Answered<Retried> {
    let retried = caller.run(Deed::Work, move |engine, _| {
        let is_meant = |view: &JobView| view.job.seq == number;
        if !engine.jobs()?.iter().any(is_meant) {
            return Err(Error::new(ErrorKind::NotFound, format!("there is no job `{number}`"))
                .hint("`GET /v1/jobs` lists those that are left")
                .into());
        }
        let has_failed = |view: &JobView| matches!(view.state, State::Resting | State::GivenUp);
        Ok(engine.retry_jobs(&|view| is_meant(view) && has_failed(view))?)
    });
    retried.await.map(|retried| Json(Retried { retried }))
}

/// Take text out of everything that is stored
#[utoipa::path(
    post, path = "/v1/redact", tag = "upkeep", operation_id = "redact",
    description = "Replaces it in every version of every memory, in reasons and notes, indexes, \
        vectors, journal and backups, and searches every file for it afterwards. This cannot be \
        undone and needs the scope `admin` and a token made with `--person`. A dry run, which is \
        the default, says how much would be replaced.",
    request_body = RedactAsk, responses((status = 200, body = Redaction)),
)]
pub(crate) async fn redact(caller: Caller, Body(ask): Body<RedactAsk>) -> Answered<Redaction> {
    policy::allow(&caller.grant, Deed::Redact)?;
    policy::speaks_for_a_person(&caller.grant, Deed::Redact)?;
    let target = match (ask.pattern, ask.rule) {
        (Some(pattern), None) => Target::Pattern(pattern),
        (None, Some(rule)) => Target::Rule(rule),
        (None, None) => Target::Everything,
        (Some(_), Some(_)) => {
            return Err(Error::new(ErrorKind::Invalid, "both `pattern` and `rule` are given")
                .hint("give one of them, or neither for all that would not be let in today")
                .into());
        }
    };
    let dry_run = ask.dry_run;
    let done = caller.run(Deed::Redact, move |engine, _| Ok(engine.redact(&target, dry_run)?));
    done.await.map(|done| Json(Redaction::of(done, dry_run)))
}
