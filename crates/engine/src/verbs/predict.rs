//! `predict`: what the work will need next, from what was used together before.

use crate::place::Place;
use crate::{Engine, Error, Result};
use mnemic_model::body::Episode;
use mnemic_model::session::{SessionId, Thing, ThingKind};
use mnemic_model::{Body, Kind, Timestamp, Trust, Version};
use mnemic_recall::predict::{
    INJECT_FROM, PastSession, Prediction, Signal, Situation, Traces, predict, told,
};
use mnemic_store::{Read, Write};
use mnemic_text::mentions::error_names;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::PoisonError;

/// Of one session at most: a session that reads a whole repository tells little about any two files.
const THINGS: usize = 200;

/// Signals whose name is looked for in memories at most: each costs a question.
const NAMED: usize = 8;

/// The type of every command that failed in a captured session.
const ANY_COMMAND: &str = "command";

/// Predicted memories that a context takes in at most.
const PREFETCHED: usize = 20;

impl Engine {
    /// At most `want` things of these kinds that will be needed, the likeliest first. The signals
    /// are added to what the session has touched so far; memories that name one of them count too.
    pub fn predict(
        &self,
        session: Option<&SessionId>,
        signals: &[Thing],
        wanted: &[ThingKind],
        want: usize,
    ) -> Result<Vec<Prediction>> {
        let signals: Vec<Thing> = signals.iter().flat_map(by_name).collect();
        let mut found = self.used_together(session, &signals, wanted, want)?;
        if wanted.contains(&ThingKind::Memory) {
            told(&mut found, self.naming(&signals)?, want);
        }
        Ok(found)
    }

    /// Memories that name a signal by its own name, each with that signal. A branch or a command
    /// is made of words that are said of many things.
    fn naming(&self, signals: &[Thing]) -> Result<Vec<(Thing, Thing)>> {
        let names_one = |thing: &&Thing| {
            matches!(thing.kind, ThingKind::File | ThingKind::Symbol | ThingKind::Error)
        };
        let mut found = Vec::new();
        for signal in signals.iter().filter(names_one).take(NAMED) {
            let name = match signal.kind {
                ThingKind::File => signal.name.rsplit('/').next().unwrap_or(&signal.name),
                _ => &signal.name,
            };
            let mut question = self.question(name);
            // What happened is foreseen from its traces; here, what came of it.
            let lessons = Kind::ALL.iter().filter(|kind| kind.is_indexed() && kind.is_memory());
            question.filter.kinds = lessons.copied().filter(|it| *it != Kind::Episode).collect();
            for (version, _) in self.memories_naming(name, &question)? {
                found.push((Thing::new(ThingKind::Memory, version.id.as_str()), signal.clone()));
            }
        }
        Ok(found)
    }

    fn used_together(
        &self,
        session: Option<&SessionId>,
        signals: &[Thing],
        wanted: &[ThingKind],
        want: usize,
    ) -> Result<Vec<Prediction>> {
        let read = self.session_store()?.read()?;
        let paths = Paths::of(self.settings.project.as_ref());
        let now = self.now();
        let mut all: Vec<Signal> = match session {
            Some(id) => read.things_of(id, THINGS)?,
            None => Vec::new(),
        }
        .into_iter()
        .map(|(thing, at)| Signal { thing: paths.within(thing), at })
        .collect();
        all.extend(signals.iter().map(|it| Signal { thing: paths.within(it.clone()), at: now }));
        let traces = StoredTraces { read: read.as_ref(), paths, known: RefCell::default() };
        let situation = Situation { session: session.map(SessionId::as_str), signals: &all, now };
        predict(&traces, &situation, wanted, want)
    }

