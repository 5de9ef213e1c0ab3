//! What matters whatever is asked. Each sort has an index of its own, so that a store of a hundred
//! thousand memories is not read through for the three that bind.

use crate::Result;
use crate::find::Key;
use crate::sqlite::list::{self, Seen};
use crate::sqlite::query::rows;
use mnemic_model::{Filter, Kind, RecordId, Timestamp};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

/// The conditions repeat those of the indexes word by word, and the tables stand in the order in
/// which they are to be read: only so does SQLite use the indexes.
const MANDATES: &str = "version.tier = 'mandate'";
const IMPORTANT: &str = "version.importance >= 0.9";
/// Among the labels, most likely; whoever reads the text sees whether it is.
const GOTCHAS: &str = "instr(lower(version.content), '\"gotcha\"') > 0";
const PINNED: &str = "instr(version.content, '\"pinned\":true') > 0";
const BLOCKS: &str = "record.kind = 'block'";
const CONTRADICTIONS: &str = "record.kind = 'contradiction'";
const FAILURES: &str = "version.valid_at >= ? AND record.kind IN ('episode', 'anti_pattern')";

const BY_VERSION: &str = "version CROSS JOIN record";
const BY_RECORD: &str = "record CROSS JOIN version";

pub(in crate::sqlite) fn at_hand(
    connection: &Connection,
    since: Timestamp,
    filter: &Filter,
    at: Seen,
    each: usize,
) -> Result<Vec<Key>> {
    // A contradiction is no memory; questions for memories leave it out.
    let open = Filter { kinds: vec![Kind::Contradiction], tiers: Vec::new(), ..filter.clone() };
    let mut keys = Vec::new();
    for (filter, tables, condition) in [
        (filter, BY_VERSION, MANDATES),
        (filter, BY_VERSION, IMPORTANT),
        (filter, BY_VERSION, GOTCHAS),
        (filter, BY_VERSION, PINNED),
        (filter, BY_RECORD, BLOCKS),
        (&open, BY_RECORD, CONTRADICTIONS),
        (filter, BY_VERSION, FAILURES),
    ] {
        let Some((usual, mut params)) = list::conditions_sql(filter, at) else { continue };
        if condition == FAILURES {
            params.push(Value::Integer(since.micros()));
        }
        params.push(Value::Integer(i64::try_from(each).unwrap_or(i64::MAX)));
        let sql = format!(
            "SELECT version.seq FROM {tables} ON record.seq = version.record \
             WHERE {usual} AND {condition} ORDER BY version.valid_at DESC, version.seq DESC LIMIT ?"
        );
        keys.extend(rows(connection, &sql, params_from_iter(params), |row| Ok(Key(row.get(0)?)))?);
    }
    keys.sort_unstable();
    keys.dedup();
    Ok(keys)
}

/// What was cited, the most first. Only what was ever used has a row in `usage`.
pub(in crate::sqlite) fn most_cited(
    connection: &Connection,
    filter: &Filter,
    at: Seen,
    most: usize,
) -> Result<Vec<Key>> {
    let Some((usual, mut params)) = list::conditions_sql(filter, at) else { return Ok(Vec::new()) };
    params.push(Value::Integer(i64::try_from(most).unwrap_or(i64::MAX)));
    let sql = format!(
        "SELECT version.seq FROM usage CROSS JOIN {BY_RECORD} ON record.seq = version.record \
         WHERE usage.record = record.seq AND usage.referenced > 0 AND {usual} \
         ORDER BY usage.referenced DESC, usage.record DESC LIMIT ?"
    );
    rows(connection, &sql, params_from_iter(params), |row| Ok(Key(row.get(0)?)))
}

/// The contradictions of these records that nobody has settled, as they stand now. Most are settled,
/// and are told by their letters alone; what is no JSON is for `verify` to tell of.
pub(in crate::sqlite) fn open_contradictions(
    connection: &Connection,
    of: &[&RecordId],
) -> Result<Vec<Key>> {
    let ids: Vec<&str> = of.iter().map(|id| id.as_str()).collect();
    let sql = format!(
        "SELECT version.seq FROM {BY_RECORD} ON record.seq = version.record \
         WHERE {CONTRADICTIONS} AND version.expired_at IS NULL AND version.invalid_at IS NULL \
           AND version.trust <> 'quarantined' \
           AND instr(version.content, '\"status\":\"open\"') > 0 \
           AND CASE WHEN json_valid(version.content) THEN \
             json_extract(version.content, '$.a') IN (SELECT value FROM json_each(?1)) \
             OR json_extract(version.content, '$.b') IN (SELECT value FROM json_each(?1)) \
           END"
    );
    rows(connection, &sql, [serde_json::json!(ids).to_string()], |row| Ok(Key(row.get(0)?)))
}
