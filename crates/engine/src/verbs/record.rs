//! An episode that is recorded step by step: it stands as a bookmark in the store until it ends, so
//! that nothing logged is lost whatever happens to whoever logs.

use crate::entry::{Screened, Way};
use crate::{Engine, Error, ErrorKind, Note, Outcome, Remembered, Result, StoreName};
use mnemic_lifecycle::capture::Veil;
use mnemic_model::body::{Action, Episode, Failure, Message};
use mnemic_model::{Actor, Body, Draft, Kind, RecordId, Timestamp, Verb};
use mnemic_store::{Read, Write};
use serde::{Deserialize, Serialize};
use serde_json::Value;

const NAME: &str = "episode/";

/// Steps that one episode holds at most: each is written together with all before it.
const MOST_ENTRIES: usize = 2_000;

/// An episode that has not ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenEpisode {
    pub id: RecordId,
    pub began: Timestamp,
    /// When something was logged last.
    pub last: Timestamp,
    pub writer: Actor,
    pub episode: Episode,
}

/// Something to log. The time of an action is filled in.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Action(Action),
    Message(Message),
    Error(Failure),
    File(String),
}

impl Engine {
    /// Begins an episode with what is known of it: its goal, its agent, its task.
    pub fn episode_start(&self, mut episode: Episode) -> Result<OpenEpisode> {
        let store = self.recording_store();
        let mut tx = self.store(store)?.write()?;
        episode = unveiled_episode(episode)?;
        episode.goal = unveiled("goal", &episode.goal)?;
        Body::Episode(episode.clone()).check()?;
        let (id, began) = (self.new_id(Kind::Episode), tx.now()?);
        let writer = self.settings.actor.clone();
        let open = OpenEpisode { id, began, last: began, writer, episode };
        save(tx.as_mut(), &open)?;
        tx.commit()?;
        Ok(open)
    }

    /// Adds steps to an episode that is open; all of them or none.
    pub fn episode_log(&self, id: &str, entries: Vec<Entry>) -> Result<OpenEpisode> {
        let store = self.recording_store();
        let mut tx = self.store(store)?.write()?;
        let mut open = find(tx.as_ref(), id)?;
        open.last = tx.now()?;
        for entry in entries {
            add(&mut open, entry)?;
        }
        Body::Episode(open.episode.clone()).check()?;
        save(tx.as_mut(), &open)?;
        tx.commit()?;
        Ok(open)
    }

    /// Ends an episode and stores it. Ending it again answers the same.
    pub fn episode_end(
        &self,
        id: &str,
        finish: impl FnOnce(&mut Episode),
        note: &Note,
    ) -> Result<Remembered> {
        let store = self.recording_store();
        let sqlite = self.store(store)?;
        let mut tx = sqlite.write()?;
        let answer = |id, outcome, change, screened| Remembered {
            id,
            store,
            outcome,
            superseded: Vec::new(),
            change,
            screened,
        };
        let mut open = match find(tx.as_ref(), id) {
            Ok(open) => open,
            Err(missing) => {
                return match stored(tx.as_ref(), id)? {
                    Some(id) => Ok(answer(id, Outcome::Replayed, None, Screened::default())),
                    None => Err(missing),
                };
            }
        };
        finish(&mut open.episode);
        open.episode = unveiled_episode(open.episode)?;
        let seconds = since(open.began, tx.now()?);
        open.episode.duration_seconds.get_or_insert(seconds);
        let mut draft = Draft::new(Body::Episode(open.episode));
        draft.about.valid_at = Some(open.began);
        draft.about.writer = Some(open.writer);
        let (draft, replaced) = self.cleaned(draft)?;
        let content = draft.resolve(&self.settings.actor, tx.tick()?, &self.usual_scope())?;
        let content = self.admitted(content, Way::Said)?;
        self.refuse_forgotten(tx.as_ref(), Some(&open.id), &content, note)?;
        let change = self.begin(tx.as_mut(), Verb::Capture, note)?;
        tx.put(&open.id, &content, &change.id)?;
        tx.set_bookmark(&format!("{NAME}{}", open.id), None)?;
        self.queue_after(tx.as_mut(), &change.id, &[Kind::Episode].into())?;
        tx.commit()?;
        // Whoever takes the episode back takes back what it taught.
        self.learn_touched(store, &Note { change: Some(change.id.clone()), ..note.clone() });
        self.tend(sqlite);
        let screened = Screened::of(&content, replaced);
        Ok(answer(open.id, Outcome::Created, Some(change.id), screened))
    }

    /// The episodes that have not ended, by id.
    pub fn episodes_open(&self) -> Result<Vec<OpenEpisode>> {
        all(self.store(self.recording_store())?.read()?.as_ref())
    }

    /// Drops an episode that has not ended, with all that was logged.
    pub fn episode_abandon(&self, id: &str) -> Result<OpenEpisode> {
        let store = self.recording_store();
        let mut tx = self.store(store)?.write()?;
        let open = find(tx.as_ref(), id)?;
        if open.writer.is_human() && !self.settings.actor.is_human() {
            let denied = format!("a person began `{}`, and an agent cannot drop it", open.id);
            return Err(Error::new(ErrorKind::Denied, denied)
                .hint(format!("tell the person; `mnemic episode end {}` keeps it", open.id)));
        }
        tx.set_bookmark(&format!("{NAME}{}", open.id), None)?;
        tx.commit()?;
        Ok(open)
    }

