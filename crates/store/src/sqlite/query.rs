//! Asking for rows, each read by the module that knows its table, and work in one transaction.

use crate::Result;
use rusqlite::{Connection, Params, Row};

/// Does all of this work, or none of it.
pub(super) fn in_transaction(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<()>,
) -> Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    match work(connection) {
        Ok(()) => Ok(connection.execute_batch("COMMIT")?),
        Err(cause) => {
            let _ = connection.execute_batch("ROLLBACK");
            Err(cause)
        }
    }
}

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
