//! An embedder that knows the questions it was last asked.
//!
//! Whoever asks, asks again: the same words are recalled, explained, asked why not, and made into a
//! context, and many agents of one server ask alike. Passages are written once and pass through.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::{Embedder, Error, ModelId, Passage, Role, Vector};

/// Questions kept: one and a half megabytes with the local model, if ever so many are asked.
const KEPT: usize = 1_024;

/// The same embedder, which reads a question that was asked lately only once. Keep one for as long
/// as a process answers questions.
pub fn remembering(embedder: Arc<dyn Embedder>) -> Arc<dyn Embedder> {
    Arc::new(Remembering { embedder, asked: Mutex::default() })
}

#[derive(Debug)]
struct Remembering {
    embedder: Arc<dyn Embedder>,
    /// The latest first.
    asked: Mutex<VecDeque<(String, Page)>>,
}

/// A question's vector, once somebody has read it. Whoever asks meanwhile waits here and nowhere
/// else.
type Page = Arc<Mutex<Option<Vector>>>;

impl Embedder for Remembering {
    fn model(&self) -> &ModelId {
        self.embedder.model()
    }

    fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<Vector>, Error> {
        let (Role::Query, [question]) = (role, texts) else {
            return self.embedder.embed(texts, role);
        };
        let page = self.page(question);
        let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(vector) = page.as_ref() {
            return Ok(vec![vector.clone()]);
        }
        let vectors = self.embedder.embed(texts, role)?;
        *page = vectors.first().cloned();
        Ok(vectors)
    }

    fn embed_parts(&self, passages: &[Passage<'_>]) -> Result<Vec<Vec<Vector>>, Error> {
        self.embedder.embed_parts(passages)
    }

    fn window(&self) -> usize {
        self.embedder.window()
    }

    fn is_word(&self, word: &str) -> Option<bool> {
        self.embedder.is_word(word)
    }

    fn is_remote(&self) -> bool {
        self.embedder.is_remote()
    }
}

impl Remembering {
    /// The question's page, which is empty until somebody has read the question.
    fn page(&self, question: &str) -> Page {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let place = asked.iter().position(|(text, _)| text == question);
        let entry = place.and_then(|place| asked.remove(place));
        let entry = entry.unwrap_or_else(|| (question.to_owned(), Page::default()));
        let page = entry.1.clone();
        asked.push_front(entry);
        asked.truncate(KEPT);
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Counts what it reads, and refuses the empty text.
    #[derive(Debug)]
    struct Counting(Arc<dyn Embedder>, Arc<AtomicUsize>);

    impl Embedder for Counting {
        fn model(&self) -> &ModelId {
            self.0.model()
        }

        fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<Vector>, Error> {
            self.1.fetch_add(texts.len(), Ordering::Relaxed);
            if texts.contains(&"") {
                return Err(Error::NoWeights);
            }
            self.0.embed(texts, role)
        }

        fn window(&self) -> usize {
            self.0.window()
        }

        fn is_remote(&self) -> bool {
            self.0.is_remote()
        }
    }

    fn counting() -> (Arc<dyn Embedder>, Arc<AtomicUsize>) {
        let read = Arc::new(AtomicUsize::new(0));
        (remembering(Arc::new(Counting(crate::fake(16), read.clone()))), read)
    }

    #[test]
    fn a_question_is_read_once_and_answered_alike() {
        let (embedder, read) = counting();
        let first = embedder.embed(&["which port?"], Role::Query).unwrap();
        assert_eq!(embedder.embed(&["which port?"], Role::Query).unwrap(), first);
        assert_eq!(read.load(Ordering::Relaxed), 1);
        assert_ne!(embedder.embed(&["which host?"], Role::Query).unwrap(), first);
    }

    #[test]
    fn who_asks_the_same_meanwhile_waits_for_the_answer() {
        let (embedder, read) = counting();
        let answers: Vec<Vec<Vector>> = std::thread::scope(|scope| {
            let ask = || embedder.embed(&["which port?"], Role::Query).unwrap();
            let asking: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            asking.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(answers.iter().all(|answer| *answer == answers[0] && answer.len() == 1));
        assert_eq!(read.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn passages_and_failures_are_not_kept() {
        let (embedder, read) = counting();
        for _ in 0..2 {
            embedder.embed(&["a passage"], Role::Passage).unwrap();
            embedder.embed(&[""], Role::Query).unwrap_err();
        }
        assert_eq!(read.load(Ordering::Relaxed), 4);
    }

    #[test]
    fn the_question_asked_longest_ago_is_forgotten_first() {
        let (embedder, read) = counting();
        let ask = |n: usize| embedder.embed(&[&format!("question {n}")], Role::Query).unwrap();
        for n in 0..=KEPT {
            ask(n);
            ask(1.min(n));
        }
        let so_far = read.load(Ordering::Relaxed);
        ask(1);
        assert_eq!(read.load(Ordering::Relaxed), so_far, "asked again and again");
        ask(0);
        assert_eq!(read.load(Ordering::Relaxed), so_far + 1, "asked once, long ago");
    }
}
