//! Settings that a store keeps about itself.

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
