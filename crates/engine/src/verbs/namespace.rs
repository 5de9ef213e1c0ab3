//! Namespaces: partitions of a store that inherit what their parents know.

use super::settle;
use super::theirs::{is_theirs, theirs};
use crate::{Engine, Error, ErrorKind, Note, Result, StoreName};
use mnemic_model::body::{Body, NamespaceBody};
use mnemic_model::{
    At, Draft, Filter, Kind, Namespace, Patch, RecordId, Relation, Scope, ScopeLevel, Slot, Trust,
    Unit, Verb, Version,
};
use mnemic_store::{Read, Write};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamespaceView {
    pub store: StoreName,
    pub name: Namespace,
    pub parent: Option<Namespace>,
    pub description: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamespaceStats {
    pub store: StoreName,
    pub name: String,
    pub memories: u64,
}

impl Engine {
    pub fn namespaces(&self) -> Result<Vec<NamespaceView>> {
        let mut views = Vec::new();
        for (store, sqlite) in self.stores() {
            let read = sqlite.read()?;
            views.extend(declared(read.as_ref())?.into_iter().map(|(_, body)| NamespaceView {
                store,
                name: body.name,
                parent: body.parent,
                description: body.description,
            }));
        }
        views.sort_by(|a, b| (a.store, &a.name).cmp(&(b.store, &b.name)));
        Ok(views)
    }

    pub fn namespace_create(
        &self,
        name: &Namespace,
        parent: Option<&Namespace>,
        description: Option<String>,
        note: &Note,
    ) -> Result<RecordId> {
        if name.is_root() {
            return Err(Error::new(ErrorKind::Conflict, "the namespace `default` is always there")
                .hint("choose another name"));
        }
        // Names that were once taken can still be read; new ones have no parts that lead elsewhere.
        if name.as_str().split('/').any(|part| part.chars().all(|c| c == '.')) {
            let odd = format!("`{name}` has a part without a name");
            return Err(
                Error::new(ErrorKind::Invalid, odd).hint("name every part, as in `team/web`")
            );
        }
        if let Some(parent) = parent {
            let read = self.store(self.main_store()?)?.read()?;
            require(read.as_ref(), parent)?;
        }
        let mut draft = Draft::new(Body::Namespace(NamespaceBody {
            name: name.clone(),
            parent: parent.filter(|parent| !parent.is_root()).cloned(),
            description,
        }));
        draft.about.namespace = Some(Namespace::root());
        Ok(self.remember(draft, note)?.id)
    }

    /// Takes an empty namespace away.
    pub fn namespace_delete(&self, name: &Namespace, note: &Note) -> Result<()> {
        let (store, id) = self.declared_in(name)?;
        let mut tx = self.store(store)?.write()?;
        let held = inside(tx.as_ref(), name)?.len();
        if held > 0 {
            return Err(Error::new(ErrorKind::Conflict, format!("`{name}` holds {held} memories"))
                .hint(format!("move them first: `mnemic namespace merge {name} default`")));
        }
        if let Some((_, child)) =
            declared(tx.as_ref())?.into_iter().find(|(_, body)| body.parent.as_ref() == Some(name))
        {
            return Err(Error::new(
                ErrorKind::Conflict,
                format!("`{}` inherits from `{name}`", child.name),
            )
            .hint(format!("delete `{}` first", child.name)));
        }
        let change = self.begin(tx.as_mut(), Verb::Namespace, note)?;
        self.refuse_declared(tx.as_ref(), &id)?;
        tx.retract(&id, &change.id)?;
        Ok(tx.commit()?)
    }

    /// What a person declared is not an agent's to take away.
    fn refuse_declared(&self, tx: &dyn Write, id: &RecordId) -> Result<()> {
        let actor = &self.settings.actor;
        match tx.version(id, None)? {
            Some(version) if !actor.is_human() && is_theirs(tx, &version)? => {
                Err(theirs(id, actor))
            }
            _ => Ok(()),
        }
    }

    /// Copies every memory of one namespace into another; how many.
    pub fn namespace_copy(&self, from: &Namespace, to: &Namespace, note: &Note) -> Result<usize> {
        let store = self.main_store()?;
        let mut tx = self.store(store)?.write()?;
        require(tx.as_ref(), from)?;
        require(tx.as_ref(), to)?;
        let change = self.begin(tx.as_mut(), Verb::Namespace, note)?;
        let originals = inside(tx.as_ref(), from)?;
        for original in &originals {
            let mut content = original.content.clone();
            content.scope.namespace = to.clone();
            let plan = settle::plan(tx.as_ref(), &content, None)?;
            plan.refuse_against_a_person(tx.as_ref(), &self.settings.actor)?;
            self.carry_out(tx.as_mut(), &plan, &change.id)?;
            let copy = tx.put(&self.new_id(content.kind()), &plan.content, &change.id)?;
            super::link::connect(
                tx.as_mut(),
                &copy,
                Relation::DerivedFrom,
                &original.id,
                Unit::ONE,
                &change.id,
            )?;
        }
        tx.commit()?;
        Ok(originals.len())
    }

    /// Moves every memory of one namespace into another and takes the empty one away; how many.
    pub fn namespace_merge(&self, from: &Namespace, to: &Namespace, note: &Note) -> Result<usize> {
        if from == to {
            return Err(Error::new(ErrorKind::Invalid, format!("`{from}` is already itself"))
                .hint("name two different namespaces"));
        }
        let store = self.main_store()?;
        let mut tx = self.store(store)?.write()?;
        require(tx.as_ref(), from)?;
        require(tx.as_ref(), to)?;
        let change = self.begin(tx.as_mut(), Verb::Namespace, note)?;
        let note = Note { change: Some(change.id.clone()), ..note.clone() };
        let moved = inside(tx.as_ref(), from)?;
        let patch = Patch { namespace: Some(to.clone()), ..Patch::default() };
        for version in &moved {
            self.patch_in(tx.as_mut(), store, &version.id, &patch, Verb::Namespace, &note)?;
        }
        if !from.is_root() {
            let known = declared(tx.as_ref())?;
            if let Some((id, _)) = known.into_iter().find(|(_, body)| body.name == *from) {
                self.refuse_declared(tx.as_ref(), &id)?;
                tx.retract(&id, &change.id)?;
            }
        }
        tx.commit()?;
        Ok(moved.len())
    }

    pub fn namespace_stats(&self) -> Result<Vec<NamespaceStats>> {
        let mut stats = Vec::new();
        for (store, sqlite) in self.stores() {
            let census = sqlite.read()?.census(At::LATEST)?;
            stats.extend(census.namespaces.into_iter().map(|(name, memories)| NamespaceStats {
                store,
                name,
                memories,
            }));
        }
        Ok(stats)
    }

    /// The namespace that questions are asked in must be declared somewhere.
    pub(super) fn require_namespace(&self) -> Result<()> {
        let name = &self.settings.namespace;
        let mut known = name.is_root();
        for (_, store) in self.stores() {
            known = known || require(store.read()?.as_ref(), name).is_ok();
        }
        if known { Ok(()) } else { Err(unknown(name)) }
    }

    fn declared_in(&self, name: &Namespace) -> Result<(StoreName, RecordId)> {
        for (store, sqlite) in self.stores() {
            let known = declared(sqlite.read()?.as_ref())?;
            if let Some((id, _)) = known.into_iter().find(|(_, body)| body.name == *name) {
                return Ok((store, id));
            }
        }
        Err(unknown(name))
    }
}

/// Every namespace that a store declares.
fn declared(read: &dyn Read) -> Result<Vec<(RecordId, NamespaceBody)>> {
    let filter = Filter { kinds: vec![Kind::Namespace], ..Filter::new(At::LATEST) };
    Ok(read
        .list(&filter)?
        .into_iter()
        .filter_map(|version| {
            let is_withheld = version.content.trust() == Trust::Quarantined;
            match version.content.body {
                // Its name is used all the same; what is said of it waits for a person.
                Body::Namespace(body) if is_withheld => {
                    Some((version.id, NamespaceBody { description: None, ..body }))
                }
                Body::Namespace(body) => Some((version.id, body)),
                _ => None,
            }
        })
        .collect())
}

/// What is believed in one namespace, oldest first, its parents left out.
fn inside(tx: &dyn Write, name: &Namespace) -> Result<Vec<Version>> {
    let kinds = Kind::ALL.iter().copied().filter(|kind| *kind != Kind::Namespace).collect();
    let filter = Filter { kinds, namespaces: vec![name.clone()], ..Filter::new(At::LATEST) };
    let mut found = tx.list(&filter)?;
    found.reverse();
    Ok(found)
}

/// A namespace with its parents up to the root.
pub(super) fn lineage(read: &dyn Read, name: &Namespace) -> Result<Vec<Namespace>> {
    let mut line = vec![name.clone()];
    if name.is_root() {
        return Ok(line);
    }
    let known = declared(read)?;
    let mut next = Some(name.clone());
    while let Some(child) = next {
        next = known
            .iter()
            .find(|(_, body)| body.name == child)
            .and_then(|(_, body)| body.parent.clone())
            // A circle cannot be declared, but it could be imported.
            .filter(|parent| !line.contains(parent));
        line.extend(next.clone());
    }
    line.push(Namespace::root());
    Ok(line)
}

/// A namespace must be declared before it is used: a typing error must not hide a memory.
pub(super) fn require(read: &dyn Read, name: &Namespace) -> Result<()> {
    if name.is_root() {
        return Ok(());
    }
    let slot = Slot::of(Kind::Namespace, [name.as_str()]);
    let now = read.now()?;
    for level in [ScopeLevel::Project, ScopeLevel::User] {
        if !read.holders(&slot, &Scope::private(level), now)?.is_empty() {
            return Ok(());
        }
    }
    Err(unknown(name))
}

fn unknown(name: &Namespace) -> Error {
    Error::new(ErrorKind::NotFound, format!("there is no namespace `{name}`"))
        .hint(format!("make it with `mnemic namespace create {name}`"))
}
