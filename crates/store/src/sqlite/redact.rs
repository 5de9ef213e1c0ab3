//! Replaces text in rows that are already there: in every version, and wherever else a text lies.

use super::index::{thread, vector};
use super::row::{self, Stored, select};
use super::seal::{ANSWER, CHANGE, JOB, META, SESSION, TOMBSTONE, TRACE, Table, VERSION};
use super::topic;
use super::words::Pending;
use crate::{Redaction, Result, Screen, fingerprint};
use mnemic_model::RecordId;
use rusqlite::types::Value;
use rusqlite::{Connection, params};

/// Tables beside `version` that hold text, and in which columns.
static TEXTS: &[(&Table, &[&str])] = &[
    (&CHANGE, &["reason"]),
    (&TOMBSTONE, &["reason"]),
    (&TRACE, &["name"]),
    (&SESSION, &["host", "agent"]),
    (&META, &["value"]),
    (&ANSWER, &["result"]),
    (&JOB, &["payload", "last_error"]),
];

/// Lets every row pass the screen anew.
pub(super) fn redact(
    connection: &Connection,
    screen: &Screen,
    words: &mut Pending,
) -> Result<Redaction> {
    let mut done = Redaction::default();
    let records: Vec<i64> =
        super::query::rows(connection, "SELECT seq FROM record ORDER BY seq", [], |row| {
            Ok(row.get(0)?)
        })?;
    for record in records {
        redact_record(connection, record, screen, words, &mut done)?;
    }
    for (table, columns) in TEXTS {
        for column in *columns {
            done.elsewhere += redact_column(connection, table, column, screen)?;
        }
    }
    let keys = "DELETE FROM answer WHERE key = ?1";
    for key in texts(connection, "SELECT key FROM answer")? {
        if screen.text(&key) != key {
            done.elsewhere += connection.execute(keys, [&key])? as u64;
        }
    }
    if done.elsewhere > 0 || !done.ids.is_empty() {
        let rules = "DELETE FROM topic_rule WHERE name = ?1 OR value = ?1";
        for name in
            texts(connection, "SELECT name FROM topic_rule UNION SELECT value FROM topic_rule")?
        {
            if screen.text(&name) != name {
                connection.execute(rules, [&name])?;
            }
        }
    }
    let subjects = texts(connection, "SELECT subject FROM audit UNION ALL SELECT id FROM record")?;
    done.unchangeable = subjects.iter().filter(|text| screen.name(text) != **text).count() as u64;
    Ok(done)
}

fn texts(connection: &Connection, sql: &str) -> Result<Vec<String>> {
    super::query::rows(connection, sql, [], |row| Ok(row.get(0)?))
}

fn redact_record(
    connection: &Connection,
    record: i64,
    screen: &Screen,
    words: &mut Pending,
    done: &mut Redaction,
) -> Result<()> {
    let mut id: Option<RecordId> = None;
    for Stored { version, .. } in select(connection, "version.record = ?1", [record])? {
        let content = screen.content(&version.content)?;
        if *content == version.content {
            continue;
        }
        let key: i64 = connection
            .prepare_cached("SELECT seq FROM version WHERE record = ?1 AND n = ?2")?
            .query_row(params![record, version.n], |row| row.get(0))?;
        let mut safe = version.clone();
        safe.content = content.into_owned();
        if version.is_current() {
            words.remove(record, &version.content);
            words.add(record, &safe.content);
            topic::remove(connection, record)?;
        }
        write(connection, key, &safe)?;
        if version.is_current() {
            topic::add(connection, record, &safe)?;
        }
        topic::erase(connection, std::slice::from_ref(&version))?;
        done.versions += 1;
        id = Some(version.id);
    }
    done.ids.extend(id);
    Ok(())
}

fn write(connection: &Connection, key: i64, version: &mnemic_model::Version) -> Result<()> {
    let content = &version.content;
    let slot = content.slot();
    connection
        .prepare_cached(
            "UPDATE version SET slot = ?2, fingerprint = ?3, content = ?4 WHERE seq = ?1",
        )?
        .execute(params![
            key,
            slot.as_ref().map(|slot| slot.as_str()),
            fingerprint::content(&content.body).0.as_slice(),
            row::content_json(content),
        ])?;
    connection.prepare_cached(VERSION.reseal())?.execute([key])?;
    // The row holds all of it again until it grows cold anew.
    connection.prepare_cached("DELETE FROM cold WHERE version = ?1")?.execute([key])?;
    // A vector tells what a text was about.
    connection.prepare_cached("DELETE FROM vector WHERE version = ?1")?.execute([key])?;
    // What is noted of a turn is read from its text.
    connection.prepare_cached("DELETE FROM turn WHERE version = ?1")?.execute([key])?;
    thread::note(connection, key, content)?;
    vector::await_vectors(connection, key, content.kind())
}

fn redact_column(
    connection: &Connection,
    table: &Table,
    column: &str,
    screen: &Screen,
) -> Result<u64> {
    let (name, key) = (table.name, table.key());
    let sql = format!("SELECT {key}, {column} FROM {name} WHERE {column} IS NOT NULL");
    let rows: Vec<(Value, String)> =
        super::query::rows(connection, &sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut changed = 0;
    for (row, text) in rows {
        let safe = screen.packed(&text);
        if safe == text {
            continue;
        }
        let update = format!("UPDATE {name} SET {column} = ?2 WHERE {key} = ?1");
        connection.execute(&update, params![row, safe])?;
        connection.execute(table.reseal(), params![row])?;
        changed += 1;
    }
    Ok(changed)
}
