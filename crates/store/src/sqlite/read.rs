//! Reading: one consistent snapshot, and the answers that readers and writers share.

use super::index::{self, Lookup};
use super::list::Seen;
use super::row::select;
use super::{audit, backup, change, job, link, list, meta, statistics, tombstone, usage};
use crate::find::{
    Beginning, Glance, Key, MeaningHit, Span, VectorCensus, VectorModel, WordHit, WordStatistics,
};
use crate::{Answer, Census, Read, Result, Touched};
use mnemic_model::audit::AuditEntry;
use mnemic_model::job::Job;
use mnemic_model::{
    At, Change, ChangeId, Digest, Filter, Link, PageEnd, RecordId, Scope, Slot, Timestamp,
    Tombstone, Truth, Usage, Version,
};
use rusqlite::{Connection, Params, ToSql, params};
use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::{Arc, MutexGuard};

/// A read transaction; ends when dropped.
pub(super) struct Reading<'s> {
    connection: MutexGuard<'s, Connection>,
    lookup: &'s Lookup,
    wall_clock: Timestamp,
    /// Nothing is recorded while a view lasts: its time is asked for once.
    now: OnceCell<Timestamp>,
}

impl<'s> Reading<'s> {
    pub(super) fn begin(
        connection: MutexGuard<'s, Connection>,
        lookup: &'s Lookup,
        wall_clock: Timestamp,
    ) -> Result<Reading<'s>> {
        connection.execute_batch("BEGIN")?;
        lookup.begin_view();
        Ok(Reading { connection, lookup, wall_clock, now: OnceCell::new() })
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        // Nothing was written; there is nothing that could fail to be kept.
        let _ = self.connection.execute_batch("ROLLBACK");
    }
}

/// Whatever has a connection can answer.
pub(super) trait Connected {
    fn connection(&self) -> &Connection;

    fn wall_clock(&self) -> Timestamp;

    fn lookup(&self) -> &Lookup;

    /// The store's time: the clock's, but never behind the last write.
    fn time(&self) -> Result<Timestamp> {
        time(self.connection(), self.wall_clock())
    }
}

fn time(connection: &Connection, wall_clock: Timestamp) -> Result<Timestamp> {
    let last = audit::last_tick(connection)?;
    Ok(last.map_or(wall_clock, |last| last.max(wall_clock)))
}

fn seen<T: Connected>(reader: &T, at: At) -> Result<Seen> {
    let truth = match at.truth {
        Truth::Whenever => None,
        Truth::Now => Some(reader.now()?),
        Truth::At(point) => Some(point),
    };
    Ok(Seen { truth, known: at.known })
}

impl Connected for Reading<'_> {
    fn connection(&self) -> &Connection {
        &self.connection
    }

    fn wall_clock(&self) -> Timestamp {
        self.wall_clock
    }

    fn lookup(&self) -> &Lookup {
        self.lookup
    }

    fn time(&self) -> Result<Timestamp> {
        if let Some(now) = self.now.get() {
            return Ok(*now);
        }
        let now = time(&self.connection, self.wall_clock)?;
        Ok(*self.now.get_or_init(|| now))
    }
}

fn versions(connection: &Connection, condition: &str, params: impl Params) -> Result<Vec<Version>> {
    Ok(select(connection, condition, params)?.into_iter().map(|stored| stored.version).collect())
}

/// First column of every row, as text.
pub(super) fn texts(
    connection: &Connection,
    sql: &str,
    params: &[&dyn ToSql],
) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params, |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn ids(texts: Vec<String>) -> Result<Vec<RecordId>> {
    texts
        .iter()
        .map(|text| RecordId::parse(text).map_err(|cause| crate::Error::Damaged(cause.to_string())))
        .collect()
}

impl<T: Connected> Read for T {
    fn now(&self) -> Result<Timestamp> {
        self.time()
    }

