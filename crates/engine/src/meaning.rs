//! What a memory means, as vectors: which text of it is embedded, and by which model.

use crate::{Error, ErrorKind, Result};
use mnemic_inference::{Embedder, Gist, Passage, Reranker, Role, Vector};
use mnemic_model::Body;
use mnemic_recall::{QueryVector, Reader, Skimmer, Vocabulary};
use mnemic_store::{Embedding, Grain, VectorModel};
use mnemic_text::segments::{Nested, ending, nested_segments};
use mnemic_text::speech::labelled;
use mnemic_text::tokens::estimate;
use std::ops::Range;
use std::sync::Arc;

/// Words in a part of each grain. A short part means one thing; a long one tells what it is about.
const COARSE_WORDS: usize = 120;
const FINE_WORDS: usize = 40;

/// Words of a question that are embedded, from its end. Whole prompts are asked as questions: the last
/// thing said is what is wanted, and reading all of it takes a hundred milliseconds.
const QUESTION_WORDS: usize = 40;

/// Paths and code have many tokens in few words, and it is tokens that take time.
const QUESTION_TOKENS: u32 = 72;

/// What is longer is not even counted.
const QUESTION_BYTES: usize = 320;

/// Texts embedded in one go at most, so that a batch can be interrupted.
pub(crate) const BATCH: usize = 32;

/// The embedders of an engine: the one that new vectors are made with, and those whose vectors are
/// still served until it has read everything.
#[derive(Debug, Clone, Default)]
pub struct Meaning {
    present: Option<Arc<dyn Embedder>>,
    earlier: Vec<Arc<dyn Embedder>>,
    /// Reads questions and answers together.
    reader: Option<Arc<Reading>>,
    /// Tells what texts are about by their words alone.
    skimmer: Option<Arc<Skimming>>,
    /// Whether writes leave their vectors to `embed_waiting`.
    waits: bool,
}

impl Meaning {
    pub fn none() -> Meaning {
        Meaning::default()
    }

    pub fn by(embedder: Arc<dyn Embedder>) -> Meaning {
        Meaning { present: Some(embedder), ..Meaning::default() }
    }

    /// Serves vectors of this model too, while they last.
    pub fn after(mut self, earlier: Arc<dyn Embedder>) -> Meaning {
        self.earlier.push(earlier);
        self
    }

    /// Lets the best answers be read again beside the question.
    pub fn read_by(mut self, reranker: Arc<dyn Reranker>) -> Meaning {
        self.reader = Some(Arc::new(Reading(reranker)));
        self
    }

    pub(crate) fn reader(&self) -> Option<Arc<dyn Reader>> {
        Some(self.reader.clone()?)
    }

    /// Lets the gist of the best answers have its share.
    pub fn skimmed_by(mut self, gist: Option<Arc<Gist>>) -> Meaning {
        self.skimmer = gist.map(|gist| Arc::new(Skimming(gist)));
        self
    }

    pub(crate) fn skimmer(&self) -> Option<Arc<dyn Skimmer>> {
        Some(self.skimmer.clone()?)
    }

    /// What tells words from slips: the vocabularies of the models, where they are at hand.
    pub(crate) fn vocabulary(&self) -> Option<Arc<dyn Vocabulary>> {
        let has_one = |embedder: &Arc<dyn Embedder>| embedder.is_word("word").is_some();
        let is_there = self.skimmer.is_some() || self.embedders().any(has_one);
        is_there.then(|| Arc::new(self.clone()) as Arc<dyn Vocabulary>)
    }

    fn embedders(&self) -> impl Iterator<Item = &Arc<dyn Embedder>> {
        self.present.iter().chain(&self.earlier)
    }

    /// The same, but nothing is embedded by the way.
    pub fn later(mut self) -> Meaning {
        self.waits = true;
        self
    }

    pub fn is_there(&self) -> bool {
        self.present.is_some()
    }

    /// Whether a memory can be embedded inside the write that stores it.
    pub(crate) fn is_at_hand(&self) -> bool {
        !self.waits && self.present.as_ref().is_some_and(|embedder| !embedder.is_remote())
    }

    pub fn model(&self) -> Option<VectorModel> {
        self.present.as_ref().map(|embedder| model_of(embedder.as_ref()))
    }

    /// Begins to read a question while something else is done, such as opening the store. Whoever
    /// asks it then waits for that, where the embedder remembers; a service is not asked in advance.
    pub fn read_ahead(&self, question: &str) {
        let at_hand = self.present.clone().filter(|embedder| !embedder.is_remote());
        let end = end_of_question(question);
        let Some(embedder) = at_hand.filter(|_| !end.trim().is_empty()) else { return };
        let end = end.to_owned();
        // Without a thread it is read when it is asked.
        let _ = std::thread::Builder::new().spawn(move || embedder.embed(&[&end], Role::Query));
    }

    /// A question as each model sees it that has vectors among `served`: its end, if it is long.
    pub(crate) fn of_question(
        &self,
        text: &str,
        served: &[VectorModel],
    ) -> Result<Vec<QueryVector>> {
        let end = end_of_question(text);
        let read = end.len() as f64 / text.len().max(1) as f64;
        let mut vectors = self.of_text(end, served)?;
        vectors.iter_mut().for_each(|vector| vector.read = read);
        Ok(vectors)
    }

