//! `diff`: what the store learnt, changed and took back between two times.

use crate::{Engine, Error, ErrorKind, Result, StoreName};
use mnemic_model::{RecordId, Timestamp, Version};

/// One record of which the belief changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    pub store: StoreName,
    pub id: RecordId,
    /// What was believed at the first time, at the second.
    pub before: Option<Version>,
    pub after: Option<Version>,
}

impl Engine {
    pub fn diff(&self, from: Timestamp, to: Timestamp) -> Result<Vec<Difference>> {
        if from > to {
            return Err(Error::new(ErrorKind::Invalid, format!("`{from}` is later than `{to}`"))
                .hint("give the earlier time first"));
        }
        let mut differences = Vec::new();
        for (store, sqlite) in self.stores() {
            let read = sqlite.read()?;
            for id in read.changed_between(from, to)? {
                let before = read.version(&id, Some(from))?;
                let after = read.version(&id, Some(to))?;
                // Made and taken back in between: nothing is left to see.
                if before != after {
                    differences.push(Difference { store, id, before, after });
                }
            }
        }
        Ok(differences)
    }
}
