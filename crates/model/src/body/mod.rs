//! What a record says, one shape per kind, and the text that stands for it.

mod bookkeeping;
mod episode;
mod graph;
mod knowledge;
mod skill;
mod text;
mod working;

pub use bookkeeping::{Contradiction, NamespaceBody, Resolution, Status};
pub use episode::{Action, Episode, Failure, Message, Outcome};
pub use graph::{Community, Entity, EntityKind, Saga};
pub use knowledge::{AntiPattern, Block, Decision, Fact, Pattern, Resource, Secret, Template};
pub use skill::{Remedy, Skill, Step};
pub use working::{Handoff, Ledger, LedgerContext, LedgerState, Verdict};

use crate::{Invalid, Kind, Slot, policy};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Fields of a record's JSON, in the order in which they were written.
pub type Fields = Map<String, Value>;

macro_rules! bodies {
    ($($kind:ident ( $shape:ty )),+ $(,)?) => {
        /// What a record says. The kind and the shape cannot disagree.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Body { $($kind($shape)),+ }

        impl Body {
            pub fn kind(&self) -> Kind {
                match self { $(Body::$kind(_) => Kind::$kind),+ }
            }

            /// Reads the fields of one kind; a missing, unknown or ill-typed one is named.
            pub fn from_fields(kind: Kind, fields: Fields) -> Result<Body, Invalid> {
                let body = match kind {
                    $(Kind::$kind => serde_json::from_value::<$shape>(Value::Object(fields))
                        .map(Body::$kind)),+
                };
                body.map_err(|cause| Invalid::new(
                    kind.as_str(),
                    cause.to_string(),
                    format!("`mnemic remember {} --help` lists its fields", kind.as_str().replace('_', "-")),
                ))
            }

            /// The fields of this body alone, without its kind.
            pub fn to_fields(&self) -> Fields {
                let value = match self { $(Body::$kind(shape) => serde_json::to_value(shape)),+ };
                match value {
                    Ok(Value::Object(fields)) => fields,
                    _ => unreachable!("bodies are structs with string keys"),
                }
            }
        }
    };
}

bodies! {
    Episode(Episode), Fact(Fact), Decision(Decision), Pattern(Pattern), AntiPattern(AntiPattern),
    Skill(Skill), Resource(Resource), Block(Block), Secret(Secret), Ledger(Ledger),
    Handoff(Handoff), Verdict(Verdict), Entity(Entity), Community(Community), Saga(Saga),
    Contradiction(Contradiction), Namespace(NamespaceBody),
}

impl Body {
    /// The place that only one value may hold at a time, where this kind has one.
    pub fn slot(&self) -> Option<Slot> {
        Some(match self {
            Body::Fact(fact) => Slot::of(
                Kind::Fact,
                std::iter::once(fact.key.as_str())
                    .chain(fact.within.iter().flat_map(|(k, v)| [k.as_str(), v.as_str()])),
            ),
            Body::Block(block) => Slot::of(Kind::Block, [block.label.as_str()]),
            Body::Secret(secret) => Slot::of(Kind::Secret, [secret.name.as_str()]),
            Body::Ledger(ledger) => Slot::of(Kind::Ledger, [ledger.agent_id.as_str()]),
            Body::Entity(entity) => {
                Slot::of(Kind::Entity, [entity.entity_kind.as_str(), entity.name.as_str()])
            }
            Body::Namespace(namespace) => Slot::of(Kind::Namespace, [namespace.name.as_str()]),
            _ => return None,
        })
    }

    /// Whether this body may be stored at all: nothing empty, nothing endless, no NUL.
    pub fn check(&self) -> Result<(), Invalid> {
        let fields = Value::Object(self.to_fields());
        let kind = self.kind();
        let written = fields.to_string();
        if written.len() > policy::MAX_BODY_BYTES {
            return Err(Invalid::new(
                kind.as_str(),
                format!("its text of {} bytes is too long", written.len()),
                format!("at most {} bytes; split it into several", policy::MAX_BODY_BYTES),
            ));
        }
        // Walking every string is only needed where an escaped NUL could be among them.
        if written.contains("\\u0000") && has_nul(&fields) {
            return Err(Invalid::new(
                kind.as_str(),
                "its text has a NUL character",
                "remove the NUL; binary data does not belong into a memory",
            ));
        }
        self.check_required()
    }

    fn check_required(&self) -> Result<(), Invalid> {
        for (field, value) in self.required() {
            if value.trim().is_empty() {
                return Err(Invalid::new(
                    field,
                    format!("is empty, and {} says nothing without it", self.kind().with_article()),
                    format!("give `{field}` a value"),
                ));
            }
        }
        match self {
            Body::Block(block) => block.check(),
            Body::Contradiction(contradiction) => contradiction.check(),
            Body::Skill(skill) => skill.check(),
            Body::Episode(episode) => episode.check(),
            _ => Ok(()),
        }
    }

    /// The fields without which a record of this kind says nothing.
    fn required(&self) -> Vec<(&'static str, &str)> {
        match self {
            Body::Episode(b) => vec![("goal", &b.goal)],
            Body::Fact(b) => vec![("key", &b.key), ("value", &b.value)],
            Body::Decision(b) => vec![("decision", &b.decision)],
            Body::Pattern(b) => vec![("statement", &b.statement)],
            Body::AntiPattern(b) => vec![("what_fails", &b.what_fails)],
            Body::Skill(b) => vec![("name", &b.name)],
            Body::Resource(b) => vec![("title", &b.title)],
            Body::Block(b) => vec![("label", &b.label)],
            Body::Secret(b) => vec![("name", &b.name), ("sealed", &b.sealed)],
            Body::Ledger(b) => vec![("agent_id", &b.agent_id)],
            Body::Handoff(b) => vec![("from_agent", &b.from_agent), ("to_agent", &b.to_agent)],
            Body::Verdict(b) => vec![("subject", &b.subject), ("outcome", &b.outcome)],
            Body::Entity(b) => vec![("name", &b.name)],
            Body::Community(b) => vec![("name", &b.name)],
            Body::Saga(b) => vec![("title", &b.title)],
            Body::Contradiction(_) => vec![],
            Body::Namespace(b) => vec![("name", b.name.as_str())],
        }
    }
}

pub(crate) fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_nul),
        Value::Object(fields) => fields.iter().any(|(k, v)| k.contains('\0') || has_nul(v)),
        _ => false,
    }
}

impl Serialize for Body {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut tagged = Fields::new();
        tagged.insert("kind".into(), self.kind().as_str().into());
        tagged.extend(self.to_fields());
        tagged.serialize(s)
    }
}

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let mut fields = Fields::deserialize(d)?;
        let kind = fields.remove("kind").ok_or_else(|| D::Error::missing_field("kind"))?;
        let kind: Kind = serde_json::from_value(kind).map_err(D::Error::custom)?;
        Body::from_fields(kind, fields).map_err(D::Error::custom)
    }
}
