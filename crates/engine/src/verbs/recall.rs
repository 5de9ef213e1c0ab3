//! `recall` and its kin: finding, explaining, looking for what is alike, and the past around a point.

use crate::{Engine, Error, ErrorKind, Result, StoreName, local_zone};
use jiff::Zoned;
use mnemic_model::policy::Door;
use mnemic_model::{At, Filter, Namespace, RecordId, Timestamp, Version};
use mnemic_recall::{Aspect, Fate, Found, QueryVector, Question, Recall, Source};
use mnemic_store::{Read, Span, VectorModel};
use mnemic_text::aspects::aspects;
use mnemic_text::when::phrases;
use std::sync::Arc;

/// What has less evidence than this reads as 0 %.
const LEAST_ALIKE: f64 = 0.005;

/// Whether a memory is alike at all, and not only the nearest there is: in meaning or by any word.
fn is_alike(found: &Found) -> bool {
    let has_words = found.explanation.parts.iter().any(|part| part.name == "words");
    found.evidence >= LEAST_ALIKE || has_words
}

/// One moment of a timeline.
#[derive(Debug, Clone)]
pub struct Moment {
    pub store: StoreName,
    pub version: Version,
}

impl Engine {
    /// A question with this engine's time and namespace; change what you like, then ask it.
    pub fn question(&self, text: impl Into<String>) -> Question {
        let mut question = Question::new(text, self.now());
        question.zone = local_zone();
        question
    }

    /// The best memories for a question, from both stores. Reading changes nothing; say what came
    /// of the answer with [`Engine::record_use`].
    pub fn recall(&self, question: &Question) -> Result<Recall> {
        let question = self.with_vectors(question)?;
        self.asking(|sources| Ok(mnemic_recall::recall(sources, &question)?))
    }

    /// What became of one memory in a recall.
    pub fn why_not(&self, question: &Question, id: &str) -> Result<Fate> {
        let (_, id) = self.locate_named(id)?;
        let question = self.with_vectors(question)?;
        self.asking(|sources| Ok(mnemic_recall::why_not(sources, &question, &id)?))
    }

    /// Memories that say something like this one does.
    pub fn similar(&self, id: &str, limit: usize) -> Result<Recall> {
        let (store, id) = self.locate_named(id)?;
        let version = self.show(id.as_str(), At::LATEST)?.version;
        let mut question = self.question(version.content.body.full_text());
        question.vectors = self.own_vectors(store, &id)?;
        question.limit = limit + 1;
        question.switches.bounds = false;
        question.switches.strategy = false;
        question.switches.settle = false;
        question.switches.twins = false;
        question.switches.aspects = false;
        question.switches.reader = false;
        question.switches.gist = false;
        // It is no question, so it names nobody and no time.
        question.switches.person = false;
        question.switches.spelling = false;
        question.switches.time = false;
        question.switches.age = false;
        // What all have in common is what makes two alike.
        question.switches.contrast = false;
        question.filter.at = At::LATEST;
        let mut recall = self.recall(&question)?;
        recall.found.retain(|found| found.version.id != id && is_alike(found));
        recall.found.truncate(limit);
        Ok(recall)
    }

    /// What a memory means to each model that has read it: the first part of its text.
    fn own_vectors(&self, store: StoreName, id: &RecordId) -> Result<Vec<QueryVector>> {
        let read = self.store(store)?.read()?;
        let Some(key) = read.key_of(id, None)? else { return Ok(Vec::new()) };
        let mut vectors = Vec::new();
        for model in read.vector_models()? {
            let first = read.question_of(&model, key)?;
            vectors.extend(first.map(|vector| QueryVector::new(model, vector)));
        }
        Ok(vectors)
    }

    /// What happened around a point in time: up to `each` memories before it and as many after it,
    /// oldest first.
    pub fn timeline(&self, around: Timestamp, each: usize, filter: &Filter) -> Result<Vec<Moment>> {
        let mut filter = filter.clone();
        if filter.namespaces.is_empty() {
            filter.namespaces = self.lineage()?;
        }
        let beginning = Timestamp::from_micros(i64::MIN / 1_000_000).unwrap_or(around);
        let far = around.plus_seconds(400 * 365 * 86_400);
        let mut before = Vec::new();
        let mut after = Vec::new();
        for (name, store) in self.stores() {
            let read = store.read()?;
            let past = Span { from: beginning, to: around, latest_first: true };
            let future = Span { from: around, to: far, latest_first: false };
            let earlier = read.happened(past, &filter, each)?;
            let later = read.happened(future, &filter, each)?;
            let moments = |keys: &[_]| -> Result<Vec<Moment>> {
                let versions = read.versions_of(keys)?.into_iter();
                let moment =
                    |version| Moment { store: name, version: Arc::unwrap_or_clone(version) };
                Ok(versions.map(|(_, version)| moment(version)).collect())
            };
            before.extend(moments(&earlier)?);
            after.extend(moments(&later)?);
        }
        let began =
            |moment: &Moment| (moment.version.content.valid.from(), moment.version.recorded.from());
        before.sort_by_key(|moment| std::cmp::Reverse(began(moment)));
        before.truncate(each);
        before.reverse();
        after.sort_by_key(began);
        after.truncate(each);
        before.extend(after);
        Ok(before)
    }

