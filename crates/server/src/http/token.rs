//! Tokens: who may come in, as whom, how far, and until when. The file holds hashes, never a token.

use mnemic_engine::model::{Actor, Author, Kind, Namespace, Timestamp};
use mnemic_engine::{Error, ErrorKind, Random, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

/// The file of tokens beside a store.
pub const TOKENS_FILE: &str = "tokens.json";

/// What every token begins with, so that scanners for leaked secrets know it.
const PREFIX: &str = "mnemic";

/// How far a token reaches; each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    Read,
    Write,
    Admin,
}

impl Reach {
    pub const ALL: [Reach; 3] = [Reach::Read, Reach::Write, Reach::Admin];

    pub fn as_str(self) -> &'static str {
        match self {
            Reach::Read => "read",
            Reach::Write => "write",
            Reach::Admin => "admin",
        }
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Reach {
    type Err = Error;
    fn from_str(text: &str) -> Result<Reach> {
        Reach::ALL.into_iter().find(|reach| reach.as_str() == text).ok_or_else(|| {
            Error::new(ErrorKind::Invalid, format!("`{text}` is not a scope of a token"))
                .hint("use read, write or admin")
        })
    }
}

/// What a token allows, without the token.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// Names the token in lists and for revoking; a part of the token itself.
    pub id: String,
    /// What its writes are signed with.
    pub name: String,
    pub scope: Reach,
    /// Whether its writes are the word of a person.
    #[serde(default)]
    pub person: bool,
    /// Only this namespace, and for reading its parents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Namespace>,
    /// Only these kinds; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<Kind>,
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// BLAKE3 of the whole token. It is 256 random bits, so that a slow hash would add nothing.
    hash: String,
}

impl Grant {
    /// Who acts when this token writes.
    pub fn actor(&self) -> Actor {
        let author = if self.person { Author::Human } else { Author::Agent };
        Actor::new(author, self.name.clone())
    }

    /// Whether it sees less than all of the store.
    pub fn is_limited(&self) -> bool {
        self.namespace.is_some() || !self.kinds.is_empty()
    }

    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

/// What a new token should allow.
#[derive(Debug, Clone)]
pub struct Wish {
    pub name: String,
    pub scope: Reach,
    pub person: bool,
    pub namespace: Option<Namespace>,
    pub kinds: Vec<Kind>,
    pub expires_at: Option<Timestamp>,
}

impl Wish {
    pub fn new(name: impl Into<String>, scope: Reach) -> Wish {
        Wish {
            name: name.into(),
            scope,
            person: false,
            namespace: None,
            kinds: Vec::new(),
            expires_at: None,
        }
    }
}

/// A token in the clear: shown once, never written down by us, never printed by accident.
pub struct Plain(String);

impl Plain {
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plain(…)")
    }
}

/// Why a token was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    Missing,
    Wrong,
    Expired,
}

/// Which state of the file was read.
type Stamp = (u64, i64, i64, u64);

#[derive(Debug, Default)]
struct Known {
    stamp: Option<Stamp>,
    grants: Vec<Arc<Grant>>,
}

/// The tokens of one file. Other processes may change it; what they did holds with the next request.
#[derive(Debug)]
pub struct Tokens {
    path: PathBuf,
    known: Mutex<Known>,
}

impl Tokens {
    pub fn at(path: impl Into<PathBuf>) -> Tokens {
        Tokens { path: path.into(), known: Mutex::default() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn list(&self) -> Result<Vec<Arc<Grant>>> {
        let stamp = stamp(&self.path);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.stamp != stamp || stamp.is_none() {
            known.grants = read(&self.path)?.into_iter().map(Arc::new).collect();
            known.stamp = stamp;
        }
        Ok(known.grants.clone())
    }

    /// The grant behind a token, in a time that does not tell how much of it was right.
    pub fn find(&self, token: &str, now: Timestamp) -> Result<Result<Arc<Grant>, Unknown>> {
        let given = blake3::hash(token.as_bytes());
        let fits = |grant: &&Arc<Grant>| {
            // Comparing hashes takes constant time.
            blake3::Hash::from_hex(&grant.hash).is_ok_and(|hash| hash == given)
        };
        Ok(match self.list()?.iter().find(fits) {
            None => Err(Unknown::Wrong),
            Some(grant) if grant.is_expired(now) => Err(Unknown::Expired),
            Some(grant) => Ok(grant.clone()),
        })
    }

    /// Makes a token; what comes back is all there will ever be of it in the clear.
    pub fn create(&self, wish: Wish, now: Timestamp, random: &dyn Random) -> Result<Made> {
        // The name becomes an actor's, which has rules of its own.
        Actor::parse(&format!("agent:{}", wish.name))?;
        if wish.name.trim().is_empty() {
            return Err(Error::new(ErrorKind::Invalid, "a token needs a name")
                .hint("say who will use it, e.g. `mnemic token create --name codex`"));
        }
        let id = format!("{:08x}", random.bits() as u32);
        let secret: String = (0..4).map(|_| format!("{:016x}", random.bits())).collect();
        let token = format!("{PREFIX}_{id}_{secret}");
        let grant = Grant {
            id,
            name: wish.name,
            scope: wish.scope,
            person: wish.person,
            namespace: wish.namespace,
            kinds: wish.kinds,
            created_at: now,
            expires_at: wish.expires_at,
            hash: blake3::hash(token.as_bytes()).to_hex().to_string(),
        };
        let kept = grant.clone();
        self.change(move |grants| {
            if grants.iter().any(|other| other.name == kept.name) {
                return Err(Error::new(
                    ErrorKind::Conflict,
                    format!("there is a token named `{}` already", kept.name),
                )
                .hint("choose another name, or `mnemic token revoke` that one first"));
            }
            grants.push(kept);
            Ok(())
        })?;
        Ok(Made { grant, token: Plain(token) })
    }

    /// Takes tokens back by id or name; their grants.
    pub fn revoke(&self, name: &str) -> Result<Grant> {
        let mut gone = None;
        self.change(|grants| {
            let place = grants.iter().position(|one| one.id == name || one.name == name);
            let Some(place) = place else {
                return Err(Error::new(ErrorKind::NotFound, format!("there is no token `{name}`"))
                    .hint("`mnemic token list` shows those there are"));
            };
            gone = Some(grants.remove(place));
            Ok(())
        })?;
        Ok(gone.expect("the change found it"))
    }

    /// Reads, changes and writes the file while no other process does.
    fn change(&self, change: impl FnOnce(&mut Vec<Grant>) -> Result<()>) -> Result<()> {
        let lock = self.path.with_extension("lock");
        let turn = private().create(true).truncate(false).open(&lock);
        let turn = turn.map_err(|cause| failed("open", &lock, cause))?;
        turn.lock().map_err(|cause| failed("lock", &lock, cause))?;
        let mut grants = read(&self.path)?;
        change(&mut grants)?;
        write(&self.path, &grants)
    }
}

/// A new token, shown once.
#[derive(Debug)]
pub struct Made {
    pub grant: Grant,
    pub token: Plain,
}

#[derive(Serialize, Deserialize)]
struct OnDisk {
    tokens: Vec<Grant>,
}

fn stamp(path: &Path) -> Option<Stamp> {
    let about = fs::metadata(path).ok()?;
    Some((about.ino(), about.mtime(), about.mtime_nsec(), about.len()))
}

fn read(path: &Path) -> Result<Vec<Grant>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(failed("read", path, cause)),
    };
    let file: OnDisk = serde_json::from_str(&text).map_err(|cause| {
        Error::new(ErrorKind::Damaged, format!("`{}` is not a file of tokens", path.display()))
            .because(cause)
            .hint("remove it and make new tokens with `mnemic token create`")
    })?;
    Ok(file.tokens)
}

