//! Reading topics: counters with what the rules say of them, and the memories behind a heading.

use crate::Result;
use crate::session::{ReadTopics, TopicOrder};
use crate::sqlite::query::rows;
use crate::sqlite::read::Connected;
use crate::sqlite::row::select;
use crate::sqlite::session::{damaged, time};
use mnemic_model::topic::{Topic, TopicAct, TopicRule};
use mnemic_model::{Namespace, RecordId, Version};
use rusqlite::{Connection, Row, params};

const TOPIC: &str = "SELECT namespace, name, memories, tokens, loaded, cited, \
     (SELECT max(used_at) FROM filed WHERE filed.topic = topic.seq AND used_at IS NOT NULL), \
     (SELECT max(began_at) FROM filed WHERE filed.topic = topic.seq) FROM topic";

/// A topic without its rules.
fn bare(row: &Row<'_>) -> Result<Topic> {
    let count = |index: usize| -> Result<u64> { Ok(row.get::<_, i64>(index)?.max(0) as u64) };
    Ok(Topic {
        namespace: Namespace::parse(&row.get::<_, String>(0)?).map_err(damaged)?,
        name: row.get(1)?,
        memories: count(2)?,
        tokens: count(3)?,
        loaded: count(4)?,
        cited: count(5)?,
        last_used: row.get::<_, Option<i64>>(6)?.map(time).transpose()?,
        latest: row.get::<_, Option<i64>>(7)?.map(time).transpose()?,
        is_compressed: false,
        is_cut: false,
        standing: 1.0,
    })
}

/// Marks topics with what the rules say of them; what holds of a topic holds of its parts.
fn under_rules(connection: &Connection, mut topics: Vec<Topic>) -> Result<Vec<Topic>> {
    let rules = rules(connection)?;
    for topic in &mut topics {
        let parent = rules.iter().find(|rule| {
            rule.act == TopicAct::Split
                && rule.namespace == topic.namespace
                && topic.name.strip_prefix(&rule.name).and_then(|rest| rest.strip_prefix('/'))
                    == Some(&rule.value)
        });
        let parent = parent.map(|rule| rule.name.clone());
        for rule in &rules {
            let is_named = rule.name == topic.name || Some(&rule.name) == parent.as_ref();
            if is_named && rule.namespace == topic.namespace {
                mark(topic, rule);
            }
        }
    }
    Ok(topics)
}

fn mark(topic: &mut Topic, rule: &TopicRule) {
    match rule.act {
        TopicAct::Compress => topic.is_compressed = true,
        TopicAct::CutTimeline => topic.is_cut = true,
        TopicAct::Sink => {
            let times: i32 = rule.value.parse().unwrap_or(1);
            topic.standing = topic.standing.min(0.5_f64.powi(times.clamp(0, 8)));
        }
        TopicAct::Merge | TopicAct::Split => {}
    }
}

fn rules(connection: &Connection) -> Result<Vec<TopicRule>> {
    let sql = "SELECT namespace, name, act, value FROM topic_rule ORDER BY seq";
    rows(connection, sql, [], |row| {
        Ok(TopicRule {
            namespace: Namespace::parse(&row.get::<_, String>(0)?).map_err(damaged)?,
            name: row.get(1)?,
            act: row.get::<_, String>(2)?.parse().map_err(damaged)?,
            value: row.get(3)?,
        })
    })
}

impl<T: Connected> ReadTopics for T {
    fn topics(&self, namespaces: &[Namespace]) -> Result<Vec<Topic>> {
        let sql = format!("{TOPIC} ORDER BY memories DESC, name");
        let mut topics = rows(self.connection(), &sql, [], bare)?;
        topics.retain(|topic| namespaces.is_empty() || namespaces.contains(&topic.namespace));
        under_rules(self.connection(), topics)
    }

    fn topic_of(&self, id: &RecordId) -> Result<Option<Topic>> {
        let of_record = "SELECT topic FROM filed JOIN record ON record.seq = filed.record";
        let sql = format!("{TOPIC} WHERE seq = ({of_record} WHERE record.id = ?1)");
        let found = rows(self.connection(), &sql, [id.as_str()], bare)?;
        Ok(under_rules(self.connection(), found)?.pop())
    }

    fn filed_under(
        &self,
        namespace: &Namespace,
        name: &str,
        order: TopicOrder,
        limit: usize,
    ) -> Result<Vec<Version>> {
        let order = match order {
            TopicOrder::Weightiest => "importance DESC, record DESC",
            TopicOrder::Latest => "began_at DESC, record DESC",
        };
        let sql = format!(
            "SELECT record FROM filed WHERE topic = \
             (SELECT seq FROM topic WHERE namespace = ?1 AND name = ?2) ORDER BY {order} LIMIT ?3"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let params = params![namespace.as_str(), name, limit];
        let records: Vec<i64> = rows(self.connection(), &sql, params, |row| Ok(row.get(0)?))?;
        let mut versions = Vec::new();
        for record in records {
            let current = "version.record = ?1 AND version.expired_at IS NULL";
            versions.extend(select(self.connection(), current, [record])?.pop());
        }
        Ok(versions.into_iter().map(|stored| stored.version).collect())
    }

    fn parts_of_topic(&self, namespace: &Namespace, name: &str) -> Result<Vec<(String, u64)>> {
        let sql = "SELECT part, count(*) FROM filed WHERE part IS NOT NULL AND topic = \
                   (SELECT seq FROM topic WHERE namespace = ?1 AND name = ?2) \
                   GROUP BY part ORDER BY 2 DESC, 1";
        rows(self.connection(), sql, [namespace.as_str(), name], |row| {
            Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs()))
        })
    }

    fn topic_rules(&self) -> Result<Vec<TopicRule>> {
        rules(self.connection())
    }
}
