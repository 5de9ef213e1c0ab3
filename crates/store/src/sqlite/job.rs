//! The queue of work that a transaction left behind.

use super::change::next_key;
use super::query::rows;
use super::seal::JOB;
use crate::{Error, Result};
use mnemic_model::Timestamp;
use mnemic_model::job::{Job, JobKind, LEASE_SECONDS, MAX_ATTEMPTS, Whose, holds, rest_seconds};
use rusqlite::{Connection, Row, params};

fn from_row(row: &Row<'_>) -> Result<Job> {
    let damaged = |cause: mnemic_model::Invalid| Error::Damaged(format!("a job: {cause}"));
    let kind: String = row.get(1)?;
    let leased: Option<i64> = row.get(5)?;
    Ok(Job {
        seq: row.get(0)?,
        kind: kind.parse().map_err(damaged)?,
        payload: row.get(2)?,
        created_at: Timestamp::from_micros(row.get(3)?).map_err(damaged)?,
        attempts: row.get(4)?,
        leased_until: leased.map(Timestamp::from_micros).transpose().map_err(damaged)?,
        last_error: row.get(6)?,
    })
}

pub(super) fn all(connection: &Connection) -> Result<Vec<Job>> {
    rows(
        connection,
        "SELECT seq, kind, payload, created_at, attempts, leased_until, last_error FROM job \
         ORDER BY seq",
        [],
        from_row,
    )
}

/// The same work asked for twice waits once.
pub(super) fn enqueue(
    connection: &Connection,
    kind: JobKind,
    payload: &str,
    at: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM job WHERE kind = ?1 AND payload = ?2")?
        .execute([kind.as_str(), payload])?;
    connection.prepare_cached(JOB.insert())?.execute(params![
        next_key(connection, "job")?,
        kind.as_str(),
        payload,
        at.micros(),
        0,
        None::<i64>,
        None::<String>,
    ])?;
    Ok(())
}

/// Takes the job of these kinds that was tried least, the oldest first.
pub(super) fn lease(
    connection: &Connection,
    now: Timestamp,
    whose: Whose,
    kinds: &[JobKind],
) -> Result<Option<Job>> {
    let is_free = |job: &Job| {
        job.attempts < MAX_ATTEMPTS && !job.leased_until.is_some_and(|until| holds(until, now))
    };
    let may_take =
        |job: &Job| kinds.contains(&job.kind) && (whose == Whose::Anyone || is_free(job));
    let jobs = all(connection)?.into_iter().filter(may_take);
    let Some(job) = jobs.min_by_key(|job| (job.attempts, job.seq)) else { return Ok(None) };
    let until = now.plus_seconds(LEASE_SECONDS);
    connection.execute(
        "UPDATE job SET leased_until = ?2, attempts = attempts + 1, last_error = NULL \
         WHERE seq = ?1",
        params![job.seq, until.micros()],
    )?;
    connection.execute(JOB.reseal(), [job.seq])?;
    Ok(Some(Job { leased_until: Some(until), attempts: job.attempts + 1, ..job }))
}

pub(super) fn finish(connection: &Connection, job: &Job) -> Result<()> {
    connection.execute("DELETE FROM job WHERE seq = ?1", [job.seq])?;
    Ok(())
}

/// Gives the job back, to be tried again after a rest.
pub(super) fn fail(connection: &Connection, job: &Job, error: &str, now: Timestamp) -> Result<()> {
    let until = now.plus_seconds(rest_seconds(job.attempts));
    connection.execute(
        "UPDATE job SET leased_until = ?2, last_error = ?3 WHERE seq = ?1",
        params![job.seq, until.micros(), error],
    )?;
    connection.execute(JOB.reseal(), [job.seq])?;
    Ok(())
}

/// Puts a job back to the beginning: free at once, with all its attempts.
pub(super) fn renew(connection: &Connection, seq: i64) -> Result<bool> {
    let renewed = connection.execute(
        "UPDATE job SET leased_until = NULL, attempts = 0, last_error = NULL WHERE seq = ?1",
        [seq],
    )?;
    connection.execute(JOB.reseal(), [seq])?;
    Ok(renewed > 0)
}
