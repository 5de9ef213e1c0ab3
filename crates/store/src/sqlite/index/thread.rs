//! Threads: the episodes of one task or conversation, each with what came before and after it.

use crate::Result;
use crate::find::{Key, Turn};
use crate::sqlite::query::rows;
use crate::sqlite::row;
use mnemic_model::{Body, Content};
use mnemic_text::speech::{speaker, words_stated};
use rusqlite::{Connection, params};

/// The thread that a memory is a turn of, as a number.
fn of(content: &Content) -> Option<i64> {
    let Body::Episode(episode) = &content.body else { return None };
    let task = episode.task_id.as_deref()?;
    let scope = &content.scope;
    let mut hasher = blake3::Hasher::new();
    for part in [scope.level.as_str(), scope.namespace.as_str(), task] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let bytes: [u8; 8] = hasher.finalize().as_bytes()[..8].try_into().expect("eight of thirty-two");
    Some(i64::from_le_bytes(bytes))
}

/// Notes that a new version is a turn, if it is one.
pub(in crate::sqlite) fn note(connection: &Connection, key: i64, content: &Content) -> Result<()> {
    if let Some(thread) = of(content) {
        let text = content.body.substance();
        connection
            .prepare_cached(
                "INSERT OR REPLACE INTO turn (version, thread, words, stated, by_human, speaker) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                key,
                thread,
                text.split_whitespace().count() as i64,
                words_stated(&text, Turn::STATED_AT_MOST) as i64,
                content.provenance.writer.is_human(),
                speaker(&text),
            ])?;
    }
    Ok(())
}

/// Fills the empty table from rows, inside the caller's transaction.
pub(in crate::sqlite) fn fill(connection: &Connection) -> Result<()> {
    connection.execute("DELETE FROM turn", [])?;
    let sql = format!(
        "SELECT {}, version.seq FROM {} WHERE record.kind = 'episode'",
        row::COLUMNS,
        row::TABLES
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(found) = rows.next()? {
        let key: i64 = found.get(15)?;
        if let Ok(stored) = row::stored(found) {
            note(connection, key, &stored.version.content)?;
        }
    }
    Ok(())
}

/// What a turn says is context of the next one only when it is short: a page of it would drown the
/// few words that it is to explain.
pub(super) const SHORT_TURN: usize = 90;

/// What the turn before this one said.
pub(super) fn said_before(
    connection: &Connection,
    thread: i64,
    key: i64,
) -> Result<Option<String>> {
    let condition = "version.seq = (SELECT max(turn.version) FROM turn \
                     WHERE turn.thread = ?1 AND turn.version < ?2)";
    let found = row::select(connection, condition, params![thread, key])?;
    Ok(found.into_iter().next().map(|stored| stored.version.content.body.substance()))
}

/// The turn before and the turn after each of these versions, a JSON list, where there is one.
pub(super) fn beside(connection: &Connection, versions: &str) -> Result<Vec<Key>> {
    let sql = "SELECT \
         (SELECT max(version) FROM turn WHERE thread = here.thread AND version < here.version), \
         (SELECT min(version) FROM turn WHERE thread = here.thread AND version > here.version) \
       FROM turn AS here WHERE here.version IN (SELECT value FROM json_each(?1))";
    let pairs = rows(connection, sql, [versions], |row| {
        Ok([row.get::<_, Option<i64>>(0)?, row.get::<_, Option<i64>>(1)?])
    })?;
    Ok(pairs.into_iter().flatten().flatten().map(Key).collect())
}
