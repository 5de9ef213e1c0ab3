//! An embedder that remembers passages, in memory and on request on disk: the same text is embedded
//! once. Questions are always embedded anew, because their time is part of what is measured.

use mnemic_engine::inference::{self, Embedder, Error, ModelId, Passage, Role, Vector};
use std::collections::HashMap;
use std::error::Error as StdError;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Debug)]
struct Cached {
    inner: Arc<dyn Embedder>,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    vectors: HashMap<u64, Vector>,
    file: Option<File>,
}

pub(crate) fn embedder(folder: Option<&Path>) -> Result<Arc<dyn Embedder>, Box<dyn StdError>> {
    let inner = inference::local()?;
    let mut kept = Kept::default();
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder)?;
        let model = inner.model();
        let path = folder.join(format!("{}-{}.vectors", model.name, model.generation));
        kept.read(&path, model.dimensions)?;
        kept.file = Some(OpenOptions::new().create(true).append(true).open(path)?);
    }
    Ok(Arc::new(Cached { inner, kept: Mutex::new(kept) }))
}

impl Kept {
    /// Entries of a hash and its vector; a last one that was cut off is left out.
    fn read(&mut self, path: &Path, dimensions: usize) -> std::io::Result<()> {
        let Ok(file) = File::open(path) else { return Ok(()) };
        let mut reader = BufReader::new(file);
        let mut entry = vec![0; 8 + 4 * dimensions];
        while reader.read_exact(&mut entry).is_ok() {
            let number =
                |at: usize| -> [u8; 4] { entry[at..at + 4].try_into().expect("four bytes") };
            let hash = u64::from_le_bytes(entry[..8].try_into().expect("eight bytes"));
            let vector = (0..dimensions).map(|n| f32::from_le_bytes(number(8 + 4 * n))).collect();
            self.vectors.insert(hash, vector);
        }
        Ok(())
    }

    fn keep(&mut self, hash: u64, vector: &Vector) {
        if let Some(file) = &mut self.file {
            let mut entry = hash.to_le_bytes().to_vec();
            entry.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
            // A cache that cannot be written only costs time.
            let _ = file.write_all(&entry);
        }
        self.vectors.insert(hash, vector.clone());
    }
}

fn hash(text: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Of a passage and its parts.
fn hashes(passage: &Passage<'_>) -> Vec<u64> {
    let parts = passage.parts.iter().map(|part| hash((passage.text, part)));
    std::iter::once(hash(passage.text)).chain(parts).collect()
}

impl Embedder for Cached {
    fn model(&self) -> &ModelId {
        self.inner.model()
    }

    fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<Vector>, Error> {
        if role == Role::Query {
            return self.inner.embed(texts, role);
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let new: Vec<&str> =
            texts.iter().copied().filter(|text| !kept.vectors.contains_key(&hash(text))).collect();
        for (text, vector) in new.iter().zip(self.inner.embed(&new, role)?) {
            kept.keep(hash(text), &vector);
        }
        Ok(texts.iter().map(|text| kept.vectors[&hash(text)].clone()).collect())
    }

    fn embed_parts(&self, passages: &[Passage<'_>]) -> Result<Vec<Vec<Vector>>, Error> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = |passage: &&Passage<'_>| {
            hashes(passage).iter().any(|hash| !kept.vectors.contains_key(hash))
        };
        let new: Vec<Passage<'_>> = passages.iter().filter(is_new).copied().collect();
        for (passage, vectors) in new.iter().zip(self.inner.embed_parts(&new)?) {
            for (hash, vector) in hashes(passage).into_iter().zip(&vectors) {
                kept.keep(hash, vector);
            }
        }
        let known = |passage: &Passage<'_>| {
            hashes(passage).iter().map(|hash| kept.vectors[hash].clone()).collect()
        };
        Ok(passages.iter().map(known).collect())
    }

    fn is_word(&self, word: &str) -> Option<bool> {
        self.inner.is_word(word)
    }

    fn window(&self) -> usize {
        self.inner.window()
    }

    fn is_remote(&self) -> bool {
        false
    }
}
