//! One write transaction: takes its turn, keeps its own time, leaves an audit entry for all it does.

use super::change::Cause;
use super::index::{self, Lookup};
use super::read::Connected;
use super::seal::ARRIVAL;
use super::turn::Turn;
use super::words::Pending;
use super::{
    audit, backup, change, cold, erase, job, link, meta, redact, tombstone, usage, version,
};
use crate::find::{Embedding, Key, VectorModel};
use crate::{Error, NewLink, Read, Redaction, Result, Screen, Write};
use mnemic_model::job::{Job, JobKind, Whose};
use mnemic_model::{
    Actor, Change, ChangeId, Clock, Content, Digest, Link, RecordId, Relation, Timestamp,
    Tombstone, Usage, Verb, Version, time,
};
use rusqlite::{Connection, params};
use std::path::Path;
use std::sync::MutexGuard;

/// Rolled back when dropped before `commit`.
pub(super) struct Writing<'s> {
    connection: MutexGuard<'s, Connection>,
    /// Let go after the transaction has ended.
    _turn: Turn,
    now: Timestamp,
    pub(super) screen: &'s Screen,
    last: Option<Timestamp>,
    head: audit::Head,
    /// The change that was begun last; batches have one.
    begun: Option<(Cause, Actor, Verb)>,
    words: Pending,
    /// Nothing that it reads is kept: these rows may never come to be.
    lookup: Lookup,
    open: bool,
}

impl<'s> Writing<'s> {
    pub(super) fn begin(
        connection: MutexGuard<'s, Connection>,
        turn: Turn,
        clock: &dyn Clock,
        screen: &'s Screen,
        lookup: &Lookup,
    ) -> Result<Self> {
        // IMMEDIATE: a transaction that reads first and writes later would be refused when another
        // wrote in between, however long it waited.
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let started =
            audit::last_tick(&connection).and_then(|last| Ok((last, audit::head(&connection)?)));
        match started {
            Ok((last, head)) => Ok(Writing {
                connection,
                _turn: turn,
                now: clock.now(),
                screen,
                last,
                head,
                begun: None,
                words: Pending::default(),
                lookup: lookup.passing(),
                open: true,
            }),
            Err(cause) => {
                let _ = connection.execute_batch("ROLLBACK");
                Err(cause)
            }
        }
    }

    fn cause(&mut self, id: &ChangeId) -> Result<(Cause, Actor, Verb)> {
        if let Some(begun) = self.begun.as_ref().filter(|(cause, ..)| cause.id == *id) {
            return Ok(begun.clone());
        }
        let (change, key) = change::find_with_key(&self.connection, id)?
            .ok_or_else(|| Error::Damaged(format!("change `{id}` was never begun")))?;
        Ok((Cause { id: change.id, key }, change.actor, change.verb))
    }

    fn append(
        &mut self,
        at: Timestamp,
        actor: &Actor,
        verb: Verb,
        subject: &str,
        content: Option<Digest>,
    ) -> Result<()> {
        let subject = self.screen.name(subject);
        self.head = audit::append(&self.connection, self.head, at, actor, verb, &subject, content)?;
        Ok(())
    }

    /// Times from elsewhere must not lie ahead of our own.
    fn observe(&mut self, time: Timestamp) {
        self.last = self.last.max(Some(time));
    }

    /// The same change without secrets in its reason or in the name of who did it.
    fn screened_change(&self, change: &Change) -> Change {
        let mut safe = change.clone();
        safe.reason = self.screen.maybe(&change.reason);
        safe.actor.name = self.screen.text(&change.actor.name).into_owned();
        safe
    }

    fn change_key(&self, id: Option<&ChangeId>) -> Result<Option<i64>> {
        let Some(id) = id else { return Ok(None) };
        match change::find_with_key(&self.connection, id)? {
            Some((_, key)) => Ok(Some(key)),
            None => Err(Error::Damaged(format!("change `{id}` is named but not there"))),
        }
    }
}