    /// A text as each model sees it that has vectors among `served`.
    pub(crate) fn of_text(&self, text: &str, served: &[VectorModel]) -> Result<Vec<QueryVector>> {
        let mut vectors = Vec::new();
        if text.trim().is_empty() {
            return Ok(vectors);
        }
        for model in served {
            let is_known = |known: &QueryVector| known.model == *model;
            let Some(embedder) = self.reader_of(model) else { continue };
            if !vectors.iter().any(is_known) {
                let vector = embedder.embed(&[text], Role::Query).map_err(failed)?.pop();
                let model = model.clone();
                vectors.extend(vector.map(|vector| QueryVector::new(model, vector)));
            }
        }
        Ok(vectors)
    }

    /// Whoever reads questions for the vectors of this model: itself, or else our own model as
    /// another build of it computes. Those differ in the last digits, and nobody has to wait until
    /// all are made anew.
    fn reader_of(&self, model: &VectorModel) -> Option<&Arc<dyn Embedder>> {
        let is_it = |embedder: &&Arc<dyn Embedder>| {
            let own = embedder.model();
            (&own.name, &own.generation) == (&model.name, &model.generation)
        };
        let is_kin = |embedder: &&Arc<dyn Embedder>| {
            let own = embedder.model();
            let same = (&own.name, own.dimensions) == (&model.name, model.dimensions);
            same && !embedder.is_remote()
        };
        self.embedders().find(is_it).or_else(|| self.present.iter().find(is_kin))
    }

    /// The vectors of each of these, one for each part of its text.
    pub(crate) fn of_bodies(&self, bodies: &[&Body]) -> Result<Vec<Vec<Embedding>>> {
        let Some(embedder) = &self.present else { return Ok(Vec::new()) };
        let parts: Vec<Vec<Coarse>> =
            bodies.iter().map(|body| coarse_parts(&body.substance())).collect();
        let passages: Vec<Passage<'_>> = parts.iter().flatten().map(Coarse::passage).collect();
        let mut vectors = embedder.embed_parts(&passages).map_err(failed)?.into_iter();
        let own =
            |parts: &Vec<Coarse>| vectors.by_ref().take(parts.len()).flat_map(in_grains).collect();
        Ok(parts.iter().map(own).collect())
    }
}

/// A model that reranks, as recall sees it.
#[derive(Debug)]
struct Reading(Arc<dyn Reranker>);

impl Reader for Reading {
    fn read(&self, question: &str, texts: &[&str]) -> Result<Vec<f64>, String> {
        self.0.scores(question, texts).map_err(|why| match why.hint() {
            Some(hint) => format!("{why}; {hint}"),
            None => why.to_string(),
        })
    }
}

/// The gist, as recall sees it.
#[derive(Debug)]
struct Skimming(Arc<Gist>);

impl Skimmer for Skimming {
    fn skim(&self, question: &str, texts: &[&str]) -> Vec<Option<f64>> {
        let Some(asked) = self.0.direction(end_of_question(question)) else {
            return vec![None; texts.len()];
        };
        texts.iter().map(|text| self.0.nearness(&asked, text).map(f64::from)).collect()
    }
}

impl Vocabulary for Meaning {
    /// Any of them is enough: each knows words that the others cut into pieces.
    fn is_word(&self, word: &str) -> bool {
        let by_gist = || self.skimmer.as_ref().is_some_and(|skimming| skimming.0.is_word(word));
        self.embedders().any(|embedder| embedder.is_word(word) == Some(true)) || by_gist()
    }
}

fn end_of_question(text: &str) -> &str {
    let mut words = QUESTION_WORDS;
    let mut end = ending(text, words);
    while (end.len() > QUESTION_BYTES || estimate(end) > QUESTION_TOKENS) && words > 1 {
        words = words * 3 / 4;
        end = ending(end, words);
    }
    end
}

fn model_of(embedder: &dyn Embedder) -> VectorModel {
    let model = embedder.model();
    VectorModel {
        name: model.name.clone(),
        generation: model.generation.clone(),
        dimensions: model.dimensions,
    }
}

/// The vector of a coarse part, and those of its fine parts behind it.
fn in_grains(vectors: Vec<Vector>) -> impl Iterator<Item = Embedding> {
    let grains = std::iter::once(Grain::Coarse).chain(std::iter::repeat(Grain::Fine));
    vectors.into_iter().zip(grains).map(|(vector, grain)| Embedding { grain, vector })
}

/// A coarse part of a memory's text as it is embedded, and where its fine parts lie in it.
#[derive(Debug, PartialEq, Eq)]
struct Coarse {
    text: String,
    fine: Vec<Range<usize>>,
}

fn coarse_parts(text: &str) -> Vec<Coarse> {
    let mut parts = nested_segments(text, COARSE_WORDS, FINE_WORDS);
    // A text that is one fine part is the coarse one itself.
    if let [Nested { parts, .. }] = &mut parts[..]
        && parts.len() == 1
    {
        parts.clear();
    }
    parts.into_iter().filter_map(|part| Coarse::of(text, part)).collect()
}

