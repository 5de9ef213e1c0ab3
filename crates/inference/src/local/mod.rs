//! Embeddings on this machine: packed weights, one processor core, nothing else.

mod aligned;
mod encoder;
pub(crate) mod kernel;
pub(crate) mod measure;
pub(crate) mod packed;
mod reference;
pub(crate) mod source;
mod tokens;

use std::env;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use encoder::{Bench, Encoder};
use kernel::Kernel;
use packed::{FORMAT, Packed, Section};
use tokens::Tokenizer;

use crate::mapped::Bytes;
use crate::{Embedder, Error, ModelId, Role, Vector};

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

    fn encode(&self, ids: &[Vec<u16>]) -> Result<Vec<Vector>, Error> {
        let benches = || self.benches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bench = benches().pop().unwrap_or_default();
        let encoder = Encoder { packed: &self.packed, kernel: self.kernel };
        let vectors = encoder.encode(ids, &mut bench);
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
        let mut vectors = Vec::with_capacity(texts.len());
        let mut batch: Vec<Vec<u16>> = Vec::new();
        let mut rows = 0;
        for text in texts {
            let ids = tokenizer.ids(text);
            if !batch.is_empty() && rows + ids.len() > ROWS {
                vectors.extend(self.encode(&batch)?);
                batch.clear();
                rows = 0;
            }
            rows += ids.len();
            batch.push(ids);
        }
        if !batch.is_empty() {
            vectors.extend(self.encode(&batch)?);
        }
        Ok(vectors)
    }

    fn window(&self) -> usize {
        self.packed.shape().window
    }

    fn is_remote(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod tiny;
