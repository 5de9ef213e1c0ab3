//! Recording what became of memories after they were handed out.

use crate::level::Level;
use crate::{Engine, Result, StoreName};
use mnemic_model::{RecordId, Unit, Use};
use mnemic_store::sqlite::waiting_at_most;
use std::time::Duration;

/// Nearly all writes of others are over before this.
const MOMENT: Duration = Duration::from_millis(250);

/// A memory that was handed out, with what it cost to read where somebody has counted that already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandedOut {
    pub id: RecordId,
    pub tokens: Option<u64>,
}

impl Engine {
    pub fn record_use(&self, ids: &[&str], event: Use, relevance: Option<Unit>) -> Result<()> {
        let each = ids.iter().map(|id| (*id, None));
        self.record(each, event, relevance)
    }

    /// Records that memories were read, unless somebody else is writing just then: whoever has the
    /// answer does not wait for the counting of it.
    pub fn note_loads(&self, ids: &[&str]) -> Result<()> {
        waiting_at_most(MOMENT, || self.record_use(ids, Use::Loaded, None))
    }

    /// Records that memories were handed out.
    pub fn record_handed_out(&self, memories: &[HandedOut]) -> Result<()> {
        let each = memories.iter().map(|memory| (memory.id.as_str(), memory.tokens));
        self.record(each, Use::Loaded, None)
    }

    /// All of these, or none if one of them is not there.
    fn record<'i>(
        &self,
        each: impl Iterator<Item = (&'i str, Option<u64>)>,
        event: Use,
        relevance: Option<Unit>,
    ) -> Result<()> {
        let located: Vec<(StoreName, RecordId, Option<u64>)> = each
            .map(|(id, tokens)| self.locate(id).map(|(store, id)| (store, id, tokens)))
            .collect::<Result<_>>()?;
        let now = self.now();
        for store in [StoreName::Project, StoreName::User] {
            let mut here = located.iter().filter(|(name, ..)| *name == store).peekable();
            if here.peek().is_none() {
                continue;
            }
            let mut tx = self.store(store)?.write()?;
            for (_, id, tokens) in here {
                let tokens = match (event, *tokens) {
                    (Use::Loaded, Some(tokens)) => tokens,
                    (Use::Loaded, None) => {
                        let version = tx.version(id, None)?;
                        version.map_or(0, |version| Level::full(&version.content).tokens())
                    }
                    _ => 0,
                };
                let mut usage = tx.usage(id)?;
                usage.record(event, now, relevance, tokens);
                tx.set_usage(id, &usage)?;
            }
            tx.commit()?;
        }
        Ok(())
    }
}
