//! Where the next page of a list begins.

use crate::{Error, ErrorKind, StoreName};
use mnemic_model::{PageEnd, Timestamp};
use std::fmt;
use std::str::FromStr;

/// Just behind the last item of a page. It holds whatever becomes of that item: people go on
/// reading a list while agents edit and forget what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub(super) store: StoreName,
    pub(super) end: PageEnd,
}

impl Cursor {
    /// How every cursor is written.
    pub const PATTERN: &str = r"^(project|user)\.-?[0-9]{1,17}\.[0-9]{1,18}$";
}

/// Written as `project.1763312345678901.17`, which passes through addresses and shells unquoted.
impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.store, self.end.recorded_at.micros(), self.end.seq)
    }
}

impl serde::Serialize for Cursor {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Cursor {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Cursor, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl FromStr for Cursor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Cursor, Error> {
        let read = || {
            let mut parts = text.split('.');
            let store = parts.next()?;
            let store = [StoreName::Project, StoreName::User]
                .into_iter()
                .find(|name| name.as_str() == store)?;
            let recorded_at = Timestamp::from_micros(parts.next()?.parse().ok()?).ok()?;
            let seq = parts.next()?.parse().ok()?;
            parts.next().is_none().then_some(Cursor { store, end: PageEnd { recorded_at, seq } })
        };
        read().ok_or_else(|| {
            let text: String = text.escape_debug().take(60).collect();
            Error::new(ErrorKind::Invalid, format!("`{text}` is not where a list can go on"))
                .hint("give what the page before said as it is, or start from the beginning")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written_and_nothing_else_is_one() {
        for text in ["project.1763312345678901.17", "user.0.1"] {
            assert_eq!(text.parse::<Cursor>().unwrap().to_string(), text);
        }
        for text in ["", "project", "project.1", "team.1.1", "project.x.1", "user.1.1.1", "user.1."]
        {
            assert!(text.parse::<Cursor>().is_err(), "{text}");
        }
    }
}
