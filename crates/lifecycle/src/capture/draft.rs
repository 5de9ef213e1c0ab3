//! What every draft from a transcript says about itself: where it came from, who said it, how far it goes.

use super::turn::Head;
use mnemic_model::draft::About;
use mnemic_model::{Actor, Author, Digest, Kind, RecordId, Trust, Unit, policy};

/// Where turns come from and who reads them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The file as it shall be named in sources.
    pub file: String,
    /// Whose words a person's turns are.
    pub person: String,
    /// Who stores the drafts.
    pub reader: Actor,
}

/// Whose words a draft repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    Person,
    Agent,
}

impl Origin {
    /// A person's words are trusted only when a person hands them in: a transcript is a file, and
    /// whoever writes to it could put words into a person's mouth.
    pub(crate) fn trust(&self, writer: &Actor) -> Trust {
        if self.reader.is_human() { policy::initial_trust(writer) } else { Trust::Unreviewed }
    }

    pub(crate) fn writer(&self, voice: Voice, head: &Head) -> Actor {
        match voice {
            Voice::Person => Actor::new(Author::Human, &self.person),
            Voice::Agent => Actor::new(Author::Agent, &head.host),
        }
    }

    pub(crate) fn about(
        &self,
        head: &Head,
        voice: Voice,
        source: String,
        confidence: f64,
    ) -> About {
        let writer = self.writer(voice, head);
        About {
            trust: Some(self.trust(&writer)),
            writer: Some(writer),
            source: Some(source),
            confidence: Some(Unit::new(confidence).unwrap_or(Unit::HALF)),
            ..About::default()
        }
    }
}

/// A name for a write that is the same whenever the same turns are read.
pub(crate) fn idempotency_key(what: &str, parts: &[&str]) -> String {
    format!("{what}:{}", Digest::of("capture", parts.iter().map(|part| part.as_bytes())))
}

/// A name for a record that is the same whenever the same turns are read.
pub fn stable_id(kind: Kind, parts: &[&str]) -> RecordId {
    let digest = Digest::of("captured", parts.iter().map(|part| part.as_bytes()));
    let bits = digest.0.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    RecordId::from_random(kind, bits)
}
