//! A version as it lies in its row, and back.

use super::cold;
use super::query::rows;
use crate::{Error, Result};
use mnemic_model::body::Fields;
use mnemic_model::{ChangeId, Content, Interval, Kind, RecordId, Timestamp, Version};
use rusqlite::{Connection, Params, Row};
use serde_json::Value;

/// The columns that `version` needs, for `FROM version JOIN record JOIN change`. The content comes
/// from cold storage where it lies there; what is lost or damaged there leaves the short form of the
/// row, and `verify` names it.
pub(super) const COLUMNS: &str = "record.id, version.n, \
     coalesce((SELECT unpacked(cold.packed) FROM cold WHERE cold.version = version.seq), \
              version.content), \
     version.recorded_at, version.expired_at, version.valid_at, version.invalid_at, version.level, \
     version.namespace, version.tier, version.trust, version.importance, change.id, \
     version.record, record.kind";

/// How many columns those are.
pub(super) const WIDTH: usize = 15;

pub(super) const TABLES: &str = "version JOIN record ON record.seq = version.record \
     JOIN change ON change.seq = version.change";

/// Fields that have a column of their own and are left out of the JSON.
const OWN_COLUMN: &[&str] =
    &["kind", "valid_at", "invalid_at", "scope", "namespace", "tier", "trust", "importance"];

/// The JSON of a version: what has no column.
pub(super) fn content_json(content: &Content) -> String {
    Value::Object(content_fields(content)).to_string()
}

pub(super) fn content_fields(content: &Content) -> Fields {
    let mut fields = content.to_fields();
    for column in OWN_COLUMN {
        fields.shift_remove(*column);
    }
    fields
}

/// A row and the key of its record.
pub(super) struct Stored {
    pub(super) record: i64,
    pub(super) version: Version,
}

/// Reads a row selected with `COLUMNS`. What cannot be understood is damage, and is named.
pub(super) fn stored(row: &Row<'_>) -> Result<Stored> {
    let id: String = row.get(0)?;
    let n: i64 = row.get(1)?;
    let damaged = |what: &str, cause: &dyn std::fmt::Display| {
        Error::Damaged(format!("version {n} of `{id}`: {what}: {cause}"))
    };
    let time = |index: usize| -> Result<Timestamp> {
        Timestamp::from_micros(row.get(index)?).map_err(|cause| damaged("time", &cause))
    };
    let maybe_time = |index: usize| -> Result<Option<Timestamp>> {
        row.get::<_, Option<i64>>(index)?
            .map(|micros| Timestamp::from_micros(micros).map_err(|cause| damaged("time", &cause)))
            .transpose()
    };
    let recorded = Interval::new(time(3)?, maybe_time(4)?)
        .map_err(|cause| damaged("recorded interval", &cause))?;
    let valid = Interval::new(time(5)?, maybe_time(6)?)
        .map_err(|cause| damaged("valid interval", &cause))?;
    let mut fields: Fields = serde_json::from_str(row.get_ref(2)?.as_str().unwrap_or_default())
        .map_err(|cause| damaged("content", &cause))?;
    fields.shift_remove(cold::MARK);
    for (field, index) in [("kind", 14), ("scope", 7), ("namespace", 8), ("tier", 9), ("trust", 10)]
    {
        fields.insert(field.to_owned(), Value::String(row.get(index)?));
    }
    fields.insert("importance".to_owned(), row.get::<_, f64>(11)?.into());
    let content =
        Content::from_fields(fields, Some(valid)).map_err(|cause| damaged("content", &cause))?;
    let version = Version {
        id: RecordId::parse(&id).map_err(|cause| damaged("id", &cause))?,
        n: u32::try_from(n).map_err(|cause| damaged("number", &cause))?,
        content,
        recorded,
        change: ChangeId(row.get(12)?),
    };
    Ok(Stored { record: row.get(13)?, version })
}

/// Versions that a condition on `version`, `record` and `change` selects.
pub(super) fn select(
    connection: &Connection,
    condition: &str,
    params: impl Params,
) -> Result<Vec<Stored>> {
    let sql = format!("SELECT {COLUMNS} FROM {TABLES} WHERE {condition}");
    rows(connection, &sql, params, stored)
}

/// Calls `each` with every current version and the key of its record.
pub(super) fn each_current(
    connection: &Connection,
    each: &mut dyn FnMut(i64, Version) -> Result<()>,
) -> Result<()> {
    each_stored(connection, "version.expired_at IS NULL ORDER BY version.record", &mut |read| {
        let Stored { record, version } = read?;
        each(record, version)
    })
}

/// Calls `each` with every row that a condition selects, readable or not, one at a time.
pub(super) fn each_stored(
    connection: &Connection,
    condition: &str,
    each: &mut dyn FnMut(Result<Stored>) -> Result<()>,
) -> Result<()> {
    let sql = format!("SELECT {COLUMNS} FROM {TABLES} WHERE {condition}");
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        each(stored(row))?;
    }
    Ok(())
}

/// A kind as it lies in a column.
pub(super) fn kind(text: &str) -> Result<Kind> {
    text.parse().map_err(|_| Error::Damaged(format!("`{text}` is not a kind")))
}
