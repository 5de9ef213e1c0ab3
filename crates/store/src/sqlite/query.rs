//! Asking for rows, each read by the module that knows its table.

use crate::Result;
use rusqlite::{Connection, Params, Row};

/// Every row that a question has, in its order.
pub(super) fn rows<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    mut read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}
