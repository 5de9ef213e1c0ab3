//! Adding and ending versions: the only place where what a store believes changes.

use super::change::{Cause, next_key};
use super::index::{thread, vector};
use super::row::{self, Stored, select};
use super::seal::{RECORD, VERSION};
use super::topic;
use super::words::Pending;
use crate::{Error, Result, fingerprint};
use mnemic_model::{Content, Digest, Interval, RecordId, Timestamp, Version};
use rusqlite::{Connection, OptionalExtension, params};

/// The key of a record, if there is one.
pub(super) fn record_key(connection: &Connection, id: &RecordId) -> Result<Option<i64>> {
    let mut statement = connection.prepare_cached("SELECT seq FROM record WHERE id = ?1")?;
    Ok(statement.query_row([id.as_str()], |row| row.get(0)).optional()?)
}

pub(super) fn current(connection: &Connection, record: i64) -> Result<Option<Stored>> {
    Ok(select(connection, "version.record = ?1 AND version.expired_at IS NULL", [record])?.pop())
}

/// Adds the next version of a record at `at`; what was believed until now ends there.
pub(super) fn put(
    connection: &Connection,
    id: &RecordId,
    content: &Content,
    cause: &Cause,
    at: Timestamp,
    words: &mut Pending,
) -> Result<(Version, Digest)> {
    let (record, n, before) = match record_key(connection, id)? {
        Some(record) => {
            let ended = end_current(connection, record, cause, at, words)?;
            (record, next_number(connection, record)?, ended)
        }
        None => (add_record(connection, id, content)?, 1, None),
    };
    let version = Version {
        id: id.clone(),
        n,
        content: content.clone(),
        recorded: Interval::since(at),
        change: cause.id.clone(),
    };
    let print = insert(connection, record, &version, cause.key, None)?;
    // The same text means the same: nothing has to be embedded anew for another tier or tag.
    if let Some((old, said)) = before
        && said.body.substance() == content.body.substance()
    {
        vector::carry_over(connection, old, record)?;
    }
    words.add(record, content);
    topic::add(connection, record, &version)?;
    Ok((version, print))
}

/// Ends the present version without a successor. `false` when there is none.
pub(super) fn retract(
    connection: &Connection,
    id: &RecordId,
    cause: &Cause,
    at: Timestamp,
    words: &mut Pending,
) -> Result<bool> {
    match record_key(connection, id)? {
        Some(record) => Ok(end_current(connection, record, cause, at, words)?.is_some()),
        None => Ok(false),
    }
}

/// Ends what is believed of a record, if anything is: its row and what it said.
fn end_current(
    connection: &Connection,
    record: i64,
    cause: &Cause,
    at: Timestamp,
    words: &mut Pending,
) -> Result<Option<(i64, Content)>> {
    let Some(old) = current(connection, record)? else { return Ok(None) };
    let key: i64 = connection
        .prepare_cached("SELECT seq FROM version WHERE record = ?1 AND expired_at IS NULL")?
        .query_row([record], |row| row.get(0))?;
    connection
        .prepare_cached("UPDATE version SET expired_at = ?2, expired_by = ?3 WHERE seq = ?1")?
        .execute(params![key, at.micros(), cause.key])?;
    connection.prepare_cached(VERSION.reseal())?.execute([key])?;
    words.remove(record, &old.version.content);
    topic::remove(connection, record)?;
    Ok(Some((key, old.version.content)))
}

fn add_record(connection: &Connection, id: &RecordId, content: &Content) -> Result<i64> {
    let key = next_key(connection, "record")?;
    connection.prepare_cached(RECORD.insert())?.execute(params![
        key,
        id.as_str(),
        content.kind().as_str()
    ])?;
    Ok(key)
}

fn next_number(connection: &Connection, record: i64) -> Result<u32> {
    let sql = "SELECT coalesce(max(n), 0) + 1 FROM version WHERE record = ?1";
    Ok(connection.prepare_cached(sql)?.query_row([record], |row| row.get(0))?)
}

/// Writes the row of a version; the fingerprint of its text.
fn insert(
    connection: &Connection,
    record: i64,
    version: &Version,
    change: i64,
    ended_by: Option<i64>,
) -> Result<Digest> {
    let content = &version.content;
    let print = fingerprint::content(&content.body);
    let slot = content.slot();
    let key = next_key(connection, "version")?;
    connection.prepare_cached(VERSION.insert())?.execute(params![
        key,
        record,
        version.n,
        change,
        version.recorded.from().micros(),
        version.recorded.to().map(Timestamp::micros),
        ended_by,
        content.valid.from().micros(),
        content.valid.to().map(Timestamp::micros),
        content.scope.level.as_str(),
        content.scope.namespace.as_str(),
        slot.as_ref().map(|slot| slot.as_str()),
        content.tier.as_str(),
        content.trust().as_str(),
        content.importance.get(),
        print.0.as_slice(),
        row::content_json(content),
    ])?;
    thread::note(connection, key, content)?;
    vector::await_vectors(connection, key, content.kind())?;
    Ok(print)
}

/// Brings in a version with its own times and number. The record is made when missing.
pub(super) fn import(
    connection: &Connection,
    version: &Version,
    change: i64,
    ended_by: Option<i64>,
    words: &mut Pending,
) -> Result<Digest> {
    let record = match record_key(connection, &version.id)? {
        Some(record) => record,
        None => add_record(connection, &version.id, &version.content)?,
    };
    if version.is_current() && current(connection, record)?.is_some() {
        return Err(Error::Exists(version.id.to_string()));
    }
    let print = insert(connection, record, version, change, ended_by)?;
    if version.is_current() {
        words.add(record, &version.content);
        topic::add(connection, record, version)?;
    }
    Ok(print)
}
