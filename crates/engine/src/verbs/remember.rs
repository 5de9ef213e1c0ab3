//! `remember`: takes drafts in, one transaction per store and batch.

use super::embed::{LONG_TEXT, text_length};
use super::link::connect;
use super::{namespace, predict, settle};
use crate::entry::{Screened, Way, inheriting};
use crate::meaning::BATCH;
use crate::{Engine, Error, ErrorKind, Note, Result, StoreName};
use mnemic_model::draft::DraftLink;
use mnemic_model::tombstone::{Tombstone, subject_digest};
use mnemic_model::{
    Body, Change, ChangeId, Content, Digest, Draft, Interval, Kind, RecordId, Relation, Scope,
    Slot, Unit, Usage, Verb, Version,
};
use mnemic_store::{Embedding, Read, Write, fingerprint};
use mnemic_text::secrets::Tally;
use std::collections::BTreeSet;

/// What became of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Created,
    /// The same was there already; the id names it.
    Known,
    /// The same idempotency key was answered before; this is that answer.
    Replayed,
}

impl Outcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Created => "created",
            Outcome::Known => "known",
            Outcome::Replayed => "replayed",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    pub id: RecordId,
    pub store: StoreName,
    pub outcome: Outcome,
    /// Memories whose validity ended because this one took their place.
    pub superseded: Vec<RecordId>,
    /// The change to name when it should be undone; none when nothing was written.
    pub change: Option<ChangeId>,
    /// What did not get in as it was; nothing when this is the answer to the same key.
    pub screened: Screened,
}

/// Whether secrets among the drafts were sealed by the vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sealed {
    Yes,
    No,
}

impl Engine {
    pub fn remember(&self, draft: Draft, note: &Note) -> Result<Remembered> {
        let mut answers = self.remember_each(vec![draft], note)?;
        answers.pop().expect("one draft has one answer")
    }

    /// Takes a batch in. An inner error is one draft refused: nothing of it was written, and the
    /// others stand. An outer error is a store that failed: nothing of the batch was written there.
    pub fn remember_each(
        &self,
        drafts: Vec<Draft>,
        note: &Note,
    ) -> Result<Vec<Result<Remembered>>> {
        self.take_each(drafts, note, Sealed::No)
    }

    /// The same for what the engine itself hands in.
    pub(super) fn take_each(
        &self,
        drafts: Vec<Draft>,
        note: &Note,
        sealed: Sealed,
    ) -> Result<Vec<Result<Remembered>>> {
        let usual = self.usual_scope();
        let mut answers: Vec<Option<Result<Remembered>>> = Vec::new();
        answers.resize_with(drafts.len(), || None);
        let home = |draft: &Draft| Engine::home_of(draft.about.scope.unwrap_or(usual.level));
        let mut replaced: Vec<Tally> = vec![Tally::new(); drafts.len()];
        let mut by_store: [Vec<(usize, Draft)>; 2] = [Vec::new(), Vec::new()];
        for (index, draft) in drafts.into_iter().enumerate() {
            match self.cleaned(draft) {
                Ok((draft, tally)) => {
                    replaced[index] = tally;
                    by_store[home(&draft) as usize].push((index, draft));
                }
                Err(refused) => answers[index] = Some(Err(refused)),
            }
        }
        for (name, batch) in [StoreName::Project, StoreName::User].into_iter().zip(by_store) {
            if batch.is_empty() {
                continue;
            }
            let mut vectors = self.vectors_of_drafts(name, &batch)?.into_iter();
            let mut tx = self.store(name)?.write()?;
            let mut begun = None;
            let mut kinds = BTreeSet::new();
            let length: usize = batch.iter().map(|(_, draft)| text_length(&draft.body)).sum();
            for (index, draft) in batch {
                let kind = draft.body.kind();
                let parts = vectors.next().unwrap_or_default();
                answers[index] = Some(
                    match refuse_open_secret(&draft, sealed).and_then(|()| {
                        self.take_in(tx.as_mut(), name, draft, &parts, note, &mut begun)
                    }) {
                        Err(failed) if failed.is_of_the_store() => return Err(failed),
                        answer => {
                            let is_new = |new: &Remembered| new.outcome == Outcome::Created;
                            kinds.extend(answer.as_ref().is_ok_and(is_new).then_some(kind));
                            answer
                        }
                    },
                );
            }
            if let Some(Change { id, .. }) = &begun {
                self.queue_after(tx.as_mut(), id, &kinds)?;
            }
            tx.commit()?;
            self.tend(self.store(name)?);
            if length > LONG_TEXT {
                // Else every process would read all of it again to know its words. Where the shelf
                // cannot be written, it does.
                let _ = self.store(name)?.grow_indexes(1);
            }
        }
        let answers = answers.into_iter().map(|answer| answer.expect("every draft has a home"));
        let told = |(mut answer, replaced): (Result<Remembered>, Tally)| {
            if let Ok(new) = &mut answer
                && new.outcome != Outcome::Replayed
            {
                new.screened.replaced = replaced;
            }
            answer
        };
        Ok(answers.zip(replaced).map(told).collect())
    }

