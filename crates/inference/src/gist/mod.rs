//! The gist of a text: what its words mean, each by itself, added up.
//!
//! Nothing here knows context, so it takes microseconds to read a text, and it errs where a model
//! that reads sentences does not: what both find near is near.

mod add;
mod bench;
mod lately;
mod packed;
mod pieces;
mod sketch;
pub(crate) mod source;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use bench::Bench;
use lately::Lately;
use packed::Packed;
pub use packed::verify;
use pieces::pieces;
use sketch::{Sketch, push_unit};

use crate::Error;
use crate::mapped::Bytes;

/// Words in a fine part, and fine parts in a coarse one: a short part means one thing, a long one
/// tells what it is about.
const FINE_WORDS: usize = 40;
const FINE_IN_COARSE: usize = 3;

/// Bytes that are read of a text: what comes later is not what it is about.
const READ_BYTES: usize = 6_000;

/// The gist built into the program; `None` where it was built without.
pub fn gist() -> Result<Option<Arc<Gist>>, Error> {
    if let Some(path) = left_beside() {
        return gist_from(path).map(Some);
    }
    let Some(bytes) = built_in() else { return Ok(None) };
    let packed = Packed::open(Bytes::Within(bytes), "the built-in gist")?;
    Ok(Some(Gist::new(packed)))
}

/// The gist from a packed file.
pub fn gist_from(path: &Path) -> Result<Arc<Gist>, Error> {
    let packed = Packed::open(Bytes::map(path)?, &path.display().to_string())?;
    Ok(Gist::new(packed))
}

/// A build for tests reads the file where it lies, as it does with weights.
fn left_beside() -> Option<&'static Path> {
    let beside = cfg!(debug_assertions).then_some(option_env!("MNEMIC_EMBEDDED_GIST")).flatten();
    beside.map(Path::new).filter(|path| path.is_file())
}

#[cfg(all(embedded_gist, not(debug_assertions)))]
fn built_in() -> Option<&'static [u8]> {
    #[repr(C, align(64))]
    struct Aligned<T: ?Sized>(T);
    static GIST: &Aligned<[u8]> = &Aligned(*include_bytes!(env!("MNEMIC_EMBEDDED_GIST")));
    Some(&GIST.0)
}

#[cfg(not(all(embedded_gist, not(debug_assertions))))]
fn built_in() -> Option<&'static [u8]> {
    None
}

/// Rows of numbers, one for each piece of a word.
#[derive(Debug)]
pub struct Gist {
    packed: Packed,
    lately: Lately,
    /// Of those who have finished, for whoever comes next; never more than worked at once.
    benches: Mutex<Vec<Bench>>,
}

/// What a question is about, of length 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Direction(Vec<f32>);

impl Gist {
    fn new(packed: Packed) -> Arc<Gist> {
        Arc::new(Gist { packed, lately: Lately::default(), benches: Mutex::default() })
    }

    /// `None` for a text without a word.
    pub fn direction(&self, question: &str) -> Option<Direction> {
        let mut bench = self.take_bench();
        let words = upto(question, READ_BYTES).split_whitespace();
        bench.add_up(&self.packed, words.flat_map(pieces));
        let mut unit = Vec::new();
        push_unit(&mut unit, &bench.part);
        self.leave(bench);
        (!unit.is_empty()).then_some(Direction(unit))
    }

    /// The cosine of a text to what is asked: the mean of its nearest coarse and its nearest fine
    /// part. `None` for a text without a word.
    pub fn nearness(&self, question: &Direction, text: &str) -> Option<f32> {
        let text = upto(text, READ_BYTES);
        self.lately.of(text, || self.sketch(text)).nearness(&question.0)
    }

    /// Whether the vocabulary has this word in one piece, as it has the usual ones.
    pub fn is_word(&self, word: &str) -> bool {
        let mut pieces = pieces(word);
        let is_whole = |piece: pieces::Piece<'_>| self.packed.whole(piece.hash()).is_some();
        pieces.next().is_some_and(is_whole) && pieces.next().is_none()
    }

    /// The parts of a text, as even as they can be.
    fn sketch(&self, text: &str) -> Sketch {
        let words = text.split_whitespace().count();
        let fine = words.div_ceil(FINE_WORDS).max(1);
        let words_in_fine = words.div_ceil(fine).max(1);
        let fine_in_coarse = fine.div_ceil(fine.div_ceil(FINE_IN_COARSE));
        let mut bench = self.take_bench();
        bench.whole.fill(0.0);
        let mut sketch = Sketch::default();
        let mut in_whole = 0;
        let mut left = text.split_whitespace().peekable();
        while left.peek().is_some() {
            bench.add_up(&self.packed, left.by_ref().take(words_in_fine).flat_map(pieces));
            push_unit(&mut sketch.fine, &bench.part);
            let parts = bench.whole.iter_mut().zip(&bench.part);
            parts.for_each(|(whole, part)| *whole += part);
            in_whole += 1;
            if in_whole == fine_in_coarse || left.peek().is_none() {
                push_unit(&mut sketch.coarse, &bench.whole);
                bench.whole.fill(0.0);
                in_whole = 0;
            }
        }
        self.leave(bench);
        sketch
    }

    fn take_bench(&self) -> Bench {
        let mut left = self.benches.lock().unwrap_or_else(PoisonError::into_inner);
        left.pop().unwrap_or_else(|| Bench::new(self.packed.dimensions()))
    }

    fn leave(&self, bench: Bench) {
        self.benches.lock().unwrap_or_else(PoisonError::into_inner).push(bench);
    }
}

fn upto(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests;
