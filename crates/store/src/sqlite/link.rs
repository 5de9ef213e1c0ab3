//! Links between records, with the same two time lines as versions.

use super::change::{Cause, next_key};
use super::list::{Seen, at_sql};
use super::query::rows;
use super::seal::LINK;
use crate::{Error, NewLink, Result};
use mnemic_model::{ChangeId, Interval, Link, RecordId, Relation, Timestamp, Unit};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Params, Row, params, params_from_iter};

const SELECT: &str = "SELECT link.from_id, link.to_id, link.relation, link.strength, \
    link.valid_at, link.invalid_at, link.recorded_at, link.expired_at, change.id \
    FROM link JOIN change ON change.seq = link.change";

fn from_row(row: &Row<'_>) -> Result<Link> {
    let damaged = |cause: mnemic_model::Invalid| Error::Damaged(format!("a link: {cause}"));
    let interval = |from: usize| -> Result<Interval> {
        let to: Option<i64> = row.get(from + 1)?;
        let to = to.map(Timestamp::from_micros).transpose().map_err(damaged)?;
        let from = Timestamp::from_micros(row.get(from)?).map_err(damaged)?;
        Interval::new(from, to).map_err(damaged)
    };
    let text = |index: usize| row.get::<_, String>(index);
    Ok(Link {
        from: RecordId::parse(&text(0)?).map_err(damaged)?,
        to: RecordId::parse(&text(1)?).map_err(damaged)?,
        relation: text(2)?.parse().map_err(damaged)?,
        strength: Unit::new(row.get(3)?).map_err(damaged)?,
        valid: interval(4)?,
        recorded: interval(6)?,
        change: ChangeId(text(8)?),
    })
}

fn select(connection: &Connection, condition: &str, params: impl Params) -> Result<Vec<Link>> {
    rows(connection, &format!("{SELECT} WHERE {condition} ORDER BY link.seq"), params, from_row)
}

pub(super) fn of_record(connection: &Connection, id: &RecordId, at: Seen) -> Result<Vec<Link>> {
    let (at, mut params) = at_sql("link", at);
    params.extend([id, id].map(|id| Value::Text(id.as_str().to_owned())));
    let condition = format!("{at} AND (link.from_id = ? OR link.to_id = ?)");
    select(connection, &condition, params_from_iter(params))
}

pub(super) fn all(connection: &Connection) -> Result<Vec<Link>> {
    select(connection, "true", [])
}

/// Links that a change made (`change`) or ended (`expired_by`).
pub(super) fn by_change(
    connection: &Connection,
    column: &'static str,
    change: &ChangeId,
) -> Result<Vec<Link>> {
    let condition = format!("link.{column} = (SELECT seq FROM change WHERE id = ?1)");
    select(connection, &condition, [&change.0])
}

pub(super) fn exists(connection: &Connection, link: &Link) -> Result<bool> {
    let condition = "link.from_id = ?1 AND link.relation = ?2 AND link.to_id = ?3 \
                     AND link.recorded_at = ?4";
    let found = select(
        connection,
        condition,
        params![
            link.from.as_str(),
            link.relation.as_str(),
            link.to.as_str(),
            link.recorded.from().micros()
        ],
    )?;
    Ok(!found.is_empty())
}

pub(super) fn ended_by(connection: &Connection, link: &Link) -> Result<Option<ChangeId>> {
    let sql = "SELECT change.id FROM link JOIN change ON change.seq = link.expired_by \
               WHERE from_id = ?1 AND relation = ?2 AND to_id = ?3 AND recorded_at = ?4";
    let found = connection
        .prepare_cached(sql)?
        .query_row(
            params![
                link.from.as_str(),
                link.relation.as_str(),
                link.to.as_str(),
                link.recorded.from().micros()
            ],
            |row| row.get(0),
        )
        .optional()?;
    Ok(found.map(ChangeId))
}

/// Makes a link; the same one made twice is the one that is there.
pub(super) fn connect(
    connection: &Connection,
    new: &NewLink,
    cause: &Cause,
    at: Timestamp,
) -> Result<Link> {
    let condition =
        "link.from_id = ?1 AND link.relation = ?2 AND link.to_id = ?3 AND link.expired_at IS NULL";
    let names = [new.from.as_str(), new.relation.as_str(), new.to.as_str()];
    if let Some(same) = select(connection, condition, names)?.pop() {
        if same.strength == new.strength {
            return Ok(same);
        }
        disconnect(connection, &new.from, new.relation, &new.to, cause, at)?;
    }
    let link = Link {
        from: new.from.clone(),
        to: new.to.clone(),
        relation: new.relation,
        strength: new.strength,
        valid: new.valid,
        recorded: Interval::since(at),
        change: cause.id.clone(),
    };
    insert(connection, &link, cause.key, None)?;
    Ok(link)
}

pub(super) fn insert(
    connection: &Connection,
    link: &Link,
    change: i64,
    ended_by: Option<i64>,
) -> Result<()> {
    connection.prepare_cached(LINK.insert())?.execute(params![
        next_key(connection, "link")?,
        link.from.as_str(),
        link.to.as_str(),
        link.relation.as_str(),
        link.strength.get(),
        link.valid.from().micros(),
        link.valid.to().map(Timestamp::micros),
        link.recorded.from().micros(),
        link.recorded.to().map(Timestamp::micros),
        change,
        ended_by,
    ])?;
    Ok(())
}

pub(super) fn disconnect(
    connection: &Connection,
    from: &RecordId,
    relation: Relation,
    to: &RecordId,
    cause: &Cause,
    at: Timestamp,
) -> Result<bool> {
    let sql = "SELECT seq FROM link WHERE from_id = ?1 AND relation = ?2 AND to_id = ?3 \
               AND expired_at IS NULL";
    let key: Option<i64> = connection
        .prepare_cached(sql)?
        .query_row([from.as_str(), relation.as_str(), to.as_str()], |row| row.get(0))
        .optional()?;
    let Some(key) = key else { return Ok(false) };
    connection
        .prepare_cached("UPDATE link SET expired_at = ?2, expired_by = ?3 WHERE seq = ?1")?
        .execute(params![key, at.micros(), cause.key])?;
    connection.prepare_cached(LINK.reseal())?.execute([key])?;
    Ok(true)
}
