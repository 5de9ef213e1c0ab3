//! Cold storage inside the file: what old episodes say in full, deflated. Rows keep the short form,
//! and readers are given the whole one without asking for it.

use super::query::rows;
use super::row::{self, Stored};
use super::seal::{COLD, VERSION};
use crate::{Error, Result};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use mnemic_model::body::{Body, Episode};
use mnemic_model::{Content, Timestamp};
use mnemic_text::levels;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, params};
use serde_json::Value;
use std::io::{Read, Write};

/// Marks a short form, whose whole text lies in cold storage.
pub(super) const MARK: &str = "cold";

/// Shorter contents win nothing.
const LEAST_BYTES: usize = 600;

/// More than any content may have: a damaged length does not fill the memory.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Characters of a goal, and files, that a short form keeps.
const GOAL: usize = 200;
const FILES: usize = 20;

/// Gives SQL the function `unpacked(packed)`: null for what cannot be unpacked.
pub(super) fn register(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("unpacked", 1, flags, |context| {
        Ok(context.get_raw(0).as_blob().ok().and_then(unpacked))
    })?;
    Ok(())
}

fn unpacked(packed: &[u8]) -> Option<String> {
    let mut text = String::new();
    DeflateDecoder::new(packed).take(MOST_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

fn packed(text: &str) -> Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let done = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    done.map_err(|cause| Error::Damaged(format!("a text cannot be packed: {cause}")))
}

/// Moves what episodes say in full that began before then, the oldest first, at most so many.
/// Pinned ones stay as they are.
pub(super) fn cool(connection: &Connection, before: Timestamp, most: usize) -> Result<u64> {
    let sql = format!(
        "SELECT {columns}, version.seq, version.content FROM {tables} \
         WHERE record.kind = 'episode' AND version.valid_at < ?1 \
           AND octet_length(version.content) >= {LEAST_BYTES} \
           AND NOT EXISTS (SELECT 1 FROM cold WHERE cold.version = version.seq) \
           AND coalesce(json_extract(version.content, '$.pinned'), 0) = 0 \
         ORDER BY version.seq LIMIT ?2",
        columns = row::COLUMNS,
        tables = row::TABLES,
    );
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let warm = rows(connection, &sql, params![before.micros(), most], |row| {
        Ok((
            row.get::<_, i64>(row::WIDTH)?,
            row.get::<_, String>(row::WIDTH + 1)?,
            row::stored(row)?,
        ))
    })?;
    let mut cooled = 0;
    for (key, whole, Stored { version, .. }) in warm {
        let short = shortened(&version.content);
        connection.prepare_cached(COLD.insert())?.execute(params![key, packed(&whole)?])?;
        connection
            .prepare_cached("UPDATE version SET content = ?2 WHERE seq = ?1")?
            .execute(params![key, short])?;
        connection.prepare_cached(VERSION.reseal())?.execute([key])?;
        cooled += 1;
    }
    Ok(cooled)
}

/// The row's JSON with a short body: what it was about, and the shorter levels of all it said.
fn shortened(content: &Content) -> String {
    let full = content.body.full_text();
    let mut short = content.clone();
    if let Body::Episode(episode) = &content.body {
        short.body = Body::Episode(Episode {
            goal: levels::shortened(&episode.goal, GOAL),
            files: episode.files.iter().take(FILES).cloned().collect(),
            constraints: Vec::new(),
            actions: Vec::new(),
            messages: Vec::new(),
            errors: Vec::new(),
            artifacts: Vec::new(),
            ..episode.clone()
        });
    }
    let derived = levels::levels(&full, None);
    short.levels.summary.get_or_insert(derived.summary);
    short.levels.compressed.get_or_insert(derived.compressed);
    let mut fields = row::content_fields(&short);
    fields.insert(MARK.to_owned(), Value::Bool(true));
    Value::Object(fields).to_string()
}

/// Whether a row's JSON is a short form.
pub(super) fn is_short(content: &str) -> bool {
    let fields: Option<Value> = serde_json::from_str(content).ok();
    fields.is_some_and(|fields| fields.get(MARK) == Some(&Value::Bool(true)))
}

/// Finds what is marked as cold without lying there.
pub(super) const LOST: &str = "SELECT record.id FROM version JOIN record \
     ON record.seq = version.record WHERE json_extract(version.content, '$.cold') \
     AND NOT EXISTS (SELECT 1 FROM cold WHERE cold.version = version.seq \
         AND unpacked(cold.packed) IS NOT NULL)";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_packed_comes_back(text in ".{0,2000}") {
            prop_assert_eq!(unpacked(&packed(&text).expect("memory can be written")), Some(text));
        }

        #[test]
        fn damage_is_noticed_or_gives_some_text(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = unpacked(&bytes);
        }
    }
}
