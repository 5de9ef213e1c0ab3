//! Documents become episodes: turns of one session share a task, so that mnemic sees the thread.

use super::data::{Document, time};
use mnemic_engine::inference::{Embedder, gist};
use mnemic_engine::model::body::{Body, Episode};
use mnemic_engine::model::{Actor, Author, Draft, RecordId};
use mnemic_engine::place::Place;
use mnemic_engine::{Engine, Meaning, Note, Settings};
use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// A store with documents in it, and which document each memory is.
#[derive(Debug)]
pub(crate) struct Ingested {
    pub(crate) engine: Engine,
    pub(crate) documents: HashMap<RecordId, usize>,
    upto: usize,
}

impl Ingested {
    pub(crate) fn empty(dir: &Path, embedder: &Arc<dyn Embedder>) -> Result<Self, Box<dyn Error>> {
        let place = Place { dir: dir.join(".mnemic"), exists: false };
        let mut settings = Settings::new(Some(place), None, Actor::new(Author::Human, "bench"));
        settings.meaning = Meaning::by(embedder.clone()).skimmed_by(gist()?);
        Ingested::over(settings)
    }

    /// An empty store by these settings.
    pub(crate) fn over(mut settings: Settings) -> Result<Self, Box<dyn Error>> {
        Engine::init_project(&mut settings)?;
        Ok(Ingested { engine: Engine::open(settings)?, documents: HashMap::new(), upto: 0 })
    }

    /// Stores the documents up to this one that are not stored yet.
    pub(crate) fn bring_to(
        &mut self,
        documents: &[Document],
        upto: usize,
    ) -> Result<(), Box<dyn Error>> {
        let upto = upto.min(documents.len());
        if upto <= self.upto {
            return Ok(());
        }
        let mut sessions: HashMap<&str, usize> = HashMap::new();
        for document in documents {
            *sessions.entry(document.session.as_str()).or_default() += 1;
        }
        for (chunk, start) in documents[self.upto..upto].chunks(500).zip((self.upto..).step_by(500))
        {
            let drafts = chunk.iter().map(|one| draft(one, sessions[one.session.as_str()] > 1));
            let answers = self.engine.remember_each(drafts.collect(), &Note::default())?;
            for (index, answer) in answers.into_iter().enumerate() {
                self.documents.entry(answer?.id).or_insert(start + index);
            }
        }
        self.upto = upto;
        self.engine.embed_waiting(u64::MAX, &mut |_| true)?;
        self.engine.grow_indexes()?;
        Ok(())
    }
}

fn draft(document: &Document, has_company: bool) -> Draft {
    let mut draft = Draft::new(Body::Episode(Episode {
        goal: document.text.replace('\0', " "),
        task_id: has_company.then(|| document.session.clone()),
        ..Episode::default()
    }));
    draft.about.valid_at = time(&document.time);
    draft.about.writer = match document.role.as_str() {
        "assistant" => Some(Actor::new(Author::Agent, "assistant")),
        _ => None,
    };
    draft
}
