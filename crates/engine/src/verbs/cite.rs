//! `cite`: what an agent says it applied, taken from its own words.

use crate::{Engine, Result};
use mnemic_model::RecordId;
use mnemic_model::session::SessionId;
use mnemic_recall::context::{citation, cited};
use std::collections::BTreeSet;

/// What was found of what an agent cites.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CitedMemories {
    pub memories: Vec<RecordId>,
    /// Citations of nothing that the session was shown.
    pub unknown: Vec<String>,
}

impl Engine {
    /// Finds citations such as `Applied: [M:1a2b3c4d]` in what an agent wrote and notes which of the
    /// memories that the session was shown they mean. They count as referenced when it ends.
    pub fn cite(&self, session: &SessionId, text: &str) -> Result<CitedMemories> {
        self.require_open(session)?;
        let mut unknown: BTreeSet<String> =
            cited(text).into_iter().map(|one| one.citation).collect();
        let mut memories = Vec::new();
        if unknown.is_empty() {
            return Ok(CitedMemories::default());
        }
        let named = unknown.clone();
        // Of alike ids a context shows more digits; fewer than it showed are no citation.
        let is_named = |id: &RecordId| {
            let digits = citation(id);
            named.iter().any(|name| name.starts_with(&digits))
        };
        for (_, store) in self.stores() {
            let mut tx = store.write()?;
            let shown = tx.shown_in(session)?.into_iter().map(|one| one.record);
            let here: BTreeSet<RecordId> = shown.filter(is_named).collect();
            let here: Vec<RecordId> = here.into_iter().collect();
            tx.settle_shown(session, &here, None)?;
            tx.commit()?;
            unknown.retain(|name| !here.iter().any(|id| name.starts_with(&citation(id))));
            memories.extend(here);
        }
        Ok(CitedMemories { memories, unknown: unknown.into_iter().collect() })
    }
}
