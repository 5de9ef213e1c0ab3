//! Listing: a filter becomes one SQL query; what SQL cannot know is checked row by row.

use super::row::{self, COLUMNS, TABLES};
use super::words;
use crate::Result;
use mnemic_model::{Filter, PageEnd, Timestamp, Version};
use mnemic_text::words::{index_terms, matches, query_chunks};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

/// Conditions with their parameters, joined by AND.
#[derive(Default)]
struct Conditions {
    sql: Vec<String>,
    params: Vec<Value>,
}

impl Conditions {
    /// `condition` has a `?` for every parameter.
    fn add(&mut self, condition: impl Into<String>, params: impl IntoIterator<Item = Value>) {
        self.sql.push(condition.into());
        self.params.extend(params);
    }

    fn any_of(&mut self, column: &str, values: impl Iterator<Item = &'static str>) {
        let values: Vec<Value> = values.map(|text| Value::Text(text.to_owned())).collect();
        if !values.is_empty() {
            let marks = vec!["?"; values.len()].join(", ");
            self.add(format!("{column} IN ({marks})"), values);
        }
    }
}

/// A point on both time lines, with the store's own "now" filled in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// `None` is whenever.
    pub(super) truth: Option<Timestamp>,
    pub(super) known: Option<Timestamp>,
}

/// What was believed at a point in time and true at another, as conditions on one table.
fn at_conditions(conditions: &mut Conditions, table: &str, at: Seen) {
    match at.known {
        None => conditions.add(format!("{table}.expired_at IS NULL"), []),
        Some(known) => conditions.add(
            format!(
                "{table}.recorded_at <= ? AND ({table}.expired_at IS NULL OR {table}.expired_at > ?)"
            ),
            [Value::Integer(known.micros()), Value::Integer(known.micros())],
        ),
    }
    if let Some(point) = at.truth {
        // The `+` keeps this bound from being the one that an index is walked by: nearly everything
        // lies before now, and a question about last week has a closer one.
        conditions.add(
            format!(
                "+{table}.valid_at <= ? AND ({table}.invalid_at IS NULL OR {table}.invalid_at > ?)"
            ),
            [Value::Integer(point.micros()), Value::Integer(point.micros())],
        );
    }
}

/// The same conditions for other queries, as one SQL text and its parameters.
pub(super) fn at_sql(table: &str, at: Seen) -> (String, Vec<Value>) {
    let mut conditions = Conditions::default();
    at_conditions(&mut conditions, table, at);
    (conditions.sql.join(" AND "), conditions.params)
}

/// All that a filter asks of a row of `version JOIN record`; `None` when nothing can pass.
pub(super) fn conditions_sql(filter: &Filter, at: Seen) -> Option<(String, Vec<Value>)> {
    let conditions = conditions(filter, at)?;
    Some((conditions.sql.join(" AND "), conditions.params))
}

pub(super) fn list(connection: &Connection, filter: &Filter, at: Seen) -> Result<Vec<Version>> {
    let Some(conditions) = conditions(filter, at) else { return Ok(Vec::new()) };
    let sql = format!(
        "SELECT {COLUMNS} FROM {TABLES} WHERE {} ORDER BY version.recorded_at DESC, version.seq DESC",
        conditions.sql.join(" AND ")
    );
    let past_words = past_words(filter);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(conditions.params))?;
    let mut found = Vec::new();
    while found.len() < filter.limit {
        let Some(row) = rows.next()? else { break };
        let version = row::stored(row)?.version;
        let wanted = past_words.as_ref().is_none_or(|query| says(&version, query));
        if wanted {
            found.push(version);
        }
    }
    Ok(found)
}

/// Where a version stands among those of [`list`].
pub(super) fn page_end(connection: &Connection, version: &Version) -> Result<Option<PageEnd>> {
    let recorded_at = version.recorded.from();
    let sql = "SELECT version.seq FROM version JOIN record ON record.seq = version.record \
               WHERE record.id = ? AND version.recorded_at = ?";
    let mut statement = connection.prepare_cached(sql)?;
    let key = (version.id.as_str(), recorded_at.micros());
    let seq = statement.query_row(key, |row| row.get(0)).optional()?;
    Ok(seq.map(|seq| PageEnd { recorded_at, seq }))
}

