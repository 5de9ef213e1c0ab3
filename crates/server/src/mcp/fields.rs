//! Fields that many tools share: kinds, times, sizes of pages.

use mnemic_engine::model::{Invalid, Kind, Timestamp};
use mnemic_engine::{Error, Result};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

// The names speak for themselves, and the schemas of several tools hold them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum MemoryKind {
    Episode,
    Fact,
    Decision,
    Pattern,
    AntiPattern,
    Skill,
    Resource,
    Block,
    Ledger,
    Handoff,
    Verdict,
}

impl MemoryKind {
    pub(super) fn kind(self) -> Kind {
        match self {
            MemoryKind::Episode => Kind::Episode,
            MemoryKind::Fact => Kind::Fact,
            MemoryKind::Decision => Kind::Decision,
            MemoryKind::Pattern => Kind::Pattern,
            MemoryKind::AntiPattern => Kind::AntiPattern,
            MemoryKind::Skill => Kind::Skill,
            MemoryKind::Resource => Kind::Resource,
            MemoryKind::Block => Kind::Block,
            MemoryKind::Ledger => Kind::Ledger,
            MemoryKind::Handoff => Kind::Handoff,
            MemoryKind::Verdict => Kind::Verdict,
        }
    }
}

/// A text, or what means the same as one: models send ports as numbers.
pub(super) fn text_of<'de, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<Option<String>, D::Error> {
    match Option::<Value>::deserialize(from)? {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(plain @ (Value::Number(_) | Value::Bool(_))) => Ok(Some(plain.to_string())),
        Some(other) => Err(D::Error::custom(format!("`{other}` is not a text"))),
    }
}

/// A time as agents write it: a date, or RFC 3339.
pub(super) fn time(field: &'static str, text: &str) -> Result<Timestamp> {
    let text = text.trim();
    let midnight = format!("{text}T00:00:00Z");
    let found = Timestamp::parse(text).or_else(|_| Timestamp::parse(&midnight));
    found.map_err(|_| {
        let problem = format!("`{}` is not a time", text.escape_debug());
        Error::from(Invalid::new(
            field,
            problem,
            "write it like 2026-01-15 or 2026-01-15T10:30:00Z",
        ))
    })
}

/// The end of what a time names: of the whole day, when it is a date.
pub(super) fn end_of(field: &'static str, text: &str) -> Result<Timestamp> {
    let begin = time(field, text)?;
    let is_date = text.trim().len() == "2026-01-15".len();
    Ok(if is_date { begin.plus_seconds(86_400) } else { begin })
}

/// How many are wanted, within reason.
pub(super) fn size(wanted: Option<u32>, usual: usize, most: usize) -> usize {
    wanted.map_or(usual, |wanted| wanted as usize).clamp(1, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_spelled_as_everywhere() {
        for kind in Kind::ALL.iter().filter(|kind| kind.is_memory() && kind.is_indexed()) {
            let read: MemoryKind = serde_json::from_value(kind.as_str().into()).unwrap();
            assert_eq!(read.kind(), *kind);
        }
    }

    #[test]
    fn dates_and_exact_times_are_read() {
        assert_eq!(
            time("since", "2026-01-15").unwrap(),
            time("x", "2026-01-15T00:00:00Z").unwrap()
        );
        assert_eq!(end_of("until", "2026-01-15").unwrap(), time("x", "2026-01-16").unwrap());
        let exact = "2026-01-15T10:30:00Z";
        assert_eq!(end_of("until", exact).unwrap(), time("x", exact).unwrap());
        for odd in ["", "yesterday", "2026-13-01", "äöü", "2026-01-15T"] {
            assert!(time("since", odd).is_err(), "{odd}");
        }
    }
}
