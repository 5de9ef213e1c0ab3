//! Stable names of records: a readable prefix and twelve random characters, or whatever came in.

use crate::{Invalid, Kind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The longest id that is kept; imported ids are paths at the longest.
pub const MAX_ID_BYTES: usize = 200;

/// Crockford's alphabet: no i, l, o, u, so that ids survive being read aloud.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Names one record for ever. Imported ids are kept as they are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RecordId(String);

impl RecordId {
    /// A new id from 60 random bits. A million ids collide with probability 4e-7, and the store
    /// refuses a second record of the same id all the same.
    pub fn from_random(kind: Kind, random: u64) -> RecordId {
        RecordId(format!("{}-{}", kind.prefix(), base32(random)))
    }

    pub fn parse(text: &str) -> Result<RecordId, Invalid> {
        let refuse = |problem: String| {
            Err(Invalid::new("id", problem, "use visible characters without spaces, 200 at most"))
        };
        if text.is_empty() {
            return refuse("an id cannot be empty".into());
        }
        if text.len() > MAX_ID_BYTES {
            return refuse(format!("an id of {} bytes is too long", text.len()));
        }
        if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return refuse(format!("`{}` has a space or control character", text.escape_debug()));
        }
        Ok(RecordId(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The low 60 bits as twelve characters.
pub fn base32(random: u64) -> String {
    (0..12).map(|i| char::from(ALPHABET[(random >> (5 * i)) as usize & 31])).collect()
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for RecordId {
    type Error = String;
    fn try_from(text: String) -> Result<RecordId, String> {
        RecordId::parse(&text).map_err(|e| format!("{}; {}", e.problem, e.hint))
    }
}

impl From<RecordId> for String {
    fn from(id: RecordId) -> String {
        id.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_ids_are_readable_and_valid() {
        let id = RecordId::from_random(Kind::Fact, 0x0123_4567_89ab_cdef);
        assert!(id.as_str().starts_with("fact-"));
        assert_eq!(id.as_str().len(), 17);
        assert_eq!(RecordId::parse(id.as_str()).unwrap(), id);
    }

    #[test]
    fn imported_ids_are_kept_and_broken_ones_named() {
        assert_eq!(RecordId::parse("ep-2026-01-05-012").unwrap().as_str(), "ep-2026-01-05-012");
        for bad in ["", "a b", "a\nb", "a\0b", &"x".repeat(201)] {
            assert!(RecordId::parse(bad).is_err());
        }
    }
}
