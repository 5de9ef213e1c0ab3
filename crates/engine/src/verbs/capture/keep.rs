//! Takes captured drafts in, batch by batch: what is here stays, what went on grows, nothing that a
//! person stands for gives way.

use super::super::link::connect;
use super::super::{namespace, predict, settle};
use crate::entry::{doubting, inheriting};
use crate::{Engine, Error, ErrorKind, Note, Result, StoreName};
use mnemic_lifecycle::capture::stable_id;
use mnemic_model::policy::Door;
use mnemic_model::{
    Body, Change, ChangeId, Content, Draft, Kind, RecordId, Relation, Trust, Unit, Usage, Verb,
    Version,
};
use mnemic_store::{Write, fingerprint};
use std::collections::BTreeSet;

/// One commit holds at most so many, and about so much text.
const BATCH: usize = 100;
const BATCH_BYTES: usize = 4 * 1024 * 1024;

/// What became of a captured draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::verbs) enum Kept {
    New,
    /// It was here, and has gone on since.
    Grown,
    Same,
    /// Another record says the same.
    Elsewhere(RecordId),
    /// It says otherwise than something that a person stands for.
    Contested,
    Forgotten,
    Refused(String),
}

/// Drafts on their way into one store, all in one change.
pub(in crate::verbs) struct Keeper<'e> {
    engine: &'e Engine,
    store: StoreName,
    note: Note,
    verb: Verb,
    dry_run: bool,
    /// What its episodes name is looked for too.
    extracts: bool,
    waiting: Vec<Draft>,
    bytes: usize,
    /// Name and text of a bookmark that is to be kept with what waits.
    mark: Option<(String, String)>,
    wrote: bool,
    /// What was taken in and set apart, because it talks to agents or rests on what does.
    quarantined: u64,
}

impl<'e> Keeper<'e> {
    pub(in crate::verbs) fn new(
        engine: &'e Engine,
        store: StoreName,
        note: &Note,
        dry_run: bool,
    ) -> Result<Keeper<'e>> {
        engine.store(store)?;
        let change = note.change.clone().unwrap_or_else(|| engine.new_change_id());
        let note = Note { change: Some(change), ..note.clone() };
        let waiting = Vec::new();
        let verb = Verb::Capture;
        Ok(Keeper {
            engine,
            store,
            note,
            verb,
            dry_run,
            extracts: false,
            waiting,
            bytes: 0,
            mark: None,
            wrote: false,
            quarantined: 0,
        })
    }

    /// The same for what other tools kept: what its source says anew is the next version.
    pub(in crate::verbs) fn importing(self) -> Keeper<'e> {
        Keeper { verb: Verb::Import, ..self }
    }

    /// The same, with a job that looks for what the episodes name.
    pub(in crate::verbs) fn extracting(self, extracts: bool) -> Keeper<'e> {
        Keeper { extracts, ..self }
    }

    pub(in crate::verbs) fn add(&mut self, draft: Draft) {
        self.bytes += weight(&draft);
        self.waiting.push(draft);
    }

    /// Keeps a bookmark with the next flush: one commit for both.
    pub(in crate::verbs) fn mark(&mut self, name: String, text: String) {
        self.mark = Some((name, text)).filter(|_| !self.dry_run);
    }

    pub(in crate::verbs) fn is_full(&self) -> bool {
        self.waiting.len() >= BATCH || self.bytes >= BATCH_BYTES
    }

    /// How much was set apart since somebody asked.
    pub(in crate::verbs) fn take_quarantined(&mut self) -> u64 {
        std::mem::take(&mut self.quarantined)
    }

    /// The change, once something was written.
    pub(in crate::verbs) fn change(&self) -> Option<ChangeId> {
        self.note.change.clone().filter(|_| self.wrote && !self.dry_run)
    }

    /// Writes what waits in one transaction. A dry run does the same and lets it go again.
    pub(in crate::verbs) fn flush(&mut self) -> Result<Vec<(Kind, Kept)>> {
        self.bytes = 0;
        if self.waiting.is_empty() && self.mark.is_none() {
            return Ok(Vec::new());
        }
        let store = self.engine.store(self.store)?;
        let mut tx = store.write()?;
        let mut begun = None;
        let mut kept = Vec::new();
        let mut forgotten = BTreeSet::new();
        for draft in std::mem::take(&mut self.waiting) {
            let (kind, source, id) =
                (draft.body.kind(), draft.about.source.clone(), draft.about.id.clone());
            // Whoever asked to forget an episode meant what it taught as well.
            if draft.about.episodes.iter().any(|episode| forgotten.contains(episode)) {
                kept.push((kind, Kept::Forgotten));
                continue;
            }
            let answer = match self.take(tx.as_mut(), draft, &mut begun) {
                Err(failed) if failed.is_of_the_store() => return Err(failed),
                Err(failed) if failed.kind == ErrorKind::Forgotten => Kept::Forgotten,
                Err(failed) => {
                    Kept::Refused(format!("{}: {failed}", source.as_deref().unwrap_or("a finding")))
                }
                Ok(kept) => kept,
            };
            if answer == Kept::Forgotten {
                forgotten.extend(id);
            }
            kept.push((kind, answer));
        }
        self.wrote |= begun.is_some();
        let marked = set_mark(tx.as_mut(), self.mark.take())?;
        if let Some(Change { id, .. }) = begun.filter(|_| !self.dry_run) {
            let is_new = |kept: &Kept| matches!(kept, Kept::New | Kept::Grown);
            let new = kept.iter().filter(|(_, kept)| is_new(kept)).map(|(kind, _)| *kind);
            let new: BTreeSet<Kind> = new.collect();
            self.engine.queue_after(tx.as_mut(), &id, &new)?;
            if self.extracts && new.contains(&Kind::Episode) {
                self.engine.queue_extraction(tx.as_mut(), &id)?;
            }
            tx.commit()?;
            self.engine.tend(store);
        } else if marked {
            tx.commit()?;
        }
        Ok(kept)
    }

    fn take(
        &mut self,
        tx: &mut dyn Write,
        draft: Draft,
        begun: &mut Option<Change>,
    ) -> Result<Kept> {
        let quarantined = &mut self.quarantined;
        take(self.engine, tx, draft, self.verb, &self.note, begun, quarantined)
    }
}