    fn recording_store(&self) -> StoreName {
        Engine::home_of(self.usual_scope().level)
    }
}

fn save(tx: &mut dyn Write, open: &OpenEpisode) -> Result<()> {
    let text = serde_json::to_string(open).map_err(|cause| {
        Error::new(ErrorKind::Internal, "an episode cannot be written down").because(cause)
    })?;
    Ok(tx.set_bookmark(&format!("{NAME}{}", open.id), Some(&text))?)
}

fn all(read: &dyn Read) -> Result<Vec<OpenEpisode>> {
    let damaged = |name: &str| {
        Error::new(ErrorKind::Damaged, format!("the open episode `{name}` cannot be read"))
            .hint("run `mnemic verify`")
    };
    let marks = read.bookmarks(NAME)?.into_iter();
    marks.map(|(name, text)| serde_json::from_str(&text).map_err(|_| damaged(&name))).collect()
}

/// The open episode that an id, or the unique beginning of one, names.
fn find(read: &dyn Read, id: &str) -> Result<OpenEpisode> {
    let mut open = all(read)?;
    open.retain(|one| one.id.as_str().starts_with(id));
    match (open.pop(), open.len()) {
        (Some(only), 0) => Ok(only),
        (None, _) => Err(Error::new(ErrorKind::NotFound, format!("no open episode is `{id}`"))
            .hint("`mnemic episode list` shows those that are open")),
        (Some(_), _) => Err(Error::new(
            ErrorKind::Conflict,
            format!("`{id}` begins more than one open episode"),
        )
        .hint("write more of it: `mnemic episode list` shows them")),
    }
}

/// The episode that was ended under this id before.
fn stored(read: &dyn Read, id: &str) -> Result<Option<RecordId>> {
    let found = read.ids_starting_with(id, 2)?;
    Ok(match found.as_slice() {
        [only] if read.version(only, None)?.is_some_and(|v| v.kind() == Kind::Episode) => {
            Some(only.clone())
        }
        _ => None,
    })
}

fn add(open: &mut OpenEpisode, entry: Entry) -> Result<()> {
    let (episode, last) = (&mut open.episode, open.last);
    if episode.actions.len() + episode.messages.len() + episode.errors.len() >= MOST_ENTRIES {
        return Err(Error::new(
            ErrorKind::Invalid,
            format!("`{}` holds {MOST_ENTRIES} steps already", open.id),
        )
        .hint(format!("end it with `mnemic episode end {}` and start the next", open.id)));
    }
    match entry {
        Entry::Action(action) => episode.actions.push(Action {
            t: since(open.began, last),
            action: unveiled("action", &action.action)?,
            target: veiled(action.target),
            result: veiled(action.result),
            error: veiled(action.error),
        }),
        Entry::Message(message) => episode.messages.push(Message {
            role: unveiled("role", &message.role)?,
            text: unveiled("message", &message.text)?,
            at: message.at.or(Some(last)),
        }),
        Entry::Error(failure) => episode.errors.push(Failure {
            error_type: unveiled("type", &failure.error_type)?,
            message: unveiled("error", &failure.message)?,
            resolution: veiled(failure.resolution),
        }),
        Entry::File(path) => {
            let path = unveiled("file", &path)?;
            if !episode.files.contains(&path) {
                episode.files.push(path);
            }
        }
    }
    Ok(())
}

/// Seconds to the millisecond.
fn since(began: Timestamp, now: Timestamp) -> f64 {
    ((now.micros() - began.micros()).max(0) / 1_000) as f64 / 1e3
}

fn veiled(text: Option<String>) -> Option<String> {
    text.map(|text| Veil::default().pass(&text)).filter(|text| !text.trim().is_empty())
}

/// What is left without its private parts; something must be.
fn unveiled(what: &str, text: &str) -> Result<String> {
    let open = Veil::default().pass(text).trim().to_owned();
    if open.is_empty() {
        return Err(Error::new(ErrorKind::Invalid, format!("the {what} is empty or all private"))
            .hint("say in a few words what may be kept"));
    }
    Ok(open)
}

/// The same for every text of an episode, wherever one can be written.
fn unveiled_episode(episode: Episode) -> Result<Episode> {
    let mut fields = Value::Object(Body::Episode(episode).to_fields());
    veil_all(&mut fields);
    serde_json::from_value(fields).map_err(|cause| {
        Error::new(ErrorKind::Internal, "an episode does not read back").because(cause)
    })
}

fn veil_all(value: &mut Value) {
    match value {
        Value::String(text) => *text = Veil::default().pass(text),
        Value::Array(items) => items.iter_mut().for_each(veil_all),
        Value::Object(fields) => fields.values_mut().for_each(veil_all),
        _ => {}
    }
}
