//! `audit verify` and `audit sign`: is the chain whole, and is it the one that was signed?

use crate::engine::no_user;
use crate::seal::Lock;
use crate::{Engine, Error, ErrorKind, Result, StoreName};
use mnemic_model::audit::AuditEntry;
use mnemic_model::policy::Deed;
use mnemic_model::{Digest, Timestamp, Trust, Verb};
use serde::{Deserialize, Serialize};

/// A chain that was read from its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainState {
    pub entries: u64,
    /// The last entry and its hash; none in an empty chain.
    pub head: Option<(u64, Digest)>,
    /// The first entry that does not follow from the one before.
    pub broken_at: Option<u64>,
}

/// What was signed, by whom it can be checked, and the signature: a hash with the vault's key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditSignature {
    pub store: String,
    pub seq: u64,
    pub hash: Digest,
    pub at: Timestamp,
    /// Names the key without telling it.
    pub key: String,
    pub signature: String,
}

/// Entries read at once.
const STEP: usize = 1_000;

impl Engine {
    /// Reads the whole chain and follows every link.
    pub fn audit_verify(&self, store: StoreName) -> Result<ChainState> {
        let read = self.store(store)?.read()?;
        let mut state = ChainState { entries: 0, head: None, broken_at: None };
        let mut before = AuditEntry::genesis();
        loop {
            let entries = read.audit_entries(state.entries, STEP)?;
            let Some(last) = entries.last().map(|entry| entry.seq) else { break };
            for entry in &entries {
                let follows =
                    entry.seq == state.entries + 1 && entry.hash == entry.chained_hash(before);
                if !follows {
                    state.broken_at.get_or_insert(entry.seq);
                }
                before = entry.hash;
                state.entries = entry.seq;
                state.head = Some((entry.seq, entry.hash));
            }
            if state.entries != last {
                break;
            }
        }
        Ok(state)
    }

    /// Notes that access was given to this store or taken back, and to whom.
    pub fn audit_access(&self, verb: Verb, to: &str) -> Result<()> {
        let mut tx = self.store(self.main_store()?)?.write()?;
        tx.audit(&self.settings.actor, verb, to, None)?;
        Ok(tx.commit()?)
    }

    /// Signs the end of a chain that is whole, with a key that only this person has.
    pub fn audit_sign(&self, store: StoreName) -> Result<AuditSignature> {
        self.require(Deed::SignAudit, Trust::Trusted)?;
        let state = self.audit_verify(store)?;
        if let Some(seq) = state.broken_at {
            return Err(Error::new(ErrorKind::Damaged, format!("the chain breaks at entry {seq}"))
                .hint("`mnemic verify` names the damage; a broken chain is not signed"));
        }
        let Some((seq, hash)) = state.head else {
            return Err(Error::new(ErrorKind::NotFound, "there is nothing to sign yet")
                .hint("the chain begins with the first write"));
        };
        let lock = Lock::open_or_make(&self.settings.user.as_ref().ok_or_else(no_user)?.dir)?;
        let at = self.now();
        let (key, signature) = lock.sign(&signed(store, seq, hash, at));
        Ok(AuditSignature { store: store.to_string(), seq, hash, at, key, signature })
    }

    /// Whether the chain still holds the entry that was signed, and the signature is ours.
    pub fn audit_check(&self, store: StoreName, signature: &AuditSignature) -> Result<()> {
        let wrong = |what: String, hint: &str| Err(Error::new(ErrorKind::Damaged, what).hint(hint));
        let lock = Lock::open(&self.settings.user.as_ref().ok_or_else(no_user)?.dir)?;
        let AuditSignature { seq, hash, at, .. } = *signature;
        let (key, expected) = lock.sign(&signed(store, seq, hash, at));
        if key != signature.key {
            return wrong(
                "it was signed with another key".to_owned(),
                "check it on the machine whose vault.key signed it",
            );
        }
        if expected != signature.signature || signature.store != store.as_str() {
            return wrong(
                "the signature does not fit what it says".to_owned(),
                "take the file as `mnemic audit sign` printed it",
            );
        }
        let read = self.store(store)?.read()?;
        let there = read.audit_entries(seq.saturating_sub(1), 1)?;
        match there.first() {
            Some(entry) if entry.seq == seq && entry.hash == hash => Ok(()),
            _ => wrong(
                format!("entry {seq} is not the one that was signed"),
                "the log was changed or replaced since; compare it with a backup",
            ),
        }
    }
}

fn signed(store: StoreName, seq: u64, hash: Digest, at: Timestamp) -> Vec<u8> {
    format!("mnemic audit {store} {seq} {hash} {}", at.micros()).into_bytes()
}