/// Whether the bookmark says something new.
fn set_mark(tx: &mut dyn Write, mark: Option<(String, String)>) -> Result<bool> {
    let Some((name, text)) = mark else { return Ok(false) };
    if tx.bookmark(&name)?.as_deref() == Some(&text) {
        return Ok(false);
    }
    tx.set_bookmark(&name, Some(&text))?;
    Ok(true)
}

fn take(
    engine: &Engine,
    tx: &mut dyn Write,
    mut draft: Draft,
    verb: Verb,
    note: &Note,
    begun: &mut Option<Change>,
    quarantined: &mut u64,
) -> Result<Kept> {
    // The id says it all; a key would tie it to the path and the person of the first time.
    let key = draft.about.idempotency_key.take();
    let kind = draft.body.kind();
    let id = draft.about.id.take().or_else(|| key.map(|key| stable_id(kind, &[&key])));
    let id = id.unwrap_or_else(|| engine.new_id(kind));
    let (draft, _) = engine.cleaned(draft)?;
    let discovery = draft.about.discovery_tokens;
    let content = draft.resolve(&engine.settings.actor, tx.tick()?, &engine.usual_scope())?;
    let content = doubting(content, engine.hears());
    let episodes = content.provenance.episodes.clone();
    let content = inheriting(tx, content, &episodes.iter().collect::<Vec<_>>())?;
    let last = tx.versions(&id)?.pop();
    if let Some(other) = last.as_ref().filter(|held| held.kind() != kind) {
        let message = format!("`{id}` is here already as {}", other.kind().with_article());
        return Err(Error::new(ErrorKind::Conflict, message));
    }
    let (content, kept) = match last {
        Some(held) if held.is_current() && held.content.body == content.body => {
            return Ok(Kept::Same);
        }
        Some(held) if held.is_current() && kind != Kind::Episode && verb == Verb::Import => {
            match renewed(tx, &held, content)? {
                Some(content) => (content, Kept::Grown),
                None => return Ok(Kept::Contested),
            }
        }
        Some(held) if held.is_current() => match grown(&held, content) {
            Some(content) => (content, Kept::Grown),
            None => return Ok(Kept::Same),
        },
        // It was undone. A hook repeats itself; whoever captures again by hand wants it back.
        Some(_) if engine.settings.door == Door::Hook => return Ok(Kept::Same),
        Some(_) => (content, Kept::New),
        None => match says_the_same(tx, &content)? {
            Some(id) => return Ok(Kept::Elsewhere(id)),
            None => (content, Kept::New),
        },
    };
    namespace::require(tx, &content.scope.namespace)?;
    engine.refuse_forgotten(tx, Some(&id), &content, note)?;
    if is_contested(tx, &id, &content)? {
        return Ok(Kept::Contested);
    }
    let plan = settle::plan(tx, &content, Some(&id))?;
    let change = match begun {
        Some(change) => change.id.clone(),
        None => begun.insert(engine.begin(tx, verb, note)?).id.clone(),
    };
    let superseded = engine.carry_out(tx, &plan, &change)?;
    let version = tx.put(&id, &plan.content, &change)?;
    predict::note_episode(tx, &version)?;
    *quarantined += u64::from(version.content.trust() == Trust::Quarantined);
    for old in &superseded {
        connect(tx, &version, Relation::Supersedes, old, Unit::ONE, &change)?;
    }
    if let Some(tokens) = discovery.filter(|_| kept == Kept::New) {
        tx.set_usage(&id, &Usage { discovery_tokens: tokens, ..Usage::default() })?;
    }
    Ok(kept)
}

