//! One write transaction: all of it happens, or none.

use crate::find::{Embedding, Key, VectorModel};
use crate::session::WriteSessions;
use crate::{Read, Redaction, Result, Screen};
use mnemic_model::job::{Job, JobKind, Whose};
use mnemic_model::{
    Actor, Change, ChangeId, Content, Digest, Interval, Link, RecordId, Relation, Timestamp,
    Tombstone, Unit, Usage, Verb, Version,
};
use std::path::Path;

/// A link about to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewLink {
    pub from: RecordId,
    pub to: RecordId,
    pub relation: Relation,
    pub strength: Unit,
    pub valid: Interval,
}

/// Dropped without `commit`, it leaves the store as it was.
pub trait Write: Read + WriteSessions {
    /// The next recorded time: after every other of this store, whatever the clock says.
    fn tick(&mut self) -> Result<Timestamp>;

    /// Begins a change, or goes on with it when it was begun in an earlier batch.
    fn begin(&mut self, change: &Change) -> Result<()>;

    /// Adds a version: the first of a new record, or the next one, which ends the present one.
    fn put(&mut self, id: &RecordId, content: &Content, change: &ChangeId) -> Result<Version>;

    /// Ends the present version without a successor: the store no longer believes it.
    fn retract(&mut self, id: &RecordId, change: &ChangeId) -> Result<()>;

    fn connect(&mut self, link: &NewLink, change: &ChangeId) -> Result<Link>;

    /// Ends a link; `false` when there was none.
    fn disconnect(
        &mut self,
        from: &RecordId,
        relation: Relation,
        to: &RecordId,
        change: &ChangeId,
    ) -> Result<bool>;

    fn set_usage(&mut self, id: &RecordId, usage: &Usage) -> Result<()>;

    /// Moves what episodes say in full that began before then into cold storage, at most so many;
    /// how many were moved. Nothing that is read changes.
    fn cool(&mut self, before: Timestamp, most: usize) -> Result<u64>;

    /// Removes every trace of a record from the tables: versions, words, links, usage, answers.
    fn erase(&mut self, id: &RecordId) -> Result<()>;

    /// Lets every text that is stored pass another screen; what it replaces is gone from the rows.
    fn redact(&mut self, screen: &Screen) -> Result<Redaction>;

    /// Whether it was not there yet, or from another time.
    fn bury(&mut self, tombstone: &Tombstone) -> Result<bool>;

    fn keep_answer(&mut self, key: &str, request: Digest, result: &str) -> Result<()>;

    /// Notes where work stands that goes on later; `None` removes the note.
    fn set_bookmark(&mut self, name: &str, text: Option<&str>) -> Result<()>;

    fn enqueue(&mut self, kind: JobKind, payload: &str) -> Result<()>;

    /// Takes a job of these kinds.
    fn lease(&mut self, whose: Whose, kinds: &[JobKind]) -> Result<Option<Job>>;

    fn finish(&mut self, job: &Job) -> Result<()>;

    /// Gives a job back that could not be done; it rests before it is tried again.
    fn fail(&mut self, job: &Job, error: &str) -> Result<()>;

    /// Lets a job be tried again at once, with all its attempts; `false` when there is none.
    fn renew(&mut self, seq: i64) -> Result<bool>;

    fn note_backup(&mut self, path: &Path) -> Result<()>;

    fn drop_backup(&mut self, path: &Path) -> Result<()>;

    /// Adds an entry to the audit chain.
    fn audit(
        &mut self,
        actor: &Actor,
        verb: Verb,
        subject: &str,
        content: Option<Digest>,
    ) -> Result<()>;

    /// Brings in a change as it was recorded elsewhere.
    fn import_change(&mut self, change: &Change) -> Result<()>;

    /// Brings in a version with the times it had elsewhere; the record is made when missing.
    /// The caller audits: it knows how many make one import. Answers the text's fingerprint.
    fn import_version(&mut self, version: &Version, ended_by: Option<&ChangeId>) -> Result<Digest>;

    /// Remembers which import brought a record.
    fn note_arrival(&mut self, id: &RecordId, import: &ChangeId) -> Result<()>;

    fn import_link(&mut self, link: &Link, ended_by: Option<&ChangeId>) -> Result<()>;

    /// Makes this the model that vectors are made with. What it has not read yet waits for it;
    /// vectors of other models are served until then.
    fn choose_model(&mut self, model: &VectorModel) -> Result<()>;

    /// Keeps the vectors of a version, one for each part of its text.
    fn put_vectors(&mut self, key: Key, model: &VectorModel, parts: &[Embedding]) -> Result<()>;

    /// Drops what other models made once the present one has read everything; how many.
    fn retire_vectors(&mut self) -> Result<u64>;

    fn commit(self: Box<Self>) -> Result<()>;
}
