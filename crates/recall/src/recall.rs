//! Recall from end to end: each step in its order, and a note of whatever it dropped.

use crate::age::{self, Around};
use crate::candidate::{Candidate, Spot};
use crate::contrast::contrast;
use crate::explanation::{ChannelRank, Explanation, Part};
use crate::fuse::Fused;
use crate::gather::{Gathered, gather};
use crate::naming::Spoken;
use crate::settle::{self, LOOKED_AT, Statement};
use crate::telling::keep_telling;
use crate::understand::{Span, understand};
use crate::{
    Bound, Found, Past, Question, Recall, Refusal, Source, Strategy, Twin, Understanding, dispute,
    evidence, fuse, heirs, rerank, score, sift, time, told, twins,
};
use mnemic_model::{Kind, RecordId, Truth, Version};
use mnemic_store::{Error, Result};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// A candidate with its score and what happened to it.
#[derive(Debug)]
pub(crate) struct Ranked {
    pub(crate) candidate: Candidate,
    pub(crate) explanation: Explanation,
    pub(crate) evidence: f64,
    /// What age and gist took from the score. They are about the order, not about what is shown at all.
    pub(crate) ceded: f64,
    pub(crate) dropped: Option<Dropped>,
    pub(crate) twins: Vec<Twin>,
    pub(crate) history: Vec<Past>,
}

/// Why a candidate is not among the answers.
#[derive(Debug)]
pub(crate) enum Dropped {
    ByBound(Bound),
    ReplacedBy(RecordId),
    /// Another one says the same to the letter, and names it.
    SaidBy(RecordId),
    /// So many are wanted, and others are better.
    ByLimit(usize),
}

impl Dropped {
    /// The step that dropped it.
    pub(crate) fn step(&self) -> &'static str {
        match self {
            Dropped::ByBound(_) => "bounds",
            Dropped::ReplacedBy(_) => "current value",
            Dropped::SaidBy(_) => "twins",
            Dropped::ByLimit(_) => "limit",
        }
    }
}

impl fmt::Display for Dropped {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dropped::ByBound(bound) => bound.fmt(to),
            Dropped::ReplacedBy(by) => write!(to, "replaced by `{by}`"),
            Dropped::SaidBy(by) => write!(to, "`{by}` says the same and stands for it"),
            Dropped::ByLimit(limit) => write!(to, "not among the best {limit}"),
        }
    }
}

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
    contrast(sources, &mut question)?;
    let question = &question;
    let mut understanding = understand(question);
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
        let asked = understanding.terms.iter().map(|(term, _)| term.clone()).collect();
        settle_values(sources, question, &asked, &versions, &mut ranked)?;
    }
    judge(sources, question, &mut ranked)?;
    twins::leave_merged_out(sources, question, &mut ranked)?;
    if question.switches.twins {
        unite_twins(sources, question, &mut versions, &mut ranked)?;
    }
    let strategy = Strategy::for_task(understanding.task);
    choose(sources, question, &strategy, &mut ranked)?;
    Ok(Considered { ranked, understanding, strategy, gathered: counts, unread, versions })
}

/// Candidates with their scores, best first.
#[derive(Debug)]
pub(crate) struct Weighed {
    pub(crate) ranked: Vec<Ranked>,
    /// How far the best by meaning stands out beyond what chance would have, in deviations.
    excess: f64,
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
            let mut evidence = evidence::evidence(&candidate, coverage);
            if candidate.is_called_for(understanding) && question.switches.time {
                evidence = evidence.max(evidence::NAMED);
            } else if alone {
                evidence = 0.0;
            }
            let mut explanation =
                explain(question, understanding, &candidate, relevance, &asked_time);
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
        score: 0.0,
        passed: Vec::new(),
    };
    explanation.score = explanation.sum();
    explanation
}

/// Best first; of equals the later one, which is what one would ask about.
fn sort(ranked: &mut [Ranked]) {
    ranked.sort_by(|a, b| {
        let by_score = b.explanation.score.total_cmp(&a.explanation.score);
        by_score.then_with(|| b.candidate.spot.cmp(&a.candidate.spot))
    });
}

