//! What a language model finds in stored episodes, where a person has named one. Its findings wait
//! for a person like all others, and each shows its line.

use super::keep::{Keeper, Kept};
use crate::language::screened;
use crate::{Engine, Note, Result, StoreName};
use mnemic_inference::language::Guarded;
use mnemic_lifecycle::extract::asked::{EXTRACT, Finding, Sheet};
use mnemic_model::body::Body;
use mnemic_model::{
    Actor, At, Author, ChangeId, Digest, Draft, Filter, Kind, Trust, Unit, Version,
};
use serde_json::json;

/// What a language model was asked and gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Distilled {
    /// Episodes that it has read, or would.
    pub episodes: u64,
    pub new: u64,
    pub known: u64,
    /// Why it was not asked further.
    pub stopped: Option<String>,
    pub change: Option<ChangeId>,
}

/// The latest episodes are looked at, a few in one go.
const LATEST: usize = 200;
const MOST_EPISODES: usize = 20;
const LONGEST_ANSWER: u32 = 2_000;

/// As sure as a model's word is until a person has looked.
const CONFIDENCE: f64 = 0.5;

impl Engine {
    /// Lets the language model read episodes that it has not read. Nothing where none is named; a
    /// dry run counts and asks nothing, since asking costs.
    pub fn distil(&self, dry_run: bool, note: &Note) -> Result<Distilled> {
        let mut distilled = Distilled::default();
        let Some(model) = self.settings.language.clone() else { return Ok(distilled) };
        let store = Engine::home_of(self.usual_scope().level);
        let unread = self.unread(store, &model)?;
        if dry_run {
            distilled.episodes = unread.len() as u64;
            return Ok(distilled);
        }
        let mut keeper = Keeper::new(self, store, note, false)?;
        for version in unread {
            match self.findings(&model, &version) {
                Err(stopped) => {
                    distilled.stopped = Some(stopped);
                    break;
                }
                Ok(drafts) => drafts.into_iter().for_each(|draft| keeper.add(draft)),
            }
            for (_, kept) in keeper.flush()? {
                distilled.new += u64::from(kept == Kept::New);
                distilled.known += u64::from(kept == Kept::Same);
            }
            distilled.episodes += 1;
            self.note_read(store, &model, &version)?;
        }
        distilled.change = keeper.change();
        Ok(distilled)
    }

    fn unread(&self, store: StoreName, model: &Guarded) -> Result<Vec<Version>> {
        let read = self.store(store)?.read()?;
        let filter = Filter {
            kinds: vec![Kind::Episode],
            trusts: vec![Trust::Trusted, Trust::Unreviewed],
            limit: LATEST,
            ..Filter::new(At::LATEST)
        };
        let mut unread = Vec::new();
        for version in read.list(&filter)? {
            if unread.len() < MOST_EPISODES && read.bookmark(&mark(model, &version))?.is_none() {
                unread.push(version);
            }
        }
        Ok(unread)
    }

    fn note_read(&self, store: StoreName, model: &Guarded, version: &Version) -> Result<()> {
        let mut tx = self.store(store)?.write()?;
        tx.set_bookmark(&mark(model, version), Some("read"))?;
        Ok(tx.commit()?)
    }

    fn findings(&self, model: &Guarded, version: &Version) -> Result<Vec<Draft>, String> {
        let Body::Episode(episode) = &version.content.body else { return Ok(Vec::new()) };
        let sheet = Sheet::of(episode, &screened);
        let reply = self
            .ask_model(model, EXTRACT, sheet.text(), LONGEST_ANSWER)
            .map_err(|refusal| refusal.to_string())?;
        let found = sheet.findings(&reply.text).into_iter();
        Ok(found.map(|finding| signed(finding, model, version)).collect())
    }
}

/// That a model has read a version; it holds no word of it.
fn mark(model: &Guarded, version: &Version) -> String {
    let n = version.n.to_string();
    let parts = [model.name(), version.id.as_str(), &n];
    format!("language/read/{}", Digest::of("read", parts.map(str::as_bytes)))
}

fn signed(finding: Finding, model: &Guarded, version: &Version) -> Draft {
    let Finding { mut draft, line, quote } = finding;
    let about = &mut draft.about;
    about.writer = Some(Actor::new(Author::Tool, format!("language {}", clean(model.name()))));
    about.trust = Some(Trust::Unreviewed);
    about.confidence = Unit::new(CONFIDENCE).ok();
    about.source = Some(format!("{}#L{line}", version.id));
    about.episodes = vec![version.id.clone()];
    about.valid_at = Some(version.content.valid.from());
    about.category = Some("distilled".to_owned());
    about.extra.insert("quote".to_owned(), json!(quote));
    let text = serde_json::Value::Object(draft.body.to_fields()).to_string();
    let digest = Digest::of("distilled", [version.id.as_str().as_bytes(), text.as_bytes()]);
    about.idempotency_key = Some(format!("distilled:{digest}"));
    draft
}

/// A model's name as an actor's: the settings may say anything.
fn clean(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(100).collect()
}
