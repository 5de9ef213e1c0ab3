//! The lines of the format, as they are written.

use mnemic_model::body::Fields;
use mnemic_model::{
    Actor, Change, ChangeId, Digest, Interval, Link, RecordId, Relation, Timestamp, Tombstone,
    Unit, Usage, Verb,
};
use serde::{Deserialize, Serialize};

/// The format that this program writes and the newest that it reads.
pub(super) const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Line {
    Header {
        format: u32,
        made_by: String,
    },
    Change(ChangeLine),
    Version(VersionLine),
    Link(LinkLine),
    Usage(UsageLine),
    Tombstone(TombstoneLine),
    /// The last line: a file without it was cut off.
    End {
        records: u64,
        versions: u64,
        links: u64,
        tombstones: u64,
    },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangeLine {
    id: ChangeId,
    at: Timestamp,
    actor: Actor,
    verb: Verb,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undoes: Option<ChangeId>,
}

impl From<Change> for ChangeLine {
    fn from(change: Change) -> ChangeLine {
        let Change { id, at, actor, verb, reason, undoes } = change;
        ChangeLine { id, at, actor, verb, reason, undoes }
    }
}

impl From<ChangeLine> for Change {
    fn from(line: ChangeLine) -> Change {
        let ChangeLine { id, at, actor, verb, reason, undoes } = line;
        Change { id, at, actor, verb, reason, undoes }
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VersionLine {
    pub(super) id: RecordId,
    pub(super) n: u32,
    pub(super) recorded_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) expired_at: Option<Timestamp>,
    pub(super) change: ChangeId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ended_by: Option<ChangeId>,
    /// The flat form that a draft has.
    pub(super) content: Fields,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkLine {
    from: RecordId,
    relation: Relation,
    to: RecordId,
    strength: Unit,
    valid_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invalid_at: Option<Timestamp>,
    recorded_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expired_at: Option<Timestamp>,
    change: ChangeId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ended_by: Option<ChangeId>,
}

impl LinkLine {
    pub(super) fn of(link: Link, ended_by: Option<ChangeId>) -> LinkLine {
        LinkLine {
            from: link.from,
            relation: link.relation,
            to: link.to,
            strength: link.strength,
            valid_at: link.valid.from(),
            invalid_at: link.valid.to(),
            recorded_at: link.recorded.from(),
            expired_at: link.recorded.to(),
            change: link.change,
            ended_by,
        }
    }

    pub(super) fn into_link(self) -> Result<Link, mnemic_model::Invalid> {
        Ok(Link {
            valid: Interval::new(self.valid_at, self.invalid_at)?,
            recorded: Interval::new(self.recorded_at, self.expired_at)?,
            from: self.from,
            to: self.to,
            relation: self.relation,
            strength: self.strength,
            change: self.change,
        })
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UsageLine {
    pub(super) id: RecordId,
    loaded: u64,
    referenced: u64,
    ignored: u64,
    succeeded: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_used: Option<Timestamp>,
    relevance_sum: f64,
    relevance_count: u64,
    discovery_tokens: u64,
    read_tokens: u64,
}

impl UsageLine {
    pub(super) fn of(id: RecordId, usage: Usage) -> UsageLine {
        UsageLine {
            id,
            loaded: usage.loaded,
            referenced: usage.referenced,
            ignored: usage.ignored,
            succeeded: usage.succeeded,
            last_used: usage.last_used,
            relevance_sum: usage.relevance_sum,
            relevance_count: usage.relevance_count,
            discovery_tokens: usage.discovery_tokens,
            read_tokens: usage.read_tokens,
        }
    }

    pub(super) fn usage(&self) -> Usage {
        Usage {
            loaded: self.loaded,
            referenced: self.referenced,
            ignored: self.ignored,
            succeeded: self.succeeded,
            last_used: self.last_used,
            relevance_sum: self.relevance_sum,
            relevance_count: self.relevance_count,
            discovery_tokens: self.discovery_tokens,
            read_tokens: self.read_tokens,
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TombstoneLine {
    id: RecordId,
    content: Digest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subject: Option<Digest>,
    at: Timestamp,
    actor: Actor,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl From<Tombstone> for TombstoneLine {
    fn from(stone: Tombstone) -> TombstoneLine {
        let Tombstone { id, content, subject, at, actor, reason } = stone;
        TombstoneLine { id, content, subject, at, actor, reason }
    }
}

impl From<TombstoneLine> for Tombstone {
    fn from(line: TombstoneLine) -> Tombstone {
        let TombstoneLine { id, content, subject, at, actor, reason } = line;
        Tombstone { id, content, subject, at, actor, reason }
    }
}
