//! What memory costs and what it saves, over sessions and for each memory.

use crate::{Engine, Levels, Result};
use mnemic_model::RecordId;
use mnemic_model::session::{Economics, Session, SessionId};
use std::collections::BTreeSet;

/// What one memory cost to learn against what it costs to read.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryReturn {
    pub id: RecordId,
    pub title: String,
    /// Tokens that were spent on learning it.
    pub learning: u64,
    /// Tokens of reading it once, and of all the reading so far.
    pub reading: u64,
    pub read_so_far: u64,
    pub loaded: u64,
    pub cited: u64,
}

impl MemoryReturn {
    /// How many readings one learning would pay for; `None` where nobody said what it cost.
    pub fn ratio(&self) -> Option<f64> {
        (self.learning > 0).then(|| self.learning as f64 / self.reading.max(1) as f64)
    }

    /// What it has earned: the learning spared each time it was applied, less all the reading.
    pub fn earned(&self) -> i64 {
        let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        number(self.learning.saturating_mul(self.cited)).saturating_sub(number(self.read_so_far))
    }
}

/// The price of memory over some sessions.
#[derive(Debug, Clone, PartialEq)]
pub struct Spending {
    /// Newest first.
    pub sessions: Vec<(Session, Economics)>,
    /// Of memories that were shown in them, those that earned most first.
    pub returns: Vec<MemoryReturn>,
}

impl Spending {
    /// All sessions together.
    pub fn total(&self) -> Economics {
        let mut total = Economics::default();
        for (_, one) in &self.sessions {
            total.discovery_tokens += one.discovery_tokens;
            total.timeline_tokens += one.timeline_tokens;
            total.read_tokens += one.read_tokens;
            total.index_loads += one.index_loads;
            total.timeline_loads += one.timeline_loads;
            total.full_loads += one.full_loads;
            total.all_tokens += one.all_tokens;
            total.doubted |= one.doubted;
        }
        total
    }

    /// Sessions in which memory was found not to pay.
    pub fn doubts(&self) -> usize {
        self.sessions.iter().filter(|(_, one)| one.doubted).count()
    }
}

impl Engine {
    /// The price of one session, or of the latest `limit`.
    pub fn economics(&self, session: Option<&SessionId>, limit: usize) -> Result<Spending> {
        let sessions = match session {
            Some(id) => vec![self.session_show(id)?.session],
            None => self.session_list(limit)?,
        };
        let read = self.session_store()?.read()?;
        let mut priced = Vec::new();
        for session in sessions {
            let economics = read.economics(&session.id)?;
            priced.push((session, economics));
        }
        drop(read);
        let returns = self.returns(&priced)?;
        Ok(Spending { sessions: priced, returns })
    }

    fn returns(&self, sessions: &[(Session, Economics)]) -> Result<Vec<MemoryReturn>> {
        let mut returns = Vec::new();
        for (_, store) in self.stores() {
            let read = store.read()?;
            let mut shown = BTreeSet::new();
            for (session, _) in sessions {
                shown.extend(read.shown_in(&session.id)?.into_iter().map(|one| one.record));
            }
            for id in shown {
                let Some(version) = read.version(&id, None)? else { continue };
                let usage = read.usage(&id)?;
                let levels = Levels::of(&version.content);
                returns.push(MemoryReturn {
                    id,
                    title: levels.compressed.text,
                    learning: usage.discovery_tokens,
                    reading: levels.full.tokens(),
                    read_so_far: usage.read_tokens,
                    loaded: usage.loaded,
                    cited: usage.referenced,
                });
            }
        }
        returns.sort_by_key(|one| (std::cmp::Reverse(one.earned()), one.id.clone()));
        Ok(returns)
    }
}