/// What the question calls by its name is meant, and what is linked to it is near it.
pub(crate) fn recognise(
    question: &Question,
    versions: &HashMap<Spot, Arc<Version>>,
    ranked: &mut [Ranked],
) {
    let spoken = Spoken::of(&question.text);
    let mut any = false;
    for one in ranked.iter_mut() {
        let version = versions.get(&one.candidate.spot);
        if version.and_then(|version| spoken.name_of(&version.content)).is_some() {
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

/// Where one statement replaced another, the one that holds stands first and tells of the other.
fn settle_values(
    sources: &[Source<'_>],
    question: &Question,
    asked: &HashSet<String>,
    versions: &HashMap<Spot, Arc<Version>>,
    ranked: &mut [Ranked],
) -> Result<()> {
    let looked_at = ranked.iter().enumerate().take(LOOKED_AT);
    let known: Vec<(usize, Statement<'_>)> = looked_at
        .filter(|(_, one)| settle::may_be_replaced(&one.candidate))
        .filter_map(|(place, one)| Some((place, Statement::of(versions.get(&one.candidate.spot)?))))
        .collect();
    if !known.iter().any(|(_, statement)| statement.may_replace()) {
        return Ok(());
    }
    let vector = |place: usize| first_vector(sources, question, &ranked[place].candidate.spot);
    let vectors: Vec<Option<Vec<f32>>> =
        known.iter().map(|(place, _)| vector(*place)).collect::<Result<_>>()?;
    let (places, statements): (Vec<usize>, Vec<Statement<'_>>) = known
        .into_iter()
        .zip(&vectors)
        .map(|((place, statement), vector)| (place, statement.meaning(vector.as_deref())))
        .unzip();
    for (old, new) in settle::replaced_by(&statements, asked).into_iter().enumerate() {
        let Some(new) = new else { continue };
        let (old_place, new_place) = (places[old], places[new]);
        let stood = ranked[old_place].explanation.score;
        let sure = ranked[old_place].evidence;
        settle::lift(&mut ranked[new_place].explanation, stood);
        ranked[new_place].evidence = ranked[new_place].evidence.max(sure);
        ranked[new_place].history.push(settle::as_past(statements[old].version));
        let by = ranked[new_place].candidate.glance.id.clone();
        ranked[old_place].dropped = Some(Dropped::ReplacedBy(by));
    }
    sort(ranked);
    Ok(())
}

/// Of those that may be chosen, one stands for all that say the same.
fn unite_twins(
    sources: &[Source<'_>],
    question: &Question,
    known: &mut HashMap<Spot, Arc<Version>>,
    ranked: &mut [Ranked],
) -> Result<()> {
    loop {
        let places = twins::compared(question, ranked);
        let spots = places.iter().map(|place| ranked[*place].candidate.spot);
        let unread: Vec<Spot> = spots.filter(|spot| !known.contains_key(spot)).collect();
        match versions(sources, &unread) {
            // Not all of these will be shown; whoever shows a damaged one says so.
            Err(Error::Damaged(_)) => {}
            read => known.extend(read?),
        }
        let version = |one: &Ranked| known.get(&one.candidate.spot).map(Arc::as_ref);
        // Each that is left out lets another come up, which may say the same again.
        if !twins::unite(sources, &places, ranked, version) {
            return Ok(());
        }
    }
}

pub(crate) fn versions(
    sources: &[Source<'_>],
    spots: &[Spot],
) -> Result<HashMap<Spot, Arc<Version>>> {
    let mut found = HashMap::new();
    for (index, source) in sources.iter().enumerate() {
        let keys: Vec<_> =
            spots.iter().filter(|spot| spot.source == index).map(|spot| spot.key).collect();
        for (key, version) in source.read.versions_of(&keys)? {
            found.insert(Spot { source: index, key }, version);
        }
    }
    Ok(found)
}

fn first_vector(
    sources: &[Source<'_>],
    question: &Question,
    spot: &Spot,
) -> Result<Option<Vec<f32>>> {
    let Some(query) = question.vectors.first() else { return Ok(None) };
    let vectors = sources[spot.source].read.vectors_of(&query.model, spot.key)?;
    Ok(vectors.into_iter().next())
}

/// Leaves as many as are wanted; the others are told why they are not among them.
fn choose(
    sources: &[Source<'_>],
    question: &Question,
    strategy: &Strategy,
    ranked: &mut Vec<Ranked>,
) -> Result<()> {
    let standing: Vec<usize> =
        (0..ranked.len()).filter(|place| ranked[*place].dropped.is_none()).collect();
    let kinds: Vec<Kind> =
        standing.iter().map(|place| ranked[*place].candidate.glance.kind).collect();
    let chosen: Vec<usize> = if question.switches.strategy {
        strategy.choose(&kinds, question.limit)
    } else {
        (0..standing.len().min(question.limit)).collect()
    };
    for (index, place) in standing.iter().enumerate() {
        if !chosen.contains(&index) {
            ranked[*place].dropped = Some(Dropped::ByLimit(question.limit));
        }
    }
    if question.switches.diversity {
        diversify(sources, question, ranked)?;
    }
    Ok(())
}

/// Brings what was chosen into an order in which the like do not follow one another.
fn diversify(sources: &[Source<'_>], question: &Question, ranked: &mut Vec<Ranked>) -> Result<()> {
    let (chosen, rest): (Vec<Ranked>, Vec<Ranked>) =
        std::mem::take(ranked).into_iter().partition(|one| one.dropped.is_none());
    let vectors: Vec<Option<Vec<f32>>> = chosen
        .iter()
        .map(|one| first_vector(sources, question, &one.candidate.spot))
        .collect::<Result<_>>()?;
    let similarity = |a: usize, b: usize| match (&vectors[a], &vectors[b]) {
        (Some(a), Some(b)) => {
            f64::from(a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>().clamp(0.0, 1.0))
        }
        _ => 0.0,
    };
    let scores: Vec<f64> = chosen.iter().map(|one| one.explanation.score).collect();
    let order = rerank::diverse(&scores, &similarity, question.weights.diversity, chosen.len());
    let mut chosen: Vec<Option<Ranked>> = chosen.into_iter().map(Some).collect();
    ranked.extend(order.into_iter().filter_map(|place| chosen[place].take()));
    ranked.extend(rest);
    Ok(())
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
