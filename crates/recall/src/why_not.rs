//! Why a memory that one expected is not among the answers: the first step that dropped it.

use crate::recall::consider;
use crate::{Explanation, Question, Source};
use mnemic_model::{At, Filter, RecordId, Truth};
use mnemic_store::{Key, Result};

/// What became of one memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Fate {
    /// `shown`, or the step that dropped it.
    pub step: &'static str,
    pub reason: String,
    /// Its place among everything that was considered, from 1.
    pub rank: Option<usize>,
    /// How it was scored, where it came that far.
    pub explanation: Option<Explanation>,
}

pub fn why_not(sources: &[Source<'_>], question: &Question, id: &RecordId) -> Result<Fate> {
    let considered = consider(sources, question)?;
    let mut ranked = considered.ranked.iter().enumerate();
    if let Some((place, one)) = ranked.find(|(_, one)| one.candidate.glance.id == *id) {
        let (step, reason) = match &one.dropped {
            None => ("shown", "it is among the answers".to_owned()),
            Some(dropped) => (dropped.step(), dropped.to_string()),
        };
        let explanation = Some(one.explanation.clone());
        return Ok(Fate { step, reason, rank: Some(place + 1), explanation });
    }
    let (step, reason) = unseen(sources, question, id)?;
    Ok(Fate { step, reason, rank: None, explanation: None })
}

/// Why no channel brought it: it is not there, the filter excludes it, or it is too far away.
fn unseen(
    sources: &[Source<'_>],
    question: &Question,
    id: &RecordId,
) -> Result<(&'static str, String)> {
    for source in sources {
        let Some(key) = source.read.key_of(id, question.filter.at.known)? else { continue };
        let passes = |filter: &Filter| -> Result<bool> {
            Ok(!source.read.glances(&[key], filter)?.is_empty())
        };
        if passes(&question.filter)? {
            let reach = question.reach();
            return Ok(("gather", format!("no channel ranked it among its best {reach}")));
        }
        for (what, relaxed) in relaxations(&question.filter) {
            if passes(&relaxed)? {
                let is_of_time = relaxed.at != question.filter.at;
                let ended = is_of_time.then(|| ended(*source, question, key)).transpose()?;
                return Ok(("filter", ended.flatten().unwrap_or_else(|| what.to_owned())));
            }
        }
        return Ok(("filter", "more than one filter excludes it".to_owned()));
    }
    Ok(("store", format!("no store that was asked believes in `{id}`")))
}

/// Until when it held, where it is asked for as of now.
fn ended(source: Source<'_>, question: &Question, key: Key) -> Result<Option<String>> {
    if question.filter.at.truth != Truth::Now {
        return Ok(None);
    }
    let found = source.read.versions_of(&[key])?.pop();
    let end = found.and_then(|(_, version)| version.content.valid.to());
    Ok(end
        .map(|end| format!("it no longer holds: it ended {}", end.to_jiff().strftime("%Y-%m-%d"))))
}

/// The filter without one of its conditions, each with what that condition would say.
fn relaxations(filter: &Filter) -> Vec<(&'static str, Filter)> {
    let with = |change: &dyn Fn(&mut Filter)| {
        let mut relaxed = filter.clone();
        change(&mut relaxed);
        relaxed
    };
    let whenever = At { truth: Truth::Whenever, known: filter.at.known };
    vec![
        ("it is not valid at the time asked about", with(&|f| f.at = whenever)),
        ("it is quarantined or not trusted enough", with(&|f| f.trusts.clear())),
        ("its kind is not asked for", with(&|f| f.kinds.clear())),
        ("its tier is not asked for", with(&|f| f.tiers.clear())),
        ("it lies in another namespace", with(&|f| f.namespaces.clear())),
        ("it belongs to another scope", with(&|f| f.levels.clear())),
        ("it lacks a tag that was asked for", with(&|f| f.tags.clear())),
        ("its writer is not asked for", with(&|f| f.authors.clear())),
        ("its category is not asked for", with(&|f| f.category = None)),
        ("pinned memories are filtered", with(&|f| f.pinned = None)),
        ("it is not important enough", with(&|f| f.min_importance = None)),
        (
            "it was recorded outside of the time asked for",
            with(&|f| {
                f.recorded_since = None;
                f.recorded_until = None;
            }),
        ),
        ("it lacks a word that must occur", with(&|f| f.words = None)),
    ]
}
