//! What can be asked of a store. Nothing here changes anything.

use crate::find::{
    Beginning, Glance, Key, MeaningHit, Span, VectorCensus, VectorModel, WordHit, WordStatistics,
};
use crate::session::{ReadSessions, ReadTopics, ReadTraces};
use crate::{Answer, Census, Result, Touched};
use mnemic_model::audit::AuditEntry;
use mnemic_model::job::Job;
use mnemic_model::{
    At, Change, ChangeId, Digest, Filter, Link, PageEnd, RecordId, Scope, Slot, Timestamp,
    Tombstone, Usage, Version,
};
use std::path::PathBuf;
use std::sync::Arc;

/// One consistent view of a store.
pub trait Read: ReadSessions + ReadTopics + ReadTraces {
    /// The store's time: the clock's, but never behind the last write.
    fn now(&self) -> Result<Timestamp>;

    /// Ids that begin with these characters, at most `limit`.
    fn ids_starting_with(&self, prefix: &str, limit: usize) -> Result<Vec<RecordId>>;

    /// What the store believed of this record at `known` (now if `None`).
    fn version(&self, id: &RecordId, known: Option<Timestamp>) -> Result<Option<Version>>;

    /// Every version of a record, oldest first.
    fn versions(&self, id: &RecordId) -> Result<Vec<Version>>;

    /// Where a version stands in a list; `None` when it is no longer there.
    fn page_end(&self, version: &Version) -> Result<Option<PageEnd>>;

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

    /// Changes that take others back, newest first.
    fn undoings(&self) -> Result<Vec<Change>>;

    /// Some of the records that a change made versions of, at most `limit`.
    fn records_of(&self, change: &ChangeId, limit: usize) -> Result<Vec<RecordId>>;

    /// Changes that a version or a link still names, oldest first.
    fn used_changes(&self) -> Result<Vec<Change>>;

    fn touched(&self, change: &ChangeId) -> Result<Touched>;

    /// Records of which the store changed its belief after `from` and up to `to`.
    fn changed_between(&self, from: Timestamp, to: Timestamp) -> Result<Vec<RecordId>>;

    fn tombstones(&self) -> Result<Vec<Tombstone>>;

    /// Whether anything was ever forgotten here.
    fn has_tombstones(&self) -> Result<bool>;

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

    /// What was noted under this name about work that goes on later.
    fn bookmark(&self, name: &str) -> Result<Option<String>>;

    /// Every bookmark whose name begins so, by name, without that beginning.
    fn bookmarks(&self, beginning: &str) -> Result<Vec<(String, String)>>;

    /// Entries of the audit chain after `seq`, oldest first.
    fn audit_entries(&self, after: u64, limit: usize) -> Result<Vec<AuditEntry>>;

    /// The newest entry of the audit chain.
    fn last_audit(&self) -> Result<Option<AuditEntry>>;

    fn backups(&self) -> Result<Vec<(PathBuf, Timestamp)>>;

    fn census(&self, at: At) -> Result<Census>;

    /// The best `want` by words (term and weight) among the versions that pass the filter.
    fn by_words(
        &self,
        terms: &[(String, f32)],
        filter: &Filter,
        want: usize,
    ) -> Result<Vec<WordHit>>;

    /// The best `want` by meaning among the versions that pass the filter, each by its nearest
    /// part. Nothing where this model has made no vectors.
    fn by_meaning(
        &self,
        model: &VectorModel,
        query: &[f32],
        filter: &Filter,
        want: usize,
    ) -> Result<Vec<MeaningHit>>;

    /// Versions that began to be true in this time and pass the filter.
    fn happened(&self, span: Span, filter: &Filter, want: usize) -> Result<Vec<Key>>;

    /// What matters whatever is asked, the latest first: mandates, what is of the highest
    /// importance, contradictions, and what went wrong since then. At most `each` of every sort.
    fn at_hand(&self, since: Timestamp, filter: &Filter, each: usize) -> Result<Vec<Key>>;

