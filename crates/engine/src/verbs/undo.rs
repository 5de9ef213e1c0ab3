//! `undo`: takes a change back as a change of its own, so that it can be undone in turn.

use super::revive::revive;
use crate::{Engine, Error, ErrorKind, Note, Result, StoreName};
use mnemic_model::policy::Deed;
use mnemic_model::{
    Change, ChangeId, Content, Link, RecordId, Relation, Trust, Usage, Verb, Version,
};
use mnemic_store::{NewLink, Read, Touched, Write};
use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    pub undone: ChangeId,
    /// The change that did it; undo that to have everything back.
    pub change: ChangeId,
    pub store: StoreName,
    pub restored: Vec<RecordId>,
    pub retracted: Vec<RecordId>,
    pub links: usize,
}

impl Engine {
    /// Takes back the named change, or the latest that was neither undone nor an undo itself.
    pub fn undo(&self, change: Option<&ChangeId>, note: &Note) -> Result<Undone> {
        let (store, change) = match change {
            Some(id) => self.find_change(id)?,
            None => self.latest_change()?,
        };
        let mut tx = self.store(store)?.write()?;
        let touched = tx.touched(&change.id)?;
        refuse_what_cannot(tx.as_ref(), &change, &touched)?;
        if is_a_persons(&change) && self.require(Deed::EditTheirs, Trust::Trusted).is_err() {
            let denied = format!("`{}` is what a person did", change.id);
            return Err(Error::new(ErrorKind::Denied, denied)
                .hint(format!("ask them; at a terminal it is `mnemic undo {}`", change.id)));
        }
        let mut undoing = Change {
            id: self.new_change_id(),
            at: tx.tick()?,
            actor: self.settings.actor.clone(),
            verb: Verb::Undo,
            reason: note.reason.clone(),
            undoes: Some(change.id.clone()),
        };
        undoing.reason.get_or_insert_with(|| format!("undo {} ({})", change.id, change.verb));
        tx.begin(&undoing)?;
        let (mut restored, retracted) = take_back(tx.as_mut(), &change, &touched, &undoing)?;
        let links = take_back_links(tx.as_mut(), &change, &touched, &undoing.id)?;
        if is_of_consolidation(tx.as_ref(), &change)? {
            take_back_counts(tx.as_mut(), &touched)?;
        }
        super::merge::take_back_usage(tx.as_mut(), &change)?;
        restored.extend(revive(tx.as_mut(), &retracted, &undoing.id)?);
        tx.commit()?;
        self.tend(self.store(store)?);
        Ok(Undone { undone: change.id, change: undoing.id, store, restored, retracted, links })
    }

    fn find_change(&self, id: &ChangeId) -> Result<(StoreName, Change)> {
        for (store, sqlite) in self.stores() {
            if let Some(change) = sqlite.read()?.change(id)? {
                return Ok((store, change));
            }
        }
        Err(Error::new(ErrorKind::NotFound, format!("there is no change `{id}`"))
            .hint("`mnemic changes` lists them"))
    }

    fn latest_change(&self) -> Result<(StoreName, Change)> {
        // A person's own store is shared by all projects: what was done there is named, not guessed.
        let store = self.main_store()?;
        let read = self.store(store)?.read()?;
        let changes = read.changes(1_000)?;
        // Whoever may not take a person's change back means their own.
        let may_all = self.require(Deed::EditTheirs, Trust::Trusted).is_ok();
        let may = |change: &Change| may_all || !is_a_persons(change);
        let meant = latest_that_can(read.as_ref(), &changes, &may)?;
        if let Some(last) = read.last_audit()?
            && let Some(erased) = erasing(last.verb)
            && changes.first().is_none_or(|change| last.at > change.at)
        {
            let hint = match &meant {
                Some(change) => format!(
                    "the change before it is `{}` ({}): `mnemic undo {}` takes that back",
                    change.id, change.verb, change.id
                ),
                None => "`mnemic changes` lists what was done before".to_owned(),
            };
            let what = format!("the last thing done was {erased}, which cannot be undone");
            return Err(Error::new(ErrorKind::Conflict, what).hint(hint));
        }
        let change = meant.ok_or_else(|| {
            Error::new(ErrorKind::NotFound, "there is nothing to undo")
                .hint("`mnemic changes` lists what was done")
        })?;
        Ok((store, change))
    }
}

/// What leaves nothing to take back: whoever says `undo` after it means it, and nothing older.
fn erasing(verb: Verb) -> Option<&'static str> {
    match verb {
        Verb::Forget => Some("forgetting"),
        Verb::Redact => Some("redaction"),
        _ => None,
    }
}

/// Of changes, the newest first, the first that may be undone and was neither undone nor an undo
/// itself.
fn latest_that_can(
    read: &dyn Read,
    changes: &[Change],
    may: &dyn Fn(&Change) -> bool,
) -> Result<Option<Change>> {
    // An undo that was itself undone takes nothing back.
    let mut undone = BTreeSet::new();
    for change in changes {
        if undone.contains(&change.id) {
            continue;
        }
        match &change.undoes {
            Some(earlier) => undone.insert(earlier),
            // Nothing came of it, or all of it was forgotten: the one before is meant.
            None if !may(change) || is_nothing(&read.touched(&change.id)?) => continue,
            None => return Ok(Some(change.clone())),
        };
    }
    Ok(None)
}

