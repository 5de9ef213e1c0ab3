//! Embedding what still waits: in small steps, each its own transaction, so that it can stop and go
//! on at any point; and putting rows into the indexes beside the store.

use crate::meaning::BATCH;
use crate::{Engine, Result, StoreName};
use mnemic_model::job::JobKind;
use mnemic_model::{Body, Version};
use mnemic_store::sqlite::SqliteStore;
use mnemic_store::{Embedding, Key, VectorCensus, VectorModel, Write};

/// How far embedding has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Embedded {
    pub done: u64,
    /// Still without vectors; found by words until then.
    pub waiting: u64,
}

/// Longer texts take seconds: they are stored at once, found by words, and embedded by a job.
pub const LONG_TEXT: usize = 64 * 1024;

/// What a verb embeds of the text that others left waiting, a few tenths of a second's worth: nobody
/// waits long with a small memory because of a large one that came before.
const BRIEF_TEXT: usize = 8 * 1024;

/// Rows outside of any segment from which on it is worth building one.
const WORTH_A_SEGMENT: u64 = 512;

impl Engine {
    /// How far the vectors of each open store have come.
    pub fn vectors(&self) -> Result<Vec<(StoreName, VectorCensus)>> {
        self.stores().map(|(name, store)| Ok((name, store.read()?.vector_census()?))).collect()
    }

    /// Embeds up to `most` versions that wait for it, newest first. `go_on` is asked after each
    /// step, with what was done so far.
    pub fn embed_waiting(
        &self,
        most: u64,
        go_on: &mut dyn FnMut(Embedded) -> bool,
    ) -> Result<Embedded> {
        self.embed_up_to(usize::MAX, most, go_on)
    }

    /// The same, but for texts longer than [`LONG_TEXT`], which take minutes where the others take
    /// seconds.
    pub fn embed_all_but_long(&self, go_on: &mut dyn FnMut(Embedded) -> bool) -> Result<Embedded> {
        self.embed_up_to(LONG_TEXT, u64::MAX, go_on)
    }

    /// The same for texts of at most so many bytes.
    pub(super) fn embed_up_to(
        &self,
        longest: usize,
        most: u64,
        go_on: &mut dyn FnMut(Embedded) -> bool,
    ) -> Result<Embedded> {
        let mut so_far = Embedded::default();
        for (_, store) in self.stores() {
            if store.read_only_because().is_some() || !self.settings.meaning.is_there() {
                so_far.waiting += store.read()?.vectors_waiting()?;
                continue;
            }
            self.use_our_model(store)?;
            loop {
                let waiting = store.read()?.vectors_waiting()?;
                let here = Embedded { waiting: so_far.waiting + waiting, ..so_far };
                if waiting == 0 || here.done >= most || !go_on(here) {
                    so_far.waiting += waiting;
                    break;
                }
                let done = self.embed_some(store, longest)?;
                so_far.done += done;
                if done == 0 {
                    // What waits cannot be read, or is too long; asking again would never end.
                    so_far.waiting += waiting;
                    break;
                }
            }
            self.retire_other_models(store)?;
        }
        Ok(so_far)
    }

    /// What a verb does after its commit: a few vectors at once, segments when they are due.
    /// Nothing here may fail what was already done.
    pub(crate) fn tend(&self, store: &SqliteStore) {
        if store.read_only_because().is_some() {
            return;
        }
        if self.settings.meaning.is_at_hand() {
            let _ = self.use_our_model(store).and_then(|()| self.embed_briefly(store));
        }
        let _ = grow_where_due(store);
    }

    /// The same engine for taking in many: it leaves all vectors to [`Engine::embed_waiting`].
    pub fn embedding_later(mut self) -> Engine {
        self.settings.meaning = self.settings.meaning.later();
        self
    }

    /// Builds segments for everything that has none yet.
    pub fn grow_indexes(&self) -> Result<()> {
        self.stores().try_for_each(|(_, store)| grow_where_due(store))
    }

    fn use_our_model(&self, store: &SqliteStore) -> Result<()> {
        let Some(model) = self.settings.meaning.model() else { return Ok(()) };
        // A remote model tells its dimensions with its first answer.
        let ours = |there: &VectorModel| {
            (&there.name, &there.generation) == (&model.name, &model.generation)
        };
        if !store.read()?.vector_model()?.as_ref().is_some_and(ours) {
            let mut tx = store.write()?;
            tx.choose_model(&model)?;
            tx.commit()?;
        }
        Ok(())
    }

