//! Is everything as it was written? Names every row that is not.

use super::index::{self, Lookup};
use super::seal::{ALL, DERIVED, Table, VERSION};
use super::words::Disagreements;
use super::{audit, cold, row, topic, words};
use crate::{Finding, Result, Verification};
use mnemic_model::RecordId;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension};

/// Looks at all of it. Damage is a finding, not an error: the rest is still looked at.
pub(super) fn verify(connection: &Connection, lookup: &Lookup) -> Result<Verification> {
    let mut report = Verification::default();
    // One snapshot, so that others may write meanwhile.
    connection.execute_batch("BEGIN")?;
    for table in ALL {
        check_seals(connection, table, &mut report);
    }
    check_audit(connection, &mut report);
    check_histories(connection, &mut report);
    check_structure(connection, &mut report);
    check_words(connection, &mut report);
    check_topics(connection, &mut report);
    check_indexes(connection, lookup, &mut report);
    connection.execute_batch("ROLLBACK")?;
    Ok(report)
}

fn finding(place: &str, problem: impl Into<String>) -> Finding {
    Finding {
        place: place.to_owned(),
        row: None,
        record: None,
        problem: problem.into(),
        derived: false,
    }
}

/// SQLite's own view of its pages and indexes.
fn check_structure(connection: &Connection, report: &mut Verification) {
    let lines = (|| -> rusqlite::Result<Vec<String>> {
        let mut statement = connection.prepare("PRAGMA integrity_check(50)")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        rows.collect()
    })();
    // When even the check cannot be made, the rows decide.
    let lines = lines.unwrap_or_else(|cause| vec![cause.to_string()]);
    let rows_intact = report.findings.iter().all(|finding| finding.derived);
    for line in lines.into_iter().filter(|line| line != "ok") {
        let derived = match damaged_tree(connection, &line) {
            Some(tree) => is_derived(&tree),
            None => rows_intact,
        };
        report.findings.push(Finding { derived, ..finding("file", line) });
    }
}

/// The table or index that a complaint of the form `Tree 7 page 9: …` is about.
fn damaged_tree(connection: &Connection, line: &str) -> Option<String> {
    let root = line.strip_prefix("Tree ")?.split(' ').next()?.parse::<i64>().ok()?;
    connection
        .query_row(
            "SELECT type || ' ' || name FROM sqlite_schema WHERE rootpage = ?1",
            [root],
            |row| row.get(0),
        )
        .ok()
}

/// Indexes and the words are made from rows and can be made again.
fn is_derived(tree: &str) -> bool {
    const TABLES: [&str; 8] = [
        "table words",
        "table vector",
        "table turn",
        "table unembedded",
        "table model",
        "table topic",
        "table filed",
        "table touched",
    ];
    tree.starts_with("index ")
        || TABLES.iter().any(|table| tree.starts_with(table)) && tree != "table topic_rule"
}

fn check_seals(connection: &Connection, table: &Table, report: &mut Verification) {
    let mut rows_seen = 0;
    let broken = (|| -> rusqlite::Result<Vec<Value>> {
        let mut statement = connection.prepare(&table.broken())?;
        let mut rows = statement.query([])?;
        let mut broken = Vec::new();
        while let Some(row) = rows.next()? {
            rows_seen += 1;
            if row.get::<_, bool>(1)? {
                broken.push(row.get(0)?);
            }
        }
        Ok(broken)
    })();
    match table.name {
        "record" => report.records = rows_seen,
        "version" => report.versions = rows_seen,
        _ => {}
    }
    match broken {
        Ok(keys) => {
            for key in keys {
                report.findings.push(broken_seal(connection, table, &key));
            }
        }
        Err(cause) => report
            .findings
            .push(finding(table.name, format!("cannot be read after {rows_seen} rows: {cause}"))),
    }
}

fn broken_seal(connection: &Connection, table: &Table, key: &Value) -> Finding {
    let row = match key {
        Value::Integer(key) => Some(*key),
        _ => None,
    };
    let record = row.and_then(|row| owner(connection, table, row));
    Finding { row, record, ..finding(table.name, "the row is not what was written") }
}

/// The record that a row belongs to, where that can still be told.
fn owner(connection: &Connection, table: &Table, row: i64) -> Option<RecordId> {
    let sql = match table.name {
        "record" => "SELECT id FROM record WHERE seq = ?1",
        "version" => {
            "SELECT record.id FROM version JOIN record ON record.seq = version.record \
             WHERE version.seq = ?1"
        }
        "cold" => {
            "SELECT record.id FROM version JOIN record ON record.seq = version.record \
             WHERE version.seq = ?1"
        }
        "usage" => "SELECT id FROM record WHERE seq = ?1",
        _ => return None,
    };
    let id: Option<String> =
        connection.query_row(sql, [row], |row| row.get(0)).optional().ok().flatten();
    RecordId::parse(&id?).ok()
}

fn check_audit(connection: &Connection, report: &mut Verification) {
    match audit::breaks(connection) {
        Ok((count, breaks)) => {
            report.audit_entries = count;
            for (seq, problem) in breaks {
                let row = i64::try_from(seq).ok();
                report.findings.push(Finding { row, ..finding("audit", problem) });
            }
        }
        Err(cause) => report.findings.push(finding("audit", cause.to_string())),
    }
}

