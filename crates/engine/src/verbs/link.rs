//! `link` and `unlink`.

use super::edit::believed;
use crate::{Engine, Error, ErrorKind, Note, Result, StoreName};
use mnemic_model::{At, ChangeId, Interval, Link, RecordId, Relation, Unit, Verb, Version};
use mnemic_store::{NewLink, Write};

impl Engine {
    pub fn link(
        &self,
        from: &str,
        relation: Relation,
        to: &str,
        strength: Unit,
        note: &Note,
    ) -> Result<Link> {
        let (store, from, to) = self.ends(from, to)?;
        let mut tx = self.store(store)?.write()?;
        believed(tx.as_ref(), &from)?;
        believed(tx.as_ref(), &to)?;
        // The same link once more is not a change.
        let same = tx.links(&from, At::LATEST)?.into_iter().find(|link| {
            link.from == from
                && link.to == to
                && link.relation == relation
                && link.strength == strength
        });
        if let Some(same) = same {
            return Ok(same);
        }
        let change = self.begin(tx.as_mut(), Verb::Link, note)?;
        let valid = Interval::since(change.at);
        let link = tx.connect(&NewLink { from, to, relation, strength, valid }, &change.id)?;
        tx.commit()?;
        Ok(link)
    }

    pub fn unlink(&self, from: &str, relation: Relation, to: &str, note: &Note) -> Result<()> {
        let (store, from, to) = self.ends(from, to)?;
        let mut tx = self.store(store)?.write()?;
        self.refuse_their_link(tx.as_ref(), &from, relation, &to)?;
        let change = self.begin(tx.as_mut(), Verb::Unlink, note)?;
        if !tx.disconnect(&from, relation, &to, &change.id)? {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!("`{from}` is not linked to `{to}` as `{relation}`"),
            )
            .hint(format!("`mnemic show {from}` lists its links")));
        }
        Ok(tx.commit()?)
    }

    /// What a person linked stays linked unless a person says otherwise.
    fn refuse_their_link(
        &self,
        tx: &dyn Write,
        from: &RecordId,
        relation: Relation,
        to: &RecordId,
    ) -> Result<()> {
        let actor = &self.settings.actor;
        if actor.is_human() {
            return Ok(());
        }
        let is_it = |link: &Link| (&link.from, link.relation, &link.to) == (from, relation, to);
        let Some(link) = tx.links(from, At::LATEST)?.into_iter().find(is_it) else { return Ok(()) };
        if tx.change(&link.change)?.is_none_or(|change| !change.actor.is_human()) {
            return Ok(());
        }
        let denied = format!("a person linked `{from}` to `{to}`, and `{actor}` cannot part them");
        Err(Error::new(ErrorKind::Denied, denied)
            .hint("tell the person; `mnemic unlink` is theirs"))
    }

    fn ends(&self, from: &str, to: &str) -> Result<(StoreName, RecordId, RecordId)> {
        let (store, from) = self.locate(from)?;
        let (other, to) = self.locate(to)?;
        if from == to {
            return Err(Error::new(
                ErrorKind::Invalid,
                format!("`{from}` cannot be linked to itself"),
            )
            .hint("name two different memories"));
        }
        if store != other {
            return Err(Error::new(
                ErrorKind::Invalid,
                format!("`{from}` is in the {store} store and `{to}` in the {other} store"),
            )
            .hint("links do not cross stores: remember a copy on this side first"));
        }
        Ok((store, from, to))
    }
}

/// Links a version that was just written to another record.
pub(super) fn connect(
    tx: &mut dyn Write,
    from: &Version,
    relation: Relation,
    to: &RecordId,
    strength: Unit,
    change: &ChangeId,
) -> Result<()> {
    let link = NewLink {
        from: from.id.clone(),
        to: to.clone(),
        relation,
        strength,
        valid: Interval::since(from.recorded.from()),
    };
    tx.connect(&link, change)?;
    Ok(())
}