    /// One step: what the last change left, or a little of what others did. More is left to a job.
    fn embed_briefly(&self, store: &SqliteStore) -> Result<()> {
        let waiting = store.read()?.without_vectors(BATCH)?;
        let last = store.read()?.changes(1)?.pop();
        let is_new = |(_, version): &&(Key, Version)| {
            last.as_ref().is_some_and(|change| change.id == version.change)
        };
        let new = waiting.iter().take_while(is_new).count();
        let now = fitting(&waiting[..new], LONG_TEXT).max(fitting(&waiting, BRIEF_TEXT));
        let (now, later) = waiting.split_at(now);
        self.embed_these(store, now)?;
        let has_job = || -> Result<bool> {
            Ok(store.read()?.jobs()?.iter().any(|job| job.kind == JobKind::Embed))
        };
        if later.is_empty() || has_job()? {
            return Ok(());
        }
        let mut tx = store.write()?;
        tx.enqueue(JobKind::Embed, "")?;
        Ok(tx.commit()?)
    }

    /// One step: how many got their vectors. A few seconds at most, so that whoever waits hears of
    /// it, unless one text alone takes longer.
    fn embed_some(&self, store: &SqliteStore, longest: usize) -> Result<u64> {
        let mut waiting: Vec<(Key, Version)> = store.read()?.without_vectors(BATCH)?;
        waiting.retain(|(_, version)| text_length(&version.content.body) <= longest);
        waiting.truncate(fitting(&waiting, LONG_TEXT).max(1));
        self.embed_these(store, &waiting)
    }

    /// The vectors are made outside of the transaction that keeps them.
    fn embed_these(&self, store: &SqliteStore, waiting: &[(Key, Version)]) -> Result<u64> {
        let Some(model) = self.settings.meaning.model() else { return Ok(0) };
        if waiting.is_empty() {
            return Ok(0);
        }
        let bodies: Vec<&Body> = waiting.iter().map(|(_, version)| &version.content.body).collect();
        let vectors = self.settings.meaning.of_bodies(&bodies)?;
        let mut tx = store.write()?;
        for ((key, version), parts) in waiting.iter().zip(&vectors) {
            // It may have been forgotten meanwhile, and its key given to another.
            let still = tx.versions_of(&[*key])?;
            if still.first().is_some_and(|(_, there)| there.content.body == version.content.body) {
                tx.put_vectors(*key, &model, parts)?;
            }
        }
        tx.commit()?;
        Ok(waiting.len() as u64)
    }

    fn retire_other_models(&self, store: &SqliteStore) -> Result<()> {
        if store.read()?.vector_models()?.len() < 2 {
            return Ok(());
        }
        let mut tx = store.write()?;
        let gone = tx.retire_vectors()?;
        tx.commit()?;
        if gone > 0 {
            store.clear_indexes()?;
        }
        Ok(())
    }
}

impl Engine {
    /// Vectors for drafts about to be written, made before the transaction begins. Empty where they
    /// will come later: many at once, much text, or a model that is not on this machine.
    pub(super) fn vectors_ahead(&self, bodies: &[&Body]) -> Vec<Vec<Embedding>> {
        let meaning = &self.settings.meaning;
        let length: usize = bodies.iter().map(|body| text_length(body)).sum();
        if !meaning.is_at_hand() || bodies.len() > BATCH || length > LONG_TEXT {
            return Vec::new();
        }
        // Without a vector a memory is still found by its words; `doctor` tells.
        meaning.of_bodies(bodies).unwrap_or_default()
    }

    /// Keeps the vectors of a version in the transaction that made it.
    pub(super) fn keep_vectors(
        &self,
        tx: &mut dyn Write,
        version: &Version,
        parts: &[Embedding],
    ) -> Result<()> {
        let Some(model) = self.settings.meaning.model() else { return Ok(()) };
        if parts.is_empty() || !version.content.kind().is_indexed() {
            return Ok(());
        }
        tx.choose_model(&model)?;
        if let Some(key) = tx.key_of(&version.id, None)? {
            tx.put_vectors(key, &model, parts)?;
        }
        Ok(())
    }
}

/// How many of these, from the first on, are together no longer than so many bytes.
fn fitting(waiting: &[(Key, Version)], bytes: usize) -> usize {
    let mut room = bytes;
    let fits = |(_, version): &&(Key, Version)| {
        let left = room.checked_sub(text_length(&version.content.body));
        left.inspect(|left| room = *left).is_some()
    };
    waiting.iter().take_while(fits).count()
}

/// Bytes that would be embedded.
pub(super) fn text_length(body: &Body) -> usize {
    body.full_text().len()
}

/// Segments are opened, and others kept from them, only where there is something to put there.
fn grow_where_due(store: &SqliteStore) -> Result<()> {
    if store.uncovered()? >= WORTH_A_SEGMENT {
        store.grow_indexes(WORTH_A_SEGMENT)?;
    }
    Ok(())
}
