//! A language model's opinion on pairs that the rules cannot judge, asked once for each pair.

use crate::language::screened;
use crate::{Engine, Result};
use mnemic_inference::language::Guarded;
use mnemic_lifecycle::consolidate::unsure::{Pair, opened};
use mnemic_lifecycle::consolidate::{Act, World};
use mnemic_lifecycle::extract::asked::{JUDGE, Opinion, opinions, pairs_text};
use mnemic_model::Digest;
use mnemic_store::sqlite::SqliteStore;
use std::collections::BTreeMap;

/// Pairs that are judged in one run.
pub(super) const MOST_PAIRS: usize = 20;
const LONGEST_ANSWER: u32 = 1_000;

impl Engine {
    /// The contradictions that the model sees among these pairs. When it cannot be asked, none.
    pub(super) fn judged(
        &self,
        store: &SqliteStore,
        model: &Guarded,
        world: &World,
        pairs: &[Pair],
    ) -> Result<Vec<Act>> {
        let mut known = BTreeMap::new();
        {
            let read = store.read()?;
            for pair in pairs {
                let verdict = read.bookmark(&mark(model, pair))?;
                known.extend(verdict.and_then(|it| Opinion::parse(&it)).map(|it| (&pair.ids, it)));
            }
        }
        let open: Vec<&Pair> = pairs.iter().filter(|pair| !known.contains_key(&pair.ids)).collect();
        for (pair, opinion) in self.ask_about(model, &open) {
            let mut tx = store.write()?;
            tx.set_bookmark(&mark(model, pair), Some(opinion.as_str()))?;
            tx.commit()?;
            known.insert(&pair.ids, opinion);
        }
        let contradict = |pair: &&Pair| known.get(&pair.ids) == Some(&Opinion::Contradict);
        let acts = pairs.iter().filter(contradict);
        Ok(acts.filter_map(|pair| opened(world, pair, model.name())).collect())
    }

    fn ask_about<'p>(&self, model: &Guarded, pairs: &[&'p Pair]) -> Vec<(&'p Pair, Opinion)> {
        let shown = |pair: &&Pair| (screened(&pair.claims.0), screened(&pair.claims.1));
        let texts: Vec<(String, String)> = pairs.iter().map(shown).collect();
        // What may not be shown cannot be judged.
        let is_shown = |(one, other): &(String, String)| !one.is_empty() && !other.is_empty();
        let (pairs, texts): (Vec<&Pair>, Vec<(String, String)>) =
            pairs.iter().copied().zip(texts).filter(|(_, texts)| is_shown(texts)).unzip();
        if pairs.is_empty() {
            return Vec::new();
        }
        let reply = self.ask_model(model, JUDGE, pairs_text(&texts), LONGEST_ANSWER);
        let Ok(reply) = reply else { return Vec::new() };
        let opinions = opinions(&reply.text, pairs.len());
        pairs.into_iter().zip(opinions).filter_map(|(pair, it)| Some((pair, it?))).collect()
    }
}

/// The verdict on two claims by one model; it holds no word of them.
fn mark(model: &Guarded, pair: &Pair) -> String {
    let parts = [model.name(), &pair.claims.0, &pair.claims.1].map(str::as_bytes);
    format!("language/verdict/{}", Digest::of("verdict", parts))
}
