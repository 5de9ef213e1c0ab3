//! The audit chain, and with it the store's own time: every write leaves an entry, so the last
//! entry's time is the last tick.

use super::query::rows;
use crate::{Error, Result};
use mnemic_model::audit::AuditEntry;
use mnemic_model::{Actor, Digest, Timestamp, Verb};
use rusqlite::{Connection, OptionalExtension, Row, params};

fn from_row(row: &Row<'_>) -> Result<AuditEntry> {
    let seq: i64 = row.get(0)?;
    let damaged =
        |cause: mnemic_model::Invalid| Error::Damaged(format!("audit entry {seq}: {cause}"));
    let actor: String = row.get(2)?;
    let verb: String = row.get(3)?;
    let parsed: (Actor, Verb) =
        (Actor::parse(&actor).map_err(damaged)?, verb.parse().map_err(damaged)?);
    // Reading is lenient about case, and the chain is over what is written.
    if parsed.0.to_string() != actor || parsed.1.as_str() != verb {
        return Err(Error::Damaged(format!("audit entry {seq}: `{actor}` or `{verb}`")));
    }
    Ok(AuditEntry {
        seq: seq.unsigned_abs(),
        at: Timestamp::from_micros(row.get(1)?).map_err(damaged)?,
        actor: parsed.0,
        verb: parsed.1,
        subject: row.get(4)?,
        content: row.get::<_, Option<[u8; 16]>>(5)?.map(Digest),
        hash: Digest(row.get(6)?),
    })
}

const COLUMNS: &str = "seq, at, actor, verb, subject, content, hash";

pub(super) fn entries(
    connection: &Connection,
    after: u64,
    limit: usize,
) -> Result<Vec<AuditEntry>> {
    let sql = format!("SELECT {COLUMNS} FROM audit WHERE seq > ?1 ORDER BY seq LIMIT ?2");
    rows(
        connection,
        &sql,
        params![i64::try_from(after).unwrap_or(i64::MAX), i64::try_from(limit).unwrap_or(i64::MAX)],
        from_row,
    )
}

pub(super) fn last(connection: &Connection) -> Result<Option<AuditEntry>> {
    let sql = format!("SELECT {COLUMNS} FROM audit ORDER BY seq DESC LIMIT 1");
    Ok(rows(connection, &sql, [], from_row)?.pop())
}

/// The end of the chain: what the next entry follows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    seq: u64,
    hash: Digest,
}

pub(super) fn head(connection: &Connection) -> Result<Head> {
    let last = connection
        .prepare_cached("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))
        .optional()?;
    Ok(match last {
        Some((seq, hash)) => Head { seq: seq.unsigned_abs(), hash: Digest(hash) },
        None => Head { seq: 0, hash: AuditEntry::genesis() },
    })
}

/// The last time that anything was recorded. The audit chain has it, unless its end was lost; the
/// others are asked all the same, because recorded time must never go back.
pub(super) fn last_tick(connection: &Connection) -> Result<Option<Timestamp>> {
    let last: Option<i64> = connection
        .prepare_cached(
            "SELECT max(at) FROM (SELECT at FROM (SELECT at FROM audit ORDER BY seq DESC LIMIT 1) \
             UNION ALL SELECT at FROM (SELECT at FROM change ORDER BY seq DESC LIMIT 1) \
             UNION ALL SELECT max(recorded_at) FROM version \
             UNION ALL SELECT max(expired_at) FROM version WHERE expired_at IS NOT NULL)",
        )?
        .query_row([], |row| row.get(0))?;
    last.map(|micros| {
        Timestamp::from_micros(micros).map_err(|cause| Error::Damaged(cause.to_string()))
    })
    .transpose()
}

/// Adds an entry after `head`; the new head.
pub(super) fn append(
    connection: &Connection,
    head: Head,
    at: Timestamp,
    actor: &Actor,
    verb: Verb,
    subject: &str,
    content: Option<Digest>,
) -> Result<Head> {
    let mut entry = AuditEntry {
        seq: head.seq + 1,
        at,
        actor: actor.clone(),
        verb,
        subject: subject.to_owned(),
        content,
        hash: head.hash,
    };
    entry.hash = entry.chained_hash(head.hash);
    connection
        .prepare_cached(
            "INSERT INTO audit (seq, at, actor, verb, subject, content, hash) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            i64::try_from(entry.seq).unwrap_or(i64::MAX),
            at.micros(),
            actor.to_string(),
            verb.as_str(),
            subject,
            content.as_ref().map(|digest| digest.0.as_slice()),
            entry.hash.0.as_slice(),
        ])?;
    Ok(Head { seq: entry.seq, hash: entry.hash })
}

/// Walks the whole chain; every entry that does not follow the one before.
pub(super) fn breaks(connection: &Connection) -> Result<(u64, Vec<(u64, String)>)> {
    let mut before = AuditEntry::genesis();
    let mut expected = 1;
    let mut wrong = Vec::new();
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM audit ORDER BY seq"))?;
    let mut rows = statement.query([])?;
    let mut count = 0;
    while let Some(row) = rows.next()? {
        count += 1;
        match from_row(row) {
            Ok(entry) => {
                if entry.seq != expected {
                    wrong.push((entry.seq, format!("entry {expected} should come here")));
                }
                if entry.hash != entry.chained_hash(before) {
                    wrong.push((entry.seq, "does not follow from the entry before".to_owned()));
                }
                before = entry.hash;
                expected = entry.seq + 1;
            }
            Err(cause) => {
                wrong.push((expected, cause.to_string()));
                expected += 1;
            }
        }
    }
    Ok((count, wrong))
}

/// Numbers and chains the entries anew after some were lost for good; how many are left. The gap
/// itself is told by the entry that the repair adds.
pub(super) fn rechain(connection: &Connection) -> Result<u64> {
    if breaks(connection)?.1.is_empty() {
        return Ok(0);
    }
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM audit ORDER BY seq"))?;
    let mut rows = statement.query([])?;
    let mut kept = Vec::new();
    while let Some(row) = rows.next()? {
        kept.extend(from_row(row).ok());
    }
    connection.execute("DELETE FROM audit", [])?;
    let mut head = Head { seq: 0, hash: AuditEntry::genesis() };
    for AuditEntry { at, actor, verb, subject, content, .. } in &kept {
        head = append(connection, head, *at, actor, *verb, subject, *content)?;
    }
    Ok(kept.len() as u64)
}