    /// Predicts which memories a session will need and keeps them at hand for its next context.
    pub fn prefetch(&self, session: &SessionId, signals: &[Thing]) -> Result<Vec<Prediction>> {
        let wanted = [ThingKind::Memory];
        let mut found = self.used_together(Some(session), signals, &wanted, PREFETCHED)?;
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
            None => self.used_together(session, &signals, &[ThingKind::Memory], PREFETCHED)?,
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

/// What a stored episode touched becomes part of what prediction learns from; nothing is learnt
/// from what was set apart.
pub(super) fn note_episode(tx: &mut dyn Write, version: &Version) -> Result<()> {
    let Body::Episode(episode) = &version.content.body else { return Ok(()) };
    if version.content.trust() == Trust::Quarantined {
        return Ok(());
    }
    let name = episode.task_id.as_deref().unwrap_or(version.id.as_str());
    let id = SessionId::parse(name).or_else(|_| SessionId::parse(version.id.as_str()))?;
    // An episode that goes on brings what it brought before, and hooks told of it as it happened.
    let known = tx.things_of(&id, 10 * THINGS)?.into_iter().map(|(thing, _)| thing);
    let known: BTreeSet<Thing> = known.collect();
    for thing in touched(episode).into_iter().filter(|thing| !known.contains(thing)) {
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
    files.chain(branch).chain(met(episode)).take(THINGS).collect()
}

/// The errors that an episode met, by their type and by the names that they are told with. That a
/// command failed tells no failure from another.
fn met(episode: &Episode) -> BTreeSet<Thing> {
    let types = episode.errors.iter().map(|error| error.error_type.as_str());
    let types = types.filter(|of| !of.is_empty() && *of != ANY_COMMAND).map(str::to_owned);
    let of_errors = episode.errors.iter().flat_map(|error| [&error.error_type, &error.message]);
    let of_steps = episode.actions.iter().filter_map(|action| action.error.as_ref());
    let named = of_errors.chain(of_steps).flat_map(|told| error_names(told));
    types.chain(named).map(|name| Thing::new(ThingKind::Error, name)).collect()
}

/// An error is told whole or by its code, and goes by the same name either way.
pub(super) fn by_name(thing: &Thing) -> Vec<Thing> {
    let names = match thing.kind {
        ThingKind::Error => error_names(&thing.name),
        _ => Vec::new(),
    };
    if names.is_empty() {
        return vec![thing.clone()];
    }
    names.into_iter().map(|name| Thing::new(ThingKind::Error, name)).collect()
}

/// Files by their path within the project. Hosts name them from the root of the disk, people and
/// histories from that of the project, and both mean one file.
struct Paths {
    root: Option<String>,
}

impl Paths {
    fn of(project: Option<&Place>) -> Paths {
        let root = project.and_then(|place| Some(place.dir.parent()?.to_str()?.to_owned()));
        Paths { root }
    }

    fn within(&self, thing: Thing) -> Thing {
        if thing.kind != ThingKind::File {
            return thing;
        }
        let inside = |root: &String| thing.name.strip_prefix(root.as_str())?.strip_prefix('/');
        let path = self.root.as_ref().and_then(inside).unwrap_or(&thing.name);
        Thing::file(path.strip_prefix("./").unwrap_or(path))
    }

    /// The other name of a file of the project.
    fn absolute(&self, thing: &Thing) -> Option<Thing> {
        let is_inside = thing.kind == ThingKind::File && !thing.name.starts_with('/');
        let root = self.root.as_ref().filter(|_| is_inside)?;
        Some(Thing::file(format!("{root}/{}", thing.name)))
    }
}

/// The traces of a store; sessions that several signals share are read once.
struct StoredTraces<'a> {
    read: &'a dyn Read,
    paths: Paths,
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
            let mut things: Vec<Thing> =
                things.into_iter().map(|(thing, _)| self.paths.within(thing)).collect();
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
        let mut sessions = self.read.sessions_with(thing, limit)?;
        if let Some(thing) = self.paths.absolute(thing) {
            sessions.extend(self.read.sessions_with(&thing, limit)?);
            sessions.sort_by(|(a, at), (b, and)| and.cmp(at).then_with(|| a.cmp(b)));
            let mut known = BTreeSet::new();
            sessions.retain(|(id, _)| known.insert(id.clone()));
            sessions.truncate(limit);
        }
        self.past(sessions)
    }

    fn last_sessions(&self, limit: usize) -> Result<Vec<PastSession>> {
        self.past(self.read.last_traced(limit)?)
    }
}
