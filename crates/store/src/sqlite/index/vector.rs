//! Vectors in their table: which model made them, whose they are, and which are still to come.

use super::facets::Facets;
use crate::find::{Embedding, Grain, Key, VectorCensus, VectorModel};
use crate::sqlite::query::rows;
use crate::sqlite::row::{self, COLUMNS, TABLES};
use crate::sqlite::seal::{MODEL, VECTOR};
use crate::sqlite::{change, meta};
use crate::{Error, Result};
use mnemic_index::meaning::{Coded, quantise, unrotated};
use mnemic_model::{Kind, ScopeLevel, Trust, Version};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// Which model the store is being embedded with.
const PRESENT_MODEL: &str = "vector_model";

pub(super) fn model_key(connection: &Connection, model: &VectorModel) -> Result<Option<i64>> {
    let sql = "SELECT seq FROM model WHERE name = ?1 AND generation = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row([&model.name, &model.generation], |row| row.get(0)).optional()?)
}

fn present_key(connection: &Connection) -> Result<Option<i64>> {
    Ok(meta::get(connection, PRESENT_MODEL)?.and_then(|key| key.parse().ok()))
}

/// The model that new vectors are made with, if any was chosen yet.
pub(in crate::sqlite) fn present(connection: &Connection) -> Result<Option<VectorModel>> {
    let Some(key) = present_key(connection)? else { return Ok(None) };
    let sql = "SELECT name, generation, dimensions FROM model WHERE seq = ?1";
    Ok(rows(connection, sql, [key], |row| model_of(row, 0))?.pop())
}

fn model_of(row: &rusqlite::Row<'_>, at: usize) -> Result<VectorModel> {
    let dimensions: i64 = row.get(at + 2)?;
    Ok(VectorModel {
        name: row.get(at)?,
        generation: row.get(at + 1)?,
        dimensions: usize::try_from(dimensions).unwrap_or_default(),
    })
}

/// Makes this the present model. What it has not read yet waits for it; vectors of other models
/// stay until then.
pub(in crate::sqlite) fn choose(connection: &Connection, model: &VectorModel) -> Result<()> {
    let key = match model_key(connection, model)? {
        Some(key) => key,
        None => {
            let key = change::next_key(connection, "model")?;
            let dimensions = i64::try_from(model.dimensions).unwrap_or_default();
            connection
                .execute(MODEL.insert(), params![key, model.name, model.generation, dimensions])?;
            key
        }
    };
    if present_key(connection)? == Some(key) {
        return Ok(());
    }
    connection.execute("DELETE FROM unembedded", [])?;
    connection.execute(
        "INSERT INTO unembedded (version) SELECT version.seq FROM version \
         JOIN record ON record.seq = version.record \
         WHERE record.kind NOT IN ('secret', 'namespace') AND NOT EXISTS \
           (SELECT 1 FROM vector WHERE vector.version = version.seq AND vector.model = ?1)",
        [key],
    )?;
    meta::set(connection, PRESENT_MODEL, &key.to_string())
}

/// A new version waits for its vectors, unless they come in the same transaction.
pub(in crate::sqlite) fn await_vectors(
    connection: &Connection,
    version: i64,
    kind: Kind,
) -> Result<()> {
    if kind.is_indexed() {
        connection
            .prepare_cached("INSERT OR IGNORE INTO unembedded (version) VALUES (?1)")?
            .execute([version])?;
    }
    Ok(())
}

/// Keeps the vectors of a version, one for each part of its text.
pub(in crate::sqlite) fn put(
    connection: &Connection,
    version: i64,
    model: &VectorModel,
    parts: &[Embedding],
) -> Result<()> {
    let key = model_key(connection, model)?
        .ok_or_else(|| Error::Damaged(format!("the model `{}` was never chosen", model.name)))?;
    connection
        .prepare_cached("DELETE FROM vector WHERE version = ?1 AND model = ?2")?
        .execute([version, key])?;
    for (part, Embedding { grain, vector }) in parts.iter().enumerate() {
        let (scale, components) = quantise(vector);
        let seq = change::next_key(connection, "vector")?;
        connection.prepare_cached(VECTOR.insert())?.execute(params![
            seq,
            version,
            key,
            part as i64,
            *grain == Grain::Fine,
            f64::from(scale),
            to_blob(&components)
        ])?;
    }
    if present_key(connection)? == Some(key) {
        connection
            .prepare_cached("DELETE FROM unembedded WHERE version = ?1")?
            .execute([version])?;
    }
    Ok(())
}

