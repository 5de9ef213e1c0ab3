//! Recall from end to end: each step in its order, and a note of whatever it dropped.

use crate::candidate::Spot;
use crate::choose::choose;
use crate::contrast::contrast;
use crate::explanation::Explanation;
use crate::gather::{Gathered, gather};
use crate::ranked::{Dropped, Ranked, sort};
use crate::read::versions;
use crate::settle::{self, LOOKED_AT};
use crate::spelling::correct;
use crate::telling::keep_telling;
use crate::understand::{Span, understand};
use crate::weigh::{Weighed, judge, recognise, weigh};
use crate::{
    Found, Question, Recall, Refusal, Source, Strategy, Understanding, dispute, heirs, rerank,
    told, twins,
};
use mnemic_model::{Truth, Version};
use mnemic_store::Result;
use std::collections::HashMap;
use std::sync::Arc;

/// Whoever wants fewer gets the first of so many: what a place is given to depends on how many there are.
const USUAL: usize = 10;

/// Everything that was considered, best first.
#[derive(Debug)]
pub(crate) struct Considered {
    pub(crate) ranked: Vec<Ranked>,
    pub(crate) understanding: Understanding,
    pub(crate) strategy: Strategy,
    gathered: Vec<(&'static str, usize)>,
    unread: Option<String>,
    /// The memories themselves, where they had to be read.
    versions: HashMap<Spot, Arc<Version>>,
}

/// The best memories for a question, each with its reasons.
pub fn recall(sources: &[Source<'_>], question: &Question) -> Result<Recall> {
    let Considered { ranked, understanding, strategy, gathered, unread, mut versions } =
        consider(sources, question)?;
    let evidence = ranked.iter().map(|one| one.evidence).fold(0.0, f64::max);
    // Who asks as of another time sees only what held then.
    let is_of_now = question.filter.at.truth == Truth::Now;
    let is_over = |span: &&Span| is_of_now && span.to <= question.now;
    let asked_of: Vec<Span> = understanding.times.iter().filter(is_over).copied().collect();
    let mut found = Vec::new();
    let mut refusal = None;
    for one in ranked {
        match &one.dropped {
            None => found.extend(tell(sources, one, &asked_of, &mut versions)?),
            Some(Dropped::ByBound(bound)) if refusal.is_none() => {
                refusal = Some(Refusal {
                    best_id: one.candidate.glance.id.clone(),
                    best_score: one.explanation.score + one.ceded,
                    reason: bound.to_string(),
                });
            }
            Some(_) => {}
        }
    }
    if is_of_now && question.switches.settle {
        heirs::put_first(sources, question, &understanding, &mut found)?;
    }
    if is_of_now && question.filter.at.known.is_none() {
        dispute::mark(sources, question, &mut found)?;
    }
    let refusal = refusal.filter(|_| found.is_empty());
    Ok(Recall { found, evidence, refusal, understanding, strategy, gathered, unread })
}

/// Scores and judges everything that the channels bring.
pub(crate) fn consider(sources: &[Source<'_>], question: &Question) -> Result<Considered> {
    let mut question = question.reaching_rest();
    let wanted = question.limit;
    question.limit = wanted.max(USUAL);
    let known = contrast(sources, &mut question)?;
    let question = &question;
    let mut understanding = understand(question);
    correct(sources, question, &mut understanding)?;
    keep_telling(sources, &mut understanding)?;
    let Gathered { mut candidates, counts } = gather(sources, question, &understanding)?;
    told::mark(sources, question, &understanding, &mut candidates)?;
    let Weighed { mut ranked, excess } = weigh(sources, question, &understanding, candidates)?;
    let spots: Vec<Spot> = ranked.iter().take(LOOKED_AT).map(|one| one.candidate.spot).collect();
    let mut versions = versions(sources, &spots)?;
    recognise(question, &versions, &mut ranked);
    let version = |one: &Ranked| versions.get(&one.candidate.spot).map(Arc::as_ref);
    rerank::skim_best(sources, question, excess, &mut ranked, version)?;
    sort(&mut ranked);
    let unread = rerank::read_again(question, &mut ranked, version);
    sort(&mut ranked);
    if question.switches.settle {
        settle::settle(sources, question, &understanding, &versions, &mut ranked)?;
    }
    judge(sources, question, &mut ranked)?;
    twins::leave_merged_out(sources, question, &mut ranked)?;
    if question.switches.twins {
        twins::unite(sources, question, &mut versions, &mut ranked)?;
    }
    rerank::gather_kin(sources, question, &known, &mut ranked)?;
    let strategy = Strategy::for_task(understanding.task);
    choose(sources, question, &strategy, &mut ranked)?;
    let chosen = ranked.iter_mut().filter(|one| one.dropped.is_none());
    chosen.skip(wanted).for_each(|one| one.dropped = Some(Dropped::ByLimit(wanted)));
    Ok(Considered { ranked, understanding, strategy, gathered: counts, unread, versions })
}

/// A candidate as it is handed out, with what it replaced.
pub(crate) fn tell(
    sources: &[Source<'_>],
    one: Ranked,
    asked_of: &[Span],
    versions: &mut HashMap<Spot, Arc<Version>>,
) -> Result<Option<Found>> {
    let spot = one.candidate.spot;
    let source = &sources[spot.source];
    let version = match versions.remove(&spot) {
        Some(version) => Some(version),
        None => source.read.versions_of(&[spot.key])?.pop().map(|(_, version)| version),
    };
    let Some(version) = version else { return Ok(None) };
    let held_then = settle::held_in(source, &version, asked_of)?;
    let is_of_then = held_then.is_some();
    let version = held_then.unwrap_or_else(|| Arc::unwrap_or_clone(version));
    let mut history = settle::past_of_slot(source, &one.candidate.glance.id, &version)?;
    history.extend(settle::past_by_links(source, &version)?);
    history.extend(one.history);
    let Explanation { score, .. } = one.explanation;
    let evidence = one.evidence;
    let name = source.name.to_owned();
    let explanation = one.explanation;
    // What held then is another text than that of the twins.
    let twins = if is_of_then { Vec::new() } else { one.twins };
    let disputes = Vec::new();
    Ok(Some(Found {
        source: name,
        version,
        score,
        evidence,
        explanation,
        history,
        twins,
        disputes,
    }))
}
