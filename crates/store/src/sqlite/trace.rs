//! Rows of traces: what sessions touched, and when.

use super::change::next_key;
use super::query::rows;
use super::read::Connected;
use super::seal::TRACE;
use super::session::{damaged, time};
use crate::Result;
use crate::session::ReadTraces;
use mnemic_model::session::{SessionId, Thing, ThingKind};
use mnemic_model::{RecordId, Timestamp, Version};
use rusqlite::{Connection, Row, params};
use serde_json::Value;
use std::collections::HashSet;

pub(super) fn note(
    connection: &Connection,
    id: &SessionId,
    thing: &Thing,
    at: Timestamp,
) -> Result<()> {
    let key = next_key(connection, "trace")?;
    connection.prepare_cached(TRACE.insert())?.execute(params![
        key,
        id.as_str(),
        thing.kind.as_str(),
        thing.name,
        at.micros(),
    ])?;
    Ok(())
}

/// Drops the traces of a forgotten memory: those of itself, and those that a text of it names.
pub(super) fn erase(connection: &Connection, id: &RecordId, versions: &[Version]) -> Result<()> {
    let mut names = HashSet::from([id.as_str().to_owned()]);
    for version in versions {
        collect(&Value::Object(version.content.body.to_fields()), &mut names);
    }
    let mut statement = connection.prepare_cached("DELETE FROM trace WHERE name = ?1")?;
    for name in names {
        statement.execute([name])?;
    }
    Ok(())
}

fn collect(value: &Value, into: &mut HashSet<String>) {
    match value {
        Value::String(text) => {
            into.insert(text.clone());
            into.extend(text.lines().map(|line| line.trim().to_owned()));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, into)),
        _ => {}
    }
}

fn session_at(row: &Row<'_>) -> Result<(SessionId, Timestamp)> {
    let id = SessionId::parse(&row.get::<_, String>(0)?).map_err(damaged)?;
    Ok((id, time(row.get(1)?)?))
}

fn thing_at(row: &Row<'_>) -> Result<(Thing, Timestamp)> {
    let kind = row.get::<_, String>(0)?.parse().map_err(damaged)?;
    Ok((Thing::new(kind, row.get::<_, String>(1)?), time(row.get(2)?)?))
}

/// Reads no further back than this many rows for each one wanted: a thing that one session touches
/// again and again must not make everybody wait.
const DEPTH: usize = 16;

fn limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl<T: Connected> ReadTraces for T {
    fn sessions_with(&self, thing: &Thing, most: usize) -> Result<Vec<(SessionId, Timestamp)>> {
        let sql = "SELECT session, max(at) FROM (SELECT session, at FROM trace \
                   WHERE kind = ?1 AND name = ?2 ORDER BY at DESC LIMIT ?3) \
                   GROUP BY session ORDER BY 2 DESC, 1 LIMIT ?4";
        let depth = limit(most.saturating_mul(DEPTH));
        let params = params![thing.kind.as_str(), thing.name, depth, limit(most)];
        rows(self.connection(), sql, params, session_at)
    }

    fn last_traced(&self, most: usize) -> Result<Vec<(SessionId, Timestamp)>> {
        let sql = "SELECT session, max(at) FROM (SELECT session, at FROM trace \
                   ORDER BY seq DESC LIMIT ?1) GROUP BY session ORDER BY 2 DESC, 1 LIMIT ?2";
        let depth = limit(most.saturating_mul(DEPTH));
        rows(self.connection(), sql, params![depth, limit(most)], session_at)
    }

    fn things_of(&self, id: &SessionId, most: usize) -> Result<Vec<(Thing, Timestamp)>> {
        let sql = "SELECT kind, name, at FROM trace WHERE session = ?1 ORDER BY seq LIMIT ?2";
        rows(self.connection(), sql, params![id.as_str(), limit(most)], thing_at)
    }

    fn uses_of(&self, thing: &Thing, most: usize) -> Result<Vec<Timestamp>> {
        let sql = "SELECT at FROM trace WHERE kind = ?1 AND name = ?2 ORDER BY at DESC LIMIT ?3";
        let params = params![thing.kind.as_str(), thing.name, limit(most)];
        rows(self.connection(), sql, params, |row| time(row.get(0)?))
    }

    fn recent_things(&self, kind: ThingKind, most: usize) -> Result<Vec<(Thing, Timestamp)>> {
        let sql = "SELECT kind, name, max(at) FROM (SELECT kind, name, at FROM trace \
                   WHERE kind = ?1 ORDER BY at DESC LIMIT ?2) \
                   GROUP BY name ORDER BY 3 DESC, 2 LIMIT ?3";
        let depth = limit(most.saturating_mul(DEPTH));
        rows(self.connection(), sql, params![kind.as_str(), depth, limit(most)], thing_at)
    }
}
