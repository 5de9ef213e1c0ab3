//! Counting what is there.

use super::list::{Seen, at_sql};
use super::{audit, files, row, words};
use crate::{Census, Result, Upkeep};
use mnemic_model::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};
use std::collections::BTreeMap;
use std::path::Path;

pub(super) fn census(connection: &Connection, at: Seen) -> Result<Census> {
    let (condition, params) = at_sql("version", at);
    let by = |column: &str| counts(connection, column, &condition, &params);
    let mut kinds = BTreeMap::new();
    for (kind, count) in by("record.kind")? {
        kinds.insert(row::kind(&kind)?, count);
    }
    let (link_condition, link_params) = at_sql("link", at);
    let links = format!("SELECT count(*) FROM link WHERE {link_condition}");
    let span = |which: &str| -> Result<Option<Timestamp>> {
        let sql = format!("SELECT {which}(recorded_at) FROM version");
        let micros: Option<i64> = connection.query_row(&sql, [], |row| row.get(0))?;
        Ok(micros.and_then(|micros| Timestamp::from_micros(micros).ok()))
    };
    Ok(Census {
        kinds,
        tiers: by("version.tier")?,
        trusts: by("version.trust")?,
        namespaces: by("version.namespace")?,
        versions: count(connection, "SELECT count(*) FROM version", Vec::new())?,
        links: count(connection, &links, link_params)?,
        tombstones: count(connection, "SELECT count(*) FROM tombstone", Vec::new())?,
        audit_entries: count(connection, "SELECT count(*) FROM audit", Vec::new())?,
        jobs_waiting: count(connection, "SELECT count(*) FROM job", Vec::new())?,
        bytes: file_bytes(connection),
        first_recorded: span("min")?,
        last_recorded: span("max")?,
    })
}

fn counts(
    connection: &Connection,
    column: &str,
    condition: &str,
    params: &[Value],
) -> Result<BTreeMap<String, u64>> {
    let sql = format!(
        "SELECT {column}, count(*) FROM version JOIN record ON record.seq = version.record \
         WHERE {condition} GROUP BY 1"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params_from_iter(params), |row| {
        Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs()))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn count(connection: &Connection, sql: &str, params: Vec<Value>) -> Result<u64> {
    let count: i64 = connection.query_row(sql, params_from_iter(params), |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

fn file_bytes(connection: &Connection) -> u64 {
    let Some(path) = connection.path().map(Path::new) else { return 0 };
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
    size(path) + size(&files::sibling(path, "-wal"))
}

pub(super) fn upkeep(connection: &Connection, path: &Path) -> Result<Upkeep> {
    let pragma = |name: &str| -> Result<i64> {
        Ok(connection.pragma_query_value(None, name, |row| row.get(0))?)
    };
    let last_backup: Option<i64> = connection
        .query_row("SELECT max(at) FROM backup", [], |row| row.get(0))
        .optional()?
        .flatten();
    Ok(Upkeep {
        schema: pragma("user_version")?,
        words_current: words::is_current(connection)?,
        journal_bytes: std::fs::metadata(files::sibling(path, "-wal")).map_or(0, |f| f.len()),
        free_bytes: (pragma("freelist_count")? * pragma("page_size")?).unsigned_abs(),
        last_recorded: audit::last_tick(connection)?,
        last_backup: last_backup.and_then(|micros| Timestamp::from_micros(micros).ok()),
    })
}