    /// The vectors of each draft of a small batch, but of none that only says again what holds.
    fn vectors_of_drafts(
        &self,
        store: StoreName,
        batch: &[(usize, Draft)],
    ) -> Result<Vec<Vec<Embedding>>> {
        if batch.len() > BATCH {
            return Ok(Vec::new());
        }
        let read = self.store(store)?.read()?;
        let drafts = batch.iter().map(|(_, draft)| draft);
        let again: Vec<bool> =
            drafts.map(|draft| self.is_said_again(read.as_ref(), draft)).collect::<Result<_>>()?;
        drop(read);
        let new = batch.iter().zip(&again).filter(|(_, again)| !**again);
        let bodies: Vec<&Body> = new.map(|((_, draft), _)| &draft.body).collect();
        let mut vectors = self.vectors_ahead(&bodies).into_iter();
        let mut next = |again| if again { None } else { vectors.next() };
        Ok(again.into_iter().map(|again| next(again).unwrap_or_default()).collect())
    }

    /// Whether a draft says what holds already. Should that end before the draft is written, the
    /// vectors follow the write.
    fn is_said_again(&self, read: &dyn Read, draft: &Draft) -> Result<bool> {
        let (about, usual) = (&draft.about, self.usual_scope());
        if about.valid_at.is_some() || about.invalid_at.is_some() {
            return Ok(false);
        }
        let scope = Scope {
            level: about.scope.unwrap_or(usual.level),
            namespace: about.namespace.clone().unwrap_or(usual.namespace),
            ..usual
        };
        let same = read.same_content(fingerprint::content(&draft.body), &scope)?;
        let holds = |held: &Version| held.content.valid.is_open();
        Ok(same.iter().any(|held| holds(held) && held.content.body == draft.body))
    }

    /// A name for a change that several batches will share.
    pub fn new_change_id(&self) -> ChangeId {
        ChangeId::from_random(self.settings.random.bits())
    }

    pub(super) fn take_in(
        &self,
        tx: &mut dyn Write,
        store: StoreName,
        draft: Draft,
        parts: &[Embedding],
        note: &Note,
        begun: &mut Option<Change>,
    ) -> Result<Remembered> {
        let answer = |id, outcome, superseded, change, screened| Remembered {
            id,
            store,
            outcome,
            superseded,
            change,
            screened,
        };
        let key = draft.about.idempotency_key.clone().map(|key| (key, request_digest(&draft)));
        if let Some((key, request)) = &key
            && let Some(id) = replay(tx, key, *request)?
        {
            return Ok(answer(id, Outcome::Replayed, Vec::new(), None, Screened::default()));
        }
        let (asked_id, links) = (draft.about.id.clone(), draft.about.links.clone());
        let discovery = draft.about.discovery_tokens;
        // A tick, so that of two values in one batch the later one begins later.
        let content = draft.resolve(&self.settings.actor, tx.tick()?, &self.usual_scope())?;
        let mut content = self.admitted(content, Way::Said)?;
        if !content.provenance.writer.is_human() {
            let made_of = links.iter().filter(|link| link.relation == Relation::DerivedFrom);
            let episodes = content.provenance.episodes.clone();
            let sources: Vec<_> = made_of.map(|link| &link.to).chain(&episodes).collect();
            content = inheriting(tx, content, &sources)?;
        }
        namespace::require(tx, &content.scope.namespace)?;
        self.refuse_forgotten(tx, asked_id.as_ref(), &content, note)?;
        if let Some(id) = known(tx, asked_id.as_ref(), &content)? {
            if let Some((key, request)) = &key {
                tx.keep_answer(key, *request, id.as_str())?;
            }
            let screened = Screened::of(&content, Tally::new());
            let vouched = self.vouch_for(tx, store, &id, note)?;
            return Ok(answer(id, Outcome::Known, Vec::new(), vouched, screened));
        }
        let plan = settle::plan(tx, &content, None)?;
        plan.refuse_against_a_person(tx, &self.settings.actor)?;
        let id = asked_id.unwrap_or_else(|| self.new_id(content.kind()));
        check_links(tx, &id, &links)?;
        // Everything that could be refused has been; from here on it is written.
        let change = match begun {
            Some(change) => change.clone(),
            None => begun.insert(self.begin(tx, Verb::Remember, note)?).clone(),
        };
        let superseded = self.carry_out(tx, &plan, &change.id)?;
        let version = tx.put(&id, &plan.content, &change.id)?;
        self.keep_vectors(tx, &version, parts)?;
        predict::note_episode(tx, &version)?;
        for old in &superseded {
            connect(tx, &version, Relation::Supersedes, old, Unit::ONE, &change.id)?;
        }
        for DraftLink { relation, to, strength } in &links {
            connect(tx, &version, *relation, to, strength.unwrap_or(Unit::ONE), &change.id)?;
        }
        if let Some(tokens) = discovery {
            tx.set_usage(&id, &Usage { discovery_tokens: tokens, ..Usage::default() })?;
        }
        if let Some((key, request)) = &key {
            tx.keep_answer(key, *request, id.as_str())?;
        }
        let screened = Screened::of(&version.content, Tally::new());
        Ok(answer(id, Outcome::Created, superseded, Some(change.id), screened))
    }

