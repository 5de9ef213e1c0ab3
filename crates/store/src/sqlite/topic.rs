//! The headings that memories are filed under: counters that every write keeps up to date.

mod read;

use super::change::next_key;
use super::query::{in_transaction, rows};
use super::row::{self, Stored};
use super::seal::TOPIC_RULE;
use crate::Result;
use mnemic_model::topic::{Filing, TopicAct, TopicRule, filing, resolve};
use mnemic_model::{Namespace, Usage, Version};
use mnemic_text::tokens;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{BTreeMap, BTreeSet};

/// A memory as it is filed.
#[derive(Debug, Clone, PartialEq)]
struct Filed {
    namespace: String,
    filing: Filing,
    tokens: i64,
    importance: f64,
    began_at: i64,
}

impl Filed {
    fn of(version: &Version) -> Option<Filed> {
        let content = &version.content;
        Some(Filed {
            filing: filing(version)?,
            namespace: content.scope.namespace.as_str().to_owned(),
            tokens: i64::from(tokens::estimate(&content.body.full_text())),
            importance: content.importance.get(),
            began_at: content.valid.from().micros(),
        })
    }
}

/// Files a version that has become current.
pub(super) fn add(connection: &Connection, record: i64, version: &Version) -> Result<()> {
    let uses = match version.n {
        // Nothing is used before it is there; this spares a look in every batch of new memories.
        1 => (0, 0, None),
        _ => uses(connection, record)?,
    };
    file(connection, record, version, uses)
}

/// How often a record was loaded and cited, and when last.
type Uses = (i64, i64, Option<i64>);

