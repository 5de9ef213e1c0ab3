//! The queue of work that a transaction left behind.

use super::change::next_key;
use super::query::rows;
use super::seal::JOB;
use crate::{Error, Result};
use mnemic_model::Timestamp;
use mnemic_model::job::{Job, JobKind, MAX_ATTEMPTS, Whose};
use rusqlite::{Connection, Params, Row, params};

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

fn select(connection: &Connection, condition: &str, params: impl Params) -> Result<Vec<Job>> {
    rows(
        connection,
        &format!(
            "SELECT seq, kind, payload, created_at, attempts, leased_until, last_error FROM job \
         WHERE {condition} ORDER BY seq"
        ),
        params,
        from_row,
    )
}

pub(super) fn all(connection: &Connection) -> Result<Vec<Job>> {
    select(connection, "true", [])
}

/// The same work asked for twice waits once.
pub(super) fn enqueue(
    connection: &Connection,
    kind: JobKind,
    payload: &str,
    at: Timestamp,
) -> Result<()> {
    connection
        .execute("DELETE FROM job WHERE kind = ?1 AND payload = ?2", [kind.as_str(), payload])?;
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

pub(super) fn lease(
    connection: &Connection,
    now: Timestamp,
    seconds: i64,
    whose: Whose,
) -> Result<Option<Job>> {
    let free = "?3 OR attempts < ?1 AND (leased_until IS NULL OR leased_until <= ?2)";
    let params = params![MAX_ATTEMPTS, now.micros(), whose == Whose::Anyone];
    let Some(job) = select(connection, free, params)?.into_iter().min_by_key(|job| job.attempts)
    else {
        return Ok(None);
    };
    let until = now.plus_seconds(seconds);
    connection.execute(
        "UPDATE job SET leased_until = ?2, attempts = attempts + 1 WHERE seq = ?1",
        params![job.seq, until.micros()],
    )?;
    connection.execute(JOB.reseal(), [job.seq])?;
    Ok(Some(Job { leased_until: Some(until), attempts: job.attempts + 1, ..job }))
}

pub(super) fn finish(connection: &Connection, job: &Job) -> Result<()> {
    connection.execute("DELETE FROM job WHERE seq = ?1", [job.seq])?;
    Ok(())
}

/// Gives the job back, to be tried again later.
pub(super) fn fail(connection: &Connection, job: &Job, error: &str) -> Result<()> {
    connection.execute(
        "UPDATE job SET leased_until = NULL, last_error = ?2 WHERE seq = ?1",
        params![job.seq, error],
    )?;
    connection.execute(JOB.reseal(), [job.seq])?;
    Ok(())
}