    /// What a person asked to forget stays out; only a person who says so brings it back.
    pub(crate) fn refuse_forgotten(
        &self,
        tx: &dyn Write,
        id: Option<&RecordId>,
        content: &Content,
        note: &Note,
    ) -> Result<()> {
        let actor = &self.settings.actor;
        // Most stores have forgotten nothing, and the digest of a long text takes its time.
        if (note.despite_tombstone && actor.is_human()) || !tx.has_tombstones()? {
            return Ok(());
        }
        let print = fingerprint::forgotten(&content.body);
        let refused = |what: &str, stone: &Tombstone| {
            let day = stone.at.to_jiff().strftime("%F");
            let told = format!("{what} was forgotten on {day} as `{}`", stone.id);
            Err(Error::new(ErrorKind::Forgotten, told)
                .hint("a person can bring it back with `--despite-tombstone`"))
        };
        if let Some(stone) = tx.buried(id, print, None)? {
            return refused("this", &stone);
        }
        // A person who gives a forgotten subject a new value knows what they do; a job does not.
        let Some(slot) = content.slot().filter(|_| !actor.is_human()) else { return Ok(()) };
        match tx.buried(None, print, Some(subject_digest(&slot)))? {
            Some(stone) if !is_spoken_of_again(tx, &slot, content)? => {
                refused("what this is about", &stone)
            }
            _ => Ok(()),
        }
    }
}

/// Whether a person has given a subject a value since it was forgotten: then others may speak of it
/// too, as of any other.
fn is_spoken_of_again(tx: &dyn Write, slot: &Slot, content: &Content) -> Result<bool> {
    let held = tx.holders(slot, &content.scope, content.valid.from())?;
    Ok(held.iter().any(|held| held.content.belongs_to_a_person()))
}

impl Error {
    /// Whether it is the store that failed and not what was asked of it.
    pub(crate) fn is_of_the_store(&self) -> bool {
        !matches!(
            self.kind,
            ErrorKind::Invalid
                | ErrorKind::Conflict
                | ErrorKind::Forgotten
                | ErrorKind::NotFound
                | ErrorKind::Denied
        )
    }
}

/// Only the vault seals; a value taken as it is would lie open in the file.
fn refuse_open_secret(draft: &Draft, sealed: Sealed) -> Result<()> {
    if draft.body.kind() == Kind::Secret && sealed == Sealed::No {
        return Err(Error::new(ErrorKind::Invalid, "a secret does not come in as a memory")
            .hint("put it in with `mnemic vault put NAME`"));
    }
    Ok(())
}

/// What the caller asked for, whoever asks and whenever: a retry has the same digest.
fn request_digest(draft: &Draft) -> Digest {
    let body = serde_json::Value::Object(draft.body.to_fields()).to_string();
    let about = serde_json::to_string(&draft.about).unwrap_or_default();
    Digest::of(
        "request",
        [draft.body.kind().as_str().as_bytes(), body.as_bytes(), about.as_bytes()],
    )
}

fn replay(tx: &dyn Write, key: &str, request: Digest) -> Result<Option<RecordId>> {
    match tx.answer(key)? {
        None => Ok(None),
        Some(answer) if answer.request == request => Ok(Some(RecordId::parse(&answer.result)?)),
        Some(_) => Err(Error::new(
            ErrorKind::Conflict,
            format!("the idempotency key `{key}` was used for another memory"),
        )
        .hint("use a new key for a new memory, or send exactly the same one again")),
    }
}

/// The memory that says the same already, valid at the same time.
fn known(tx: &dyn Write, id: Option<&RecordId>, content: &Content) -> Result<Option<RecordId>> {
    if let Some(id) = id
        && let Some(last) = tx.versions(id)?.pop()
    {
        if last.is_current() && last.content.body == content.body {
            return Ok(Some(id.clone()));
        }
        return Err(Error::new(
            ErrorKind::Conflict,
            format!("`{id}` exists already and says something else"),
        )
        .hint(format!("change it with `mnemic edit {id}`, or leave the id out")));
    }
    let same = tx.same_content(fingerprint::content(&content.body), &content.scope)?;
    let covers = |held: &Interval, new: &Interval| {
        held.contains(new.from()) && (held.is_open() || held.to() >= new.to() && !new.is_open())
    };
    Ok(same
        .into_iter()
        .find(|version| {
            version.content.body == content.body && covers(&version.content.valid, &content.valid)
        })
        .map(|version| version.id))
}

fn check_links(tx: &dyn Write, id: &RecordId, links: &[DraftLink]) -> Result<()> {
    for link in links {
        if link.to == *id {
            return Err(Error::new(
                ErrorKind::Invalid,
                format!("`{id}` cannot be linked to itself"),
            )
            .hint("leave that link out"));
        }
        if tx.version(&link.to, None)?.is_none() {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!("there is no memory `{}` to link to in this store", link.to),
            )
            .hint("store that one first; links do not cross stores"));
        }
    }
    Ok(())
}