/// Written beside and renamed, so that a reader sees the old file or the new one.
fn write(path: &Path, grants: &[Grant]) -> Result<()> {
    let beside = path.with_extension("new");
    let text = serde_json::to_string_pretty(&OnDisk { tokens: grants.to_vec() })
        .map_err(|cause| Error::new(ErrorKind::Internal, "tokens have no JSON").because(cause))?;
    let mut file: File = private()
        .create(true)
        .truncate(true)
        .open(&beside)
        .map_err(|cause| failed("write", &beside, cause))?;
    file.write_all(text.as_bytes()).map_err(|cause| failed("write", &beside, cause))?;
    file.sync_all().map_err(|cause| failed("write", &beside, cause))?;
    fs::rename(&beside, path).map_err(|cause| failed("replace", path, cause))
}

/// Only the person who runs us may look.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o600);
    options
}

fn failed(doing: &str, path: &Path, cause: std::io::Error) -> Error {
    let kind = match cause.kind() {
        std::io::ErrorKind::ReadOnlyFilesystem => ErrorKind::ReadOnly,
        std::io::ErrorKind::StorageFull => ErrorKind::DiskFull,
        std::io::ErrorKind::NotFound => ErrorKind::NoStore,
        _ => ErrorKind::Io,
    };
    Error::new(kind, format!("cannot {doing} `{}`", path.display()))
        .because(cause)
        .hint("check the path and its permissions, or name another with `--token-file`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_testkit::{SeededRandom, at};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_token_is_known_until_it_is_revoked_or_expires() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let tokens = Tokens::at(dir.path().join(TOKENS_FILE));
        let random = SeededRandom::new(7);
        let now = at("2026-01-05T10:00:00Z");
        let wish = Wish { expires_at: Some(now.plus_seconds(60)), ..Wish::new("ci", Reach::Write) };
        let made = tokens.create(wish, now, &random).expect("a token");
        let token = made.token.reveal();
        let text = fs::read_to_string(tokens.path()).expect("the file");
        assert!(!text.contains(token), "the file holds the token itself");
        let mode = fs::metadata(tokens.path()).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let found = |token: &str, now| tokens.find(token, now).expect("readable");
        assert_eq!(found(token, now).map(|grant| grant.scope), Ok(Reach::Write));
        assert_eq!(found(&token[..token.len() - 1], now), Err(Unknown::Wrong));
        assert_eq!(found(token, now.plus_seconds(60)), Err(Unknown::Expired));
        // Another process takes it back.
        Tokens::at(tokens.path()).revoke("ci").expect("it is there");
        assert_eq!(found(token, now), Err(Unknown::Wrong));
    }

    #[test]
    fn names_are_unique_and_sound() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let tokens = Tokens::at(dir.path().join(TOKENS_FILE));
        let random = SeededRandom::new(7);
        let now = at("2026-01-05T10:00:00Z");
        let make = |name: &str| tokens.create(Wish::new(name, Reach::Read), now, &random);
        assert!(make("a").is_ok());
        assert_eq!(make("a").expect_err("taken").kind, ErrorKind::Conflict);
        assert!(make(" ").is_err());
        assert!(make("a\u{1b}[31m").is_err());
        assert_eq!(tokens.revoke("b").expect_err("unknown").kind, ErrorKind::NotFound);
    }

    #[test]
    fn a_token_is_never_printed_by_accident() {
        assert_eq!(format!("{:?}", Plain("secret".into())), "Plain(…)");
    }
}