/// Gives the vectors of a version that has ended to the one that is believed now.
pub(in crate::sqlite) fn carry_over(connection: &Connection, from: i64, record: i64) -> Result<()> {
    let sql = "SELECT seq FROM version WHERE record = ?1 AND expired_at IS NULL";
    let to: i64 = connection.prepare_cached(sql)?.query_row([record], |row| row.get(0))?;
    let sql = "SELECT model, part, fine, scale, components FROM vector WHERE version = ?1";
    type Part = (i64, i64, bool, f64, Vec<u8>);
    let parts: Vec<Part> = rows(connection, sql, [from], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
    })?;
    let present = present_key(connection)?;
    for (model, part, fine, scale, components) in parts {
        let seq = change::next_key(connection, "vector")?;
        connection
            .prepare_cached(VECTOR.insert())?
            .execute(params![seq, to, model, part, fine, scale, components])?;
        if present == Some(model) {
            connection
                .prepare_cached("DELETE FROM unembedded WHERE version = ?1")?
                .execute([to])?;
        }
    }
    Ok(())
}

/// Codes every vector anew, from what the last coding left of it.
pub(super) fn rotate_all(connection: &Connection) -> Result<()> {
    let mut all = connection.prepare("SELECT seq, scale, components FROM vector")?;
    let mut write = connection.prepare(
        "UPDATE vector SET scale = ?2, components = ?3, \
         digest = row_digest('vector', seq, version, model, part, fine, ?2, ?3) WHERE seq = ?1",
    )?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let (scale, components) = quantise(&decoded(row, 1)?);
        write.execute(params![row.get::<_, i64>(0)?, f64::from(scale), to_blob(&components)])?;
    }
    Ok(())
}

fn to_blob(components: &[i8]) -> Vec<u8> {
    components.iter().map(|component| component.cast_unsigned()).collect()
}

/// Scale and components as numbers.
fn decoded(row: &Row<'_>, at: usize) -> Result<Vec<f32>> {
    let scale = row.get::<_, f64>(at)? as f32;
    let components = row.get_ref(at + 1)?.as_blob().unwrap_or_default();
    Ok(components.iter().map(|byte| f32::from(byte.cast_signed()) * scale).collect())
}

/// The first vector of each version, rotated as it is kept: their dot products are those of the
/// vectors that came in, as nearly as can be.
pub(in crate::sqlite) fn first_of_each(
    connection: &Connection,
    model: &VectorModel,
    keys: &[Key],
) -> Result<Vec<Option<Vec<f32>>>> {
    let Some(model) = model_key(connection, model)? else { return Ok(vec![None; keys.len()]) };
    let sql = "SELECT scale, components FROM vector WHERE version = ?1 AND model = ?2 \
               ORDER BY part LIMIT 1";
    let first = |key: &Key| rows(connection, sql, [key.0, model], |row| decoded(row, 0));
    keys.iter().map(|key| Ok(first(key)?.pop())).collect()
}

/// The first of them as it came in: whoever is asked rotates the question.
pub(in crate::sqlite) fn question_of(
    connection: &Connection,
    model: &VectorModel,
    key: Key,
) -> Result<Option<Vec<f32>>> {
    Ok(first_of_each(connection, model, &[key])?.pop().flatten().map(unrotated))
}

/// Versions that wait for their vectors, the newest first: they are asked for soonest.
pub(in crate::sqlite) fn waiting(
    connection: &Connection,
    limit: usize,
) -> Result<Vec<(Key, Version)>> {
    let sql = format!(
        "SELECT {COLUMNS}, version.seq FROM unembedded \
         JOIN version ON version.seq = unembedded.version \
         JOIN record ON record.seq = version.record JOIN change ON change.seq = version.change \
         ORDER BY unembedded.version DESC LIMIT ?1"
    );
    debug_assert!(TABLES.starts_with("version"));
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    rows(connection, &sql, [limit], |row| Ok((Key(row.get(15)?), row::stored(row)?.version)))
}

/// Drops what other models made, once the present one has read everything.
pub(in crate::sqlite) fn retire_others(connection: &Connection) -> Result<u64> {
    let Some(present) = present_key(connection)? else { return Ok(0) };
    let waits: bool =
        connection.query_row("SELECT EXISTS (SELECT 1 FROM unembedded)", [], |row| row.get(0))?;
    if waits {
        return Ok(0);
    }
    let gone = connection.execute("DELETE FROM vector WHERE model <> ?1", [present])?;
    connection.execute("DELETE FROM model WHERE seq <> ?1", [present])?;
    Ok(gone as u64)
}

pub(in crate::sqlite) fn count_waiting(connection: &Connection) -> Result<u64> {
    let sql = "SELECT count(*) FROM unembedded";
    let waiting: i64 = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
    Ok(waiting.unsigned_abs())
}

pub(in crate::sqlite) fn models(connection: &Connection) -> Result<Vec<VectorModel>> {
    let sql = "SELECT name, generation, dimensions FROM model ORDER BY seq = ?1 DESC, seq DESC";
    rows(connection, sql, [present_key(connection)?], |row| model_of(row, 0))
}

