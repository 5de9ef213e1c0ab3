//! Changes: the rows that say who did what, when and why.

use super::query::rows;
use super::seal::CHANGE;
use crate::{Error, Result};
use mnemic_model::{Actor, Change, ChangeId, RecordId, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// A change in progress: its name and its key.
#[derive(Debug, Clone)]
pub(super) struct Cause {
    pub(super) id: ChangeId,
    pub(super) key: i64,
}

const COLUMNS: &str = "id, at, actor, verb, reason, undoes, seq";

fn from_row(row: &Row<'_>) -> Result<(Change, i64)> {
    let id: String = row.get(0)?;
    let damaged = |cause: mnemic_model::Invalid| Error::Damaged(format!("change `{id}`: {cause}"));
    let actor: String = row.get(2)?;
    let verb: String = row.get(3)?;
    let change = Change {
        at: Timestamp::from_micros(row.get(1)?).map_err(damaged)?,
        actor: Actor::parse(&actor).map_err(damaged)?,
        verb: verb.parse().map_err(damaged)?,
        reason: row.get(4)?,
        undoes: row.get::<_, Option<String>>(5)?.map(ChangeId),
        id: ChangeId(id.clone()),
    };
    Ok((change, row.get(6)?))
}

/// A change and its key.
pub(super) fn find_with_key(
    connection: &Connection,
    id: &ChangeId,
) -> Result<Option<(Change, i64)>> {
    let sql = format!("SELECT {COLUMNS} FROM change WHERE id = ?1");
    Ok(rows(connection, &sql, [&id.0], from_row)?.pop())
}

pub(super) fn find(connection: &Connection, id: &ChangeId) -> Result<Option<Change>> {
    Ok(find_with_key(connection, id)?.map(|(change, _)| change))
}

pub(super) fn latest(connection: &Connection, limit: usize) -> Result<Vec<Change>> {
    let sql = format!("SELECT {COLUMNS} FROM change ORDER BY seq DESC LIMIT ?1");
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    rows(connection, &sql, [limit], |row| Ok(from_row(row)?.0))
}

pub(super) fn undoings(connection: &Connection) -> Result<Vec<Change>> {
    let sql = format!("SELECT {COLUMNS} FROM change WHERE undoes IS NOT NULL ORDER BY seq DESC");
    rows(connection, &sql, [], |row| Ok(from_row(row)?.0))
}

pub(super) fn used(connection: &Connection) -> Result<Vec<Change>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM change WHERE seq IN (SELECT change FROM version \
           UNION SELECT expired_by FROM version UNION SELECT change FROM link \
           UNION SELECT expired_by FROM link) ORDER BY seq"
    );
    rows(connection, &sql, [], |row| Ok(from_row(row)?.0))
}

/// Adds the row unless an earlier batch of the same change did; its key.
pub(super) fn begin(connection: &Connection, change: &Change) -> Result<i64> {
    if let Some((_, key)) = find_with_key(connection, &change.id)? {
        return Ok(key);
    }
    let key = next_key(connection, "change")?;
    connection.prepare_cached(CHANGE.insert())?.execute(params![
        key,
        change.id.0,
        change.at.micros(),
        change.actor.to_string(),
        change.verb.as_str(),
        change.reason,
        change.undoes.as_ref().map(|id| id.0.as_str()),
    ])?;
    Ok(key)
}

/// The next key of a table, known before the row is sealed.
pub(super) fn next_key(connection: &Connection, table: &'static str) -> Result<i64> {
    let sql = format!("SELECT coalesce(max(seq), 0) + 1 FROM {table}");
    Ok(connection.prepare_cached(&sql)?.query_row([], |row| row.get(0))?)
}

pub(super) fn ended_version(
    connection: &Connection,
    id: &RecordId,
    n: u32,
) -> Result<Option<ChangeId>> {
    let sql = "SELECT change.id FROM version JOIN record ON record.seq = version.record \
               JOIN change ON change.seq = version.expired_by \
               WHERE record.id = ?1 AND version.n = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row(params![id.as_str(), n], |row| row.get(0)).optional()?;
    Ok(found.map(ChangeId))
}

/// Takes the reasons out of every change that touched a record about to be erased: a reason may
/// quote what it was about.
pub(super) fn drop_reasons(connection: &Connection, record: i64, id: &RecordId) -> Result<()> {
    let sql = "SELECT seq FROM change WHERE reason IS NOT NULL AND seq IN ( \
                 SELECT change FROM version WHERE record = ?1 \
                 UNION SELECT expired_by FROM version WHERE record = ?1 \
                 UNION SELECT change FROM link WHERE from_id = ?2 OR to_id = ?2 \
                 UNION SELECT expired_by FROM link WHERE from_id = ?2 OR to_id = ?2)";
    let mut statement = connection.prepare_cached(sql)?;
    let keys: Vec<i64> = statement
        .query_map(params![record, id.as_str()], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for key in keys {
        connection.execute("UPDATE change SET reason = NULL WHERE seq = ?1", [key])?;
        connection.execute(CHANGE.reseal(), [key])?;
    }
    Ok(())
}
