//! What is kept beside versions: how a memory was used, and answers given under a key.

use super::seal::{ANSWER, USAGE};
use super::topic;
use super::version::record_key;
use crate::{Answer, Error, Result};
use mnemic_model::{Digest, RecordId, Timestamp, Usage};
use rusqlite::{Connection, OptionalExtension, Row, params};

fn count(row: &Row<'_>, index: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(index)?.unsigned_abs())
}

pub(super) fn of_record(connection: &Connection, id: &RecordId) -> Result<Usage> {
    let sql = "SELECT loaded, referenced, ignored, succeeded, last_used, relevance_sum, \
               relevance_count, discovery_tokens, read_tokens \
               FROM usage JOIN record ON record.seq = usage.record WHERE record.id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([id.as_str()], |row| {
        Ok(Usage {
            loaded: count(row, 0)?,
            referenced: count(row, 1)?,
            ignored: count(row, 2)?,
            succeeded: count(row, 3)?,
            last_used: row
                .get::<_, Option<i64>>(4)?
                .and_then(|micros| Timestamp::from_micros(micros).ok()),
            relevance_sum: row.get(5)?,
            relevance_count: count(row, 6)?,
            discovery_tokens: count(row, 7)?,
            read_tokens: count(row, 8)?,
        })
    });
    Ok(found.optional()?.unwrap_or_default())
}

pub(super) fn set(connection: &Connection, id: &RecordId, usage: &Usage) -> Result<()> {
    let record = record_key(connection, id)?
        .ok_or_else(|| Error::Damaged(format!("`{id}` is used but not stored")))?;
    let count = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    connection.prepare_cached("DELETE FROM usage WHERE record = ?1")?.execute([record])?;
    connection.prepare_cached(USAGE.insert())?.execute(params![
        record,
        count(usage.loaded),
        count(usage.referenced),
        count(usage.ignored),
        count(usage.succeeded),
        usage.last_used.map(Timestamp::micros),
        usage.relevance_sum,
        count(usage.relevance_count),
        count(usage.discovery_tokens),
        count(usage.read_tokens),
    ])?;
    topic::follow_use(connection, record, usage)
}

pub(super) fn answer(connection: &Connection, key: &str) -> Result<Option<Answer>> {
    let mut statement =
        connection.prepare_cached("SELECT request, result FROM answer WHERE key = ?1")?;
    let found = statement
        .query_row([key], |row| Ok((row.get::<_, [u8; 16]>(0)?, row.get(1)?)))
        .optional()?;
    Ok(found.map(|(request, result)| Answer { request: Digest(request), result }))
}

pub(super) fn keep_answer(
    connection: &Connection,
    key: &str,
    request: Digest,
    result: &str,
    at: Timestamp,
) -> Result<()> {
    connection.prepare_cached(ANSWER.insert())?.execute(params![
        key,
        request.0.as_slice(),
        result,
        at.micros()
    ])?;
    Ok(())
}
