//! What only many sessions together teach: commands that work, rounds of them, and pitfalls.

use super::keep::Keeper;
use super::{CaptureAsk, Captured};
use crate::{Engine, Note, Result};
use mnemic_lifecycle::extract::Habits;
use mnemic_model::{Actor, At, Author, Body, Filter, Kind, Trust, Version};
use mnemic_store::Read;
use std::collections::BTreeMap;

/// Episodes that are read at once, and in all: the latest tell how one works now.
const PAGE: usize = 200;
const MOST: usize = 5_000;

impl Engine {
    /// Looks through the stored episodes for what recurs, and stores it as unreviewed.
    pub fn capture_habits(&self, dry_run: bool, note: &Note) -> Result<Captured> {
        let store = Engine::home_of(self.usual_scope().level);
        let ask = CaptureAsk { name: "episodes".to_owned(), dry_run, ..CaptureAsk::default() };
        let mut habits = Habits::new(self.origin(&ask));
        let mut by_source = BTreeMap::new();
        each_episode(self.store(store)?.read()?.as_ref(), &mut |version| {
            let Body::Episode(episode) = &version.content.body else { return };
            let source = version.content.provenance.source.as_deref();
            let source = source.unwrap_or(version.id.as_str());
            habits.see_episode(episode, source, Some(version.content.valid.from()));
            by_source.insert(source.to_owned(), version.id.clone());
        })?;
        let mut keeper = Keeper::new(self, store, note, dry_run)?;
        for mut draft in habits.drafts() {
            draft.about.trust = Some(Trust::Unreviewed);
            // Counted over agents; none of them said it.
            draft.about.writer = Some(Actor::new(Author::Tool, "mnemic"));
            let seen_in = draft.about.source.as_ref().and_then(|source| by_source.get(source));
            draft.about.episodes = seen_in.into_iter().cloned().collect();
            keeper.add(draft);
        }
        self.patterns_of_touched()?.into_iter().for_each(|draft| keeper.add(draft));
        let mut captured = Captured::default();
        for (kind, kept) in keeper.flush()? {
            captured.add(kind, kept);
        }
        captured.change = keeper.change();
        captured.quarantined = keeper.take_quarantined();
        Ok(captured)
    }
}

fn each_episode(read: &dyn Read, see: &mut dyn FnMut(&Version)) -> Result<()> {
    let mut filter = Filter { kinds: vec![Kind::Episode], limit: PAGE, ..Filter::new(At::LATEST) };
    let mut seen = 0;
    while seen < MOST {
        let page = read.list(&filter)?;
        page.iter().for_each(&mut *see);
        seen += page.len();
        match page.last() {
            Some(last) if page.len() == PAGE => filter.after = read.page_end(last)?,
            _ => break,
        }
    }
    Ok(())
}
