//! Gives each candidate its score with its reasons, and says how surely it answers.

use crate::age::{self, Around};
use crate::candidate::{Candidate, Spot};
use crate::evidence::{self, Grounds};
use crate::explanation::{ChannelRank, Explanation, Part};
use crate::fuse::Fused;
use crate::naming::{Called, Spoken};
use crate::ranked::{Dropped, Ranked, sort};
use crate::{Question, Source, Understanding, fuse, score, sift, time};
use mnemic_model::Version;
use mnemic_store::Result;
use std::collections::HashMap;
use std::sync::Arc;

/// Candidates with their scores, best first.
#[derive(Debug)]
pub(crate) struct Weighed {
    pub(crate) ranked: Vec<Ranked>,
    /// How far the best by meaning stands out beyond what chance would have, in deviations.
    pub(crate) excess: f64,
}

/// Scores candidates and says how surely each answers.
pub(crate) fn weigh(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
    candidates: Vec<Candidate>,
) -> Result<Weighed> {
    let Fused { relevance, excess } = fuse::fuse(sources, question, understanding, &candidates)?;
    let coverage = evidence::coverage(sources, understanding, &candidates)?;
    let asked_time = time::Asked::of(&candidates, &understanding.times, question.now);
    let is_called = |candidate: &Candidate| candidate.is_called_for(understanding);
    let alone = understanding.asks_of_kind_alone && candidates.iter().any(is_called);
    let around = Around::of(question, understanding, &candidates);
    let mut ranked: Vec<Ranked> = candidates
        .into_iter()
        .zip(relevance)
        .zip(coverage)
        .map(|((candidate, relevance), coverage)| {
            let grounds = Grounds::of(&candidate, understanding, coverage);
            let mut evidence = grounds.evidence();
            if candidate.is_called_for(understanding) && question.switches.time {
                evidence = evidence.max(evidence::NAMED);
            } else if alone {
                evidence = 0.0;
            }
            let mut explanation =
                explain(question, understanding, &candidate, relevance, &asked_time);
            explanation.grounds = grounds;
            let ceded = age::cede(question, &around, &candidate, &mut explanation);
            Ranked {
                candidate,
                explanation,
                evidence,
                ceded,
                dropped: None,
                twins: Vec::new(),
                history: Vec::new(),
            }
        })
        .collect();
    sort(&mut ranked);
    Ok(Weighed { ranked, excess })
}

fn explain(
    question: &Question,
    understanding: &Understanding,
    candidate: &Candidate,
    relevance: Vec<Part>,
    asked_time: &time::Asked,
) -> Explanation {
    let weights = &question.weights;
    // Where nothing else is asked for, the time or the kind is all the relevance there is.
    let is_called_for = candidate.is_called_for(understanding) && question.switches.time;
    let mut parts = if is_called_for { Vec::new() } else { relevance };
    if let Some(steps) = candidate.distance.filter(|steps| *steps > 0 && question.switches.graph) {
        let value = 1.0 / steps as f64;
        parts.push(Part { name: "graph", raw: steps as f64, value, weight: weights.graph });
    }
    let all = weights.time + weights.meaning + weights.words;
    if is_called_for {
        let name = if candidate.is_of_time() { "time" } else { "kind" };
        parts.push(Part { name, raw: 1.0, value: 1.0, weight: all });
    } else if question.switches.time {
        parts.extend(asked_time.part(candidate, weights.time));
    }
    parts.extend(score::standing(candidate, question));
    let mut explanation = Explanation {
        ranks: candidate
            .ranks
            .each()
            .map(|(channel, rank)| ChannelRank { channel, rank })
            .collect(),
        parts,
        factors: score::factors(candidate, question),
        ..Explanation::default()
    };
    explanation.score = explanation.sum();
    explanation
}

/// What the question calls by its name is meant, and what is linked to it is near it.
pub(crate) fn recognise(
    question: &Question,
    versions: &HashMap<Spot, Arc<Version>>,
    ranked: &mut [Ranked],
) {
    let is_word =
        |word: &str| question.vocabulary.as_ref().is_some_and(|known| known.is_word(word));
    let spoken = Spoken::of(&question.text, is_word);
    let mut any = false;
    for one in ranked.iter_mut() {
        let version = versions.get(&one.candidate.spot);
        let called = version.and_then(|version| spoken.calls(&version.content));
        let is_meant = match called {
            Some(Called::ByName) => true,
            Some(Called::ByLabel(label)) => {
                one.evidence >= evidence::LABELLED || carriers(label, versions) == 1
            }
            None => false,
        };
        if is_meant {
            one.evidence = one.evidence.max(evidence::NAMED);
            let weight = question.weights.name;
            one.explanation.parts.push(Part { name: "name", raw: 1.0, value: 1.0, weight });
            one.explanation.score = one.explanation.sum();
            any = true;
        }
    }
    let linked = |one: &Ranked| one.candidate.distance == Some(1);
    for one in ranked.iter_mut().filter(|one| any && linked(one)) {
        one.evidence = one.evidence.max(evidence::LINKED);
    }
    sort(ranked);
}

/// How many of those that were found carry a label: what several carry is a sort of things.
fn carriers(label: &str, versions: &HashMap<Spot, Arc<Version>>) -> usize {
    versions.values().filter(|version| version.content.tags.contains(label)).count()
}

/// Drops what is not sure enough.
pub(crate) fn judge(
    sources: &[Source<'_>],
    question: &Question,
    ranked: &mut [Ranked],
) -> Result<()> {
    let least = sift::least_evidence(question, fuse::documents(sources)?);
    for one in ranked.iter_mut().filter(|one| one.dropped.is_none()) {
        let score = one.explanation.score + one.ceded;
        match sift::judge(question, &one.candidate, score, one.evidence, least) {
            Ok(passed) => one.explanation.passed = passed,
            Err(bound) => one.dropped = Some(Dropped::ByBound(bound)),
        }
    }
    Ok(())
}