impl Coarse {
    /// `None` for nothing but spaces.
    fn of(text: &str, part: Nested) -> Option<Coarse> {
        let whole = trimmed(text, part.whole);
        let fine = part.parts.into_iter().map(|fine| trimmed(text, fine));
        let fine = fine.filter(|fine| !fine.is_empty());
        let (reported, moved) = as_reported(&text[whole.clone()]);
        // The name stays with what is said first.
        let place = |at: usize| if at == whole.start { 0 } else { at - whole.start + moved };
        let fine = fine.map(|fine| place(fine.start)..place(fine.end)).collect();
        (!whole.is_empty()).then_some(Coarse { text: reported, fine })
    }

    fn passage(&self) -> Passage<'_> {
        Passage { text: &self.text, parts: &self.fine }
    }
}

fn trimmed(text: &str, part: Range<usize>) -> Range<usize> {
    let inner = text[part.clone()].trim_start();
    let start = part.end - inner.len();
    start..start + inner.trim_end().len()
}

/// `Ann: I moved` reads as a label to a model, `Ann said, "I moved"` as a sentence about Ann. Also how
/// far what was said has moved.
fn as_reported(text: &str) -> (String, usize) {
    match labelled(text) {
        Some((name, said)) => (format!("{name} said, \"{said}\""), " said, \"".len() - ": ".len()),
        None => (text.to_owned(), 0),
    }
}

fn failed(cause: mnemic_inference::Error) -> Error {
    let hint = cause.hint().map(str::to_owned);
    let error = Error::new(ErrorKind::Io, cause.to_string()).because(cause);
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_question_the_end_is_read_and_its_share_is_told() {
        let short = "which port does the database use?";
        assert_eq!(end_of_question(short), short);
        let prompt = format!("{} Move the port.", "This is what the log says. ".repeat(200));
        let end = end_of_question(&prompt);
        assert!(end.len() < 400 && end.starts_with("This") && end.ends_with("Move the port."));
        let paths = "crates/engine/src/verbs/recall.rs ".repeat(300);
        assert!(end_of_question(&paths).len() <= QUESTION_BYTES);
        assert!(end_of_question(&"x".repeat(1_000_000)).len() <= QUESTION_BYTES);
        let meaning = Meaning::by(mnemic_inference::fake(8));
        let model = meaning.model().expect("a model");
        let read = |text: &str| {
            meaning.of_question(text, std::slice::from_ref(&model)).expect("read")[0].read
        };
        assert_eq!(read(short), 1.0);
        assert!(read(&prompt) < 0.1);
    }

    #[test]
    fn what_somebody_said_becomes_a_sentence_about_them() {
        let reported = |text| as_reported(text).0;
        assert_eq!(reported("Ann: I moved"), "Ann said, \"I moved\"");
        assert_eq!(reported("Ann Lee: hi"), "Ann Lee said, \"hi\"");
        for text in ["Note that: x", "error: x", "TODO: x", "https://a", "Why: because", ""] {
            let kept = reported(text);
            assert!(kept == text || text.starts_with("Why"), "{kept}");
        }
    }

    /// Its parts, each with the fine ones as they stand in it.
    fn cut(text: &str) -> Vec<(String, Vec<String>)> {
        let fine = |part: &Coarse| -> Vec<String> {
            part.fine.iter().map(|fine| part.text[fine.clone()].to_owned()).collect()
        };
        coarse_parts(text).into_iter().map(|part| (part.text.clone(), fine(&part))).collect()
    }

    #[test]
    fn fine_parts_lie_within_coarse_ones() {
        let sentence = |nth: usize| format!("Sentence {nth} says what this one is about.");
        let many = |count: usize| (0..count).map(sentence).collect::<Vec<_>>().join(" ");
        assert_eq!(cut(""), []);
        assert_eq!(cut("  short \n"), [("short".to_owned(), vec![])]);
        let short = many(9);
        let [(text, fine)] = &cut(&short)[..] else { panic!("72 words are one coarse part") };
        assert_eq!((text, fine.len()), (&short, 2));
        let reported = cut(&format!("Ann: {short}"));
        let [(text, fine)] = &reported[..] else { panic!("one coarse part") };
        assert!(text.starts_with("Ann said, \"Sentence 0") && text.ends_with('"'));
        assert!(fine[0].starts_with("Ann said, \"Sentence 0") && fine[0].ends_with("about."));
        assert!(fine[1].starts_with("Sentence") && fine[1].ends_with("about."), "{fine:?}");
        let long = many(100);
        for (text, fine) in cut(&long) {
            assert!(long.contains(&text) && !fine.is_empty(), "{text}: {fine:?}");
            let ends = |part: &String| part.starts_with("Sentence") && part.ends_with("about.");
            assert!(fine.iter().all(ends), "{fine:?}");
        }
        let all: Vec<String> = cut(&long).into_iter().flat_map(|(_, fine)| fine).collect();
        assert!((0..100).all(|nth| all.iter().any(|fine| fine.contains(&sentence(nth)))));
    }
}
