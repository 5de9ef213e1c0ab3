//! `review`: what waits for a person, and what the person says to it.

use crate::{Edited, Engine, Error, ErrorKind, Note, Result, StoreName};
use mnemic_model::policy::Deed;
use mnemic_model::{At, Filter, Kind, Patch, Relation, Tier, Trust, Truth, Verb, Version};

/// Kinds that claim something; episodes and working papers say only what happened.
const CLAIMS: &[Kind] =
    &[Kind::Fact, Kind::Decision, Kind::Pattern, Kind::AntiPattern, Kind::Skill];

/// A memory that waits for a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    pub store: StoreName,
    pub version: Version,
    /// What it took the place of.
    pub replaced: Vec<Version>,
}

impl Engine {
    /// What no person has looked at: quarantined memories first, then claims nobody vouches for,
    /// the newest first. What was rejected is archived and waits no more.
    pub fn review(&self, limit: usize) -> Result<Vec<Waiting>> {
        let held = vec![Tier::Mandate, Tier::Guardrail, Tier::Reference];
        let filter = |trust: Trust, kinds: &[Kind]| Filter {
            kinds: kinds.to_vec(),
            trusts: vec![trust],
            tiers: held.clone(),
            limit,
            ..Filter::new(At { truth: Truth::Now, known: None })
        };
        let mut items = self.list(&filter(Trust::Quarantined, &[]))?.items;
        items.extend(self.list(&filter(Trust::Unreviewed, CLAIMS))?.items);
        items.truncate(limit);
        let waiting = items.into_iter().map(|item| {
            let replaced = self.replaced_by(item.store, &item.version)?;
            Ok(Waiting { store: item.store, version: item.version, replaced })
        });
        waiting.collect()
    }

    /// Vouches for these memories in one change.
    pub fn accept(&self, ids: &[&str], note: &Note) -> Result<Vec<Edited>> {
        self.require_person("accept")?;
        let patch = Patch {
            trust: Some(Trust::Trusted),
            confirmed_by: Some(Some(self.settings.actor.to_string())),
            ..Patch::default()
        };
        self.patch_all(ids, &patch, Verb::Confirm, note)
    }

    /// Archives these memories in one change. They are quarantined as well, so that they surface
    /// nowhere, and stay known, so that no capture finds them again.
    pub fn reject(&self, ids: &[&str], note: &Note) -> Result<Vec<Edited>> {
        self.require_person("reject")?;
        let patch = Patch {
            trust: Some(Trust::Quarantined),
            tier: Some(Tier::Archive),
            ..Patch::default()
        };
        self.patch_all(ids, &patch, Verb::Edit, note)
    }

    fn require_person(&self, doing: &str) -> Result<()> {
        let actor = &self.settings.actor;
        if self.require(Deed::Vouch, Trust::Unreviewed).is_ok() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Denied,
            format!("`{actor}` cannot {doing} what waits for a person"),
        )
        .hint("only a person can, at a terminal or with a token made with `--person`: ask them"))
    }

    /// All of them or none, in each store.
    fn patch_all(
        &self,
        ids: &[&str],
        patch: &Patch,
        verb: Verb,
        note: &Note,
    ) -> Result<Vec<Edited>> {
        let change = note.change.clone().unwrap_or_else(|| self.new_change_id());
        let note = Note { change: Some(change), ..note.clone() };
        let found: Vec<_> = ids.iter().map(|id| self.locate(id)).collect::<Result<_>>()?;
        let mut edited = Vec::new();
        for store in [StoreName::Project, StoreName::User] {
            let here: Vec<_> = found.iter().filter(|(home, _)| *home == store).collect();
            if here.is_empty() {
                continue;
            }
            let mut tx = self.store(store)?.write()?;
            for (_, id) in here {
                edited.push(self.patch_in(tx.as_mut(), store, id, patch, verb, &note)?);
            }
            tx.commit()?;
        }
        Ok(edited)
    }

    fn replaced_by(&self, store: StoreName, version: &Version) -> Result<Vec<Version>> {
        let read = self.store(store)?.read()?;
        let mut replaced = Vec::new();
        for link in read.links(&version.id, At::LATEST)? {
            if link.relation == Relation::Supersedes && link.from == version.id {
                replaced.extend(read.version(&link.to, None)?);
            }
        }
        Ok(replaced)
    }
}