    fn ids_starting_with(&self, prefix: &str, limit: usize) -> Result<Vec<RecordId>> {
        let sql = "SELECT id FROM record WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3";
        let end = format!("{prefix}\u{10ffff}");
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        ids(texts(self.connection(), sql, &[&prefix, &end, &limit])?)
    }

    fn version(&self, id: &RecordId, known: Option<Timestamp>) -> Result<Option<Version>> {
        let found = match known {
            None => versions(
                self.connection(),
                "record.id = ?1 AND version.expired_at IS NULL",
                [id.as_str()],
            ),
            Some(known) => versions(
                self.connection(),
                "record.id = ?1 AND version.recorded_at <= ?2 \
                 AND (version.expired_at IS NULL OR version.expired_at > ?2)",
                params![id.as_str(), known.micros()],
            ),
        };
        Ok(found?.pop())
    }

    fn versions(&self, id: &RecordId) -> Result<Vec<Version>> {
        versions(self.connection(), "record.id = ?1 ORDER BY version.n", [id.as_str()])
    }

    fn page_end(&self, version: &Version) -> Result<Option<PageEnd>> {
        list::page_end(self.connection(), version)
    }

    fn list(&self, filter: &Filter) -> Result<Vec<Version>> {
        list::list(self.connection(), filter, seen(self, filter.at)?)
    }

