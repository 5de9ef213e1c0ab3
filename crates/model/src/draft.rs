//! A memory as somebody hands it in: parsed once, checked once, trusted afterwards.

use crate::body::{Body, Fields};
use crate::content::{GivenLevels, check_text};
use crate::{
    Actor, Content, Interval, Invalid, Kind, Namespace, Provenance, RecordId, Relation, Scope,
    ScopeLevel, Tier, Timestamp, Trust, Unit, Visibility, policy,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// What is said about a memory beside its body. Everything may be left out.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    pub id: Option<RecordId>,
    pub summary: Option<String>,
    pub compressed: Option<String>,
    pub index: Option<String>,
    pub tier: Option<Tier>,
    pub importance: Option<Unit>,
    pub confidence: Option<Unit>,
    #[serde(default)]
    pub tags: BTreeSet<String>,
    pub category: Option<String>,
    pub valid_at: Option<Timestamp>,
    pub invalid_at: Option<Timestamp>,
    pub writer: Option<Actor>,
    pub source: Option<String>,
    #[serde(default)]
    pub episodes: Vec<RecordId>,
    pub trust: Option<Trust>,
    pub scope: Option<ScopeLevel>,
    pub namespace: Option<Namespace>,
    pub visibility: Option<Visibility>,
    #[serde(default)]
    pub pinned: bool,
    pub confirmed_by: Option<String>,
    #[serde(default)]
    pub links: Vec<DraftLink>,
    /// What it cost to learn.
    pub discovery_tokens: Option<u64>,
    /// The same key twice is the same write once.
    pub idempotency_key: Option<String>,
    #[serde(default)]
    pub extra: Fields,
}

/// A link that is stored together with its memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftLink {
    pub relation: Relation,
    pub to: RecordId,
    #[serde(default)]
    pub strength: Option<Unit>,
}

/// A memory as somebody hands it in.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub body: Body,
    pub about: About,
}

/// The names of the fields that belong to `About`, not to a body.
pub const ABOUT_FIELDS: &[&str] = &[
    "id",
    "summary",
    "compressed",
    "index",
    "tier",
    "importance",
    "confidence",
    "tags",
    "category",
    "valid_at",
    "invalid_at",
    "writer",
    "source",
    "episodes",
    "trust",
    "scope",
    "namespace",
    "visibility",
    "pinned",
    "confirmed_by",
    "links",
    "discovery_tokens",
    "idempotency_key",
    "extra",
];

impl Draft {
    pub fn new(body: Body) -> Draft {
        Draft { body, about: About::default() }
    }

    /// Reads the flat form: `kind`, the body's fields and those of every memory side by side.
    pub fn from_fields(fields: Fields) -> Result<Draft, Invalid> {
        let mut about = Fields::new();
        let mut body = Fields::new();
        let mut kind = None;
        for (name, value) in fields {
            if name == "kind" {
                kind = Some(value);
            } else if ABOUT_FIELDS.contains(&name.as_str()) {
                about.insert(name, value);
            } else {
                body.insert(name, value);
            }
        }
        let kind = match kind {
            Some(Value::String(kind)) => kind.parse::<Kind>()?,
            other => {
                let problem = if other.is_some() { "is not a text" } else { "is missing" };
                return Err(Invalid::new(
                    "kind",
                    problem,
                    "say what it is, e.g. \"kind\": \"fact\"",
                ));
            }
        };
        let about = serde_json::from_value(Value::Object(about)).map_err(|cause| {
            Invalid::new(
                kind.as_str(),
                cause.to_string(),
                "`mnemic remember --help` lists the fields",
            )
        })?;
        Ok(Draft { body: Body::from_fields(kind, body)?, about })
    }

    /// The same for what somebody sends, who is told in which field a value is of the wrong sort.
    pub fn sent(fields: Fields) -> Result<Draft, Invalid> {
        let sent = fields.clone();
        Draft::from_fields(fields).map_err(|wrong| match guilty(&sent, &wrong) {
            Some(field) => Invalid { field, ..wrong },
            None => wrong,
        })
    }

    /// Fills in what was left out and checks the whole: the content of a first version.
    pub fn resolve(self, actor: &Actor, now: Timestamp, usual: &Scope) -> Result<Content, Invalid> {
        check_text("idempotency_key", self.about.idempotency_key.as_deref(), 200)?;
        let Draft { body, about } = self;
        let writer = about.writer.unwrap_or_else(|| actor.clone());
        let trust = about.trust.unwrap_or_else(|| policy::initial_trust(&writer));
        let tier = about.tier.unwrap_or(Tier::Reference);
        let scope = Scope {
            level: about.scope.unwrap_or(usual.level),
            namespace: about.namespace.unwrap_or_else(|| usual.namespace.clone()),
            visibility: about.visibility.unwrap_or(usual.visibility),
        };
        policy::admit(actor, trust, tier, scope.visibility)?;
        policy::admit_level(trust, scope.level)?;
        let content = Content {
            body,
            levels: GivenLevels {
                summary: about.summary,
                compressed: about.compressed,
                index: about.index,
            },
            tier,
            importance: about.importance.unwrap_or(Unit::HALF),
            confidence: about.confidence.unwrap_or(Unit::ONE),
            tags: about.tags,
            category: about.category,
            valid: Interval::new(about.valid_at.unwrap_or(now), about.invalid_at)?,
            provenance: Provenance {
                writer,
                source: about.source,
                episodes: about.episodes,
                trust,
            },
            scope,
            pinned: about.pinned,
            confirmed_by: about.confirmed_by,
            extra: about.extra,
        };
        content.check()?;
        Ok(content)
    }
}

