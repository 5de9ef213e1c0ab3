//! What an agent should read when nothing was asked yet: of the latest memories and those cited most,
//! the ones that matter most come first.

use crate::{Engine, Result};
use mnemic_model::{Body, Filter, Trust, Usage, Version};
use mnemic_text::rules::binds;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Of the latest memories, so many are looked through for what binds and for what was decided.
const LATEST: usize = 60;

/// Of those cited most, so many are looked at where there are more memories than that.
const CITED: usize = 30;

/// What a memory scores that directs the work: a choice, a rule, what is to be avoided. One that only
/// says what is so can be looked up when it is needed, and one of what happened is told by what was
/// learned from it.
const DIRECTS: f64 = 0.5;
const INFORMS: f64 = 0.35;
const TELLS: f64 = 0.3;

/// What is added at most: for being important (or taken, for being less so than usual), for what a
/// person pinned or confirmed, for being cited. Of what is worth the same the newest comes first
/// anyway; nothing here goes by the clock, so that a store at rest gives the same text every day.
const OF_IMPORTANCE: f64 = 0.4;
const OF_A_PIN: f64 = 0.25;
const OF_A_CONFIRMATION: f64 = 0.1;
const OF_CITATIONS: f64 = 0.2;

/// How much of its score a memory has that nobody vouched for.
const UNVOUCHED: f64 = 0.8;

impl Engine {
    /// Memories for a context without a question, each with what it is worth.
    pub(super) fn latest(&self, filter: &Filter) -> Result<Vec<(Version, f64)>> {
        let filter = Filter { limit: LATEST, ..self.in_lineage(filter)? };
        let mut found = Vec::new();
        for (_, store) in self.stores() {
            let read = store.read()?;
            let mut versions = read.list(&filter)?;
            if versions.len() >= LATEST {
                let known: BTreeSet<_> = versions.iter().map(|one| one.id.clone()).collect();
                let cited = read.versions_of(&read.most_cited(&filter, CITED)?)?.into_iter();
                let cited = cited.map(|(_, version)| Arc::unwrap_or_clone(version));
                versions.extend(cited.filter(|version| !known.contains(&version.id)));
            }
            for version in versions {
                let worth = worth(&version, &read.usage(&version.id)?);
                found.push((version, worth));
            }
        }
        Ok(found)
    }
}

/// What a memory is worth to somebody of whom nothing is known but that they begin, 0 to 1.
fn worth(version: &Version, usage: &Usage) -> f64 {
    let content = &version.content;
    let kind = match &content.body {
        Body::Decision(_) | Body::AntiPattern(_) | Body::Block(_) | Body::Handoff(_) => DIRECTS,
        Body::Pattern(pattern) if binds(&pattern.statement) => DIRECTS,
        Body::Episode(_) => TELLS,
        _ => INFORMS,
    };
    // The second citation says less than the first, and the tenth next to nothing.
    let citations = 1.0 - 0.5_f64.powi(i32::try_from(usage.referenced.min(16)).unwrap_or(16));
    let is = |yes: bool| f64::from(u8::from(yes));
    let worth = kind
        + OF_IMPORTANCE * (content.importance.get() - 0.5)
        + OF_A_PIN * is(content.pinned)
        + OF_A_CONFIRMATION * is(content.confirmed_by.is_some())
        + OF_CITATIONS * citations;
    let vouched = if content.trust() == Trust::Trusted { 1.0 } else { UNVOUCHED };
    (vouched * worth).clamp(0.0, 1.0)
}
