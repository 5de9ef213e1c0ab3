//! The lists that readers of the layout expect, made from memories: each says `"derived": true`.

use super::Place;
use super::place::{directory_of, place_of, slug};
use super::shape::object_of;
use mnemic_model::body::{Episode, Fields, Outcome};
use mnemic_model::session::{Economics, Session};
use mnemic_model::topic::Topic;
use mnemic_model::{Body, Kind, Link, Namespace, RecordId, Timestamp, Usage, Version};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Everything that lists are made from; all of one store, secrets left out.
#[derive(Debug, Default)]
pub struct Source {
    pub versions: Vec<Version>,
    /// By the record that they begin at.
    pub links: BTreeMap<RecordId, Vec<Link>>,
    pub usage: BTreeMap<String, Usage>,
    pub topics: Vec<Topic>,
    /// The latest session and what it cost.
    pub session: Option<(Session, Economics)>,
}

/// How many the timeline holds, as its format says.
const RECENT: usize = 100;
const DECISIONS: usize = 50;

/// Every list with its place, the same for the same store.
pub fn lists(source: &Source) -> Vec<(Place, String)> {
    let mut by_namespace: BTreeMap<&Namespace, Vec<&Version>> = BTreeMap::new();
    let root = Namespace::root();
    by_namespace.insert(&root, Vec::new());
    let mut sorted: Vec<&Version> = source.versions.iter().collect();
    sorted.sort_by(|a, b| a.id.cmp(&b.id));
    for version in sorted {
        let namespace = match version.kind() {
            Kind::Namespace => &root,
            _ => &version.content.scope.namespace,
        };
        by_namespace.entry(namespace).or_default().push(version);
    }
    let mut made = Vec::new();
    for (namespace, versions) in by_namespace {
        let part = Part { source, namespace, versions };
        let dir = directory_of(namespace);
        for (place, mut value) in part.all() {
            if let Value::Object(fields) = &mut value {
                fields.insert("derived".into(), json!(true));
            }
            made.push((format!("{dir}{place}"), format!("{value:#}\n")));
        }
    }
    made
}

/// One namespace of it.
struct Part<'s> {
    source: &'s Source,
    namespace: &'s Namespace,
    versions: Vec<&'s Version>,
}

