//! Records that a merge makes by itself: the edit that lost, a value that resumes, a contradiction.
//! Their ids follow from what they are about, so that every merge makes the same.

use super::state::Stamp;
use mnemic_model::body::{Contradiction, Status};
use mnemic_model::content::GivenLevels;
use mnemic_model::{
    Actor, Author, Body, Content, Digest, Interval, Kind, Provenance, RecordId, Scope, Tier,
    Timestamp, Trust, Unit, Visibility,
};

/// What a contradiction of ours says noticed it.
pub(super) const NOTICED_BY: &str = "merge";

fn derived(kind: Kind, parts: &[&str]) -> RecordId {
    let digest = Digest::of("merge", parts.iter().map(|part| part.as_bytes()));
    let bits: [u8; 8] = digest.0[..8].try_into().expect("eight of sixteen");
    RecordId::from_random(kind, u64::from_le_bytes(bits))
}

/// The record that keeps an edit which lost against another.
pub(super) fn copy_of(kind: Kind, id: &RecordId, head: &Stamp) -> RecordId {
    derived(kind, &["copy", id.as_str(), &head.at.to_string(), &head.change.0, &head.k.to_string()])
}

/// The contradiction between a record and the copy of one of its edits.
pub(super) fn quarrel(id: &RecordId, head: &Stamp) -> RecordId {
    let (at, k) = (head.at.to_string(), head.k.to_string());
    derived(Kind::Contradiction, &["quarrel", id.as_str(), &at, &head.change.0, &k])
}

/// The contradiction between two records.
pub(super) fn dispute(a: &RecordId, b: &RecordId) -> RecordId {
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    derived(Kind::Contradiction, &["dispute", a.as_str(), b.as_str()])
}

/// What goes on after an interruption.
pub(super) fn resumed(kind: Kind, id: &RecordId, from: Timestamp) -> RecordId {
    derived(kind, &["resumed", id.as_str(), &from.to_string()])
}

/// An open contradiction; the same for the same pair.
pub(super) fn contradiction(
    a: &RecordId,
    b: &RecordId,
    scope: &Scope,
    since: Timestamp,
) -> Content {
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    Content {
        body: Body::Contradiction(Contradiction {
            a: a.clone(),
            b: b.clone(),
            detected_by: NOTICED_BY.to_owned(),
            status: Status::Open,
            resolution: None,
            note: None,
        }),
        levels: GivenLevels::default(),
        tier: Tier::Reference,
        importance: Unit::HALF,
        confidence: Unit::ONE,
        tags: Default::default(),
        category: None,
        valid: Interval::since(since),
        provenance: Provenance {
            writer: Actor::new(Author::Tool, "merge"),
            source: None,
            episodes: Vec::new(),
            trust: Trust::Unreviewed,
        },
        scope: Scope { visibility: Visibility::Private, ..scope.clone() },
        pinned: false,
        confirmed_by: None,
        extra: Default::default(),
    }
}
