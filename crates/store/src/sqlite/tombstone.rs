//! Tombstones: fingerprints of what was forgotten.

use super::change::next_key;
use super::query::rows;
use super::seal::TOMBSTONE;
use crate::{Error, Result};
use mnemic_model::{Actor, Digest, RecordId, Timestamp, Tombstone};
use rusqlite::{Connection, OptionalExtension, Params, Row, params};

fn from_row(row: &Row<'_>) -> Result<Tombstone> {
    let damaged = |cause: mnemic_model::Invalid| Error::Damaged(format!("a tombstone: {cause}"));
    let id: String = row.get(0)?;
    let actor: String = row.get(4)?;
    Ok(Tombstone {
        id: RecordId::parse(&id).map_err(damaged)?,
        content: Digest(row.get(1)?),
        subject: row.get::<_, Option<[u8; 16]>>(2)?.map(Digest),
        at: Timestamp::from_micros(row.get(3)?).map_err(damaged)?,
        actor: Actor::parse(&actor).map_err(damaged)?,
        reason: row.get(5)?,
    })
}

fn select(connection: &Connection, condition: &str, params: impl Params) -> Result<Vec<Tombstone>> {
    rows(
        connection,
        &format!(
            "SELECT id, content, subject, at, actor, reason FROM tombstone WHERE {condition} ORDER BY seq"
        ),
        params,
        from_row,
    )
}

pub(super) fn all(connection: &Connection) -> Result<Vec<Tombstone>> {
    select(connection, "true", [])
}

pub(super) fn any(connection: &Connection) -> Result<bool> {
    let mut statement = connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM tombstone)")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

pub(super) fn find(
    connection: &Connection,
    id: Option<&RecordId>,
    content: Digest,
    subject: Option<Digest>,
) -> Result<Option<Tombstone>> {
    let found = select(
        connection,
        "id = ?1 OR content = ?2 OR subject = ?3",
        params![
            id.map(RecordId::as_str),
            content.0.as_slice(),
            subject.as_ref().map(|digest| digest.0.as_slice())
        ],
    )?;
    Ok(found.into_iter().next())
}

pub(super) fn bury(connection: &Connection, stone: &Tombstone) -> Result<bool> {
    let before: Option<i64> = connection
        .prepare_cached("DELETE FROM tombstone WHERE id = ?1 AND content = ?2 RETURNING at")?
        .query_row(params![stone.id.as_str(), stone.content.0.as_slice()], |row| row.get(0))
        .optional()?;
    connection.prepare_cached(TOMBSTONE.insert())?.execute(params![
        next_key(connection, "tombstone")?,
        stone.id.as_str(),
        stone.content.0.as_slice(),
        stone.subject.as_ref().map(|digest| digest.0.as_slice()),
        stone.at.micros(),
        stone.actor.to_string(),
        stone.reason,
    ])?;
    Ok(before != Some(stone.at.micros()))
}
