//! Embeddings on this machine: packed weights, one processor core, nothing else.

mod aligned;
mod encoder;
pub(crate) mod kernel;
pub(crate) mod measure;
pub(crate) mod packed;
mod reference;
pub(crate) mod source;
pub(crate) mod tokens;

use std::env;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use encoder::{Bench, Encoder};
use kernel::Kernel;
use packed::{FORMAT, Packed, Section};
use tokens::{Tokenizer, Tokens};

use crate::mapped::Bytes;
use crate::{Embedder, Error, ModelId, Passage, Role, Vector};

/// How many rows are multiplied at once: enough that fetching weights does not count, few enough
/// that the rows stay in the cache. A longer text goes alone.
const ROWS: usize = 128;

/// The local model: the packed file named by `MNEMIC_WEIGHTS`, or the one built into the program.
pub fn local() -> Result<Arc<dyn Embedder>, Error> {
    let named = env::var_os("MNEMIC_WEIGHTS").filter(|path| !path.is_empty());
    local_with(named.as_deref().map(Path::new))
}

/// The local model from the packed file, or without one the model built into the program.
pub fn local_with(path: Option<&Path>) -> Result<Arc<dyn Embedder>, Error> {
    if let Some(path) = path.or(left_beside()) {
        return local_from(path);
    }
    let bytes = built_in().ok_or(Error::NoWeights)?;
    let packed = Packed::open(Bytes::Within(bytes), "the built-in weights")?;
    Ok(Arc::new(Local::new(packed, Kernel::best())))
}

/// The local model from a packed file.
pub fn local_from(path: &Path) -> Result<Arc<dyn Embedder>, Error> {
    Ok(Arc::new(Local::new(Packed::map(path)?, Kernel::best())))
}

/// A build for tests reads the weights where they lie: forty test programs need no copy each.
fn left_beside() -> Option<&'static Path> {
    let beside = cfg!(debug_assertions).then_some(option_env!("MNEMIC_EMBEDDED_WEIGHTS")).flatten();
    beside.map(Path::new).filter(|path| path.is_file())
}

/// What `scripts/weights` had prepared when the program was built.
#[cfg(all(embedded_weights, not(debug_assertions)))]
pub(crate) fn built_in() -> Option<&'static [u8]> {
    #[repr(C, align(64))]
    struct Aligned<T: ?Sized>(T);
    static WEIGHTS: &Aligned<[u8]> = &Aligned(*include_bytes!(env!("MNEMIC_EMBEDDED_WEIGHTS")));
    Some(&WEIGHTS.0)
}

#[cfg(not(all(embedded_weights, not(debug_assertions))))]
pub(crate) fn built_in() -> Option<&'static [u8]> {
    None
}

#[derive(Debug)]
pub(crate) struct Local {
    packed: Packed,
    kernel: Kernel,
    model: ModelId,
    /// Of those who have finished, for whoever comes next; never more than worked at once.
    benches: Mutex<Vec<Bench>>,
}

impl Local {
    pub(crate) fn new(packed: Packed, kernel: Kernel) -> Local {
        let header = packed.header();
        let digest: String =
            header.body_digest[..5].iter().map(|byte| format!("{byte:02x}")).collect();
        let model = ModelId {
            name: header.name.clone(),
            // The format too, since it stands for the arithmetic.
            generation: format!("{FORMAT:02x}{digest}"),
            dimensions: header.shape.hidden,
        };
        Local { packed, kernel, model, benches: Mutex::default() }
    }

    pub(crate) fn tokenizer(&self) -> Tokenizer<'_> {
        let shape = self.packed.shape();
        Tokenizer {
            first: self.packed.numbers(Section::FirstTokens),
            merges: self.packed.numbers(Section::Merges),
            start: shape.start,
            end: shape.end,
            window: shape.window,
        }
    }

    /// The vectors of all texts in order, each followed by those of its parts.
    fn read(&self, texts: impl Iterator<Item = Tokens>) -> Result<Vec<Vector>, Error> {
        let mut vectors = Vec::new();
        let mut batch: Vec<Tokens> = Vec::new();
        let mut rows = 0;
        for text in texts {
            if !batch.is_empty() && rows + text.rows() > ROWS {
                vectors.extend(self.encode(&batch)?);
                batch.clear();
                rows = 0;
            }
            rows += text.rows();
            batch.push(text);
        }
        if !batch.is_empty() {
            vectors.extend(self.encode(&batch)?);
        }
        Ok(vectors)
    }

    fn encode(&self, texts: &[Tokens]) -> Result<Vec<Vector>, Error> {
        let benches = || self.benches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bench = benches().pop().unwrap_or_default();
        let encoder = Encoder { packed: &self.packed, kernel: self.kernel };
        let vectors = encoder.encode(texts, &mut bench);
        benches().push(bench);
        vectors
    }
}

impl Embedder for Local {
    fn model(&self) -> &ModelId {
        &self.model
    }

    /// The model was trained without telling queries from passages, so the role does not matter.
    fn embed(&self, texts: &[&str], _role: Role) -> Result<Vec<Vector>, Error> {
        let tokenizer = self.tokenizer();
        self.read(texts.iter().map(|text| tokenizer.ids(text).into()))
    }

    /// A text is read once, however many parts it has. A part that the window cuts off is read
    /// alone.
    fn embed_parts(&self, passages: &[Passage<'_>]) -> Result<Vec<Vec<Vector>>, Error> {
        let tokenizer = self.tokenizer();
        let read: Vec<_> =
            passages.iter().map(|whole| tokenizer.ids_and_parts(whole.text, whole.parts)).collect();
        let cut_off = passages.iter().zip(&read).flat_map(|(whole, (_, found))| {
            let missing = whole.parts.iter().zip(found).filter(|(_, found)| found.is_none());
            missing.map(|(part, _)| &whole.text[part.clone()])
        });
        let mut alone = self.read(cut_off.map(|part| tokenizer.ids(part).into()))?.into_iter();
        let (texts, found): (Vec<Vec<u16>>, Vec<_>) = read.into_iter().unzip();
        let texts = texts.into_iter().zip(&found);
        let texts = texts
            .map(|(ids, found)| Tokens { ids, parts: found.iter().flatten().cloned().collect() });
        let mut together = self.read(texts)?.into_iter();
        let mut own = |found: &Vec<Option<_>>| {
            let whole = together.next();
            let mut part = |is_there: bool| if is_there { together.next() } else { alone.next() };
            let parts: Vec<_> = found.iter().map(|found| part(found.is_some())).collect();
            whole.into_iter().chain(parts.into_iter().flatten()).collect()
        };
        Ok(found.iter().map(&mut own).collect())
    }

    fn window(&self) -> usize {
        self.packed.shape().window
    }

    fn is_word(&self, word: &str) -> Option<bool> {
        // Between the marks of start and end, and with the space that stands before words.
        Some(self.tokenizer().ids(&format!(" {word}")).len() == 3)
    }

    fn is_remote(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod tiny;
