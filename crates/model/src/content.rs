//! Everything that a version of a record holds, and the version itself.

use crate::body::{Body, Fields, has_nul};
use crate::{
    ChangeId, Draft, Interval, Invalid, Kind, Provenance, RecordId, Scope, Slot, Tier, Timestamp,
    Trust, Unit, Visibility, policy,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What a record says, and all that is said about it. Immutable once recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    pub body: Body,
    /// Levels of text that an author wrote; the others are derived when read.
    pub levels: GivenLevels,
    pub tier: Tier,
    pub importance: Unit,
    pub confidence: Unit,
    pub tags: BTreeSet<String>,
    pub category: Option<String>,
    /// When it was true in the world.
    pub valid: Interval,
    pub provenance: Provenance,
    pub scope: Scope,
    pub pinned: bool,
    /// The person who vouched for it.
    pub confirmed_by: Option<String>,
    /// Fields of other tools that have no place of their own here.
    pub extra: Fields,
}

/// Shorter texts that came with the memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GivenLevels {
    pub summary: Option<String>,
    pub compressed: Option<String>,
    pub index: Option<String>,
}

impl Content {
    pub fn kind(&self) -> Kind {
        self.body.kind()
    }

    pub fn slot(&self) -> Option<Slot> {
        self.body.slot()
    }

    pub fn trust(&self) -> Trust {
        self.provenance.trust
    }

    /// The same without what only a trusted text may claim, where it is not trusted.
    pub fn without_authority(mut self) -> Content {
        if self.trust() != Trust::Trusted {
            self.tier = policy::lowered(self.tier);
            self.scope.visibility = Visibility::Private;
            self.scope.level = policy::own_level(self.scope.level);
            self.confirmed_by = None;
        }
        self
    }

    /// What a person wrote or vouched for is theirs: nothing changes it unasked.
    pub fn belongs_to_a_person(&self) -> bool {
        self.provenance.writer.is_human() || self.confirmed_by.is_some()
    }

    /// Whether the other one has other words, in any level.
    pub fn says_otherwise_than(&self, other: &Content) -> bool {
        self.body != other.body || self.levels != other.levels
    }

    /// Reads the flat form back as it was stored: nothing is defaulted, nothing is checked against
    /// who asks. `valid` may come from elsewhere than the fields.
    pub fn from_fields(fields: Fields, valid: Option<Interval>) -> Result<Content, Invalid> {
        let Draft { body, about } = Draft::from_fields(fields)?;
        let missing =
            |field: &str| Invalid::new(field, "is missing", "it must be there in a stored version");
        let valid = match (valid, about.valid_at) {
            (Some(valid), _) => valid,
            (None, Some(from)) => Interval::new(from, about.invalid_at)?,
            (None, None) => return Err(missing("valid_at")),
        };
        Ok(Content {
            body,
            levels: GivenLevels {
                summary: about.summary,
                compressed: about.compressed,
                index: about.index,
            },
            tier: about.tier.ok_or_else(|| missing("tier"))?,
            importance: about.importance.ok_or_else(|| missing("importance"))?,
            confidence: about.confidence.ok_or_else(|| missing("confidence"))?,
            tags: about.tags,
            category: about.category,
            valid,
            provenance: Provenance {
                writer: about.writer.ok_or_else(|| missing("writer"))?,
                source: about.source,
                episodes: about.episodes,
                trust: about.trust.ok_or_else(|| missing("trust"))?,
            },
            scope: Scope {
                level: about.scope.ok_or_else(|| missing("scope"))?,
                namespace: about.namespace.ok_or_else(|| missing("namespace"))?,
                visibility: about.visibility.ok_or_else(|| missing("visibility"))?,
            },
            pinned: about.pinned,
            confirmed_by: about.confirmed_by,
            extra: about.extra,
        })
    }