impl Connected for Writing<'_> {
    fn connection(&self) -> &Connection {
        &self.connection
    }

    fn wall_clock(&self) -> Timestamp {
        self.now
    }

    fn lookup(&self) -> &Lookup {
        &self.lookup
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        if self.open {
            // SQLite has rolled back by itself if this fails.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }
}

impl Write for Writing<'_> {
    fn tick(&mut self) -> Result<Timestamp> {
        let tick = time::tick(self.last, self.now);
        self.last = Some(tick);
        Ok(tick)
    }

    fn begin(&mut self, change: &Change) -> Result<()> {
        let change = &self.screened_change(change);
        let key = change::begin(&self.connection, change)?;
        let cause = Cause { id: change.id.clone(), key };
        self.begun = Some((cause, change.actor.clone(), change.verb));
        Ok(())
    }

    fn put(&mut self, id: &RecordId, content: &Content, change: &ChangeId) -> Result<Version> {
        self.screen.refuse(id.as_str())?;
        let content = &*self.screen.content(content)?;
        let (cause, actor, verb) = self.cause(change)?;
        let at = self.tick()?;
        let (version, print) =
            version::put(&self.connection, id, content, &cause, at, &mut self.words)?;
        self.append(at, &actor, verb, id.as_str(), Some(print))?;
        Ok(version)
    }

    fn retract(&mut self, id: &RecordId, change: &ChangeId) -> Result<()> {
        let (cause, actor, verb) = self.cause(change)?;
        let at = self.tick()?;
        if version::retract(&self.connection, id, &cause, at, &mut self.words)? {
            self.append(at, &actor, verb, id.as_str(), None)?;
        }
        Ok(())
    }

    fn connect(&mut self, new: &NewLink, change: &ChangeId) -> Result<Link> {
        let (cause, actor, verb) = self.cause(change)?;
        let at = self.tick()?;
        let link = link::connect(&self.connection, new, &cause, at)?;
        let subject = format!("{} {} {}", new.from, new.relation, new.to);
        self.append(at, &actor, verb, &subject, None)?;
        Ok(link)
    }

    fn disconnect(
        &mut self,
        from: &RecordId,
        relation: Relation,
        to: &RecordId,
        change: &ChangeId,
    ) -> Result<bool> {
        let (cause, actor, verb) = self.cause(change)?;
        let at = self.tick()?;
        let was_there = link::disconnect(&self.connection, from, relation, to, &cause, at)?;
        if was_there {
            self.append(at, &actor, verb, &format!("{from} {relation} {to}"), None)?;
        }
        Ok(was_there)
    }

    fn set_usage(&mut self, id: &RecordId, usage: &Usage) -> Result<()> {
        usage::set(&self.connection, id, usage)
    }

    fn cool(&mut self, before: Timestamp, most: usize) -> Result<u64> {
        cold::cool(&self.connection, before, most)
    }

    fn erase(&mut self, id: &RecordId) -> Result<()> {
        erase::erase(&self.connection, id, &mut self.words)
    }

    fn redact(&mut self, screen: &Screen) -> Result<Redaction> {
        redact::redact(&self.connection, screen, &mut self.words)
    }

    fn bury(&mut self, stone: &Tombstone) -> Result<bool> {
        self.observe(stone.at);
        let stone = Tombstone { reason: self.screen.maybe(&stone.reason), ..stone.clone() };
        tombstone::bury(&self.connection, &stone)
    }

    fn keep_answer(&mut self, key: &str, request: Digest, result: &str) -> Result<()> {
        let at = self.tick()?;
        let key = &self.screen.text(key);
        usage::keep_answer(&self.connection, key, request, result, at)
    }

    fn set_bookmark(&mut self, name: &str, text: Option<&str>) -> Result<()> {
        let text = text.map(|text| self.screen.packed(text));
        meta::set_bookmark(&self.connection, &self.screen.name(name), text.as_deref())
    }

    fn enqueue(&mut self, kind: JobKind, payload: &str) -> Result<()> {
        let at = self.tick()?;
        job::enqueue(&self.connection, kind, payload, at)
    }

    fn lease(&mut self, whose: Whose, kinds: &[JobKind]) -> Result<Option<Job>> {
        job::lease(&self.connection, self.now, whose, kinds)
    }

    fn finish(&mut self, job: &Job) -> Result<()> {
        job::finish(&self.connection, job)
    }

    fn fail(&mut self, job: &Job, error: &str) -> Result<()> {
        job::fail(&self.connection, job, &self.screen.text(error), self.now)
    }

    fn renew(&mut self, seq: i64) -> Result<bool> {
        job::renew(&self.connection, seq)
    }

    fn note_backup(&mut self, path: &Path) -> Result<()> {
        let at = self.tick()?;
        backup::note(&self.connection, path, at)
    }

    fn drop_backup(&mut self, path: &Path) -> Result<()> {
        backup::drop_note(&self.connection, path)
    }

    fn audit(
        &mut self,
        actor: &Actor,
        verb: Verb,
        subject: &str,
        content: Option<Digest>,
    ) -> Result<()> {
        let at = self.tick()?;
        self.append(at, actor, verb, subject, content)
    }

    fn import_change(&mut self, change: &Change) -> Result<()> {
        self.observe(change.at);
        change::begin(&self.connection, &self.screened_change(change))?;
        Ok(())
    }

    fn import_version(&mut self, version: &Version, ended_by: Option<&ChangeId>) -> Result<Digest> {
        self.observe(version.recorded.to().unwrap_or(version.recorded.from()));
        self.screen.refuse(version.id.as_str())?;
        let content = self.screen.content(&version.content)?.into_owned();
        let version = &Version { content, ..version.clone() };
        let (cause, ..) = self.cause(&version.change)?;
        let ended_by = self.change_key(ended_by)?;
        version::import(&self.connection, version, cause.key, ended_by, &mut self.words)
    }

    fn note_arrival(&mut self, id: &RecordId, import: &ChangeId) -> Result<()> {
        let (cause, ..) = self.cause(import)?;
        let record = version::record_key(&self.connection, id)?;
        let versions = self.versions(id)?.len() as i64;
        self.connection
            .prepare_cached(ARRIVAL.insert())?
            .execute(params![record, cause.key, versions])?;
        Ok(())
    }

    fn import_link(&mut self, link: &Link, ended_by: Option<&ChangeId>) -> Result<()> {
        self.observe(link.recorded.to().unwrap_or(link.recorded.from()));
        let (cause, ..) = self.cause(&link.change)?;
        let ended_by = self.change_key(ended_by)?;
        link::insert(&self.connection, link, cause.key, ended_by)
    }

    fn choose_model(&mut self, model: &VectorModel) -> Result<()> {
        index::vector::choose(&self.connection, model)
    }

    fn put_vectors(&mut self, key: Key, model: &VectorModel, parts: &[Embedding]) -> Result<()> {
        index::vector::put(&self.connection, key.0, model, parts)
    }

    fn retire_vectors(&mut self) -> Result<u64> {
        index::vector::retire_others(&self.connection)
    }

    fn commit(mut self: Box<Self>) -> Result<()> {
        self.words.carry_out(&self.connection)?;
        self.connection.execute_batch("COMMIT")?;
        self.open = false;
        Ok(())
    }
}
