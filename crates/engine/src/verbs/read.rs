//! The reading verbs: `show`, `list`, `history`, `changes`, `audit`, `stats`.

use super::cursor::Cursor;
use crate::{Engine, Error, ErrorKind, Levels, Result, StoreName};
use mnemic_model::audit::AuditEntry;
use mnemic_model::{
    At, Change, ChangeId, Filter, Kind, Link, RecordId, Timestamp, Tombstone, Truth, Usage, Version,
};
use mnemic_store::{Census, Read};

/// One record with all that is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    pub store: StoreName,
    pub version: Version,
    /// The change that made this version.
    pub change: Change,
    pub levels: Levels,
    pub links: Vec<Link>,
    pub usage: Usage,
    /// Whether it was true at the time asked about, or is true now.
    pub valid: bool,
    /// How many versions there are in all.
    pub versions: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub store: StoreName,
    pub version: Version,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub items: Vec<Listed>,
    /// Where what follows begins.
    pub next: Option<Cursor>,
}

/// A version and why it came to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub store: StoreName,
    pub version: Version,
    pub change: Change,
}

impl Engine {
    /// What the store believes of a record, or believed at `at.known`.
    pub fn show(&self, id: &str, at: At) -> Result<Shown> {
        let (store, id) = self.locate_named(id)?;
        let read = self.store(store)?.read()?;
        let versions = read.versions(&id)?;
        let seen = versions.iter().find(|version| match at.known {
            None => version.is_current(),
            Some(known) => version.recorded.contains(known),
        });
        let version = match seen {
            Some(version) => version.clone(),
            None => return Err(not_believed(&id, &versions, at)),
        };
        let point = match at.truth {
            Truth::At(point) => point,
            Truth::Whenever | Truth::Now => read.now()?,
        };
        Ok(Shown {
            store,
            change: change_of(read.as_ref(), &version)?,
            levels: Levels::of(&version.content),
            links: read.links(&id, At { truth: Truth::Whenever, known: at.known })?,
            usage: read.usage(&id)?,
            valid: version.is_valid(point),
            versions: u32::try_from(versions.len()).unwrap_or(u32::MAX),
            version,
        })
    }

    /// Records of all open stores that pass the filter, the project's first. Without kinds it is
    /// memories alone; without namespaces it is the usual one with its parents.
    pub fn list(&self, filter: &Filter) -> Result<Page> {
        self.list_from(None, filter)
    }

    /// The page of [`Engine::list`] that begins at a cursor.
    pub fn list_from(&self, cursor: Option<Cursor>, filter: &Filter) -> Result<Page> {
        if self.stores().next().is_none() {
            return Err(crate::engine::no_project());
        }
        self.require_namespace()?;
        let mut filter = filter.clone();
        if filter.kinds.is_empty() {
            filter.kinds = Kind::ALL.iter().copied().filter(|kind| kind.is_memory()).collect();
        }
        let wanted = filter.limit;
        let mut items = Vec::new();
        let (mut last, mut next) = (None, None);
        let behind = |store| cursor.is_some_and(|cursor| cursor.store > store);
        for (store, sqlite) in self.stores().filter(|(store, _)| !behind(*store)) {
            let read = sqlite.read()?;
            let mut filter = filter.clone();
            filter.after = cursor.filter(|cursor| cursor.store == store).map(|cursor| cursor.end);
            if filter.namespaces.is_empty() {
                filter.namespaces =
                    super::namespace::lineage(read.as_ref(), &self.settings.namespace)?;
            }
            let room = wanted.saturating_sub(items.len());
            filter.limit = room.saturating_add(1);
            let mut found = read.list(&filter)?;
            let more = found.len() > room;
            found.truncate(room);
            if let Some(version) = found.last() {
                last = read.page_end(version)?.map(|end| Cursor { store, end });
            }
            items.extend(found.into_iter().map(|version| Listed { store, version }));
            if more {
                next = last;
                break;
            }
        }
        Ok(Page { items, next })
    }

    /// Every version of a record, or of all that held a key, up to `known`, oldest first.
    pub fn history(&self, name: &str, known: Option<Timestamp>) -> Result<Vec<Event>> {
        let mut events = Vec::new();
        for (store, id) in self.locate_all(name)? {
            let read = self.store(store)?.read()?;
            let versions = read.versions(&id)?.into_iter();
            let told = versions
                .filter(|version| known.is_none_or(|known| version.recorded.from() <= known));
            for version in told {
                let change = change_of(read.as_ref(), &version)?;
                events.push(Event { store, version, change });
            }
        }
        events.sort_by_key(|event| event.version.recorded.from());
        Ok(events)
    }

    /// The latest changes of all open stores, newest first.
    pub fn changes(&self, limit: usize) -> Result<Vec<(StoreName, Change)>> {
        let mut all = Vec::new();
        for (store, sqlite) in self.stores() {
            let changes = sqlite.read()?.changes(limit)?;
            all.extend(changes.into_iter().map(|change| (store, change)));
        }
        all.sort_by_key(|(_, change)| std::cmp::Reverse(change.at));
        all.truncate(limit);
        Ok(all)
    }

    /// What was forgotten last, the newest first, each once: nothing is left of it but its id.
    pub fn forgotten(&self, limit: usize) -> Result<Vec<(StoreName, Tombstone)>> {
        let mut all = Vec::new();
        for (store, sqlite) in self.stores() {
            // One for each text that it ever had.
            let mut stones = sqlite.read()?.tombstones()?;
            stones.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.id.cmp(&b.id)));
            stones.dedup_by(|a, b| a.id == b.id && a.at == b.at);
            all.extend(stones.into_iter().map(|stone| (store, stone)));
        }
        all.sort_by_key(|(_, stone)| std::cmp::Reverse(stone.at));
        all.truncate(limit);
        Ok(all)
    }

    /// Some of the records that a change made versions of.
    pub fn records_of(
        &self,
        store: StoreName,
        change: &ChangeId,
        limit: usize,
    ) -> Result<Vec<RecordId>> {
        Ok(self.store(store)?.read()?.records_of(change, limit)?)
    }

    pub fn audit(&self, store: StoreName, after: u64, limit: usize) -> Result<Vec<AuditEntry>> {
        Ok(self.store(store)?.read()?.audit_entries(after, limit)?)
    }

    /// The number of the newest entry of the audit chain; 0 before the first.
    pub fn last_audit(&self, store: StoreName) -> Result<u64> {
        Ok(self.store(store)?.read()?.last_audit()?.map_or(0, |entry| entry.seq))
    }

    /// The open stores, the project's first.
    pub fn store_names(&self) -> Vec<StoreName> {
        self.stores().map(|(name, _)| name).collect()
    }

    pub fn stats(&self, store: StoreName, at: At) -> Result<Census> {
        Ok(self.store(store)?.read()?.census(at)?)
    }
}

fn change_of(read: &dyn Read, version: &Version) -> Result<Change> {
    read.change(&version.change)?.ok_or_else(|| {
        Error::new(
            ErrorKind::Damaged,
            format!("the change `{}` that made `{}` is missing", version.change, version.id),
        )
        .hint("run `mnemic verify`")
    })
}

fn not_believed(id: &RecordId, versions: &[Version], at: At) -> Error {
    let message = match at.known {
        Some(known) if versions.first().is_some_and(|first| first.recorded.from() > known) => {
            format!("`{id}` was not known at {known}")
        }
        Some(known) => format!("`{id}` was not believed at {known}"),
        None => format!("`{id}` was taken back and is no longer believed"),
    };
    Error::new(ErrorKind::NotFound, message)
        .hint(format!("`mnemic history {id}` shows every version"))
}
