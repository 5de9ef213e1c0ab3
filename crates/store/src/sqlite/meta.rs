//! Settings that a store keeps about itself, and bookmarks in work that goes on later.

use super::seal::META;
use crate::Result;
use rusqlite::{Connection, OptionalExtension};

/// A setting of the store itself.
pub(super) fn get(connection: &Connection, name: &str) -> Result<Option<String>> {
    let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE name = ?1")?;
    Ok(statement.query_row([name], |row| row.get(0)).optional()?)
}

pub(super) fn set(connection: &Connection, name: &str, value: &str) -> Result<()> {
    connection.execute("DELETE FROM meta WHERE name = ?1", [name])?;
    connection.execute(META.insert(), [name, value])?;
    Ok(())
}

/// Keeps bookmarks apart from settings.
const BOOKMARK: &str = "bookmark/";

pub(super) fn bookmark(connection: &Connection, name: &str) -> Result<Option<String>> {
    get(connection, &format!("{BOOKMARK}{name}"))
}

pub(super) fn bookmarks(connection: &Connection, beginning: &str) -> Result<Vec<(String, String)>> {
    let from = format!("{BOOKMARK}{beginning}");
    let sql = "SELECT substr(name, length(?1) + 1), value FROM meta \
               WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([from], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn set_bookmark(connection: &Connection, name: &str, text: Option<&str>) -> Result<()> {
    let name = format!("{BOOKMARK}{name}");
    match text {
        Some(text) => set(connection, &name, text),
        None => {
            connection.execute("DELETE FROM meta WHERE name = ?1", [name])?;
            Ok(())
        }
    }
}