/// The field without which something else would be wrong, or nothing, where that is not told yet.
fn guilty(fields: &Fields, wrong: &Invalid) -> Option<String> {
    let is_named =
        ["missing field", "unknown field"].iter().any(|so| wrong.problem.starts_with(so));
    let is_of_kind = fields.get("kind").and_then(Value::as_str) == Some(wrong.field.as_str());
    if is_named || !is_of_kind {
        return None;
    }
    let is_to_blame = |name: &&String| {
        let mut others = fields.clone();
        others.shift_remove(name.as_str());
        Draft::from_fields(others).map_or_else(|other| other != *wrong, |_| true)
    };
    fields.keys().filter(|name| *name != "kind").find(is_to_blame).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Author;

    fn draft(json: &str) -> Result<Draft, Invalid> {
        Draft::from_fields(serde_json::from_str(json).unwrap())
    }

    #[test]
    fn fields_find_their_place() {
        let draft = draft(r#"{"kind":"fact","key":"port","value":"80","tags":["net"]}"#).unwrap();
        assert_eq!(draft.body.title(), "port");
        assert!(draft.about.tags.contains("net"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (json, word) in [
            (r#"{"key":"a"}"#, "missing"),
            (r#"{"kind":"fax"}"#, "fax"),
            (r#"{"kind":"fact","key":"a"}"#, "value"),
            (r#"{"kind":"fact","key":"a","value":"b","vlaue":"c"}"#, "vlaue"),
            (r#"{"kind":"fact","key":"a","value":"b","importance":7}"#, "7"),
            (r#"{"kind":"fact","key":"a","value":["b"]}"#, "string"),
        ] {
            let refused = draft(json).unwrap_err();
            assert!(refused.to_string().contains(word), "{json}: {refused}");
            assert!(!refused.hint.is_empty());
        }
    }

    #[test]
    fn nothing_empty_endless_or_nul_comes_in() {
        let actor = Actor::new(Author::Human, "a");
        let now = Timestamp::from_micros(0).unwrap();
        let scope = Scope::private(ScopeLevel::Project);
        for json in [
            r#"{"kind":"fact","key":" ","value":"b"}"#,
            r#"{"kind":"fact","key":"a","value":"b\u0000c"}"#,
            r#"{"kind":"fact","key":"a","value":"b","tags":[""]}"#,
            r#"{"kind":"block","label":"a","text":"abc","limit":2}"#,
            r#"{"kind":"fact","key":"a","value":"b","extra":{"x":"\u0000"}}"#,
            r#"{"kind":"fact","key":"a","value":"b","valid_at":"2026-01-02T00:00:00Z","invalid_at":"2026-01-01T00:00:00Z"}"#,
        ] {
            assert!(draft(json).unwrap().resolve(&actor, now, &scope).is_err(), "{json}");
        }
    }

    #[test]
    fn a_value_of_the_wrong_sort_is_told_with_its_field() {
        for (json, told) in [
            (r#"{"kind":"fact","key":1,"value":"x"}"#, "`key`: invalid type: integer `1`"),
            (r#"{"kind":"fact","key":"a","value":"x","tags":"t"}"#, "`tags`: invalid type"),
            (r#"{"kind":"fact","key":"a","value":"x","importance":"high"}"#, "`importance`: "),
            (r#"{"kind":"fact","key":"a","value":"x","valid_at":"2026-01-01"}"#, "`valid_at`: "),
            (r#"{"kind":"decision","decision":"a","alternatives":"x"}"#, "`alternatives`: "),
            (r#"{"kind":"fact","value":"x"}"#, "`fact`: missing field `key`"),
            (
                r#"{"kind":"fact","key":"a","value":"x","colour":1}"#,
                "`fact`: unknown field `colour`",
            ),
            (r#"{"kind":"fcat","key":1}"#, "`kind`: "),
            (r#"{"key":1}"#, "`kind`: is missing"),
        ] {
            let fields = serde_json::from_str(json).unwrap();
            let wrong = Draft::sent(fields).unwrap_err().to_string();
            assert!(wrong.starts_with(told), "{wrong}");
        }
    }

    #[test]
    fn the_flat_form_reads_back() {
        let actor = Actor::new(Author::Human, "a");
        let now = Timestamp::from_micros(0).unwrap();
        let scope = Scope::private(ScopeLevel::Project);
        let json = r#"{"kind":"decision","decision":"use x","alternatives":["y"],"tags":["t"],
            "summary":"s","importance":0.9,"extra":{"k":[1]},"pinned":true}"#;
        let content = draft(json).unwrap().resolve(&actor, now, &scope).unwrap();
        let again = Draft::from_fields(content.to_fields()).unwrap();
        assert_eq!(again.resolve(&actor, now, &scope).unwrap(), content);
    }
}