pub(in crate::sqlite) fn census(connection: &Connection) -> Result<VectorCensus> {
    let sql = "SELECT name, generation, dimensions, \
               (SELECT count(*) FROM vector WHERE vector.model = model.seq) FROM model \
               ORDER BY seq = ?1 DESC, seq DESC";
    let models = rows(connection, sql, [present_key(connection)?], |row| {
        Ok((model_of(row, 0)?, row.get::<_, i64>(3)?.unsigned_abs()))
    })?;
    Ok(VectorCensus { models, waiting: count_waiting(connection)? })
}

/// Forgets vectors that are not what was written; they are made again.
pub(in crate::sqlite) fn start_over(connection: &Connection) -> Result<()> {
    connection.execute("DELETE FROM vector WHERE digest IS NOT row_digest('vector', seq, version, model, part, fine, scale, components)", [])?;
    connection.execute("DELETE FROM unembedded", [])?;
    let Some(present) = present_key(connection)? else {
        connection.execute(
            "INSERT INTO unembedded (version) SELECT version.seq FROM version \
             JOIN record ON record.seq = version.record \
             WHERE record.kind NOT IN ('secret', 'namespace')",
            [],
        )?;
        return Ok(());
    };
    connection.execute(
        "INSERT INTO unembedded (version) SELECT version.seq FROM version \
         JOIN record ON record.seq = version.record \
         WHERE record.kind NOT IN ('secret', 'namespace') AND NOT EXISTS \
           (SELECT 1 FROM vector WHERE vector.version = version.seq AND vector.model = ?1)",
        [present],
    )?;
    Ok(())
}

/// Coded vectors of one model after a row and up to another, in the order of their rows.
pub(super) fn each(
    connection: &Connection,
    model: i64,
    after: u64,
    upto: u64,
    each: &mut dyn FnMut(Coded),
) -> Result<()> {
    let sql = "SELECT vector.seq, vector.version, vector.scale, vector.components, record.kind, \
                 version.level, version.trust, version.namespace, version.fingerprint, \
                 vector.fine \
               FROM vector JOIN version ON version.seq = vector.version \
                 JOIN record ON record.seq = version.record \
               WHERE vector.seq > ?1 AND vector.seq <= ?2 AND vector.model = ?3 ORDER BY vector.seq";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![after as i64, upto as i64, model])?;
    while let Some(row) = rows.next()? {
        let text =
            |index: usize| row.get_ref(index).map(|v| v.as_str().unwrap_or_default().to_owned());
        let parsed =
            (text(4)?.parse::<Kind>(), text(5)?.parse::<ScopeLevel>(), text(6)?.parse::<Trust>());
        let (Ok(kind), Ok(level), Ok(trust)) = parsed else { continue };
        let print = row.get_ref(8)?.as_blob().unwrap_or_default();
        let facets = Facets::new(kind, level, trust, &text(7)?, print);
        let components = row.get_ref(3)?.as_blob().unwrap_or_default();
        each(Coded {
            row: row.get::<_, i64>(0)?.unsigned_abs(),
            owner: row.get::<_, i64>(1)?.unsigned_abs(),
            facets: facets.of_grain(row.get(9)?).0,
            scale: row.get::<_, f64>(2)? as f32,
            components: components.iter().map(|byte| byte.cast_signed()).collect(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::seal;

    #[test]
    fn vectors_coded_before_they_were_rotated_are_brought_over() {
        let connection = Connection::open_in_memory().expect("memory");
        seal::register(&connection).expect("our function");
        connection.execute_batch(include_str!("../migrations/001_records.sql")).expect("tables");
        connection.execute_batch(include_str!("../migrations/003_vectors.sql")).expect("tables");
        connection.execute_batch("PRAGMA foreign_keys = OFF").expect("no rows to refer to");
        let old: Vec<i8> = (0..384).map(|at| (at * 37 % 251 - 125) as i8).collect();
        connection
            .execute(VECTOR.insert(), params![1, 1, 1, 0, false, 0.5, to_blob(&old)])
            .expect("a vector as it was");
        rotate_all(&connection).expect("brought over");
        let sql = "SELECT scale, components, \
                   digest IS row_digest('vector', seq, version, model, part, fine, scale, components) \
                   FROM vector";
        let (new, is_sealed): (Vec<f32>, bool) = connection
            .query_row(sql, [], |row| Ok((decoded(row, 0).expect("numbers"), row.get(2)?)))
            .expect("one row");
        let expected = mnemic_index::meaning::rotated(
            old.iter().map(|component| f32::from(*component) * 0.5).collect(),
        );
        let length = |vector: &[f32]| vector.iter().map(|one| one * one).sum::<f32>().sqrt();
        let dot: f32 = new.iter().zip(&expected).map(|(one, other)| one * other).sum();
        assert!(dot / length(&new) / length(&expected) > 0.9999);
        assert!((length(&new) / length(&expected) - 1.0).abs() < 1e-3);
        assert!(is_sealed);
    }
}
