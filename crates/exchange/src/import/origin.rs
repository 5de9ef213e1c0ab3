//! Where memories come from and who stands behind them: the beginning of everything said about one.

use mnemic_model::draft::About;
use mnemic_model::{Actor, Author, Digest, Kind, RecordId, Trust, Unit, Visibility};

/// A file on its way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The file as sources name it: from the project or from home, so that it is the same elsewhere.
    pub name: String,
    /// Whose words a person's files are.
    pub person: String,
    /// Who stores what is read.
    pub reader: Actor,
    /// Only what belongs to the project in this directory, where a file holds many projects.
    pub only_in: Option<std::path::PathBuf>,
}

impl Origin {
    /// Instructions that a person keeps: as good as said by them, when a person brings them in.
    pub(super) fn by_person(&self) -> About {
        let trusted = self.reader.is_human();
        About {
            trust: Some(if trusted { Trust::Trusted } else { Trust::Unreviewed }),
            ..self.about(Actor::new(Author::Human, &self.person))
        }
    }

    /// What an agent noted: nobody has looked at it.
    pub(super) fn by_agent(&self, host: &str) -> About {
        self.about(Actor::new(Author::Agent, host))
    }

    /// What a tool kept without saying whose words they are.
    pub(super) fn by_import(&self, tool: &str) -> About {
        self.about(Actor::new(Author::Import, tool))
    }

    fn about(&self, writer: Actor) -> About {
        About {
            writer: Some(writer),
            trust: Some(Trust::Unreviewed),
            visibility: Some(Visibility::Private),
            source: Some(clipped(&self.name, 4_000)),
            ..About::default()
        }
    }

    /// Whether something of this directory, or of a project of this name, is wanted.
    pub(super) fn wants(&self, directory_or_name: Option<&str>) -> bool {
        let (Some(root), Some(given)) = (&self.only_in, directory_or_name) else { return true };
        let given = std::path::Path::new(given.trim());
        match given.is_absolute() {
            true => given.starts_with(root),
            false => root.file_name().is_some_and(|name| name == given.as_os_str()),
        }
    }
}

/// An id that is the same whenever the same thing is read.
pub(super) fn derived(kind: Kind, parts: &[&str]) -> RecordId {
    let digest = Digest::of("imported", parts.iter().map(|part| part.as_bytes()));
    let bits = digest.0.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    RecordId::from_random(kind, bits)
}

/// The id that something had elsewhere, when it can be one here. A number alone names too much.
pub(super) fn kept(id: Option<&str>, kind: Kind, parts: &[&str]) -> RecordId {
    let names = |id: &&str| id.len() > 2 && id.chars().any(|c| !c.is_ascii_digit());
    let id = id.map(str::trim).filter(names).and_then(|id| RecordId::parse(id).ok());
    id.unwrap_or_else(|| derived(kind, parts))
}

/// The beginning of a text, at most so many bytes.
pub(super) fn clipped(text: &str, most: usize) -> String {
    text[..text.floor_char_boundary(most)].to_owned()
}

/// A number from 0 to 1; what is out of range says nothing.
pub(super) fn unit(number: Option<f64>) -> Option<Unit> {
    number.and_then(|number| Unit::new(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_person_brings_in_a_persons_word() {
        for (author, trust) in [(Author::Human, Trust::Trusted), (Author::Agent, Trust::Unreviewed)]
        {
            let origin = Origin {
                name: "CLAUDE.md".into(),
                person: "ann".into(),
                reader: Actor::new(author, "x"),
                only_in: None,
            };
            assert_eq!(origin.by_person().trust, Some(trust));
            assert_eq!(origin.by_agent("y").trust, Some(Trust::Unreviewed));
        }
    }

    #[test]
    fn ids_follow_from_content() {
        let id = |parts: &[&str]| derived(Kind::Fact, parts);
        assert_eq!(id(&["a", "b"]), id(&["a", "b"]));
        assert_ne!(id(&["ab"]), id(&["a", "b"]));
        assert_eq!(kept(Some("bd-1"), Kind::Fact, &[]).as_str(), "bd-1");
        assert_eq!(kept(Some("a b"), Kind::Fact, &["x"]), id(&["x"]));
        assert_eq!(kept(Some("1234"), Kind::Fact, &["x"]), id(&["x"]));
        assert_eq!(clipped("äöü", 3), "ä");
    }
}
