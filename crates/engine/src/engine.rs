//! The engine itself: which stores are open, who acts, what time it is.

use crate::place::Place;
use crate::{Error, ErrorKind, Meaning, OsRandom, Random, Result};
use mnemic_inference::language::Guarded;
use mnemic_model::policy::{Deed, Door, Verdict, verdict};
use mnemic_model::session::SessionId;
use mnemic_model::{
    Actor, Change, ChangeId, Clock, Kind, Namespace, RecordId, Scope, ScopeLevel, Timestamp, Trust,
    Verb, Visibility,
};
use mnemic_recall::predict::Prediction;
use mnemic_store::sqlite::{Guards, SqliteStore};
use mnemic_store::{Screen, Write};
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The operating system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let now = std::time::SystemTime::now();
        let micros = match now.duration_since(std::time::UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
            Err(before) => -i64::try_from(before.duration().as_micros()).unwrap_or(i64::MAX),
        };
        // A clock outside the calendar is a broken clock; the store's own ticks go on from there.
        let epoch = || Timestamp::from_micros(0).expect("1970 is in the calendar");
        Timestamp::from_micros(micros).unwrap_or_else(|_| epoch())
    }
}

/// Which of the two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoreName {
    Project,
    User,
}

impl StoreName {
    pub fn as_str(self) -> &'static str {
        match self {
            StoreName::Project => "project",
            StoreName::User => "user",
        }
    }
}

impl fmt::Display for StoreName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Everything an engine must be told; it looks nothing up by itself.
#[derive(Debug, Clone)]
pub struct Settings {
    pub project: Option<Place>,
    pub user: Option<Place>,
    /// Who acts.
    pub actor: Actor,
    /// Where a memory goes that names no namespace.
    pub namespace: Namespace,
    pub visibility: Visibility,
    /// What turns text into vectors; without it, memories are found by their words.
    pub meaning: Meaning,
    /// Through what they act.
    pub door: Door,
    /// What is replaced before anything is kept.
    pub screen: Arc<Screen>,
    /// What may be asked to read; without it, rules alone do.
    pub language: Option<Arc<Guarded>>,
    pub clock: Arc<dyn Clock>,
    pub random: Arc<dyn Random>,
}

impl Settings {
    pub fn new(project: Option<Place>, user: Option<Place>, actor: Actor) -> Settings {
        Settings {
            project,
            user,
            actor,
            namespace: Namespace::root(),
            visibility: Visibility::Private,
            meaning: Meaning::none(),
            door: Door::Terminal,
            screen: Arc::default(),
            language: None,
            clock: Arc::new(SystemClock),
            random: Arc::new(OsRandom),
        }
    }
}

/// Why something is done, and as part of which change.
#[derive(Debug, Clone, Default)]
pub struct Note {
    pub reason: Option<String>,
    /// Go on with this change, so that several batches are undone together.
    pub change: Option<ChangeId>,
    /// A person stands for what a file says about trust and writers.
    pub vouched: bool,
    /// Bring back what was forgotten: only a person may.
    pub despite_tombstone: bool,
    /// Only if the version that is believed is still this one.
    pub base: Option<u32>,
}

impl Note {
    pub fn because(reason: impl Into<String>) -> Note {
        Note { reason: Some(reason.into()), ..Note::default() }
    }
}

/// One synchronous engine over the project's store and the person's. Safe to share between threads.
#[derive(Debug)]
pub struct Engine {
    pub(crate) settings: Settings,
    pub(crate) project: Option<Arc<SqliteStore>>,
    pub(crate) user: Option<Arc<SqliteStore>>,
    /// What open sessions will probably need next.
    pub(crate) prefetched: Arc<Mutex<HashMap<SessionId, Vec<Prediction>>>>,
}

/// Whether somebody may do this through a door: what is refused is a person's to do.
pub fn require(deed: Deed, door: Door, actor: &Actor, trust: Trust) -> Result<()> {
    match verdict(deed, door, actor.author, trust) {
        Verdict::Allowed | Verdict::Asked => Ok(()),
        Verdict::Refused => Err(Error::new(
            ErrorKind::Denied,
            format!("`{actor}` may not {} here", deed.as_str().replace('_', " ")),
        )
        .hint("only a person can, at a terminal: ask them")),
    }
}

impl Engine {
    /// Opens what exists. A missing store is not an error until something needs it.
    pub fn open(mut settings: Settings) -> Result<Engine> {
        settings.actor.name = settings.screen.text(&settings.actor.name).into_owned();
        let open = |place: &Option<Place>| -> Result<Option<Arc<SqliteStore>>> {
            match place {
                Some(place) if place.is_bereft() => Err(Error::new(
                    ErrorKind::Damaged,
                    format!("the store `{}` is gone from its directory", place.file().display()),
                )
                .hint("mnemic restore --latest")),
                Some(place) if place.exists => {
                    let store = SqliteStore::open(&place.file(), settings.clock.clone())?;
                    Ok(Some(Arc::new(store.behind(settings.screen.clone()))))
                }
                _ => Ok(None),
            }
        };
        Ok(Engine {
            project: open(&settings.project)?,
            user: open(&settings.user)?,
            settings,
            prefetched: Arc::default(),
        })
    }

