//! Seals on rows: a digest over every column, written with the row and checked by `verify`.
//! SQLite's own check notices one flipped byte in twenty; these notice all of them.

use crate::Result;
use mnemic_model::Digest;
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use std::sync::OnceLock;

/// A table whose rows are sealed: its columns in order, the key first, without `digest`.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: &'static [&'static str],
    insert: OnceLock<String>,
    reseal: OnceLock<String>,
}

const fn table(name: &'static str, columns: &'static [&'static str]) -> Table {
    Table { name, columns, insert: OnceLock::new(), reseal: OnceLock::new() }
}

pub(super) static META: Table = table("meta", &["name", "value"]);
pub(super) static CHANGE: Table =
    table("change", &["seq", "id", "at", "actor", "verb", "reason", "undoes"]);
pub(super) static RECORD: Table = table("record", &["seq", "id", "kind"]);
pub(super) static VERSION: Table = table(
    "version",
    &[
        "seq",
        "record",
        "n",
        "change",
        "recorded_at",
        "expired_at",
        "expired_by",
        "valid_at",
        "invalid_at",
        "level",
        "namespace",
        "slot",
        "tier",
        "trust",
        "importance",
        "fingerprint",
        "content",
    ],
);
pub(super) static LINK: Table = table(
    "link",
    &[
        "seq",
        "from_id",
        "to_id",
        "relation",
        "strength",
        "valid_at",
        "invalid_at",
        "recorded_at",
        "expired_at",
        "change",
        "expired_by",
    ],
);
pub(super) static USAGE: Table = table(
    "usage",
    &[
        "record",
        "loaded",
        "referenced",
        "ignored",
        "succeeded",
        "last_used",
        "relevance_sum",
        "relevance_count",
        "discovery_tokens",
        "read_tokens",
    ],
);
pub(super) static TOMBSTONE: Table =
    table("tombstone", &["seq", "id", "content", "subject", "at", "actor", "reason"]);
pub(super) static ARRIVAL: Table = table("arrival", &["record", "change", "n"]);
pub(super) static ANSWER: Table = table("answer", &["key", "request", "result", "at"]);
pub(super) static JOB: Table = table(
    "job",
    &["seq", "kind", "payload", "created_at", "attempts", "leased_until", "last_error"],
);
pub(super) static COLD: Table = table("cold", &["version", "packed"]);
pub(super) static BACKUP: Table = table("backup", &["seq", "path", "at"]);
pub(super) static SESSION: Table = table(
    "session",
    &[
        "seq",
        "id",
        "host",
        "agent",
        "started_at",
        "ended_at",
        "terms",
        "direction",
        "window",
        "filled",
        "outcome",
    ],
);
pub(super) static SESSION_EVENT: Table =
    table("session_event", &["seq", "session", "at", "kind", "amount"]);
pub(super) static SHOWN: Table = table(
    "shown",
    &["seq", "session", "record", "at", "level", "tier", "tokens", "cited", "outcome"],
);
pub(super) static ECONOMICS: Table = table(
    "economics",
    &[
        "seq",
        "session",
        "discovery_tokens",
        "timeline_tokens",
        "read_tokens",
        "index_loads",
        "timeline_loads",
        "full_loads",
        "task_full_loads",
        "all_tokens",
        "doubted",
    ],
);
pub(super) static TRACE: Table = table("trace", &["seq", "session", "kind", "name", "at"]);
pub(super) static TOPIC_RULE: Table =
    table("topic_rule", &["seq", "namespace", "name", "act", "value"]);

/// Derived, and still sealed: a vector with a flipped bit finds the wrong memories in silence.
pub(super) static MODEL: Table = table("model", &["seq", "name", "generation", "dimensions"]);
pub(super) static VECTOR: Table =
    table("vector", &["seq", "version", "model", "part", "fine", "scale", "components"]);

/// Every sealed table of the truth. The audit chain seals itself.
pub(super) static ALL: &[&Table] = &[
    &META,
    &CHANGE,
    &RECORD,
    &VERSION,
    &LINK,
    &USAGE,
    &TOMBSTONE,
    &ARRIVAL,
    &ANSWER,
    &JOB,
    &BACKUP,
    &SESSION,
    &SESSION_EVENT,
    &SHOWN,
    &ECONOMICS,
    &TRACE,
    &TOPIC_RULE,
    &COLD,
];

/// Sealed tables that can be made again.
pub(super) static DERIVED: &[&Table] = &[&MODEL, &VECTOR];

impl Table {
    pub(super) fn key(&self) -> &'static str {
        self.columns[0]
    }

    fn column_list(&self) -> String {
        self.columns.join(", ")
    }

    /// Takes one parameter per column; writes the row with its seal.
    pub(super) fn insert(&self) -> &str {
        self.insert.get_or_init(|| self.insert_sql())
    }

    fn insert_sql(&self) -> String {
        let marks: Vec<String> = (1..=self.columns.len()).map(|n| format!("?{n}")).collect();
        let marks = marks.join(", ");
        format!(
            "INSERT INTO {name} ({columns}, digest) VALUES ({marks}, row_digest('{name}', {marks}))",
            name = self.name,
            columns = self.column_list(),
        )
    }

    /// Takes the key; seals the row again after a column was set.
    pub(super) fn reseal(&self) -> &str {
        self.reseal.get_or_init(|| self.reseal_sql())
    }

    fn reseal_sql(&self) -> String {
        format!(
            "UPDATE {name} SET digest = row_digest('{name}', {columns}) WHERE {key} = ?1",
            name = self.name,
            columns = self.column_list(),
            key = self.key(),
        )
    }

    /// Keys of the rows whose seal is broken, and the whole number of rows looked at.
    pub(super) fn broken(&self) -> String {
        format!(
            "SELECT {key}, digest IS NOT row_digest('{name}', {columns}) FROM {name}",
            name = self.name,
            columns = self.column_list(),
            key = self.key(),
        )
    }
}

/// Gives SQL the function `row_digest(table, columns…)`.
pub(super) fn register(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("row_digest", -1, flags, |context| {
        Ok(digest_of(context).0.to_vec())
    })?;
    Ok(())
}

fn digest_of(context: &Context<'_>) -> Digest {
    let mut bytes = Vec::with_capacity(256);
    for index in 0..context.len() {
        // The type is part of the value: 1, 1.0, '1' and x'31' are four different things.
        let (tag, number, text): (u8, [u8; 8], &[u8]) = match context.get_raw(index) {
            ValueRef::Null => (0, [0; 8], &[]),
            ValueRef::Integer(n) => (1, n.to_le_bytes(), &[]),
            ValueRef::Real(x) => (2, x.to_bits().to_le_bytes(), &[]),
            ValueRef::Text(text) => (3, (text.len() as u64).to_le_bytes(), text),
            ValueRef::Blob(blob) => (4, (blob.len() as u64).to_le_bytes(), blob),
        };
        bytes.push(tag);
        bytes.extend_from_slice(&number);
        bytes.extend_from_slice(text);
    }
    Digest::of("row", [bytes.as_slice()])
}