/// What its source says by now, when nobody has changed it here since it came in.
fn renewed(tx: &dyn Write, held: &Version, now: Content) -> Result<Option<Content>> {
    let came_in = tx.change(&held.change)?.is_some_and(|change| change.verb == Verb::Import);
    let said = &held.content;
    Ok(came_in.then(|| Content {
        tier: said.tier,
        importance: said.importance,
        scope: said.scope.clone(),
        pinned: said.pinned,
        ..now
    }))
}

/// The episode as it is now, when more of it has happened than is stored. A copy that ends earlier
/// takes nothing back, and what was said about the episode since stays.
fn grown(held: &Version, now: Content) -> Option<Content> {
    let (Body::Episode(old), Body::Episode(new)) = (&held.content.body, &now.body) else {
        return None;
    };
    let length =
        |episode: &mnemic_model::body::Episode| episode.actions.len() + episode.messages.len();
    if old == new || length(new) < length(old) {
        return None;
    }
    let said = &held.content;
    Some(Content {
        tier: said.tier,
        importance: said.importance,
        tags: said.tags.clone(),
        category: said.category.clone(),
        scope: said.scope.clone(),
        pinned: said.pinned,
        extra: said.extra.clone(),
        ..now
    })
}

/// Something that is believed now has the very same words, or is the thing that there is but once.
fn says_the_same(tx: &dyn Write, content: &Content) -> Result<Option<RecordId>> {
    if content.kind() == Kind::Episode {
        return Ok(None); // Two tasks with the same words are two episodes.
    }
    if let (Kind::Entity, Some(slot)) = (content.kind(), content.slot()) {
        let held = tx.holders(&slot, &content.scope, content.valid.from())?;
        return Ok(held.first().map(|held| held.id.clone()));
    }
    let same = tx.same_content(fingerprint::content(&content.body), &content.scope)?;
    let is_same =
        |held: &Version| held.content.body == content.body && held.content.valid.is_open();
    Ok(same.into_iter().find(is_same).map(|held| held.id))
}

/// A finding never ends the validity of what a person wrote or vouched for. A person's words in a
/// transcript are findings like any other: what was said later holds.
fn is_contested(tx: &dyn Write, id: &RecordId, content: &Content) -> Result<bool> {
    let Some(slot) = content.slot() else { return Ok(false) };
    let holders = tx.holders(&slot, &content.scope, content.valid.from())?;
    let stands = |held: &Version| held.content.trust() == Trust::Trusted;
    Ok(holders.iter().any(|held| held.id != *id && stands(held)))
}

fn weight(draft: &Draft) -> usize {
    match &draft.body {
        Body::Episode(episode) => {
            let said: usize = episode.messages.iter().map(|message| message.text.len()).sum();
            said + 200 * episode.actions.len()
        }
        Body::Resource(resource) => 500 + resource.text.len(),
        _ => 500,
    }
}