impl Part<'_> {
    fn all(&self) -> Vec<(String, Value)> {
        let updated = self.versions.iter().map(|version| version.recorded.from()).max();
        let list = |name: &str, kind: Kind| {
            let entries: Vec<Value> = self.of(kind).map(|version| self.entry(version)).collect();
            let mut fields = Fields::new();
            fields.insert("version".into(), json!("1.0"));
            fields.insert(name.into(), json!(entries));
            fields.insert("last_updated".into(), json!(updated));
            Value::Object(fields)
        };
        let mut all = vec![
            ("semantic/patterns.json".to_owned(), list("patterns", Kind::Pattern)),
            ("semantic/anti-patterns.json".to_owned(), list("anti_patterns", Kind::AntiPattern)),
            ("semantic/facts.json".to_owned(), list("facts", Kind::Fact)),
            ("semantic/links.json".to_owned(), self.links()),
            ("episodic/index.json".to_owned(), self.episodes()),
            ("index.json".to_owned(), self.index(updated)),
            ("timeline.json".to_owned(), self.timeline()),
        ];
        for version in self.of(Kind::Skill) {
            if let Body::Skill(skill) = &version.content.body {
                let slug = slug(&skill.name, version.id.as_str());
                all.push((format!("skills/{slug}.json"), self.entry(version)));
            }
        }
        all.extend(self.learnings());
        if self.namespace.is_root() {
            all.push(("namespaces.json".into(), self.namespaces()));
            all.push(("token_economics.json".into(), self.economics()));
        }
        all
    }

    fn of(&self, kind: Kind) -> impl Iterator<Item = &Version> {
        self.versions.iter().copied().filter(move |version| version.kind() == kind)
    }

    /// A memory as the layout has it, with how it was used.
    fn entry(&self, version: &Version) -> Value {
        let mut fields = object_of(version, &[]).fields;
        fields.shift_remove("mnemic");
        let usage = self.source.usage.get(version.id.as_str()).cloned().unwrap_or_default();
        fields.insert("usage_count".into(), json!(usage.referenced));
        fields.insert("access_count".into(), json!(usage.loaded));
        fields.insert("last_used".into(), json!(usage.last_used));
        let links = self.source.links.get(&version.id).into_iter().flatten();
        let links: Vec<Value> = links.map(link_entry).collect();
        fields.insert("links".into(), json!(links));
        Value::Object(fields)
    }

    fn links(&self) -> Value {
        let here = self.versions.iter().filter_map(|version| self.source.links.get(&version.id));
        let mut links: Vec<Value> = here
            .flatten()
            .map(|link| {
                let mut entry = link_entry(link);
                entry["from"] = json!(link.from);
                entry
            })
            .collect();
        links.sort_by_key(ToString::to_string);
        json!({ "version": "1.0", "links": links })
    }

    fn episodes(&self) -> Value {
        let mut days: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for (version, episode) in self.told() {
            let at = version.content.valid.from();
            days.entry(day(at)).or_default().push(json!({
                "id": version.id,
                "timestamp": at,
                "goal": episode.goal,
                "outcome": episode.outcome,
                "path": place_of(version),
            }));
        }
        json!({ "version": "1.0", "total": self.of(Kind::Episode).count(), "days": days })
    }

    fn told(&self) -> impl Iterator<Item = (&Version, &Episode)> {
        self.versions.iter().filter_map(|version| match &version.content.body {
            Body::Episode(episode) => Some((*version, episode)),
            _ => None,
        })
    }

    fn index(&self, updated: Option<Timestamp>) -> Value {
        let mut topics: Vec<&Topic> =
            self.source.topics.iter().filter(|topic| topic.namespace == *self.namespace).collect();
        topics.sort_by(|a, b| a.name.cmp(&b.name));
        let tokens: u64 = topics.iter().map(|topic| topic.tokens).sum();
        let topics: Vec<Value> = topics
            .into_iter()
            .map(|topic| {
                json!({
                    "id": topic.name,
                    "summary": format!("{} memories", topic.memories),
                    "relevance_score": topic.relevance(),
                    "last_accessed": topic.last_used,
                    "token_count": topic.tokens,
                })
            })
            .collect();
        json!({
            "version": "1.0",
            "last_updated": updated,
            "topics": topics,
            "total_memories": self.versions.iter().filter(|one| one.kind().is_memory()).count(),
            "total_tokens_available": tokens,
        })
    }

    fn timeline(&self) -> Value {
        let mut recent: Vec<(&Version, &Episode)> = self.told().collect();
        recent.sort_by_key(|(version, _)| std::cmp::Reverse(version.content.valid.from()));
        let recent: Vec<Value> = recent
            .into_iter()
            .take(RECENT)
            .map(|(version, episode)| {
                json!({
                    "timestamp": version.content.valid.from(),
                    "action": episode.goal,
                    "outcome": episode.outcome,
                    "topic_id": version.id,
                })
            })
            .collect();
        let mut decisions: Vec<&Version> = self.of(Kind::Decision).collect();
        decisions.sort_by_key(|version| std::cmp::Reverse(version.content.valid.from()));
        decisions.truncate(DECISIONS);
        let decisions: Vec<Value> = decisions.into_iter().map(|one| self.entry(one)).collect();
        json!({
            "recent_actions": recent,
            "key_decisions": decisions,
            "active_context": self.active(),
        })
    }

    fn active(&self) -> Value {
        let latest = |kind: Kind| {
            self.of(kind).max_by_key(|version| (version.content.valid.from(), version.id.clone()))
        };
        let ledger = latest(Kind::Ledger).and_then(|version| match &version.content.body {
            Body::Ledger(ledger) => {
                ledger.current_task.clone().or(ledger.context.current_goal.clone())
            }
            _ => None,
        });
        let handoff = latest(Kind::Handoff).and_then(|version| match &version.content.body {
            Body::Handoff(handoff) => {
                Some((handoff.blockers.clone(), handoff.needs_testing.clone()))
            }
            _ => None,
        });
        let (blocked, next) = handoff.unwrap_or_default();
        json!({ "current_focus": ledger, "blocked_by": blocked, "next_up": next })
    }

    /// What was learnt on each day, for readers who follow days.
    fn learnings(&self) -> Vec<(String, Value)> {
        let mut days: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        let learnt = [Kind::Fact, Kind::Decision, Kind::Pattern, Kind::AntiPattern];
        for version in self.versions.iter().filter(|version| learnt.contains(&version.kind())) {
            days.entry(day(version.content.valid.from())).or_default().push(json!({
                "id": version.id,
                "kind": version.kind(),
                "category": version.content.category,
                "description": version.content.body.title(),
            }));
        }
        days.into_iter()
            .map(|(day, learnings)| {
                (format!("learnings/{day}.json"), json!({ "date": day, "learnings": learnings }))
            })
            .collect()
    }

    fn namespaces(&self) -> Value {
        let mut all = Fields::new();
        for version in self.of(Kind::Namespace) {
            if let Body::Namespace(one) = &version.content.body {
                let about = json!({ "parent": one.parent, "description": one.description });
                all.insert(one.name.to_string(), about);
            }
        }
        json!({ "version": "1.0", "namespaces": all })
    }

    fn economics(&self) -> Value {
        let Some((session, economics)) = &self.source.session else {
            return json!({ "session_id": null, "metrics": {} });
        };
        let outcomes = self.told().filter(|(_, told)| told.outcome == Some(Outcome::Success));
        json!({
            "session_id": session.id.to_string(),
            "metrics": {
                "discovery_tokens": economics.discovery_tokens,
                "read_tokens": economics.read_tokens,
                "ratio": economics.ratio(),
                "savings": economics.savings(),
            },
            "baseline": { "all_tokens": economics.all_tokens },
            "breakdown": { "successful_episodes": outcomes.count() },
        })
    }
}

fn link_entry(link: &Link) -> Value {
    json!({ "to": link.to, "relation": link.relation, "strength": link.strength })
}

fn day(at: Timestamp) -> String {
    at.to_jiff().strftime("%Y-%m-%d").to_string()
}
