//! `predict`: what the work will need next, from what was used together before.

use crate::{Engine, Error, Result};
use mnemic_model::body::Episode;
use mnemic_model::session::{SessionId, Thing, ThingKind};
use mnemic_model::{Body, Timestamp, Version};
use mnemic_recall::predict::{
    INJECT_FROM, PastSession, Prediction, Signal, Situation, Traces, predict,
};
use mnemic_store::{Read, Write};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::PoisonError;

/// Of one session at most: a session that reads a whole repository tells little about any two files.
const THINGS: usize = 200;

/// Predicted memories that a context takes in at most.
const PREFETCHED: usize = 20;

impl Engine {
    /// At most `want` things of these kinds that will be needed, the likeliest first. The signals
    /// are added to what the session has touched so far.
    pub fn predict(
        &self,
        session: Option<&SessionId>,
        signals: &[Thing],
        wanted: &[ThingKind],
        want: usize,
    ) -> Result<Vec<Prediction>> {
        let read = self.session_store()?.read()?;
        let traces = StoredTraces { read: read.as_ref(), known: RefCell::default() };
        let now = self.now();
        let mut all: Vec<Signal> = match session {
            Some(id) => read.things_of(id, THINGS)?,
            None => Vec::new(),
        }
        .into_iter()
        .map(|(thing, at)| Signal { thing, at })
        .collect();
        all.extend(signals.iter().map(|thing| Signal { thing: thing.clone(), at: now }));
        let situation = Situation { session: session.map(SessionId::as_str), signals: &all, now };
        predict(&traces, &situation, wanted, want)
    }

    /// Predicts which memories a session will need and keeps them at hand for its next context.
    pub fn prefetch(&self, session: &SessionId, signals: &[Thing]) -> Result<Vec<Prediction>> {
        let mut found = self.predict(Some(session), signals, &[ThingKind::Memory], PREFETCHED)?;
        found.retain(|prediction| prediction.confidence >= INJECT_FROM);
        let mut kept = self.prefetched.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(session.clone(), found.clone());
        Ok(found)
    }

    /// Memories that a session will need: those kept at hand, else predicted now.
    pub(super) fn predicted_memories(
        &self,
        session: Option<&SessionId>,
        files: &[String],
    ) -> Result<Vec<(Version, f64)>> {
        let kept = session.and_then(|id| {
            self.prefetched.lock().unwrap_or_else(PoisonError::into_inner).remove(id)
        });
        let signals: Vec<Thing> = files.iter().map(|file| Thing::file(file.as_str())).collect();
        let found = match kept {
            Some(found) => found,
            None if session.is_none() && signals.is_empty() => return Ok(Vec::new()),
            None => self.predict(session, &signals, &[ThingKind::Memory], PREFETCHED)?,
        };
        let mut memories = Vec::new();
        for prediction in found.iter().filter(|one| one.confidence >= INJECT_FROM) {
            // What was forgotten meanwhile is no prediction.
            if let Ok(shown) = self.show(&prediction.thing.name, mnemic_model::At::LATEST) {
                memories.push((shown.version, prediction.confidence));
            }
        }
        Ok(memories)
    }
}

/// What a stored episode touched becomes part of what prediction learns from.
pub(super) fn note_episode(tx: &mut dyn Write, version: &Version) -> Result<()> {
    let Body::Episode(episode) = &version.content.body else { return Ok(()) };
    let name = episode.task_id.as_deref().unwrap_or(version.id.as_str());
    let id = SessionId::parse(name).or_else(|_| SessionId::parse(version.id.as_str()))?;
    for thing in touched(episode) {
        tx.note_trace(&id, &thing, version.content.valid.from())?;
    }
    Ok(())
}

fn touched(episode: &Episode) -> Vec<Thing> {
    let is_path = |text: &&str| text.contains('/') && !text.contains(char::is_whitespace);
    let targets = episode.actions.iter().filter_map(|action| action.target.as_deref());
    let files: BTreeSet<&str> =
        episode.files.iter().map(String::as_str).chain(targets.filter(is_path)).collect();
    let files = files.into_iter().map(Thing::file);
    let branch = episode.git_branch.iter().map(|name| Thing::new(ThingKind::Branch, name.as_str()));
    let errors = episode.errors.iter().filter(|error| !error.error_type.is_empty());
    let errors = errors.map(|error| Thing::new(ThingKind::Error, error.error_type.as_str()));
    files.chain(branch).chain(errors).take(THINGS).collect()
}

/// The traces of a store; sessions that several signals share are read once.
struct StoredTraces<'a> {
    read: &'a dyn Read,
    known: RefCell<HashMap<SessionId, PastSession>>,
}

impl StoredTraces<'_> {
    fn past(&self, sessions: Vec<(SessionId, Timestamp)>) -> Result<Vec<PastSession>> {
        let mut past = Vec::with_capacity(sessions.len());
        for (id, _) in sessions {
            if let Some(known) = self.known.borrow().get(&id) {
                past.push(known.clone());
                continue;
            }
            let things = self.read.things_of(&id, THINGS)?;
            let Some(at) = things.iter().map(|(_, at)| *at).max() else { continue };
            let mut things: Vec<Thing> = things.into_iter().map(|(thing, _)| thing).collect();
            things.sort();
            things.dedup();
            let session = PastSession { id: id.as_str().into(), at, things };
            self.known.borrow_mut().insert(id, session.clone());
            past.push(session);
        }
        Ok(past)
    }
}

impl Traces for StoredTraces<'_> {
    type Error = Error;

    fn sessions_with(&self, thing: &Thing, limit: usize) -> Result<Vec<PastSession>> {
        self.past(self.read.sessions_with(thing, limit)?)
    }

    fn last_sessions(&self, limit: usize) -> Result<Vec<PastSession>> {
        self.past(self.read.last_traced(limit)?)
    }
}