/// Questions whose every answer is something that must not be, each with the record it is about.
/// All of them look into the table itself (the plus keeps `IN` from taking an index, what is joined is
/// read once into a list of its own): a damaged index loses no row and makes none up.
const HISTORY_QUESTIONS: &[(&str, &str)] = &[
    (
        "a record without any version",
        "SELECT id FROM record NOT INDEXED \
         WHERE seq NOT IN (SELECT +record FROM version NOT INDEXED)",
    ),
    (
        "versions are missing from its history",
        "SELECT record.id FROM version NOT INDEXED JOIN record ON record.seq = version.record \
         GROUP BY version.record HAVING max(n) <> count(*) OR min(n) <> 1",
    ),
    (
        "a version of a record that is not there",
        "SELECT 'version-' || seq FROM version NOT INDEXED \
         WHERE record NOT IN (SELECT seq FROM record)",
    ),
    (
        "recorded later than the last audit entry",
        "SELECT record.id FROM version NOT INDEXED JOIN record ON record.seq = version.record \
         WHERE recorded_at > (SELECT at FROM audit ORDER BY seq DESC LIMIT 1)",
    ),
    (
        "two values valid at once in one slot",
        "WITH held AS MATERIALIZED ( \
           SELECT record, slot, namespace, level, valid_at, invalid_at FROM version NOT INDEXED \
           WHERE slot IS NOT NULL AND expired_at IS NULL) \
         SELECT record.id FROM held AS a JOIN held AS b ON a.slot = b.slot \
         AND a.namespace = b.namespace AND a.level = b.level AND a.record < b.record \
         AND (b.invalid_at IS NULL OR a.valid_at < b.invalid_at) \
         AND (a.invalid_at IS NULL OR b.valid_at < a.invalid_at) \
         JOIN record ON record.seq = a.record",
    ),
    ("its whole text is missing from cold storage", cold::LOST),
    (
        "believed twice at one time",
        "WITH told AS MATERIALIZED ( \
           SELECT record, n, recorded_at, expired_at FROM version NOT INDEXED) \
         SELECT record.id FROM told AS a JOIN told AS b ON a.record = b.record AND b.n = a.n + 1 \
         AND (a.expired_at IS NULL OR a.expired_at > b.recorded_at) \
         JOIN record ON record.seq = a.record",
    ),
];

fn check_histories(connection: &Connection, report: &mut Verification) {
    // Every row was read whole before this: where a question fails then, it went through an index.
    let derived = report.findings.is_empty();
    let unanswered = |cause: &dyn std::fmt::Display| Finding {
        derived,
        ..finding(VERSION.name, cause.to_string())
    };
    for (problem, question) in HISTORY_QUESTIONS {
        let answers = (|| -> rusqlite::Result<Vec<String>> {
            let mut statement = connection.prepare(question)?;
            let mut rows = statement.query([])?;
            let mut answers = Vec::new();
            while let Some(row) = rows.next()? {
                if let ValueRef::Text(text) = row.get_ref(0)? {
                    answers.push(String::from_utf8_lossy(text).into_owned());
                }
            }
            Ok(answers)
        })();
        match answers {
            Ok(ids) => report.findings.extend(ids.into_iter().map(|id| Finding {
                record: RecordId::parse(&id).ok(),
                ..finding(VERSION.name, *problem)
            })),
            Err(cause) => report.findings.push(unanswered(&cause)),
        }
    }
    // A row can be sealed and still say what this program cannot read.
    let mut unreadable = Vec::new();
    let read = row::each_stored(connection, "+version.expired_at IS NOT NULL", &mut |read| {
        unreadable.extend(read.err().map(|cause| finding(VERSION.name, cause.to_string())));
        Ok(())
    });
    report.findings.extend(unreadable);
    report.findings.extend(read.err().map(|cause| unanswered(&cause)));
}

fn check_indexes(connection: &Connection, lookup: &Lookup, report: &mut Verification) {
    let before = report.findings.len();
    for table in DERIVED {
        check_seals(connection, table, report);
    }
    match index::verify(lookup, connection) {
        Ok(wrong) => report.findings.extend(wrong.into_iter().map(|what| finding("index", what))),
        Err(cause) => report.findings.push(finding("index", cause.to_string())),
    }
    for found in &mut report.findings[before..] {
        found.derived = true;
    }
}

fn check_topics(connection: &Connection, report: &mut Verification) {
    let wrong = match topic::disagreements(connection) {
        Ok(wrong) => wrong,
        Err(cause) => vec![cause.to_string()],
    };
    let derived = |problem| Finding { derived: true, ..finding("topic", problem) };
    report.findings.extend(wrong.into_iter().map(derived));
}

fn check_words(connection: &Connection, report: &mut Verification) {
    let derived = |problem: String| Finding { derived: true, ..finding("words", problem) };
    match words::disagreements(connection) {
        Ok(Disagreements { wrong, unreadable }) => {
            let damaged = unreadable.iter().map(|cause| finding(VERSION.name, cause.to_string()));
            report.findings.extend(damaged);
            for (record, problem) in wrong {
                let id: Option<String> = connection
                    .query_row("SELECT id FROM record WHERE seq = ?1", [record], |row| row.get(0))
                    .optional()
                    .ok()
                    .flatten();
                report.findings.push(Finding {
                    row: Some(record),
                    record: id.and_then(|id| RecordId::parse(&id).ok()),
                    ..derived(problem.to_owned())
                });
            }
        }
        Err(cause) => report.findings.push(derived(cause.to_string())),
    }
}
