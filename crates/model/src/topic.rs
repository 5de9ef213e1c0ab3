//! Topics: under which heading of the index a memory is filed, and how headings are rearranged.

use crate::invalid::named;
use crate::{Body, Content, Kind, Namespace, Tier, Timestamp, Trust, Version};

/// Names are headings, not texts.
const MAX_NAME_CHARS: usize = 60;

/// Where those small topics go that no other is named like.
pub const REST: &str = "other";

/// Where a memory is filed, before any rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filing {
    pub topic: String,
    /// The next name that it goes by, for the day on which its topic is split.
    pub part: Option<String>,
}

/// One heading with the counts of what lies behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Topic {
    pub namespace: Namespace,
    pub name: String,
    pub memories: u64,
    /// What reading all of it would cost.
    pub tokens: u64,
    /// How often its memories were loaded, and cited.
    pub loaded: u64,
    pub cited: u64,
    pub last_used: Option<Timestamp>,
    /// When the latest of it began to be true.
    pub latest: Option<Timestamp>,
    /// Full text is served as summaries.
    pub is_compressed: bool,
    /// Only the newest end of its timeline is scanned.
    pub is_cut: bool,
    /// Halved when it was loaded for nothing, 0..1.
    pub standing: f64,
}

impl Topic {
    /// How likely it is to be of use once loaded, 0..1. One success and one failure are taken for
    /// granted, so that a new topic stands in the middle.
    pub fn relevance(&self) -> f64 {
        let cited = self.cited.min(self.loaded) as f64;
        self.standing * (cited + 1.0) / (self.loaded as f64 + 2.0)
    }
}

named! {
    /// How maintenance rearranges the index.
    TopicAct, "act" {
        /// All of it is filed under another heading.
        Merge = "merge",
        /// One part of it gets a heading of its own.
        Split = "split",
        /// Its memories are served by their summaries.
        Compress = "compress",
        /// Only the newest end of its timeline is scanned.
        CutTimeline = "cut_timeline",
        /// It was loaded for nothing.
        Sink = "sink",
    }
}

/// One rule about one heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicRule {
    pub namespace: Namespace,
    pub name: String,
    pub act: TopicAct,
    /// The other heading of a merge, the part of a split, the times it sank.
    pub value: String,
}

/// The heading that a version belongs under; `None` for what is not read as a memory.
pub fn filing(version: &Version) -> Option<Filing> {
    let content = &version.content;
    let ended = content.valid.to().is_some_and(|end| end <= version.recorded.from());
    let hidden = content.trust() == Trust::Quarantined || content.tier == Tier::Archive;
    let kind = content.kind();
    if !kind.is_memory() || kind == Kind::Secret || ended || hidden {
        return None;
    }
    let mut names = names(content).into_iter();
    let topic = names.next().unwrap_or_else(|| kind.as_str().to_owned());
    let part = names.find(|name| *name != topic);
    Some(Filing { topic, part })
}

/// What a memory goes by, the most general first.
fn names(content: &Content) -> Vec<String> {
    let own = match &content.body {
        Body::Fact(fact) => fact.key.split(['.', '/', ':']).map(heading).collect(),
        Body::Episode(episode) => {
            episode.files.first().map(|file| directory(file)).into_iter().collect()
        }
        _ => Vec::new(),
    };
    // The last part of a key tells facts apart and gathers nothing.
    let keys = own.len().max(2) - 1;
    let given = content.category.iter().chain(&content.tags).map(|name| heading(name));
    given.chain(own.into_iter().take(keys)).filter(|name| !name.is_empty()).collect()
}

fn directory(file: &str) -> String {
    let parent = file.rsplit_once(['/', '\\']).map_or("", |(parent, _)| parent);
    heading(parent.trim_start_matches(['.', '/']))
}

/// A name in the form in which headings are compared.
fn heading(name: &str) -> String {
    let visible: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<String> = visible.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ").chars().take(MAX_NAME_CHARS).collect()
}

/// Where a filing ends up: merged first, then split once, then merged again.
pub fn resolve(
    filing: &Filing,
    merged: &dyn Fn(&str) -> Option<String>,
    is_split: &dyn Fn(&str, &str) -> bool,
) -> String {
    let follow = |mut name: String| {
        // Rules are made one by one from headings that exist; a circle would be a damaged row.
        for _ in 0..8 {
            match merged(&name) {
                Some(into) => name = into,
                None => break,
            }
        }
        name
    };
    let topic = follow(filing.topic.clone());
    match &filing.part {
        Some(part) if is_split(&topic, part) => follow(format!("{topic}/{part}")),
        _ => topic,
    }
}