    /// Memories that were cited and pass the filter, those cited most first.
    fn most_cited(&self, filter: &Filter, most: usize) -> Result<Vec<Key>>;

    /// The contradictions of these records that nobody has settled, as they stand now. What cannot
    /// be read is left out.
    fn open_contradictions(&self, of: &[&RecordId]) -> Result<Vec<Key>>;

    /// What each term adds to the score by words of versions that were found by any means.
    fn word_parts(&self, terms: &[(String, f32)], keys: &[Key]) -> Result<Vec<Vec<f32>>>;

    fn word_statistics(&self, terms: &[String]) -> Result<WordStatistics>;

    /// Every term of the words index that begins so, with how many documents have it. The same term
    /// may come several times, once for each part of the index.
    fn each_term(&self, beginning: &str, see: &mut dyn FnMut(&str, u64)) -> Result<()>;

    /// For each query, its cosine to versions found by any means, where they have a vector: the mean
    /// of the nearest coarse and the nearest fine part.
    fn meaning_scores(
        &self,
        model: &VectorModel,
        queries: &[&[f32]],
        keys: &[Key],
    ) -> Result<Vec<Vec<Option<f32>>>>;

    /// Cosines of vectors picked evenly from the whole store: what is usual for this question.
    fn usual_cosines(&self, model: &VectorModel, query: &[f32], sample: usize) -> Result<Vec<f32>>;

    /// Vectors picked evenly from the whole store, those that the filter lets pass: to be compared with
    /// each other and, once it is [`as_kept`](crate::find::as_kept), with a question.
    fn background(
        &self,
        model: &VectorModel,
        filter: &Filter,
        count: usize,
    ) -> Result<Vec<Vec<f32>>>;

    /// What versions say first that have a vector of this model, picked evenly from the whole store:
    /// so many at most, for one may be picked twice, and what cannot be read is left out.
    fn sample(&self, model: &VectorModel, count: usize) -> Result<Vec<(Key, Arc<Beginning>)>>;

    /// The first vector of one version as a question, for [`Read::by_meaning`] and its kin.
    fn question_of(&self, model: &VectorModel, key: Key) -> Result<Option<Vec<f32>>>;

    /// What each of these versions says first as a vector, in their order: to be compared with each
    /// other, and with no question.
    fn first_vectors(&self, model: &VectorModel, keys: &[Key]) -> Result<Vec<Option<Vec<f32>>>>;

    /// Those of these versions that pass the filter, with all that scoring needs of them.
    fn glances(&self, keys: &[Key], filter: &Filter) -> Result<Vec<Arc<Glance>>>;

    /// What this view has come across with this filter, and left out only because it has ended.
    fn ended(&self, filter: &Filter) -> Result<Vec<Arc<Glance>>>;

    /// The versions themselves, in the order asked for; those that are gone are left out.
    fn versions_of(&self, keys: &[Key]) -> Result<Vec<(Key, Arc<Version>)>>;

    /// The row of a record as the store believed it at `known` (now if `None`).
    fn key_of(&self, id: &RecordId, known: Option<Timestamp>) -> Result<Option<Key>>;

    /// The turns of the same conversations just before and just after these.
    fn neighbours(&self, keys: &[Key]) -> Result<Vec<Key>>;

    /// The model that vectors are made with, once one was chosen.
    fn vector_model(&self) -> Result<Option<VectorModel>>;

    /// Every model that has vectors here, the present one first.
    fn vector_models(&self) -> Result<Vec<VectorModel>>;

    /// How many versions wait for their vectors.
    fn vectors_waiting(&self) -> Result<u64>;

    /// Counts all vectors: for a report, not for every step.
    fn vector_census(&self) -> Result<VectorCensus>;

    /// Versions that wait for their vectors, the newest first.
    fn without_vectors(&self, limit: usize) -> Result<Vec<(Key, Version)>>;
}