    fn each_record(&self, each: &mut dyn FnMut(&RecordId) -> Result<()>) -> Result<()> {
        let mut statement = self.connection().prepare("SELECT id FROM record ORDER BY seq")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for id in ids(vec![row.get(0)?])? {
                each(&id)?;
            }
        }
        Ok(())
    }

    fn holders(&self, slot: &Slot, scope: &Scope, from: Timestamp) -> Result<Vec<Version>> {
        versions(
            self.connection(),
            "version.slot = ?1 AND version.namespace = ?2 AND version.level = ?3 \
             AND version.expired_at IS NULL \
             AND coalesce(version.invalid_at, 9223372036854775807) > ?4 ORDER BY version.valid_at",
            params![slot.as_str(), scope.namespace.as_str(), scope.level.as_str(), from.micros()],
        )
    }

    fn same_content(&self, fingerprint: Digest, scope: &Scope) -> Result<Vec<Version>> {
        versions(
            self.connection(),
            "version.fingerprint = ?1 AND version.expired_at IS NULL \
             AND version.namespace = ?2 AND version.level = ?3 ORDER BY version.seq",
            params![fingerprint.0.as_slice(), scope.namespace.as_str(), scope.level.as_str()],
        )
    }

    fn links(&self, id: &RecordId, at: At) -> Result<Vec<Link>> {
        link::of_record(self.connection(), id, seen(self, at)?)
    }

    fn all_links(&self) -> Result<Vec<Link>> {
        link::all(self.connection())
    }

    fn usage(&self, id: &RecordId) -> Result<Usage> {
        usage::of_record(self.connection(), id)
    }

    fn change(&self, id: &ChangeId) -> Result<Option<Change>> {
        change::find(self.connection(), id)
    }

    fn changes(&self, limit: usize) -> Result<Vec<Change>> {
        change::latest(self.connection(), limit)
    }

    fn undoings(&self) -> Result<Vec<Change>> {
        change::undoings(self.connection())
    }

    fn used_changes(&self) -> Result<Vec<Change>> {
        change::used(self.connection())
    }

    fn touched(&self, change: &ChangeId) -> Result<Touched> {
        let by_change = |column: &str| {
            format!(
                "version.{column} = (SELECT seq FROM change WHERE id = ?1) ORDER BY version.seq"
            )
        };
        let connection = self.connection();
        Ok(Touched {
            made: versions(connection, &by_change("change"), [&change.0])?,
            ended: versions(connection, &by_change("expired_by"), [&change.0])?,
            arrived: versions(
                connection,
                "(version.record, version.n) IN (SELECT arrival.record, arrival.n FROM arrival \
                   WHERE arrival.change = (SELECT seq FROM change WHERE id = ?1)) \
                 ORDER BY version.seq",
                [&change.0],
            )?,
            links_made: link::by_change(connection, "change", change)?,
            links_ended: link::by_change(connection, "expired_by", change)?,
        })
    }

    fn changed_between(&self, from: Timestamp, to: Timestamp) -> Result<Vec<RecordId>> {
        let sql = "SELECT id FROM record WHERE seq IN ( \
                SELECT record FROM version WHERE recorded_at > ?1 AND recorded_at <= ?2 \
                UNION SELECT record FROM version WHERE expired_at > ?1 AND expired_at <= ?2) \
             ORDER BY seq";
        ids(texts(self.connection(), sql, &[&from.micros(), &to.micros()])?)
    }

    fn tombstones(&self) -> Result<Vec<Tombstone>> {
        tombstone::all(self.connection())
    }

    fn has_tombstones(&self) -> Result<bool> {
        tombstone::any(self.connection())
    }

    fn buried(
        &self,
        id: Option<&RecordId>,
        content: Digest,
        subject: Option<Digest>,
    ) -> Result<Option<Tombstone>> {
        tombstone::find(self.connection(), id, content, subject)
    }

    fn answer(&self, key: &str) -> Result<Option<Answer>> {
        usage::answer(self.connection(), key)
    }

    fn ended_by(&self, id: &RecordId, n: u32) -> Result<Option<ChangeId>> {
        change::ended_version(self.connection(), id, n)
    }

    fn has_link(&self, same: &Link) -> Result<bool> {
        link::exists(self.connection(), same)
    }

    fn link_ended_by(&self, made: &Link) -> Result<Option<ChangeId>> {
        link::ended_by(self.connection(), made)
    }

    fn jobs(&self) -> Result<Vec<Job>> {
        job::all(self.connection())
    }

    fn bookmark(&self, name: &str) -> Result<Option<String>> {
        meta::bookmark(self.connection(), name)
    }

    fn bookmarks(&self, beginning: &str) -> Result<Vec<(String, String)>> {
        meta::bookmarks(self.connection(), beginning)
    }

    fn audit_entries(&self, after: u64, limit: usize) -> Result<Vec<AuditEntry>> {
        audit::entries(self.connection(), after, limit)
    }

    fn last_audit(&self) -> Result<Option<AuditEntry>> {
        audit::last(self.connection())
    }

    fn records_of(&self, change: &ChangeId, limit: usize) -> Result<Vec<RecordId>> {
        let sql = "SELECT DISTINCT record.id FROM version JOIN record ON record.seq = version.record \
                   WHERE version.change = (SELECT seq FROM change WHERE id = ?1) LIMIT ?2";
        ids(texts(self.connection(), sql, &[&change.0, &(limit as i64)])?)
    }

    fn backups(&self) -> Result<Vec<(PathBuf, Timestamp)>> {
        backup::known(self.connection())
    }

    fn census(&self, at: At) -> Result<Census> {
        statistics::census(self.connection(), seen(self, at)?)
    }

    fn by_words(
        &self,
        terms: &[(String, f32)],
        filter: &Filter,
        want: usize,
    ) -> Result<Vec<WordHit>> {
        let at = seen(self, filter.at)?;
        index::by_words(self.connection(), self.lookup(), terms, filter, at, want)
    }

    fn by_meaning(
        &self,
        model: &VectorModel,
        query: &[f32],
        filter: &Filter,
        want: usize,
    ) -> Result<Vec<MeaningHit>> {
        let at = seen(self, filter.at)?;
        index::by_meaning(self.connection(), self.lookup(), model, query, filter, at, want)
    }

    fn happened(&self, span: Span, filter: &Filter, want: usize) -> Result<Vec<Key>> {
        index::happened(self.connection(), span, filter, seen(self, filter.at)?, want)
    }

    fn at_hand(&self, since: Timestamp, filter: &Filter, each: usize) -> Result<Vec<Key>> {
        index::at_hand(self.connection(), since, filter, seen(self, filter.at)?, each)
    }

    fn most_cited(&self, filter: &Filter, most: usize) -> Result<Vec<Key>> {
        index::most_cited(self.connection(), filter, seen(self, filter.at)?, most)
    }

    fn open_contradictions(&self, of: &[&RecordId]) -> Result<Vec<Key>> {
        index::open_contradictions(self.connection(), of)
    }

    fn word_parts(&self, terms: &[(String, f32)], keys: &[Key]) -> Result<Vec<Vec<f32>>> {
        index::word_parts(self.connection(), self.lookup(), terms, keys)
    }

    fn word_statistics(&self, terms: &[String]) -> Result<WordStatistics> {
        index::word_statistics(self.connection(), self.lookup(), terms)
    }

    fn each_term(&self, beginning: &str, see: &mut dyn FnMut(&str, u64)) -> Result<()> {
        index::each_term(self.connection(), self.lookup(), beginning, see)
    }

    fn meaning_scores(
        &self,
        model: &VectorModel,
        queries: &[&[f32]],
        keys: &[Key],
    ) -> Result<Vec<Vec<Option<f32>>>> {
        index::meaning_scores(self.connection(), self.lookup(), model, queries, keys)
    }

    fn usual_cosines(&self, model: &VectorModel, query: &[f32], sample: usize) -> Result<Vec<f32>> {
        index::usual_cosines(self.connection(), self.lookup(), model, query, sample)
    }

    fn background(
        &self,
        model: &VectorModel,
        filter: &Filter,
        count: usize,
    ) -> Result<Vec<Vec<f32>>> {
        index::background(self.connection(), self.lookup(), model, filter, count)
    }

    fn sample(&self, model: &VectorModel, count: usize) -> Result<Vec<(Key, Arc<Beginning>)>> {
        index::sample(self.connection(), self.lookup(), model, count)
    }

    fn question_of(&self, model: &VectorModel, key: Key) -> Result<Option<Vec<f32>>> {
        index::vector::question_of(self.connection(), model, key)
    }

    fn first_vectors(&self, model: &VectorModel, keys: &[Key]) -> Result<Vec<Option<Vec<f32>>>> {
        index::vector::first_of_each(self.connection(), model, keys)
    }

    fn glances(&self, keys: &[Key], filter: &Filter) -> Result<Vec<Arc<Glance>>> {
        index::glances(self.connection(), self.lookup(), keys, filter, seen(self, filter.at)?)
    }

    fn ended(&self, filter: &Filter) -> Result<Vec<Arc<Glance>>> {
        Ok(index::ended(self.lookup(), filter, seen(self, filter.at)?))
    }

    fn versions_of(&self, keys: &[Key]) -> Result<Vec<(Key, Arc<Version>)>> {
        index::versions_of(self.connection(), self.lookup(), keys)
    }

    fn key_of(&self, id: &RecordId, known: Option<Timestamp>) -> Result<Option<Key>> {
        index::key_of(self.connection(), id, known)
    }

    fn neighbours(&self, keys: &[Key]) -> Result<Vec<Key>> {
        index::neighbours(self.connection(), self.lookup(), keys)
    }

    fn vector_model(&self) -> Result<Option<VectorModel>> {
        index::vector::present(self.connection())
    }

    fn vector_models(&self) -> Result<Vec<VectorModel>> {
        index::vector::models(self.connection())
    }

    fn vectors_waiting(&self) -> Result<u64> {
        index::vector::count_waiting(self.connection())
    }

    fn vector_census(&self) -> Result<VectorCensus> {
        index::vector::census(self.connection())
    }

    fn without_vectors(&self, limit: usize) -> Result<Vec<(Key, Version)>> {
        index::vector::waiting(self.connection(), limit)
    }
}
