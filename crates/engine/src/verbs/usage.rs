//! Recording what became of memories after they were handed out.

use crate::level::Level;
use crate::{Engine, Result, StoreName};
use mnemic_model::{RecordId, Unit, Use};

impl Engine {
    pub fn record_use(&self, ids: &[&str], event: Use, relevance: Option<Unit>) -> Result<()> {
        let located: Vec<(StoreName, RecordId)> =
            ids.iter().map(|id| self.locate(id)).collect::<Result<_>>()?;
        let now = self.now();
        for store in [StoreName::Project, StoreName::User] {
            let here: Vec<&RecordId> =
                located.iter().filter(|(name, _)| *name == store).map(|(_, id)| id).collect();
            if here.is_empty() {
                continue;
            }
            let mut tx = self.store(store)?.write()?;
            for id in here {
                let tokens = match (event, tx.version(id, None)?) {
                    (Use::Loaded, Some(version)) => Level::full(&version.content).tokens(),
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