    /// The flat form: the fields of the body and those of every memory side by side, under the
    /// names that a draft accepts. Defaults that say nothing are left out.
    pub fn to_fields(&self) -> Fields {
        let mut fields = Fields::new();
        fields.insert("kind".into(), self.kind().as_str().into());
        fields.extend(self.body.to_fields());
        let mut put = |name: &str, value: Value| {
            fields.insert(name.to_owned(), value);
        };
        let levels = &self.levels;
        for (name, text) in [
            ("summary", &levels.summary),
            ("compressed", &levels.compressed),
            ("index", &levels.index),
            ("category", &self.category),
            ("source", &self.provenance.source),
            ("confirmed_by", &self.confirmed_by),
        ] {
            if let Some(text) = text {
                put(name, json!(text));
            }
        }
        put("tier", json!(self.tier));
        put("importance", json!(self.importance));
        put("confidence", json!(self.confidence));
        if !self.tags.is_empty() {
            put("tags", json!(self.tags));
        }
        put("valid_at", json!(self.valid.from()));
        if let Some(end) = self.valid.to() {
            put("invalid_at", json!(end));
        }
        put("writer", json!(self.provenance.writer));
        if !self.provenance.episodes.is_empty() {
            put("episodes", json!(self.provenance.episodes));
        }
        put("trust", json!(self.provenance.trust));
        put("scope", json!(self.scope.level));
        put("namespace", json!(self.scope.namespace));
        put("visibility", json!(self.scope.visibility));
        if self.pinned {
            put("pinned", json!(true));
        }
        if !self.extra.is_empty() {
            put("extra", Value::Object(self.extra.clone()));
        }
        fields
    }

    /// Whether it may be stored at all, whoever asks: nothing empty, endless or with a NUL in it.
    pub fn check(&self) -> Result<(), Invalid> {
        self.body.check()?;
        check_tags(&self.tags)?;
        for (field, text, most) in [
            ("summary", &self.levels.summary, 10_000),
            ("compressed", &self.levels.compressed, 1_000),
            ("index", &self.levels.index, 200),
            ("category", &self.category, 200),
            ("source", &self.provenance.source, 4_000),
            ("confirmed_by", &self.confirmed_by, 200),
        ] {
            check_text(field, text.as_deref(), most)?;
        }
        self.check_extra()
    }

    fn check_extra(&self) -> Result<(), Invalid> {
        let extra = Value::Object(self.extra.clone());
        let refuse = |problem: &str, hint: &str| Err(Invalid::new("extra", problem, hint));
        if has_nul(&extra) {
            return refuse("has a NUL character", "remove the NUL");
        }
        // A line of an export wraps it a few times more, and readers stop at 128.
        if depth(&extra) > 64 {
            return refuse("is nested too deeply", "use at most 64 levels");
        }
        match extra.to_string().len() {
            bytes if bytes > policy::MAX_BODY_BYTES => refuse("is too long", "keep it below 8 MiB"),
            _ => Ok(()),
        }
    }

    /// The same, valid for another interval.
    pub fn valid_during(&self, valid: Interval) -> Content {
        Content { valid, ..self.clone() }
    }
}

/// One immutable state of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    pub id: RecordId,
    /// 1, 2, 3… within its record.
    pub n: u32,
    pub content: Content,
    /// When the store believed it.
    pub recorded: Interval,
    /// The change that made it.
    pub change: ChangeId,
}

impl Version {
    pub fn kind(&self) -> Kind {
        self.content.kind()
    }

    /// Whether the store still believes this version.
    pub fn is_current(&self) -> bool {
        self.recorded.is_open()
    }

    pub fn is_valid(&self, point: Timestamp) -> bool {
        self.content.valid.contains(point)
    }

    /// A value that must not change within a version; checks what time lines promise.
    pub fn check(&self) -> Result<(), Invalid> {
        if self.n == 0 {
            return Err(Invalid::new("n", "versions are counted from 1", "restore from a backup"));
        }
        self.content.check()
    }
}

pub(crate) fn check_text(field: &str, text: Option<&str>, most: usize) -> Result<(), Invalid> {
    let Some(text) = text else { return Ok(()) };
    if text.contains('\0') {
        return Err(Invalid::new(field, "has a NUL character", "remove the NUL"));
    }
    if text.len() > most {
        let problem = format!("{} bytes are too many", text.len());
        return Err(Invalid::new(field, problem, format!("use at most {most} bytes")));
    }
    Ok(())
}

fn check_tags(tags: &BTreeSet<String>) -> Result<(), Invalid> {
    let bad = tags
        .iter()
        .find(|tag| tag.trim().is_empty() || tag.len() > 100 || tag.chars().any(char::is_control));
    match bad {
        Some(tag) => Err(Invalid::new(
            "tags",
            format!("`{}` is not a tag", tag.escape_debug()),
            "use 1 to 100 visible characters",
        )),
        None if tags.len() > 100 => {
            Err(Invalid::new("tags", format!("{} are too many", tags.len()), "use at most 100"))
        }
        None => Ok(()),
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
