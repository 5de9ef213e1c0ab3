//! Which record is meant: by its id, by the beginning of one, by what a context cites it as, or by the
//! key of a fact.

use crate::engine::no_project;
use crate::{Engine, Error, ErrorKind, Result, StoreName};
use mnemic_model::{Kind, RecordId, Scope, ScopeLevel, Slot, Timestamp};
use mnemic_recall::context::{as_citation, is_cited_as};
use std::cmp::Reverse;

impl Engine {
    /// The record that an id, or the unique beginning of one, names: the project's first.
    pub(crate) fn locate(&self, name: &str) -> Result<(StoreName, RecordId)> {
        self.by_id(name)?.map_or_else(|| Err(self.not_found(name)), Ok)
    }

    fn by_id(&self, name: &str) -> Result<Option<(StoreName, RecordId)>> {
        let mut candidates = Vec::new();
        for (store, sqlite) in self.stores() {
            let found = sqlite.read()?.ids_starting_with(name, 6)?;
            if let Some(exact) = found.iter().find(|id| id.as_str() == name) {
                return Ok(Some((store, exact.clone())));
            }
            candidates.extend(found.into_iter().map(|id| (store, id)));
        }
        if candidates.is_empty() {
            candidates = self.cited_as(name)?;
        }
        match candidates.as_slice() {
            [only] => Ok(Some(only.clone())),
            [] => Ok(None),
            several => {
                let some: Vec<&str> = several.iter().take(5).map(|(_, id)| id.as_str()).collect();
                Err(Error::new(ErrorKind::Conflict, format!("`{name}` means more than one memory"))
                    .hint(format!("write more of it: {}", some.join(", "))))
            }
        }
    }

    /// The records that a context cites by these digits. All ids are looked through: nothing else knows
    /// them, and nobody asks for many.
    fn cited_as(&self, name: &str) -> Result<Vec<(StoreName, RecordId)>> {
        let Some(digits) = as_citation(name) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for (store, sqlite) in self.stores() {
            let ids = sqlite.read()?.ids_starting_with("", usize::MAX)?;
            let meant = ids.into_iter().filter(|id| is_cited_as(id, digits));
            found.extend(meant.map(|id| (store, id)));
        }
        Ok(found)
    }

    /// Says also when there was one, and when it is a key that was named.
    fn not_found(&self, name: &str) -> Error {
        if self.stores().next().is_none() {
            return no_project();
        }
        let buried = self.stores().any(|(_, store)| {
            let tombstones = store.read().and_then(|read| read.tombstones()).unwrap_or_default();
            tombstones.iter().any(|stone| stone.id.as_str() == name)
        });
        if buried {
            return Error::new(ErrorKind::Forgotten, format!("`{name}` was forgotten on request"))
                .hint("its tombstone is all that is left; `mnemic history` cannot bring it back");
        }
        if let Some((_, fact)) = self.under_key(name).unwrap_or_default().first() {
            return Error::new(ErrorKind::NotFound, format!("`{name}` is a key, not an id"))
                .hint(format!("name the memory that holds it: {fact}"));
        }
        Error::new(ErrorKind::NotFound, format!("there is no memory `{name}`"))
            .hint("`mnemic list` shows what there is; the beginning of an id is enough")
    }

    /// For reading alone, by a fact's key as well: the fact that holds it. What changes something
    /// names a record, for several may hold a key, in scopes of their own.
    pub(crate) fn locate_named(&self, name: &str) -> Result<(StoreName, RecordId)> {
        Ok(self.locate_all(name)?.swap_remove(0))
    }

    /// The record of this id, or every record that holds or held this key: the present one first.
    /// An id stands for itself; the beginning of one gives way to a key.
    pub(crate) fn locate_all(&self, name: &str) -> Result<Vec<(StoreName, RecordId)>> {
        let found = self.by_id(name);
        if let Ok(Some(found)) = &found
            && found.1.as_str() == name
        {
            return Ok(vec![found.clone()]);
        }
        match self.under_key(name)? {
            none if none.is_empty() => Ok(vec![found?.ok_or_else(|| self.not_found(name))?]),
            facts => Ok(facts),
        }
    }

    /// Of the first store that knows the key, what holds now first, then what began last.
    fn under_key(&self, key: &str) -> Result<Vec<(StoreName, RecordId)>> {
        let slot = Slot::of(Kind::Fact, [key]);
        let usual = self.usual_scope();
        for (store, sqlite) in self.stores() {
            let read = sqlite.read()?;
            let now = read.now()?;
            let mut facts = Vec::new();
            for &level in ScopeLevel::ALL {
                let scope = Scope { level, ..usual.clone() };
                facts.extend(read.holders(&slot, &scope, Timestamp::EPOCH)?);
            }
            facts.sort_by_key(|fact| {
                let is_elsewhere = fact.content.scope.level != usual.level;
                (!fact.is_valid(now), is_elsewhere, Reverse(fact.content.valid.from()))
            });
            if !facts.is_empty() {
                return Ok(facts.into_iter().map(|fact| (store, fact.id)).collect());
            }
        }
        Ok(Vec::new())
    }
}