/// Where a small topic goes: to the one whose name begins most like its own, else to the rest.
pub fn neighbour<'n>(name: &str, others: impl IntoIterator<Item = &'n str>) -> &'n str {
    const ALIKE: usize = 3;
    let shared = |other: &str| name.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    others
        .into_iter()
        .filter(|other| *other != name)
        .map(|other| (shared(other), other))
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by_key(|(alike, other)| (*alike, std::cmp::Reverse(*other)))
        .map_or(REST, |(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Decision, Episode, Fact};
    use crate::{ChangeId, Interval, RecordId};

    fn version(body: Body, fields: &[(&str, serde_json::Value)]) -> Version {
        let mut all = body.to_fields();
        let usual = serde_json::json!({
            "kind": body.kind(), "tier": "reference", "importance": 0.5, "confidence": 1.0,
            "valid_at": "2026-01-01T00:00:00Z", "writer": "human:a", "trust": "trusted",
            "scope": "project", "namespace": "default", "visibility": "private",
        });
        all.extend(usual.as_object().unwrap().clone());
        all.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        Version {
            id: RecordId::parse("x").unwrap(),
            n: 1,
            content: Content::from_fields(all, None).unwrap(),
            recorded: Interval::since(Timestamp::parse("2026-02-01T00:00:00Z").unwrap()),
            change: ChangeId("c".into()),
        }
    }

    fn fact(key: &str) -> Body {
        Body::Fact(Fact { key: key.into(), value: "v".into(), ..Fact::default() })
    }

    fn told(body: Body, fields: &[(&str, serde_json::Value)]) -> Option<(String, Option<String>)> {
        filing(&version(body, fields)).map(|filing| (filing.topic, filing.part))
    }

    #[test]
    fn the_most_telling_name_comes_first() {
        use serde_json::json;
        let is =
            |topic: &str, part: Option<&str>| Some((topic.to_owned(), part.map(str::to_owned)));
        let tags = ("tags", json!(["net", "Api  v2"]));
        let category = ("category", json!("Storage"));
        assert_eq!(told(fact("db.port"), &[category, tags.clone()]), is("storage", Some("api v2")));
        assert_eq!(told(fact("db.port"), &[tags]), is("api v2", Some("net")));
        assert_eq!(told(fact("db.port"), &[]), is("db", None));
        assert_eq!(told(fact("db.pool.size"), &[]), is("db", Some("pool")));
        assert_eq!(told(fact("port"), &[]), is("port", None));
        let episode = |file: &str| {
            let files = vec![file.to_owned()];
            Body::Episode(Episode { goal: "g".into(), files, ..Episode::default() })
        };
        assert_eq!(told(episode("src/store/read.rs"), &[]), is("src/store", None));
        assert_eq!(told(episode("main.rs"), &[]), is("episode", None));
        let decision = Decision {
            decision: "d".into(),
            rationale: None,
            alternatives: vec![],
            affects: vec![],
            active: true,
        };
        assert_eq!(told(Body::Decision(decision), &[]), is("decision", None));
    }

    #[test]
    fn what_nobody_reads_has_no_topic() {
        use serde_json::json;
        assert_eq!(told(fact("a.b"), &[("tier", json!("archive"))]), None);
        assert_eq!(told(fact("a.b"), &[("trust", json!("quarantined"))]), None);
        assert_eq!(told(fact("a.b"), &[("invalid_at", json!("2026-01-15T00:00:00Z"))]), None);
        assert!(told(fact("a.b"), &[("invalid_at", json!("2026-03-15T00:00:00Z"))]).is_some());
    }

    #[test]
    fn rules_are_followed_and_circles_end() {
        let merged = |name: &str| match name {
            "auth" => Some("login".to_owned()),
            "db/pool" => Some("other".to_owned()),
            "a" => Some("b".to_owned()),
            "b" => Some("a".to_owned()),
            _ => None,
        };
        let split = |topic: &str, part: &str| topic == "db" && part == "pool";
        let to = |topic: &str, part: Option<&str>| {
            let filing = Filing { topic: topic.into(), part: part.map(str::to_owned) };
            resolve(&filing, &merged, &split)
        };
        assert_eq!(to("auth", None), "login");
        assert_eq!(to("db", Some("pool")), "other");
        assert_eq!(to("db", Some("size")), "db");
        assert!(["a", "b"].contains(&to("a", None).as_str()));
    }

    #[test]
    fn neighbours_are_named_alike() {
        assert_eq!(neighbour("store/read", ["auth", "store", "store/write"]), "store/write");
        assert_eq!(neighbour("auth", ["db", "net"]), REST);
        assert_eq!(neighbour("auth", ["auth"]), REST);
    }

    #[test]
    fn topics_that_are_cited_rise() {
        let topic = |loaded, cited, standing| Topic {
            namespace: Namespace::root(),
            name: "t".into(),
            memories: 1,
            tokens: 1,
            loaded,
            cited,
            last_used: None,
            latest: None,
            is_compressed: false,
            is_cut: false,
            standing,
        };
        assert!((topic(0, 0, 1.0).relevance() - 0.5).abs() < 1e-9);
        assert!(topic(9, 9, 1.0).relevance() > topic(9, 1, 1.0).relevance());
        assert!(topic(9, 9, 0.5).relevance() < topic(9, 9, 1.0).relevance());
        assert!(topic(1, 50, 1.0).relevance() <= 1.0);
    }
}