    /// The point in time that a memory stands at, or that somebody calls by its name.
    pub fn moment_of(&self, text: &str) -> Result<Timestamp> {
        match self.show(text, At::LATEST) {
            Ok(shown) => Ok(shown.version.content.valid.from()),
            Err(error) if matches!(error.kind, ErrorKind::NotFound | ErrorKind::Invalid) => {
                self.span_named(text).map(|(begin, _)| begin).ok_or_else(|| {
                    let text = text.escape_debug();
                    Error::new(error.kind, format!("`{text}` is neither a memory nor a time"))
                        .hint("give an id, or a time such as 2026-01-15, yesterday or last week")
                })
            }
            Err(error) => Err(error),
        }
    }

    /// The beginning and the end of what `yesterday` or `three days ago` names, where the text says
    /// only that.
    pub fn span_named(&self, text: &str) -> Option<(Timestamp, Timestamp)> {
        span_named(text, &self.settings.clock.now().to_jiff().to_zoned(local_zone()))
    }

    /// Records that memories were handed over, after the answer has left.
    pub fn note_recalled(&self, found: &[Found]) -> Result<()> {
        self.note_loads(&found.iter().map(|one| one.version.id.as_str()).collect::<Vec<_>>())
    }

    pub(super) fn with_vectors(&self, question: &Question) -> Result<Question> {
        let mut question = question.clone();
        let mut served = Vec::new();
        if question.vectors.is_empty() && question.switches.meaning {
            for (_, store) in self.stores() {
                served.extend(store.read()?.vector_models()?);
            }
            question.vectors = self.settings.meaning.of_question(&question.text, &served)?;
        }
        if question.aspects.is_empty() && question.switches.aspects {
            question.aspects = self.aspects(&question.text, &served);
        }
        // A hook has no time to wait for a service.
        if question.reader.is_none() && self.settings.door != Door::Hook {
            question.reader = self.settings.meaning.reader();
        }
        if question.skimmer.is_none() {
            question.skimmer = self.settings.meaning.skimmer();
        }
        if question.vocabulary.is_none() {
            question.vocabulary = self.settings.meaning.vocabulary();
        }
        if question.filter.namespaces.is_empty() {
            question.filter.namespaces = self.lineage()?;
        }
        Ok(question)
    }

    /// What a question sets side by side, each as the models see it. Two times are no two things,
    /// and a hook has no time to ask a service more than once.
    fn aspects(&self, question: &str, served: &[VectorModel]) -> Vec<Aspect> {
        let meaning = &self.settings.meaning;
        let is_hurried = self.settings.door == Door::Hook && !meaning.is_at_hand();
        let Some(pair) = aspects(question).filter(|_| !is_hurried) else { return Vec::new() };
        if pair.iter().any(|one| self.span_named(one).is_some()) {
            return Vec::new();
        }
        // Where one cannot be read, its words are still there.
        let vectors = |text: &str| meaning.of_question(text, served).unwrap_or_default();
        pair.map(|text| Aspect { text: text.to_owned(), vectors: vectors(text) }).into()
    }

    /// The usual namespace with its parents, as far as any open store knows them.
    pub(super) fn lineage(&self) -> Result<Vec<Namespace>> {
        self.require_namespace()?;
        let mut names: Vec<Namespace> = Vec::new();
        for (_, store) in self.stores() {
            let read = store.read()?;
            names.extend(super::namespace::lineage(read.as_ref(), &self.settings.namespace)?);
        }
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Asks the open stores in one view each.
    pub(super) fn asking<T>(&self, ask: impl FnOnce(&[Source<'_>]) -> Result<T>) -> Result<T> {
        // A long tail is put on the shelf before it is read: that is quicker than reading it twice.
        // Where that fails (a full disk, or somebody forgets and clears the shelf at this moment),
        // the tail is read as it is, and what is wrong with the store itself shows there.
        let _ = self.grow_indexes();
        let mut reads: Vec<(StoreName, Box<dyn Read + '_>)> = Vec::new();
        for (name, store) in self.stores() {
            reads.push((name, store.read()?));
        }
        if reads.is_empty() {
            return Err(crate::engine::no_project());
        }
        let sources: Vec<Source<'_>> = reads
            .iter()
            .map(|(name, read)| Source { name: name.as_str(), read: read.as_ref() })
            .collect();
        ask(&sources)
    }
}

/// The beginning and the end of the time that a text names, where it says only that.
pub fn span_named(text: &str, now: &Zoned) -> Option<(Timestamp, Timestamp)> {
    let [phrase] = phrases(text, now).try_into().ok()?;
    let around = [&text[..phrase.span.start], &text[phrase.span.end..]].concat();
    let is_all = !around.contains(char::is_alphanumeric) && !phrase.has_open_start();
    let time = |at: jiff::Timestamp| Timestamp::from_micros(at.as_microsecond()).ok();
    Some((time(phrase.from)?, time(phrase.to)?)).filter(|_| is_all)
}