    /// The same stores with somebody else acting: what it writes carries their name.
    pub fn acting_as(&self, actor: Actor) -> Engine {
        Engine {
            settings: Settings { actor, ..self.settings.clone() },
            project: self.project.clone(),
            user: self.user.clone(),
            prefetched: self.prefetched.clone(),
        }
    }

    /// Makes the project's store if it is missing: directory, ignore file, database. `true` if new.
    pub fn init_project(settings: &mut Settings) -> Result<bool> {
        let place = settings.project.as_mut().ok_or_else(no_project)?;
        make(place, &settings.clock, true)
    }

    /// Makes the person's store if it is missing. `true` if new.
    pub fn init_user(settings: &mut Settings) -> Result<bool> {
        let place = settings.user.as_mut().ok_or_else(no_user)?;
        make(place, &settings.clock, false)
    }

    /// The same through another door.
    pub fn through(mut self, door: Door) -> Engine {
        self.settings.door = door;
        self
    }

    /// The same with another usual namespace.
    pub fn within(mut self, namespace: Namespace) -> Engine {
        self.settings.namespace = namespace;
        self
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Warnings that a person should see once, e.g. that a store is read-only.
    pub fn warnings(&self) -> Vec<String> {
        let shut: Vec<(StoreName, &str)> = self
            .stores()
            .filter_map(|(name, store)| store.read_only_because().map(|why| (name, why)))
            .collect();
        match shut.as_slice() {
            [] => Vec::new(),
            [(name, why)] => vec![format!("the {name} store is read-only: {why}")],
            [(_, why), ..] => vec![format!("both stores are read-only: {why}")],
        }
    }

    /// The open stores, the project's first.
    pub(crate) fn stores(&self) -> impl Iterator<Item = (StoreName, &SqliteStore)> {
        let project = self.project.as_deref().map(|store| (StoreName::Project, store));
        let user = self.user.as_deref().map(|store| (StoreName::User, store));
        project.into_iter().chain(user)
    }

    pub(crate) fn store(&self, name: StoreName) -> Result<&SqliteStore> {
        match name {
            StoreName::Project => self.project.as_deref().ok_or_else(no_project),
            StoreName::User => self.user.as_deref().ok_or_else(no_user),
        }
    }

    /// The store that verbs over a whole file work on when none is named.
    pub fn main_store(&self) -> Result<StoreName> {
        self.stores().next().map(|(name, _)| name).ok_or_else(no_project)
    }

    /// Where a file lies, for messages.
    pub fn path_of(&self, name: StoreName) -> Result<PathBuf> {
        Ok(self.store(name)?.path().to_owned())
    }

    /// Waits until nobody else is writing to a file. Somebody may begin right after it.
    pub fn wait_for_turn(&self, name: StoreName) -> Result<()> {
        drop(self.store(name)?.hold_writers()?);
        Ok(())
    }

    pub(crate) fn home_of(level: ScopeLevel) -> StoreName {
        if level.is_personal() { StoreName::User } else { StoreName::Project }
    }

    /// The scope of a memory that names none: the project's, or the person's outside a project.
    pub(crate) fn usual_scope(&self) -> Scope {
        let level = match (&self.project, &self.user) {
            (None, Some(_)) => ScopeLevel::User,
            _ => ScopeLevel::Project,
        };
        Scope {
            level,
            namespace: self.settings.namespace.clone(),
            visibility: self.settings.visibility,
        }
    }

    /// Refuses what the policy refuses to whoever acts here, and through this door.
    pub(crate) fn require(&self, deed: Deed, trust: Trust) -> Result<()> {
        require(deed, self.settings.door, &self.settings.actor, trust)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.settings.clock.now()
    }

    pub(crate) fn new_id(&self, kind: Kind) -> RecordId {
        RecordId::from_random(kind, self.settings.random.bits())
    }

    /// Begins a change in this transaction, or goes on with the one that the note names.
    pub(crate) fn begin(&self, tx: &mut dyn Write, verb: Verb, note: &Note) -> Result<Change> {
        let change = Change {
            id: note
                .change
                .clone()
                .unwrap_or_else(|| ChangeId::from_random(self.settings.random.bits())),
            at: tx.tick()?,
            actor: self.settings.actor.clone(),
            verb,
            reason: note.reason.clone(),
            undoes: None,
        };
        tx.begin(&change)?;
        Ok(change)
    }
}

fn make(place: &mut Place, clock: &Arc<dyn Clock>, ignored_by_git: bool) -> Result<bool> {
    let new = !place.exists;
    let guards = if ignored_by_git { Guards::IgnoredByGit } else { Guards::Plain };
    SqliteStore::create(&place.file(), clock.clone(), guards)?;
    place.exists = true;
    Ok(new)
}

pub(crate) fn no_project() -> Error {
    Error::new(ErrorKind::NoStore, "there is no project store here")
        .hint("run `mnemic init` in your project")
}

pub(crate) fn no_user() -> Error {
    Error::new(ErrorKind::NoStore, "there is no personal store")
        .hint("set HOME or XDG_DATA_HOME if they are not set, then run `mnemic init --user`")
}