/// Whether a row of `version JOIN record` is more than the name of an entity. Of other kinds the content
/// is not read.
pub(super) const IS_DESCRIBED: &str = "CASE record.kind WHEN 'entity' \
    THEN json_extract(version.content, '$.description') IS NOT NULL ELSE 1 END";

/// `None` when the filter can match nothing.
fn conditions(filter: &Filter, at: Seen) -> Option<Conditions> {
    let mut conditions = Conditions::default();
    at_conditions(&mut conditions, "version", at);
    conditions.any_of("record.kind", filter.kinds.iter().map(|k| k.as_str()));
    if filter.described {
        conditions.add(IS_DESCRIBED, []);
    }
    conditions.any_of("version.level", filter.levels.iter().map(|l| l.as_str()));
    conditions.any_of("version.tier", filter.tiers.iter().map(|t| t.as_str()));
    conditions.any_of("version.trust", filter.trusts.iter().map(|t| t.as_str()));
    if !filter.namespaces.is_empty() {
        let marks = vec!["?"; filter.namespaces.len()].join(", ");
        let names = filter.namespaces.iter().map(|n| Value::Text(n.as_str().to_owned()));
        conditions.add(format!("version.namespace IN ({marks})"), names);
    }
    if !filter.authors.is_empty() {
        // A writer is stored as `agent` or `agent:name`.
        let each = "json_extract(version.content, '$.writer') IN (?) \
                    OR json_extract(version.content, '$.writer') GLOB ?";
        let sql = vec![each; filter.authors.len()].join(" OR ");
        let params = filter.authors.iter().flat_map(|author| {
            [Value::Text(author.as_str().to_owned()), Value::Text(format!("{author}:*"))]
        });
        conditions.add(format!("({sql})"), params);
    }
    for tag in &filter.tags {
        conditions.add(
            "EXISTS (SELECT 1 FROM json_each(version.content, '$.tags') AS tag WHERE tag.value = ?)",
            [Value::Text(tag.clone())],
        );
    }
    if let Some(category) = &filter.category {
        conditions.add(
            "json_extract(version.content, '$.category') = ?",
            [Value::Text(category.clone())],
        );
    }
    if let Some(pinned) = filter.pinned {
        conditions.add(
            "coalesce(json_extract(version.content, '$.pinned'), 0) = ?",
            [Value::Integer(i64::from(pinned))],
        );
    }
    if let Some(least) = filter.min_importance {
        conditions.add("version.importance >= ?", [Value::Real(least.get())]);
    }
    if let Some(since) = filter.recorded_since {
        conditions.add("version.recorded_at >= ?", [Value::Integer(since.micros())]);
    }
    if let Some(until) = filter.recorded_until {
        conditions.add("version.recorded_at < ?", [Value::Integer(until.micros())]);
    }
    if let Some(after) = filter.after {
        conditions.add(
            "(version.recorded_at, version.seq) < (?, ?)",
            [Value::Integer(after.recorded_at.micros()), Value::Integer(after.seq)],
        );
    }
    if let Some(query) = &filter.words {
        let expression = words::match_expression(query)?;
        if filter.at.known.is_none() {
            conditions.add(
                "version.record IN (SELECT rowid FROM words WHERE words MATCH ?)",
                [Value::Text(expression)],
            );
        }
    }
    Some(conditions)
}

/// The index knows the present alone: questions about the past read the words of each row.
fn past_words(filter: &Filter) -> Option<Vec<mnemic_text::words::QueryChunk>> {
    filter.at.known.and(filter.words.as_deref()).map(query_chunks)
}

fn says(version: &Version, query: &[mnemic_text::words::QueryChunk]) -> bool {
    let content = &version.content;
    if !content.kind().is_indexed() {
        return false;
    }
    let mut terms = index_terms(&content.body.full_text());
    terms.extend(index_terms(content.body.title()));
    terms.extend(content.tags.iter().flat_map(|tag| index_terms(tag)));
    terms.extend(content.category.iter().flat_map(|category| index_terms(category)));
    matches(&terms, query)
}
