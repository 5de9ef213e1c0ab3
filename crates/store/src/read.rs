//! What can be asked of a store. Nothing here changes anything.

use crate::{Answer, Census, Result, Touched};
use mnemic_model::audit::AuditEntry;
use mnemic_model::job::Job;
use mnemic_model::{
    At, Change, ChangeId, Digest, Filter, Link, RecordId, Scope, Slot, Timestamp, Tombstone, Usage,
    Version,
};
use std::path::PathBuf;

/// One consistent view of a store.
pub trait Read {
    /// The store's time: the clock's, but never behind the last write.
    fn now(&self) -> Result<Timestamp>;

    /// Ids that begin with these characters, at most `limit`.
    fn ids_starting_with(&self, prefix: &str, limit: usize) -> Result<Vec<RecordId>>;

    /// What the store believed of this record at `known` (now if `None`).
    fn version(&self, id: &RecordId, known: Option<Timestamp>) -> Result<Option<Version>>;

    /// Every version of a record, oldest first.
    fn versions(&self, id: &RecordId) -> Result<Vec<Version>>;

    /// Records that pass the filter, the last recorded first.
    fn list(&self, filter: &Filter) -> Result<Vec<Version>>;

    /// Calls `each` with every record's id in the order in which they came in.
    fn each_record(&self, each: &mut dyn FnMut(&RecordId) -> Result<()>) -> Result<()>;

    /// Versions believed now that hold this slot at `from` or later. What ended before is left out:
    /// a slot that changes often has a long past.
    fn holders(&self, slot: &Slot, scope: &Scope, from: Timestamp) -> Result<Vec<Version>>;

    /// Versions believed now with this content hash.
    fn same_content(&self, fingerprint: Digest, scope: &Scope) -> Result<Vec<Version>>;

    /// Links from or to a record, seen from one point in time.
    fn links(&self, id: &RecordId, at: At) -> Result<Vec<Link>>;

    /// Every link ever made, in the order of making.
    fn all_links(&self) -> Result<Vec<Link>>;

    fn usage(&self, id: &RecordId) -> Result<Usage>;

    fn change(&self, id: &ChangeId) -> Result<Option<Change>>;

    /// The latest changes, newest first.
    fn changes(&self, limit: usize) -> Result<Vec<Change>>;

    /// Some of the records that a change made versions of, at most `limit`.
    fn records_of(&self, change: &ChangeId, limit: usize) -> Result<Vec<RecordId>>;

    /// Changes that a version or a link still names, oldest first.
    fn used_changes(&self) -> Result<Vec<Change>>;

    fn touched(&self, change: &ChangeId) -> Result<Touched>;

    /// Records of which the store changed its belief after `from` and up to `to`.
    fn changed_between(&self, from: Timestamp, to: Timestamp) -> Result<Vec<RecordId>>;

    fn tombstones(&self) -> Result<Vec<Tombstone>>;

    /// The tombstone that keeps such a memory out, if there is one.
    fn buried(
        &self,
        id: Option<&RecordId>,
        content: Digest,
        subject: Option<Digest>,
    ) -> Result<Option<Tombstone>>;

    /// The answer that was given under this idempotency key.
    fn answer(&self, key: &str) -> Result<Option<Answer>>;

    /// The change that ended a version, where one did.
    fn ended_by(&self, id: &RecordId, n: u32) -> Result<Option<ChangeId>>;

    /// Whether this very link was recorded, at the same time.
    fn has_link(&self, link: &Link) -> Result<bool>;

    fn link_ended_by(&self, link: &Link) -> Result<Option<ChangeId>>;

    fn jobs(&self) -> Result<Vec<Job>>;

    /// Entries of the audit chain after `seq`, oldest first.
    fn audit_entries(&self, after: u64, limit: usize) -> Result<Vec<AuditEntry>>;

    /// The newest entry of the audit chain.
    fn last_audit(&self) -> Result<Option<AuditEntry>>;

    fn backups(&self) -> Result<Vec<(PathBuf, Timestamp)>>;

    fn census(&self, at: At) -> Result<Census>;
}
