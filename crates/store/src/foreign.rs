//! Reads tables of other programs' SQLite files, row by row as JSON, and leaves the files as they are.

use crate::{Error, Result};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Map, Number, Value};
use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A row as the columns' names and values.
pub type Row = Map<String, Value>;

/// Which rows of a table.
#[derive(Debug, Clone, Copy)]
pub enum Among<'a> {
    All,
    /// The column has this text.
    Is(&'a str, &'a str),
    /// The column's text begins so.
    Begins(&'a str, &'a str),
}

/// Another program's database, opened for reading.
#[derive(Debug)]
pub struct Foreign {
    connection: Connection,
    /// A copy that was read instead, to be removed.
    copy: Option<PathBuf>,
}

/// How long its owner may hold it.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many copies this process has made.
static COPIES: AtomicU64 = AtomicU64::new(0);

/// What every SQLite file begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

impl Foreign {
    pub fn is_one(path: &Path) -> bool {
        let mut head = [0; 16];
        File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *MAGIC
    }

    pub fn open(path: &Path) -> Result<Foreign> {
        if !Foreign::is_one(path) {
            return Err(Error::Damaged(format!("`{}` is not an SQLite file", path.display())));
        }
        let (wal, shm) = (beside(path, "-wal"), beside(path, "-shm"));
        let in_wal = fs::metadata(&wal).is_ok_and(|wal| wal.len() > 0);
        let (connection, copy) = match (in_wal, shm.exists()) {
            // Its owner is there or was there last: the usual way reads both files.
            (true, true) => (connect(path, "mode=ro")?, None),
            // Opening would put a file beside it that nobody asked for.
            (true, false) => {
                let copy = copied(path, &wal)?;
                (connect(&copy, "mode=rw")?, Some(copy))
            }
            // Nothing is in the journal, and whoever opens it now writes to one first.
            (false, _) if is_in_wal_mode(path) => (connect(path, "immutable=1")?, None),
            (false, _) => (connect(path, "mode=ro")?, None),
        };
        let foreign = Foreign { connection, copy };
        foreign.connection.busy_timeout(PATIENCE)?;
        // A file of somebody else: no code in it, and nothing in it is believed.
        foreign.connection.pragma_update(None, "trusted_schema", false)?;
        foreign.connection.pragma_update(None, "query_only", true)?;
        Ok(foreign)
    }

    pub fn tables(&self) -> Result<Vec<String>> {
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
        let mut statement = self.connection.prepare(sql)?;
        let names = statement.query_map([], |row| row.get(0))?;
        Ok(names.collect::<rusqlite::Result<_>>()?)
    }

    /// The columns of a table; none when it is not there.
    pub fn columns(&self, table: &str) -> Result<Vec<String>> {
        let sql = "SELECT name FROM pragma_table_info(?1)";
        let mut statement = self.connection.prepare(sql)?;
        let names = statement.query_map([table], |row| row.get(0))?;
        Ok(names.collect::<rusqlite::Result<_>>()?)
    }

    /// Hands out the rows of a table in the order of those of the named columns that it has. A
    /// missing table has no rows.
    pub fn rows<E: From<Error>>(
        &self,
        table: &str,
        among: Among<'_>,
        order: &[&str],
        each: &mut dyn FnMut(Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |cause: rusqlite::Error| E::from(cause.into());
        let columns = self.columns(table).map_err(E::from)?;
        let Some((sql, value)) = query(table, &columns, among, order) else { return Ok(()) };
        let mut statement = self.connection.prepare(&sql).map_err(failed)?;
        let mut rows = statement.query(rusqlite::params_from_iter(value)).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let mut fields = Row::new();
            for (index, name) in columns.iter().enumerate() {
                fields.insert(name.clone(), json(row.get_ref(index).map_err(failed)?));
            }
            each(fields)?;
        }
        Ok(())
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        if let Some(dir) = self.copy.as_deref().and_then(Path::parent) {
            let _ = fs::remove_dir_all(dir);
        }
    }
}

/// None when nothing can be asked for: no such table, or a condition on a column that is not there.
fn query(
    table: &str,
    columns: &[String],
    among: Among<'_>,
    order: &[&str],
) -> Option<(String, Vec<String>)> {
    let has = |name: &str| columns.iter().any(|column| column == name);
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    if columns.is_empty() {
        return None;
    }
    let names: Vec<String> = columns.iter().map(|name| quoted(name)).collect();
    let mut sql = format!("SELECT {} FROM {}", names.join(", "), quoted(table));
    let values = match among {
        Among::All => Vec::new(),
        Among::Is(column, value) if has(column) => {
            sql.push_str(&format!(" WHERE {} = ?1", quoted(column)));
            vec![value.to_owned()]
        }
        Among::Begins(column, value) if has(column) => {
            let column = quoted(column);
            sql.push_str(&format!(" WHERE {column} >= ?1 AND {column} < ?2"));
            vec![value.to_owned(), format!("{value}\u{10ffff}")]
        }
        _ => return None,
    };
    let order: Vec<String> =
        order.iter().filter(|name| has(name)).map(|name| quoted(name)).collect();
    if !order.is_empty() {
        sql.push_str(&format!(" ORDER BY {}", order.join(", ")));
    }
    Some((sql, values))
}

/// A text that is not UTF-8 is mended, a NUL in it as well; bytes that are no text are nothing.
fn json(value: ValueRef<'_>) -> Value {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}").into();
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => Number::from_f64(number).map_or(Value::Null, Value::Number),
        ValueRef::Text(bytes) => text(bytes),
        ValueRef::Blob(bytes) if std::str::from_utf8(bytes).is_ok() => text(bytes),
        ValueRef::Blob(_) => Value::Null,
    }
}

fn connect(path: &Path, how: &str) -> Result<Connection> {
    let flags = match how {
        "mode=rw" => OpenFlags::SQLITE_OPEN_READ_WRITE,
        _ => OpenFlags::SQLITE_OPEN_READ_ONLY,
    };
    let flags = flags | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(format!("file:{}?{how}", escaped(path)), flags)?)
}

/// A path as it stands in a URI.
fn escaped(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
    let bytes = path.as_os_str().as_bytes().iter();
    bytes.map(|&b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02x}") }).collect()
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Bytes 18 and 19 of the header say how it is written.
fn is_in_wal_mode(path: &Path) -> bool {
    let mut head = [0; 20];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head[18] == 2
}

fn copied(path: &Path, wal: &Path) -> Result<PathBuf> {
    let nth = COPIES.fetch_add(1, Ordering::Relaxed);
    let dir = std::env::temp_dir().join(format!("mnemic-reads-{}-{nth}", std::process::id()));
    fs::DirBuilder::new().mode(0o700).create(&dir).map_err(Error::file("write", &dir))?;
    let copy = dir.join("copy.db");
    for (from, to) in [(path, copy.clone()), (wal, beside(&copy, "-wal"))] {
        fs::copy(from, &to).map_err(Error::file("read", from))?;
    }
    Ok(copy)
}

#[cfg(test)]
#[path = "foreign/tests.rs"]
mod tests;
