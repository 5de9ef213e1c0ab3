//! Looking at rows: all that scoring needs of each, read once in a view whoever asks.

use super::Lookup;
use super::find::{AMONG, key_list};
use crate::find::{Glance, Key, Turn};
use crate::sqlite::list::{self, IS_DESCRIBED, Seen};
use crate::sqlite::query::rows;
use crate::{Error, Result};
use foldhash::HashSet;
use mnemic_model::{
    At, Filter, Interval, Namespace, RecordId, Slot, Timestamp, Truth, Unit, Usage,
};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};
use std::sync::Arc;

/// Those of these versions that pass the filter. Every channel proposes many of the same.
pub(in crate::sqlite) fn glances(
    connection: &Connection,
    lookup: &Lookup,
    keys: &[Key],
    filter: &Filter,
    at: Seen,
) -> Result<Vec<Arc<Glance>>> {
    let mut sought: Vec<Key> = keys.to_vec();
    sought.sort_unstable();
    sought.dedup();
    each_passing(connection, lookup, &sought, filter, at, Arc::clone)
}

/// Which of these pass the filter.
pub(super) fn passing(
    connection: &Connection,
    lookup: &Lookup,
    keys: &[Key],
    filter: &Filter,
    at: Seen,
) -> Result<HashSet<Key>> {
    each_passing(connection, lookup, keys, filter, at, |glance| glance.key)
}

fn each_passing<T, C: FromIterator<T>>(
    connection: &Connection,
    lookup: &Lookup,
    keys: &[Key],
    filter: &Filter,
    at: Seen,
    take: impl Fn(&Arc<Glance>) -> T,
) -> Result<C> {
    let asked = asked_of_rows(filter);
    let mut glanced = lookup.glanced(&asked);
    let new: Vec<Key> = keys.iter().filter(|key| !glanced.contains_key(key)).copied().collect();
    if !new.is_empty() {
        let looked_at = look_at(connection, lookup, &new, &asked)?;
        glanced.extend(new.into_iter().map(|key| (key, None)));
        glanced.extend(looked_at.into_iter().map(|glance| (glance.key, Some(glance))));
    }
    let holds = |glance: &&Arc<Glance>| at.truth.is_none_or(|point| glance.valid.contains(point));
    let found = keys.iter().filter_map(|key| glanced.get(key)?.as_ref());
    let taken = found.filter(|glance| suits(glance, filter)).filter(holds).map(take).collect();
    lookup.keep_glanced(asked, glanced);
    Ok(taken)
}

/// What this view has looked at for this filter and left out for nothing but that it has ended.
pub(in crate::sqlite) fn ended(lookup: &Lookup, filter: &Filter, at: Seen) -> Vec<Arc<Glance>> {
    let Some(point) = at.truth else { return Vec::new() };
    let asked = asked_of_rows(filter);
    let glanced = lookup.glanced(&asked);
    let has_ended = |glance: &&Arc<Glance>| glance.valid.to().is_some_and(|end| end <= point);
    let seen = glanced.values().flatten().filter(has_ended);
    let mut ended: Vec<Arc<Glance>> =
        seen.filter(|glance| suits(glance, filter)).cloned().collect();
    ended.sort_by_key(|glance| glance.key);
    lookup.keep_glanced(asked, glanced);
    ended
}

/// What only the rows can answer of a filter. The rest is asked of what was read: lists of words
/// cost SQL more than it costs to look, and so no row is read twice for two filters.
fn asked_of_rows(filter: &Filter) -> Filter {
    Filter {
        at: At { truth: Truth::Whenever, known: filter.at.known },
        kinds: Vec::new(),
        described: false,
        levels: Vec::new(),
        namespaces: Vec::new(),
        tiers: Vec::new(),
        trusts: Vec::new(),
        ..filter.clone()
    }
}

/// The rest of the filter, but for the time.
fn suits(glance: &Glance, filter: &Filter) -> bool {
    fn is_one<T: PartialEq>(of: &[T], one: &T) -> bool {
        of.is_empty() || of.contains(one)
    }
    (glance.is_described || !filter.described)
        && is_one(&filter.kinds, &glance.kind)
        && is_one(&filter.levels, &glance.level)
        && is_one(&filter.namespaces, &glance.namespace)
        && is_one(&filter.tiers, &glance.tier)
        && is_one(&filter.trusts, &glance.trust)
}

/// What this asks of a row, and nothing else, is that it is believed.
const IS_BELIEVED: &str = "version.expired_at IS NULL";

