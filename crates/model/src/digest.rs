//! Fingerprints: of a memory's text, of a stored row, of one link in the audit chain.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The first half of a BLAKE3 hash: 128 bits, enough to notice every flipped byte and to name a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 16]);

impl Digest {
    /// Digest of `parts`, each preceded by its length so that no two lists read the same.
    pub fn of<'a>(purpose: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> Digest {
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        add(purpose.as_bytes());
        parts.into_iter().for_each(&mut add);
        Digest::truncated(&hasher.finalize())
    }

    fn truncated(hash: &blake3::Hash) -> Digest {
        let mut short = [0; 16];
        short.copy_from_slice(&hash.as_bytes()[..16]);
        Digest(short)
    }

    pub fn to_hex(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub fn from_hex(text: &str) -> Option<Digest> {
        if text.len() != 32 || !text.is_ascii() {
            return None;
        }
        let mut bytes = [0; 16];
        for (slot, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).ok()?;
            *slot = u8::from_str_radix(pair, 16).ok()?;
        }
        Some(Digest(bytes))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.to_hex())
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Digest::from_hex(&text)
            .ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not 32 hex digits")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cannot_run_into_each_other() {
        let split = Digest::of("t", [b"ab".as_slice(), b"c".as_slice()]);
        let other = Digest::of("t", [b"a".as_slice(), b"bc".as_slice()]);
        assert_ne!(split, other);
    }

    #[test]
    fn hex_reads_back() {
        let digest = Digest::of("t", [b"x".as_slice()]);
        assert_eq!(Digest::from_hex(&digest.to_hex()), Some(digest));
        assert_eq!(Digest::from_hex("zz"), None);
        assert_eq!(Digest::from_hex("éééééééééééééééé"), None);
    }
}