/// Only what a change left as it is can be taken back without losing what came later.
fn refuse_what_cannot(tx: &dyn Write, change: &Change, touched: &Touched) -> Result<()> {
    if change.verb == Verb::Forget {
        return Err(Error::new(ErrorKind::Conflict, "forgetting cannot be undone")
            .hint("what was forgotten is gone everywhere; remember it anew"));
    }
    if is_nothing(touched) {
        return Err(Error::new(
            ErrorKind::Conflict,
            format!("nothing of `{}` is left to undo", change.id),
        )
        .hint("what it touched was forgotten since, or nothing came of it"));
    }
    let mut later = BTreeSet::new();
    for id in records(touched) {
        // What counts is what is believed, not who said it last: an undo on the way back to here
        // left the same content under another change.
        let made = touched.made.iter().chain(&touched.arrived);
        let left = made.filter(|version| version.id == id).max_by_key(|version| version.n);
        let now = tx.version(&id, None)?;
        let arrived = touched.arrived.iter().any(|version| version.id == id);
        if arrived && now.is_none() {
            continue; // It came as history alone, or is gone already: nothing to take back.
        }
        if left.map(|version| &version.content) != now.as_ref().map(|version| &version.content) {
            later.insert(id);
        }
    }
    if later.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = later.iter().take(5).map(RecordId::as_str).collect();
    Err(Error::new(
        ErrorKind::Conflict,
        format!("{} of its memories were changed since: {}", later.len(), ids.join(", ")),
    )
    .hint("undo the later changes first; `mnemic history ID` shows them"))
}

/// Whether a person said or did it themselves. A consolidation is nobody's word, whoever began it.
fn is_a_persons(change: &Change) -> bool {
    change.actor.is_human() && change.verb != Verb::Consolidate
}

fn is_nothing(touched: &Touched) -> bool {
    records(touched).is_empty() && touched.links_made.is_empty() && touched.links_ended.is_empty()
}

fn records(touched: &Touched) -> BTreeSet<RecordId> {
    let all = touched.made.iter().chain(&touched.ended).chain(&touched.arrived);
    all.map(|version| version.id.clone()).collect()
}

fn take_back(
    tx: &mut dyn Write,
    change: &Change,
    touched: &Touched,
    undoing: &Change,
) -> Result<(Vec<RecordId>, Vec<RecordId>)> {
    // Before the change, a record was what the change ended and had not made itself.
    let mut before: Vec<(RecordId, Content)> = touched
        .ended
        .iter()
        .filter(|version| version.change != change.id && was_here(version, change, touched))
        .map(|version| (version.id.clone(), version.content.clone()))
        .collect();
    // Taking a person's doubt back is for a person.
    for (id, content) in before.iter_mut().filter(|_| !undoing.actor.is_human()) {
        let now = tx.version(id, None)?.map(|version| version.content.trust());
        content.provenance.trust = content.trust().max(now.unwrap_or(content.trust()));
        *content = content.clone().without_authority();
    }
    let all = records(touched);
    // All of it goes before anything comes back: slots must be free by then.
    for id in &all {
        tx.retract(id, &undoing.id)?;
    }
    for (id, content) in &before {
        tx.put(id, content, &undoing.id)?;
    }
    let restored: Vec<RecordId> = before.into_iter().map(|(id, _)| id).collect();
    let retracted = all.into_iter().filter(|id| !restored.contains(id)).collect();
    Ok((restored, retracted))
}

/// Whether a version that a change ended was believed here before. A merge brings versions that it
/// ends at once.
fn was_here(version: &Version, change: &Change, touched: &Touched) -> bool {
    let arrived = touched.arrived.iter().any(|one| one.id == version.id);
    change.verb != Verb::Merge || (!arrived && version.recorded.from() < change.at)
}

fn take_back_links(
    tx: &mut dyn Write,
    change: &Change,
    touched: &Touched,
    undoing: &ChangeId,
) -> Result<usize> {
    let mut count = 0;
    for link in &touched.links_made {
        count += usize::from(tx.disconnect(&link.from, link.relation, &link.to, undoing)?);
    }
    let was_here = |link: &&Link| change.verb != Verb::Merge || link.recorded.from() < change.at;
    for link in touched.links_ended.iter().filter(was_here) {
        let again = NewLink {
            from: link.from.clone(),
            to: link.to.clone(),
            relation: link.relation,
            strength: link.strength,
            valid: link.valid,
        };
        tx.connect(&again, undoing)?;
        count += 1;
    }
    Ok(count)
}

/// Whether the change is a consolidation, or takes one back, or brings one back…
fn is_of_consolidation(read: &dyn Read, change: &Change) -> Result<bool> {
    let mut first = change.clone();
    while let Some(earlier) = first.undoes.as_ref() {
        match read.change(earlier)? {
            Some(earlier) => first = earlier,
            None => return Ok(false),
        }
    }
    Ok(first.verb == Verb::Consolidate)
}

/// Merging added the counts of one memory to those of another; without the merge they are its own.
fn take_back_counts(tx: &mut dyn Write, touched: &Touched) -> Result<()> {
    let mut count = |link: &Link, turn: fn(&mut Usage, &Usage)| -> Result<()> {
        if link.relation == Relation::SupersededBy {
            let mut usage = tx.usage(&link.to)?;
            turn(&mut usage, &tx.usage(&link.from)?);
            tx.set_usage(&link.to, &usage)?;
        }
        Ok(())
    };
    touched.links_made.iter().try_for_each(|link| count(link, Usage::part))?;
    touched.links_ended.iter().try_for_each(|link| count(link, Usage::join))
}
