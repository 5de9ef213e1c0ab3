//! Rows of sessions: what happened, what was shown, what it cost.

use super::change::next_key;
use super::query::rows;
use super::read::Connected;
use super::seal::{ECONOMICS, SESSION, SESSION_EVENT, SHOWN};
use super::version::record_key;
use super::write::Writing;
use super::{topic, trace};
use crate::session::{ReadSessions, WriteSessions};
use crate::{Error, Result};
use mnemic_model::body::Outcome;
use mnemic_model::session::{Economics, Focus, Injection, Session, SessionEvent, SessionId, Thing};
use mnemic_model::topic::{TopicAct, TopicRule};
use mnemic_model::{Invalid, Namespace, RecordId, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::str::FromStr;

/// What a column says that cannot be read is damage.
pub(super) fn damaged(cause: Invalid) -> Error {
    Error::Damaged(format!("a session: {cause}"))
}

pub(super) fn time(micros: i64) -> Result<Timestamp> {
    Timestamp::from_micros(micros).map_err(damaged)
}

fn count(row: &Row<'_>, index: usize) -> Result<u64> {
    Ok(row.get::<_, i64>(index)?.unsigned_abs())
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn named<T: FromStr<Err = Invalid>>(row: &Row<'_>, index: usize) -> Result<T> {
    row.get::<_, String>(index)?.parse().map_err(damaged)
}

fn maybe_named<T: FromStr<Err = Invalid>>(row: &Row<'_>, index: usize) -> Result<Option<T>> {
    let text: Option<String> = row.get(index)?;
    text.map(|text| text.parse().map_err(damaged)).transpose()
}

const SESSION_COLUMNS: &str =
    "id, host, agent, started_at, ended_at, terms, direction, window, filled, outcome";

fn session(row: &Row<'_>) -> Result<Session> {
    let words = |index: usize| -> Result<Vec<[u8; 4]>> {
        let bytes: Vec<u8> = row.get(index)?;
        Ok(bytes.as_chunks::<4>().0.to_vec())
    };
    Ok(Session {
        id: SessionId::parse(&row.get::<_, String>(0)?).map_err(damaged)?,
        host: row.get(1)?,
        agent: row.get(2)?,
        started_at: time(row.get(3)?)?,
        ended_at: row.get::<_, Option<i64>>(4)?.map(time).transpose()?,
        focus: Focus {
            terms: words(5)?.into_iter().map(u32::from_le_bytes).collect(),
            vector: words(6)?.into_iter().map(f32::from_le_bytes).collect(),
        },
        window: row.get::<_, Option<i64>>(7)?.map(i64::unsigned_abs),
        filled: count(row, 8)?,
        outcome: maybe_named(row, 9)?,
    })
}

fn event(row: &Row<'_>) -> Result<SessionEvent> {
    Ok(SessionEvent { at: time(row.get(0)?)?, kind: named(row, 1)?, amount: row.get(2)? })
}

fn injection(row: &Row<'_>) -> Result<Injection> {
    Ok(Injection {
        session: SessionId::parse(&row.get::<_, String>(0)?).map_err(damaged)?,
        record: RecordId::parse(&row.get::<_, String>(1)?).map_err(damaged)?,
        at: time(row.get(2)?)?,
        level: named(row, 3)?,
        tier: row.get(4)?,
        tokens: count(row, 5)?,
        cited: row.get(6)?,
        outcome: maybe_named(row, 7)?,
    })
}

fn economics(row: &Row<'_>) -> Result<Economics> {
    Ok(Economics {
        discovery_tokens: count(row, 0)?,
        timeline_tokens: count(row, 1)?,
        read_tokens: count(row, 2)?,
        index_loads: count(row, 3)?,
        timeline_loads: count(row, 4)?,
        full_loads: count(row, 5)?,
        task_full_loads: count(row, 6)?,
        all_tokens: count(row, 7)?,
        doubted: row.get(8)?,
    })
}

impl<T: Connected> ReadSessions for T {
    fn session(&self, id: &SessionId) -> Result<Option<Session>> {
        let sql = format!("SELECT {SESSION_COLUMNS} FROM session WHERE id = ?1");
        Ok(rows(self.connection(), &sql, [id.as_str()], session)?.pop())
    }

    fn sessions(&self, limit: usize) -> Result<Vec<Session>> {
        let order = "ORDER BY started_at DESC, seq DESC LIMIT ?1";
        let sql = format!("SELECT {SESSION_COLUMNS} FROM session {order}");
        rows(self.connection(), &sql, [number(limit as u64)], session)
    }

    fn session_events(&self, id: &SessionId) -> Result<Vec<SessionEvent>> {
        let sql = "SELECT at, kind, amount FROM session_event WHERE session = ?1 ORDER BY seq";
        rows(self.connection(), sql, [id.as_str()], event)
    }

    fn shown_in(&self, id: &SessionId) -> Result<Vec<Injection>> {
        let sql = "SELECT session, record.id, at, level, tier, tokens, cited, outcome FROM shown \
                   JOIN record ON record.seq = shown.record WHERE session = ?1 ORDER BY shown.seq";
        rows(self.connection(), sql, [id.as_str()], injection)
    }

    fn economics(&self, id: &SessionId) -> Result<Economics> {
        let sql = "SELECT discovery_tokens, timeline_tokens, read_tokens, index_loads, \
                   timeline_loads, full_loads, task_full_loads, all_tokens, doubted \
                   FROM economics WHERE session = ?1";
        let found = rows(self.connection(), sql, [id.as_str()], economics)?.pop();
        Ok(found.unwrap_or_default())
    }
}

/// The key of a row to be written anew, or the next one.
fn take_key(
    connection: &Connection,
    table: &'static str,
    column: &str,
    id: &SessionId,
) -> Result<i64> {
    let sql = format!("DELETE FROM {table} WHERE {column} = ?1 RETURNING seq");
    let mut statement = connection.prepare_cached(&sql)?;
    let old: Option<i64> = statement.query_row([id.as_str()], |row| row.get(0)).optional()?;
    match old {
        Some(key) => Ok(key),
        None => next_key(connection, table),
    }
}

fn put(connection: &Connection, session: &Session) -> Result<()> {
    let key = take_key(connection, "session", "id", &session.id)?;
    let terms: Vec<u8> = session.focus.terms.iter().flat_map(|term| term.to_le_bytes()).collect();
    let direction: Vec<u8> = session.focus.vector.iter().flat_map(|x| x.to_le_bytes()).collect();
    connection.prepare_cached(SESSION.insert())?.execute(params![
        key,
        session.id.as_str(),
        session.host,
        session.agent,
        session.started_at.micros(),
        session.ended_at.map(Timestamp::micros),
        terms,
        direction,
        session.window.map(number),
        number(session.filled),
        session.outcome.map(Outcome::as_str),
    ])?;
    Ok(())
}

fn put_economics(connection: &Connection, id: &SessionId, e: &Economics) -> Result<()> {
    let key = take_key(connection, "economics", "session", id)?;
    connection.prepare_cached(ECONOMICS.insert())?.execute(params![
        key,
        id.as_str(),
        number(e.discovery_tokens),
        number(e.timeline_tokens),
        number(e.read_tokens),
        number(e.index_loads),
        number(e.timeline_loads),
        number(e.full_loads),
        number(e.task_full_loads),
        number(e.all_tokens),
        e.doubted,
    ])?;
    Ok(())
}

fn settle(
    connection: &Connection,
    id: &SessionId,
    cited: &[RecordId],
    outcome: Option<Outcome>,
) -> Result<()> {
    let outcome = outcome.map(Outcome::as_str);
    connection
        .prepare_cached("UPDATE shown SET outcome = ?2 WHERE session = ?1")?
        .execute(params![id.as_str(), outcome])?;
    for record in cited {
        let Some(record) = record_key(connection, record)? else { continue };
        connection
            .prepare_cached("UPDATE shown SET cited = 1 WHERE session = ?1 AND record = ?2")?
            .execute(params![id.as_str(), record])?;
    }
    let keys: Vec<i64> =
        rows(connection, "SELECT seq FROM shown WHERE session = ?1", [id.as_str()], |row| {
            Ok(row.get(0)?)
        })?;
    for key in keys {
        connection.prepare_cached(SHOWN.reseal())?.execute([key])?;
    }
    Ok(())
}

impl WriteSessions for Writing<'_> {
    fn put_session(&mut self, session: &Session) -> Result<()> {
        self.screen.refuse(session.id.as_str())?;
        let (host, agent) = (self.screen.maybe(&session.host), self.screen.maybe(&session.agent));
        put(self.connection(), &Session { host, agent, ..session.clone() })
    }

    fn note_event(&mut self, id: &SessionId, event: &SessionEvent) -> Result<()> {
        let key = next_key(self.connection(), "session_event")?;
        self.connection().prepare_cached(SESSION_EVENT.insert())?.execute(params![
            key,
            id.as_str(),
            event.at.micros(),
            event.kind.as_str(),
            event.amount,
        ])?;
        Ok(())
    }

    fn note_shown(&mut self, shown: &Injection) -> Result<()> {
        let Some(record) = record_key(self.connection(), &shown.record)? else { return Ok(()) };
        let key = next_key(self.connection(), "shown")?;
        self.connection().prepare_cached(SHOWN.insert())?.execute(params![
            key,
            shown.session.as_str(),
            record,
            shown.at.micros(),
            shown.level.as_str(),
            shown.tier,
            number(shown.tokens),
            shown.cited,
            shown.outcome.map(Outcome::as_str),
        ])?;
        Ok(())
    }

    fn settle_shown(
        &mut self,
        id: &SessionId,
        cited: &[RecordId],
        outcome: Option<Outcome>,
    ) -> Result<()> {
        settle(self.connection(), id, cited, outcome)
    }

    fn put_economics(&mut self, id: &SessionId, economics: &Economics) -> Result<()> {
        put_economics(self.connection(), id, economics)
    }

    fn note_trace(&mut self, id: &SessionId, thing: &Thing, at: Timestamp) -> Result<()> {
        let name = self.screen.text(&thing.name).into_owned();
        trace::note(self.connection(), id, &Thing { name: name.into(), ..thing.clone() }, at)
    }

    fn set_topic_rule(&mut self, rule: &TopicRule) -> Result<()> {
        topic::set_rule(self.connection(), rule)
    }

    fn drop_topic_rule(
        &mut self,
        namespace: &Namespace,
        name: &str,
        act: TopicAct,
    ) -> Result<bool> {
        topic::drop_rule(self.connection(), namespace, name, act)
    }
}