fn file(
    connection: &Connection,
    record: i64,
    version: &Version,
    (loaded, cited, used_at): Uses,
) -> Result<()> {
    let Some(filed) = Filed::of(version) else { return Ok(()) };
    let name = heading(connection, &filed.namespace, &filed.filing)?;
    let topic = topic_key(connection, &filed.namespace, &name)?;
    connection
        .prepare_cached("INSERT INTO filed VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?
        .execute(params![
            record,
            topic,
            filed.filing.topic,
            filed.filing.part,
            filed.tokens,
            filed.importance,
            filed.began_at,
            used_at,
            loaded,
            cited,
        ])?;
    count(connection, topic, 1, filed.tokens, loaded, cited)
}

/// Takes a record out of its topic; one that holds nothing goes with it.
pub(super) fn remove(connection: &Connection, record: i64) -> Result<()> {
    let sql = "DELETE FROM filed WHERE record = ?1 RETURNING topic, tokens, loaded, cited";
    let mut statement = connection.prepare_cached(sql)?;
    let old: Option<(i64, i64, i64, i64)> = statement
        .query_row([record], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()?;
    let Some((topic, tokens, loaded, cited)) = old else { return Ok(()) };
    count(connection, topic, -1, -tokens, -loaded, -cited)?;
    connection
        .prepare_cached("DELETE FROM topic WHERE seq = ?1 AND memories <= 0")?
        .execute([topic])?;
    Ok(())
}

/// Follows the use of a memory.
pub(super) fn follow_use(connection: &Connection, record: i64, usage: &Usage) -> Result<()> {
    let sql = "SELECT topic, loaded, cited FROM filed WHERE record = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let old: Option<(i64, i64, i64)> = statement
        .query_row([record], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let Some((topic, loaded, cited)) = old else { return Ok(()) };
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let (now_loaded, now_cited) = (number(usage.loaded), number(usage.referenced));
    connection
        .prepare_cached("UPDATE filed SET loaded = ?2, cited = ?3, used_at = ?4 WHERE record = ?1")?
        .execute(params![record, now_loaded, now_cited, usage.last_used.map(|at| at.micros())])?;
    let grown = |now: i64, before: i64| now.saturating_sub(before);
    count(connection, topic, 0, 0, grown(now_loaded, loaded), grown(now_cited, cited))
}

fn count(
    connection: &Connection,
    topic: i64,
    memories: i64,
    tokens: i64,
    loaded: i64,
    cited: i64,
) -> Result<()> {
    let sql = "UPDATE topic SET memories = memories + ?2, tokens = tokens + ?3, \
               loaded = loaded + ?4, cited = cited + ?5 WHERE seq = ?1";
    connection.prepare_cached(sql)?.execute([topic, memories, tokens, loaded, cited])?;
    Ok(())
}

fn uses(connection: &Connection, record: i64) -> Result<Uses> {
    let sql = "SELECT loaded, referenced, last_used FROM usage WHERE record = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement
        .query_row([record], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    Ok(found.unwrap_or((0, 0, None)))
}

fn topic_key(connection: &Connection, namespace: &str, name: &str) -> Result<i64> {
    let sql = "SELECT seq FROM topic WHERE namespace = ?1 AND name = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    if let Some(key) = statement.query_row([namespace, name], |row| row.get(0)).optional()? {
        return Ok(key);
    }
    let key = next_key(connection, "topic")?;
    connection
        .prepare_cached("INSERT INTO topic VALUES (?1, ?2, ?3, 0, 0, 0, 0)")?
        .execute(params![key, namespace, name])?;
    Ok(key)
}

/// The name of the topic that the rules lead to.
fn heading(connection: &Connection, namespace: &str, filing: &Filing) -> Result<String> {
    let any = "SELECT EXISTS (SELECT 1 FROM topic_rule)";
    if !connection.prepare_cached(any)?.query_row([], |row| row.get::<_, bool>(0))? {
        return Ok(filing.topic.clone());
    }
    let sql = "SELECT value FROM topic_rule WHERE namespace = ?1 AND name = ?2 AND act = ?3";
    let values = |name: &str, act: TopicAct| -> Vec<String> {
        let params = params![namespace, name, act.as_str()];
        // An unreadable rule rearranges nothing; `verify` names it.
        rows(connection, sql, params, |row| Ok(row.get(0)?)).unwrap_or_default()
    };
    let merged = |name: &str| values(name, TopicAct::Merge).pop();
    let is_split =
        |name: &str, part: &str| values(name, TopicAct::Split).iter().any(|other| other == part);
    Ok(resolve(filing, &merged, &is_split))
}

/// Files everything anew from the current versions, inside the caller's transaction.
pub(super) fn fill(connection: &Connection) -> Result<()> {
    connection.execute_batch("DELETE FROM filed; DELETE FROM topic")?;
    row::each_current(connection, &mut |record, version| {
        file(connection, record, &version, uses(connection, record)?)
    })
}

/// The same in a transaction of its own.
pub(super) fn rebuild(connection: &Connection) -> Result<()> {
    in_transaction(connection, fill)
}

/// Sets a rule; what is filed where another rule of the same act led is filed anew.
pub(super) fn set_rule(connection: &Connection, rule: &TopicRule) -> Result<()> {
    // Of splits there is one rule a part; of everything else the last word counts.
    if rule.act != TopicAct::Split {
        drop_rows(connection, &rule.namespace, &rule.name, rule.act)?;
    }
    let sql = "DELETE FROM topic_rule \
               WHERE namespace = ?1 AND name = ?2 AND act = ?3 AND value = ?4";
    let (namespace, act) = (rule.namespace.as_str(), rule.act.as_str());
    connection.execute(sql, [namespace, &rule.name, act, &rule.value])?;
    let key = next_key(connection, "topic_rule")?;
    connection.execute(TOPIC_RULE.insert(), params![key, namespace, rule.name, act, rule.value])?;
    file_anew(connection, rule.act)
}

pub(super) fn drop_rule(
    connection: &Connection,
    namespace: &Namespace,
    name: &str,
    act: TopicAct,
) -> Result<bool> {
    let any = drop_rows(connection, namespace, name, act)?;
    file_anew(connection, act)?;
    Ok(any)
}

fn drop_rows(
    connection: &Connection,
    namespace: &Namespace,
    name: &str,
    act: TopicAct,
) -> Result<bool> {
    let sql = "DELETE FROM topic_rule WHERE namespace = ?1 AND name = ?2 AND act = ?3";
    Ok(connection.execute(sql, [namespace.as_str(), name, act.as_str()])? > 0)
}

fn file_anew(connection: &Connection, act: TopicAct) -> Result<()> {
    match act {
        TopicAct::Merge | TopicAct::Split => fill(connection),
        TopicAct::Compress | TopicAct::CutTimeline | TopicAct::Sink => Ok(()),
    }
}

/// Drops rules whose words only a forgotten memory said.
pub(super) fn erase(connection: &Connection, versions: &[Version]) -> Result<()> {
    let mut names = BTreeSet::new();
    for version in versions {
        let Some(Filing { topic, part }) = filing(version) else { continue };
        names.extend(part.iter().map(|part| format!("{topic}/{part}")));
        names.extend(part);
        names.insert(topic);
    }
    for name in names {
        let still = "SELECT EXISTS (SELECT 1 FROM filed WHERE base = ?1 OR part = ?1) \
                     OR EXISTS (SELECT 1 FROM topic WHERE name = ?1)";
        if !connection.prepare_cached(still)?.query_row([&name], |row| row.get::<_, bool>(0))? {
            connection.execute("DELETE FROM topic_rule WHERE name = ?1 OR value = ?1", [&name])?;
        }
    }
    Ok(())
}

/// What is filed otherwise than the rows say, in words.
pub(super) fn disagreements(connection: &Connection) -> Result<Vec<String>> {
    let mut expected: BTreeMap<(String, String), [i64; 4]> = BTreeMap::new();
    let mut unfiled = Vec::new();
    row::each_stored(connection, "version.expired_at IS NULL", &mut |read| {
        // What cannot be read is named elsewhere.
        let Ok(Stored { record, version }) = read else { return Ok(()) };
        let Some(filed) = Filed::of(&version) else { return Ok(()) };
        let name = heading(connection, &filed.namespace, &filed.filing)?;
        let (loaded, cited, _) = uses(connection, record)?;
        let counts = expected.entry((filed.namespace.clone(), name.clone())).or_default();
        for (count, more) in counts.iter_mut().zip([1, filed.tokens, loaded, cited]) {
            *count = count.saturating_add(more);
        }
        if filed_as(connection, record)? != Some((name, filed)) {
            unfiled.push(format!("`{}` is not filed as its row says", version.id));
        }
        Ok(())
    })?;
    let sql = "SELECT namespace, name, memories, tokens, loaded, cited FROM topic";
    let found: BTreeMap<(String, String), [i64; 4]> = rows(connection, sql, [], |row| {
        let counts = [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?];
        Ok(((row.get(0)?, row.get(1)?), counts))
    })?
    .into_iter()
    .collect();
    if found != expected {
        unfiled.push("the counts of topics are not those of their memories".to_owned());
    }
    Ok(unfiled)
}

fn filed_as(connection: &Connection, record: i64) -> Result<Option<(String, Filed)>> {
    let sql = "SELECT topic.name, namespace, base, part, filed.tokens, importance, began_at \
               FROM filed JOIN topic ON topic.seq = filed.topic WHERE record = ?1";
    let found = rows(connection, sql, [record], |row| {
        let filed = Filed {
            namespace: row.get(1)?,
            filing: Filing { topic: row.get(2)?, part: row.get(3)? },
            tokens: row.get(4)?,
            importance: row.get(5)?,
            began_at: row.get(6)?,
        };
        Ok((row.get(0)?, filed))
    })?;
    Ok(found.into_iter().next())
}
