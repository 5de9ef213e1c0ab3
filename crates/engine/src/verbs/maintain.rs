//! Carrying out what the price of memory asks for: rearranging topics, and noting when memory does
//! not pay.

use crate::{Engine, Result, StoreName};
use mnemic_model::job::{JobKind, Whose};
use mnemic_model::session::{Injection, Level, SessionId};
use mnemic_model::topic::{REST, Topic, TopicAct, TopicRule, neighbour};
use mnemic_store::sqlite::SqliteStore;
use mnemic_store::{Read, Write};
use std::collections::BTreeMap;

/// Topics with no more memories than this are merged.
const SMALL: u64 = 2;

/// A part with fewer memories gets no heading of its own: it would be merged again.
const PART: u64 = SMALL + 1;

/// An index of no more lines than this is short as it is.
const FEW: usize = 6;

/// Topics that one job compresses, splits or cuts: the dearest, and the next session tells more.
const AT_ONCE: usize = 2;

/// What a session was shown of one topic.
#[derive(Debug, Default)]
struct Share {
    tokens: u64,
    loads: u64,
    cited: bool,
}

impl Engine {
    /// Does what sessions left waiting in every store; what could not be done.
    pub fn maintain(&self) -> Result<Vec<String>> {
        let mut waiting = Vec::new();
        for (_, store) in self.stores() {
            if !store.read()?.jobs()?.is_empty() {
                waiting.extend(self.finish_jobs_of(store, Whose::Free, JobKind::OF_SESSIONS)?);
            }
        }
        Ok(waiting)
    }

    /// Carries out one job of the index. `home` is where the session lies; its memories may lie in
    /// the other store too.
    pub(super) fn rearrange(&self, home: &SqliteStore, job: JobKind, session: &str) -> Result<()> {
        let id = SessionId::parse(session)?;
        if job == JobKind::QuestionMemory {
            let mut tx = home.write()?;
            let mut economics = tx.economics(&id)?;
            economics.doubted = true;
            tx.put_economics(&id, &economics)?;
            return Ok(tx.commit()?);
        }
        for name in [StoreName::Project, StoreName::User] {
            let Ok(store) = self.store(name) else { continue };
            let mut tx = store.write()?;
            for rule in rules(tx.as_ref(), job, &id)? {
                tx.set_topic_rule(&rule)?;
            }
            tx.commit()?;
        }
        Ok(())
    }
}

fn rules(read: &dyn Write, job: JobKind, id: &SessionId) -> Result<Vec<TopicRule>> {
    let whole = |one: &Injection| matches!(one.level, Level::Full | Level::Summary);
    match job {
        JobKind::CompressTopics => {
            let read = loaded(read, id, whole)?;
            Ok(dearest(read).map(|topic| rule(&topic, TopicAct::Compress, String::new())).collect())
        }
        JobKind::SplitTimelines => {
            let scanned = loaded(read, id, |one| one.level == Level::Compressed)?;
            let cut = |topic: Topic| rule(&topic, TopicAct::CutTimeline, String::new());
            Ok(dearest(scanned).map(cut).collect())
        }
        JobKind::ReviewTopics => {
            let known = read.topic_rules()?;
            let unused = loaded(read, id, whole)?.into_values().filter(|(_, read)| !read.cited);
            Ok(unused.map(|(topic, _)| sunk(&topic, &known)).collect())
        }
        JobKind::SpecialiseIndex => {
            let mut split = Vec::new();
            for topic in dearest(loaded(read, id, whole)?) {
                split.extend(parts(read, &topic)?);
            }
            Ok(split)
        }
        JobKind::ReorganiseTopics => Ok(merged(&read.topics(&[])?)),
        _ => Ok(Vec::new()),
    }
}

fn rule(topic: &Topic, act: TopicAct, value: String) -> TopicRule {
    TopicRule { namespace: topic.namespace.clone(), name: topic.name.clone(), act, value }
}

/// The topics that a session was shown, with what was shown of each.
fn loaded(
    read: &dyn Read,
    id: &SessionId,
    counts: impl Fn(&Injection) -> bool,
) -> Result<BTreeMap<(String, String), (Topic, Share)>> {
    let mut topics: BTreeMap<(String, String), (Topic, Share)> = BTreeMap::new();
    for one in read.shown_in(id)?.into_iter().filter(|one| counts(one)) {
        let Some(topic) = read.topic_of(&one.record)? else { continue };
        let key = (topic.namespace.as_str().to_owned(), topic.name.clone());
        let (_, sum) = topics.entry(key).or_insert((topic, Share::default()));
        sum.tokens += one.tokens;
        sum.loads += 1;
        sum.cited |= one.cited;
    }
    Ok(topics)
}

/// Those that cost most.
fn dearest(topics: BTreeMap<(String, String), (Topic, Share)>) -> impl Iterator<Item = Topic> {
    let mut topics: Vec<(Topic, Share)> = topics.into_values().collect();
    topics.sort_by_key(|(topic, read)| (std::cmp::Reverse(read.tokens), topic.name.clone()));
    topics.into_iter().take(AT_ONCE).map(|(topic, _)| topic)
}

/// One step further down than it stood.
fn sunk(topic: &Topic, known: &[TopicRule]) -> TopicRule {
    let same = |rule: &&TopicRule| {
        rule.act == TopicAct::Sink && rule.name == topic.name && rule.namespace == topic.namespace
    };
    let times: u32 = known.iter().find(same).and_then(|rule| rule.value.parse().ok()).unwrap_or(0);
    rule(topic, TopicAct::Sink, (times + 1).min(8).to_string())
}

/// Headings for the parts of a topic that gather something; none where one part would be all of it.
fn parts(read: &dyn Read, topic: &Topic) -> Result<Vec<TopicRule>> {
    let parts = read.parts_of_topic(&topic.namespace, &topic.name)?;
    let gathers = |(_, memories): &(String, u64)| (PART..topic.memories).contains(memories);
    let split = |(part, _): (String, u64)| rule(topic, TopicAct::Split, part);
    Ok(parts.into_iter().filter(gathers).map(split).collect())
}

/// Merges each small topic into its neighbour by name. Neighbours are larger ones, so that no two
/// are merged into one another.
fn merged(topics: &[Topic]) -> Vec<TopicRule> {
    if topics.len() <= FEW {
        return Vec::new();
    }
    let (small, large): (Vec<&Topic>, Vec<&Topic>) =
        topics.iter().partition(|topic| topic.memories <= SMALL && topic.name != REST);
    small
        .into_iter()
        .map(|topic| {
            let same_room = large.iter().filter(|other| other.namespace == topic.namespace);
            let into = neighbour(&topic.name, same_room.map(|other| other.name.as_str()));
            rule(topic, TopicAct::Merge, into.to_owned())
        })
        .collect()
}
