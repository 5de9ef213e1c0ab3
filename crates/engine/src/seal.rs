//! The vault's lock: values are encrypted before the store sees them, with a key that lies beside
//! the person's store and in no backup, export or index.

use crate::{Error, ErrorKind, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use std::fmt;
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// A value that cannot be printed by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretValue(String);

impl SecretValue {
    pub fn new(value: String) -> SecretValue {
        SecretValue(value)
    }

    /// For the one place that hands it to its owner.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretValue(…)")
    }
}

const NONCE_BYTES: usize = 24;

/// Seals and opens vault values. The name of the entry is bound in, so that sealed values cannot be
/// swapped between entries.
pub(crate) struct Lock {
    cipher: XChaCha20Poly1305,
    /// For signatures; what it is made of cannot be told from it.
    signing: [u8; 32],
}

impl Lock {
    /// Opens the key file, making it on first use.
    pub(crate) fn open_or_make(dir: &Path) -> Result<Lock> {
        let path = key_path(dir);
        if !path.exists() {
            let failed = |cause: std::io::Error| {
                Error::new(
                    ErrorKind::Io,
                    format!("cannot write the vault's key `{}`", path.display()),
                )
                .because(cause)
                .hint("make the directory writable; the vault needs a place for its key")
            };
            let mut key = [0u8; 32];
            fill(&mut key)?;
            fs::create_dir_all(dir).map_err(failed)?;
            // Whole or not at all, and the first of two processes wins.
            let draft = dir.join(format!(".vault.key.{}", std::process::id()));
            let mut file = fs::OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(true)
                .mode(0o600)
                .open(&draft)
                .map_err(failed)?;
            file.write_all(&key).and_then(|()| file.sync_all()).map_err(failed)?;
            let linked = fs::hard_link(&draft, &path);
            fs::remove_file(&draft).map_err(failed)?;
            match linked {
                Err(cause) if cause.kind() != std::io::ErrorKind::AlreadyExists => {
                    return Err(failed(cause));
                }
                _ => {}
            }
        }
        Lock::open(dir)
    }

    pub(crate) fn open(dir: &Path) -> Result<Lock> {
        let path = key_path(dir);
        let bytes = fs::read(&path).map_err(|cause| {
            Error::new(
                ErrorKind::NotFound,
                format!("the vault's key `{}` is missing", path.display()),
            )
            .because(cause)
            .hint("copy vault.key from the machine on which the secret was put in")
        })?;
        let key = Key::try_from(bytes.as_slice()).map_err(|_| {
            Error::new(
                ErrorKind::Damaged,
                format!("the vault's key `{}` is damaged", path.display()),
            )
            .hint("restore vault.key from your own backup; mnemic keeps no copy")
        })?;
        let signing = blake3::derive_key("mnemic audit signature", &bytes);
        Ok(Lock { cipher: XChaCha20Poly1305::new(&key), signing })
    }

    /// The name of the signing key, and a signature that only its owner can make or check.
    pub(crate) fn sign(&self, message: &[u8]) -> (String, String) {
        let name = blake3::derive_key("mnemic audit key name", &self.signing);
        let name = name[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        (name, blake3::keyed_hash(&self.signing, message).to_hex().to_string())
    }

    pub(crate) fn seal(&self, name: &str, value: &SecretValue) -> Result<String> {
        let mut nonce = [0u8; NONCE_BYTES];
        fill(&mut nonce)?;
        let payload = Payload { msg: value.0.as_bytes(), aad: name.as_bytes() };
        let sealed = self
            .cipher
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| Error::new(ErrorKind::Internal, "the vault could not seal the value"))?;
        Ok(BASE64.encode([&nonce[..], &sealed].concat()))
    }

    pub(crate) fn open_sealed(&self, name: &str, sealed: &str) -> Result<SecretValue> {
        let wrong = || {
            Error::new(ErrorKind::Denied, format!("the vault's key does not open `{name}`"))
                .hint("it was put in with another key: copy vault.key from that machine")
        };
        let bytes = BASE64.decode(sealed).map_err(|_| wrong())?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE_BYTES).ok_or_else(wrong)?;
        let nonce = XNonce::try_from(nonce).map_err(|_| wrong())?;
        let payload = Payload { msg: sealed, aad: name.as_bytes() };
        let value = self.cipher.decrypt(&nonce, payload).map_err(|_| wrong())?;
        Ok(SecretValue(String::from_utf8(value).map_err(|_| wrong())?))
    }
}

fn key_path(dir: &Path) -> PathBuf {
    dir.join("vault.key")
}

fn fill(bytes: &mut [u8]) -> Result<()> {
    getrandom::fill(bytes).map_err(|cause| {
        Error::new(ErrorKind::Internal, "the operating system gave no randomness")
            .because(cause.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_only_what_it_sealed_under_that_name() {
        let dir = tempfile::tempdir().unwrap();
        let lock = Lock::open_or_make(dir.path()).unwrap();
        let value = SecretValue::new("hunter2".into());
        let sealed = lock.seal("db", &value).unwrap();
        assert!(!sealed.contains("hunter2"));
        let again = Lock::open_or_make(dir.path()).unwrap();
        assert_eq!(again.open_sealed("db", &sealed).unwrap(), value);
        assert!(again.open_sealed("other", &sealed).is_err());
        assert!(again.open_sealed("db", "AAAA").is_err());
        assert_eq!(format!("{value:?}"), "SecretValue(…)");
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(key_path(dir.path())).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
