//! `edit`, `pin`, `confirm`: a new version of the same record.

use super::theirs::{is_theirs, theirs};
use super::{namespace, settle};
use crate::entry::{Screened, Way, doubting, gives_orders};
use crate::{Engine, Error, ErrorKind, Note, Result, StoreName};
use mnemic_model::policy::Deed;
use mnemic_model::{Body, ChangeId, Content, Kind, Patch, RecordId, Trust, Verb, Version};
use mnemic_store::Write;

/// The version that an edit made, or the present one when there was nothing to change.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    pub store: StoreName,
    pub version: Version,
    pub change: ChangeId,
    pub warnings: Vec<String>,
    /// What did not get in as it was.
    pub screened: Screened,
}

impl Engine {
    pub fn edit(&self, id: &str, patch: &Patch, note: &Note) -> Result<Edited> {
        self.patch(id, patch, Verb::Edit, note)
    }

    pub fn pin(&self, id: &str, pinned: bool, note: &Note) -> Result<Edited> {
        self.patch(id, &Patch { pinned: Some(pinned), ..Patch::default() }, Verb::Pin, note)
    }

    /// A person vouches for a memory: from then on it is trusted.
    pub fn confirm(&self, id: &str, note: &Note) -> Result<Edited> {
        let actor = &self.settings.actor;
        if self.require(Deed::Vouch, Trust::Unreviewed).is_err() {
            return Err(Error::new(
                ErrorKind::Denied,
                format!("`{actor}` cannot confirm a memory"),
            )
            .hint(
                "only a person can, at a terminal or with a token made with `--person`: ask them",
            ));
        }
        self.patch(id, &self.vouching(), Verb::Confirm, note)
    }

    /// Refuses an agent's hand on what a person stands for. Blocks are for agents to write in.
    fn refuse_theirs(
        &self,
        tx: &dyn Write,
        old: &Version,
        new: &Content,
        verb: Verb,
    ) -> Result<()> {
        if !matches!(verb, Verb::Edit | Verb::Pin | Verb::File | Verb::Namespace)
            || only_adds_tags(&old.content, new)
            || self.require(Deed::EditTheirs, old.content.trust()).is_ok()
        {
            return Ok(());
        }
        match is_theirs(tx, old)? {
            true => Err(theirs(&old.id, &self.settings.actor)),
            false => Ok(()),
        }
    }

    /// A person who says what is known already vouches for it; the change that noted that.
    pub(super) fn vouch_for(
        &self,
        tx: &mut dyn Write,
        store: StoreName,
        id: &RecordId,
        note: &Note,
    ) -> Result<Option<ChangeId>> {
        let is_trusted = believed(tx, id)?.content.trust() == Trust::Trusted;
        if is_trusted || self.require(Deed::Vouch, Trust::Unreviewed).is_err() {
            return Ok(None);
        }
        let note = Note { change: None, ..note.clone() };
        let edited = self.patch_in(tx, store, id, &self.vouching(), Verb::Confirm, &note)?;
        Ok(Some(edited.change))
    }

    fn vouching(&self) -> Patch {
        Patch {
            trust: Some(Trust::Trusted),
            confirmed_by: Some(Some(self.settings.actor.to_string())),
            ..Patch::default()
        }
    }

    pub(crate) fn patch(&self, id: &str, patch: &Patch, verb: Verb, note: &Note) -> Result<Edited> {
        let (store, id) = self.locate(id)?;
        let mut tx = self.store(store)?.write()?;
        let edited = self.patch_in(tx.as_mut(), store, &id, patch, verb, note)?;
        tx.commit()?;
        self.tend(self.store(store)?);
        Ok(edited)
    }

    /// The same inside a transaction that does more.
    pub(crate) fn patch_in(
        &self,
        tx: &mut dyn Write,
        store: StoreName,
        id: &RecordId,
        patch: &Patch,
        verb: Verb,
        note: &Note,
    ) -> Result<Edited> {
        let old = believed(tx, id)?;
        require_base(&old, note)?;
        let patched = patch.apply(&old.content, &self.settings.actor)?;
        self.refuse_theirs(tx, &old, &patched, verb)?;
        let is_as_it_was = patched.body == old.content.body && patched.tags == old.content.tags
            || only_adds_tags(&old.content, &patched);
        let (mut content, replaced) = self.clean_content(&patched)?;
        let mut screened = Screened { replaced, ..Screened::default() };
        if !self.settings.actor.is_human() && !is_as_it_was {
            // The words are no longer the writer's own.
            content = doubting(content, Way::Found);
            screened = Screened::of(&content, screened.replaced);
        }
        if Engine::home_of(content.scope.level) != store {
            return Err(Error::new(
                ErrorKind::Invalid,
                format!("scope `{}` belongs into the other store", content.scope.level),
            )
            .hint("export it and remember it there with `--scope`; ids are kept"));
        }
        if content == old.content {
            let change = old.change.clone();
            let warnings = vec!["nothing to change".to_owned()];
            return Ok(Edited { store, version: old, change, warnings, screened });
        }
        namespace::require(tx, &content.scope.namespace)?;
        if content.body != old.content.body {
            if old.kind() == Kind::Secret && verb != Verb::VaultPut {
                return Err(Error::new(ErrorKind::Invalid, "a secret is not edited as a memory")
                    .hint("give it a new value with `mnemic vault put NAME`"));
            }
            self.refuse_forgotten(tx, None, &content, note)?;
        }
        let plan = settle::plan(tx, &content, Some(id))?;
        plan.refuse_against_a_person(tx, &self.settings.actor)?;
        let change = self.begin(tx, verb, note)?;
        self.carry_out(tx, &plan, &change.id)?;
        let version = tx.put(id, &plan.content, &change.id)?;
        let (now, before) = (&version.content, &old.content);
        if now.body != before.body || now.valid != before.valid {
            self.queue_after(tx, &change.id, &[version.kind()].into())?;
        }
        let warnings = warnings(&version);
        Ok(Edited { store, version, change: change.id, warnings, screened })
    }
}

/// Whether a change only adds tags, which are anybody's unless they talk to agents.
fn only_adds_tags(old: &Content, new: &Content) -> bool {
    let added = || new.tags.difference(&old.tags).map(String::as_str).collect::<Vec<&str>>();
    new.tags.is_superset(&old.tags)
        && Content { tags: old.tags.clone(), ..new.clone() } == *old
        && !gives_orders(&added().join("\n"))
}

/// The version that the store believes now.
pub(super) fn believed(tx: &dyn Write, id: &RecordId) -> Result<Version> {
    tx.version(id, None)?.ok_or_else(|| {
        Error::new(ErrorKind::NotFound, format!("`{id}` was taken back and is no longer believed"))
            .hint(format!("`mnemic history {id}` shows it; `mnemic undo CHANGE` brings it back"))
    })
}

/// Refuses to go on from a version that the caller has not seen.
pub(super) fn require_base(believed: &Version, note: &Note) -> Result<()> {
    match note.base {
        Some(base) if base != believed.n => Err(Error::new(
            ErrorKind::Stale,
            format!("`{}` is at version {}, not {base}", believed.id, believed.n),
        )
        .hint("look at it again, then say what to change")),
        _ => Ok(()),
    }
}

pub(super) fn warnings(version: &Version) -> Vec<String> {
    match &version.content.body {
        Body::Block(block) if block.is_nearly_full() => vec![format!(
            "block `{}` holds {} of {} characters: tidy it before it is full",
            block.label,
            block.length(),
            block.limit
        )],
        _ => Vec::new(),
    }
}