/// Those of these rows that pass what is asked of rows, read now or by a view before this one.
fn look_at(
    connection: &Connection,
    lookup: &Lookup,
    keys: &[Key],
    asked: &Filter,
) -> Result<Vec<Arc<Glance>>> {
    let at = Seen { truth: None, known: asked.at.known };
    let Some((condition, params)) = list::conditions_sql(asked, at) else {
        return Ok(Vec::new());
    };
    if condition != IS_BELIEVED {
        return read_glances(connection, keys, &condition, params);
    }
    let mut glances = Vec::with_capacity(keys.len());
    let mut missing = Vec::new();
    let taken = lookup.kept(connection, |kept| {
        for key in keys {
            match kept.glance(*key) {
                Some(glance) => glances.push(glance),
                None => missing.push(*key),
            }
        }
    })?;
    if taken.is_none() {
        return read_glances(connection, keys, &condition, params);
    }
    if !missing.is_empty() {
        let read = read_glances(connection, &missing, &condition, params)?;
        lookup.kept(connection, |kept| {
            read.iter().for_each(|glance| kept.keep_glance(glance.clone()));
        })?;
        glances.extend(read);
    }
    Ok(glances)
}

fn read_glances(
    connection: &Connection,
    keys: &[Key],
    condition: &str,
    mut params: Vec<Value>,
) -> Result<Vec<Arc<Glance>>> {
    let sql = format!(
        "SELECT version.seq, record.id, record.kind, version.level, version.namespace, \
           version.tier, version.trust, version.importance, version.recorded_at, \
           version.valid_at, version.invalid_at, version.slot, usage.loaded, usage.referenced, \
           usage.ignored, usage.succeeded, usage.last_used, turn.thread, \
           turn.words, turn.stated, turn.by_human, turn.speaker, {IS_DESCRIBED} \
         FROM version JOIN record ON record.seq = version.record \
           LEFT JOIN usage ON usage.record = version.record \
           LEFT JOIN turn ON turn.version = version.seq \
         WHERE {condition} AND {AMONG}"
    );
    params.push(Value::Text(key_list(keys)));
    rows(connection, &sql, params_from_iter(params), |row| glance(row).map(Arc::new))
}

fn glance(row: &Row<'_>) -> Result<Glance> {
    let id: String = row.get(1)?;
    let damaged = |cause: mnemic_model::Invalid| Error::Damaged(format!("`{id}`: {cause}"));
    let time = |index: usize| -> Result<Option<Timestamp>> {
        let micros: Option<i64> = row.get(index)?;
        micros.map(Timestamp::from_micros).transpose().map_err(damaged)
    };
    let must = |time: Option<Timestamp>| {
        time.ok_or_else(|| Error::Damaged(format!("`{id}`: a time is missing")))
    };
    let text = |index: usize| -> Result<&str> {
        Ok(row.get_ref(index)?.as_str().map_err(rusqlite::Error::from)?)
    };
    Ok(Glance {
        key: Key(row.get(0)?),
        id: RecordId::parse(&id).map_err(damaged)?,
        kind: text(2)?.parse().map_err(damaged)?,
        level: text(3)?.parse().map_err(damaged)?,
        namespace: Namespace::parse(text(4)?).map_err(damaged)?,
        tier: text(5)?.parse().map_err(damaged)?,
        trust: text(6)?.parse().map_err(damaged)?,
        importance: Unit::new(row.get(7)?).map_err(damaged)?,
        recorded_at: must(time(8)?)?,
        valid: Interval::new(must(time(9)?)?, time(10)?).map_err(damaged)?,
        slot: row.get::<_, Option<String>>(11)?.map(Slot::from_stored),
        usage: usage_from(row, 12)?,
        turn: turn(row)?,
        is_described: row.get(22)?,
    })
}

/// How a memory was used, from five columns; nothing where there is no row of it.
pub(super) fn usage_from(row: &Row<'_>, first: usize) -> Result<Usage> {
    let count = |index: usize| -> Result<u64> {
        Ok(row.get::<_, Option<i64>>(first + index)?.unwrap_or_default().unsigned_abs())
    };
    let last_used: Option<i64> = row.get(first + 4)?;
    let damaged = |cause| Error::Damaged(format!("the time of a use: {cause}"));
    Ok(Usage {
        loaded: count(0)?,
        referenced: count(1)?,
        ignored: count(2)?,
        succeeded: count(3)?,
        last_used: last_used.map(Timestamp::from_micros).transpose().map_err(damaged)?,
        ..Usage::default()
    })
}

fn turn(row: &Row<'_>) -> Result<Option<Turn>> {
    let Some(thread) = row.get(17)? else { return Ok(None) };
    let words = u32::try_from(row.get::<_, i64>(18)?).unwrap_or(u32::MAX);
    let stated = u32::try_from(row.get::<_, i64>(19)?).unwrap_or_default();
    Ok(Some(Turn { thread, words, stated, by_human: row.get(20)?, speaker: row.get(21)? }))
}
