//! The vault: secrets are sealed before they are stored, and every look at one is audited first.

use super::remember::Sealed;
use crate::engine::no_user;
use crate::seal::Lock;
use crate::{Engine, Error, ErrorKind, Listed, Note, Result, SecretValue};
use mnemic_model::body::{Body, Secret};
use mnemic_model::policy::Deed;
use mnemic_model::{At, Draft, Filter, Kind, Patch, RecordId, ScopeLevel, Trust, Verb};
use serde_json::json;

impl Engine {
    /// Puts a value in, or a new value under a name that is there.
    pub fn vault_put(
        &self,
        name: &str,
        value: &SecretValue,
        description: Option<String>,
        level: Option<ScopeLevel>,
        note: &Note,
    ) -> Result<RecordId> {
        let lock = Lock::open_or_make(&self.key_dir()?)?;
        let sealed = lock.seal(name, value)?;
        let held = self.vault_list()?.into_iter().find(|held| {
            held.version.content.body.title() == name
                && level.is_none_or(|level| held.version.content.scope.level == level)
        });
        let id = match held {
            Some(held) => {
                let mut patch = Patch::default();
                patch.body.insert("sealed".into(), json!(sealed));
                if let Some(description) = description {
                    patch.body.insert("description".into(), json!(description));
                }
                self.patch(held.version.id.as_str(), &patch, Verb::VaultPut, note)?.version.id
            }
            None => {
                let secret = Secret { name: name.to_owned(), sealed, description };
                let mut draft = Draft::new(Body::Secret(secret));
                draft.about.scope = level;
                self.take_each(vec![draft], note, Sealed::Yes)?
                    .pop()
                    .expect("one draft has one answer")?
                    .id
            }
        };
        Ok(id)
    }

    /// Opens an entry. The look is on the audit chain before the value leaves; where that cannot be
    /// written, the vault stays shut.
    pub fn vault_get(&self, name: &str) -> Result<SecretValue> {
        self.require(Deed::OpenSecret, Trust::Trusted)?;
        let held =
            self.vault_list()?.into_iter().find(|held| held.version.content.body.title() == name);
        let Some(held) = held else {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!("the vault has no entry `{name}`"),
            )
            .hint("`mnemic vault list` shows the names"));
        };
        let Body::Secret(secret) = &held.version.content.body else {
            return Err(Error::new(ErrorKind::Internal, format!("`{name}` is not a secret")));
        };
        let value = Lock::open(&self.key_dir()?)?.open_sealed(name, &secret.sealed)?;
        let mut tx = self.store(held.store)?.write()?;
        tx.audit(&self.settings.actor, Verb::VaultGet, held.version.id.as_str(), None)?;
        tx.commit()?;
        Ok(value)
    }

    /// Names and descriptions; no value.
    pub fn vault_list(&self) -> Result<Vec<Listed>> {
        let filter = Filter { kinds: vec![Kind::Secret], ..Filter::new(At::LATEST) };
        Ok(self.list(&filter)?.items)
    }

    /// The key lies with the person, never with the project: a project's directory is copied, backed
    /// up and shared.
    fn key_dir(&self) -> Result<std::path::PathBuf> {
        let place = self.settings.user.as_ref().ok_or_else(no_user)?;
        Ok(place.dir.clone())
    }
}
