//! Fusing: raw measures become one relevance, by weights that follow how far the best hit
//! by meaning stands out from the rest of the store, or by ranks.

use crate::aspects::{self, Nearness};
use crate::candidate::{Candidate, Channel};
use crate::explanation::Part;
use crate::understand::Understanding;
use crate::{Fusion, QueryVector, Question, Source, person, spread, thread};
use mnemic_store::{Result, WordStatistics};
use std::collections::HashSet;

/// Vectors looked at to learn what is usual.
const SAMPLE: usize = 128;

/// With fewer vectors than these the usual is made of the answers themselves: what is below it may
/// still be one, and loses nothing for it.
const FEW: usize = 32;

/// What a conversation lends each of its turns: for covering the question's terms, and for what its
/// best turns are worth together.
const COVERED: f64 = 0.1;
const CARRIED: f64 = 0.15;

/// What it counts that a person said it, where agents speak too.
const SPEAKER: f64 = 0.3;

/// What it counts that somebody said it whom the question names, and not another.
const PERSON: f64 = 0.08;

/// What a turn loses each time its length grows e-fold beyond [`USUAL_TURN`]: a page of an agent's
/// text is near to everything.
const LENGTH: f64 = 0.25;
const USUAL_TURN: f64 = 75.0;

/// What a short turn among people loses that states nothing: it asks, greets or thanks. One that states
/// so many words of content loses nothing. What an agent is asked is what somebody wanted.
const UNSTATED: f64 = 0.33;
const STATED: f64 = 8.0;
const SHORT_TURN: u32 = 20;

/// Meaning's share when its best hit stands out as far as chance alone would have it, how much it
/// grows with each deviation beyond, and how much less it is among turns of conversations, which
/// come back to a thing by the same words.
const SHARE: f64 = 0.6;
const SHARE_PER_EXCESS: f64 = 0.06;
const SHARE_IN_TALK: f64 = 0.2;

/// Of few memories the answers are much of what is usual, and two that are as near as each other would
/// be told apart by nothing: the best stands at least so far above the nought.
const LEAST_SPAN: f64 = 0.1;

/// The mean and deviation of a measure over the whole store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usual {
    mean: f64,
    deviation: f64,
    is_of_few: bool,
}

impl Usual {
    pub(crate) fn of(values: &[f64]) -> Usual {
        let count = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        Usual { mean, deviation: variance.sqrt(), is_of_few: values.len() < FEW }
    }

    pub(crate) fn mean(&self) -> f64 {
        self.mean
    }

    pub(crate) fn is_of_few(&self) -> bool {
        self.is_of_few
    }

    /// How far the best stands out, in deviations.
    pub(crate) fn standout(&self, best: f64) -> f64 {
        if self.deviation > 1e-9 { ((best - self.mean) / self.deviation).max(0.0) } else { 0.0 }
    }
}

/// What the candidates are worth by what was asked.
#[derive(Debug, Default)]
pub(crate) struct Fused {
    /// The relevance of each as parts that add up to it.
    pub(crate) relevance: Vec<Vec<Part>>,
    /// How far the best by meaning stands out beyond what chance would have, in deviations.
    pub(crate) excess: f64,
}

pub(crate) fn fuse(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
    candidates: &[Candidate],
) -> Result<Fused> {
    if candidates.is_empty() {
        return Ok(Fused::default());
    }
    let whole = question.weights.meaning + question.weights.words;
    if question.switches.fusion == Fusion::Ranks {
        let relevance = candidates.iter().map(|one| by_ranks(one, question, whole)).collect();
        return Ok(Fused { relevance, excess: 0.0 });
    }
    let usual = usual_cosine(sources, &question.vectors, QueryVector::ranking)?;
    let best_cosine = best(candidates.iter().filter_map(|one| one.near.contrast));
    let excess = excess(sources, question, candidates)?;
    let mut near = to_whole(question, candidates, usual);
    let share = share(question, candidates, &near, excess);
    let shared = (share, best_cosine - usual.mean);
    aspects::nearest(sources, question, understanding, candidates, shared, &mut near)?;
    let threads = thread::covered(candidates);
    let named = match question.switches.person {
        true => person::named(&question.text, candidates),
        false => HashSet::new(),
    };
    let both_speak = both_speak(candidates);
    let counts_speaker = both_speak && !understanding.asks_the_agent;
    let counts_stated = people_alone(candidates) && !understanding.asks_for_questions;
    let parts = candidates.iter().enumerate().map(|(index, one)| {
        let mut parts = Vec::new();
        let mut add = |name, raw: f64, value: f64, weight: f64| {
            if weight != 0.0 && value != 0.0 {
                parts.push(Part { name, raw, value, weight: weight * whole });
            }
        };
        let near = near[index];
        add("meaning", near.cosine, near.meaning, share);
        add("words", near.bm25, near.words, 1.0 - share);
        if let Some(turn) = one.glance.turn {
            add("conversation", threads[index], threads[index], COVERED);
            if counts_speaker {
                add("speaker", 1.0, f64::from(u8::from(turn.by_human)), SPEAKER);
            }
            if turn.by_human && turn.speaker.is_some_and(|speaker| named.contains(&speaker)) {
                add("person", 1.0, 1.0, PERSON);
            }
            if counts_stated && turn.words < SHORT_TURN {
                let stated = f64::from(turn.stated);
                add("stated", stated, (1.0 - stated / STATED).max(0.0), -UNSTATED);
            }
            let longer = (f64::from(turn.words) / USUAL_TURN).max(1.0).ln();
            add("length", f64::from(turn.words), longer, -LENGTH);
        }
        parts
    });
    let relevance = with_threads(candidates, parts.collect(), CARRIED * whole);
    Ok(Fused { relevance, excess })
}

/// Adds what the best turns of each candidate's thread are worth together.
fn with_threads(
    candidates: &[Candidate],
    mut parts: Vec<Vec<Part>>,
    weight: f64,
) -> Vec<Vec<Part>> {
    let own: Vec<f64> = parts.iter().map(|parts| parts.iter().map(Part::product).sum()).collect();
    let carried = thread::carried(&thread::threads(candidates), &own);
    for (parts, carried) in parts.iter_mut().zip(carried).filter(|(_, carried)| *carried > 0.0) {
        parts.push(Part { name: "thread", raw: carried, value: carried, weight });
    }
    parts
}

pub(crate) fn best(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

/// How near each is to the question as a whole.
fn to_whole(question: &Question, candidates: &[Candidate], usual: Usual) -> Vec<Nearness> {
    let best_bm25 = best(candidates.iter().map(|one| one.bm25));
    let meaning = meaning_values(question, candidates, usual);
    let near = candidates.iter().zip(meaning).map(|(one, meaning)| Nearness {
        cosine: one.near.contrast.unwrap_or_default(),
        meaning,
        bm25: one.bm25,
        words: if best_bm25 > 0.0 { one.bm25 / best_bm25 } else { 0.0 },
    });
    near.collect()
}

/// The cosine brought to a scale on which the usual is 0 and the best 1, with what neighbours lend.
fn meaning_values(question: &Question, candidates: &[Candidate], usual: Usual) -> Vec<f64> {
    let cosine = |one: &Candidate| one.near.contrast.unwrap_or(usual.mean);
    let scaled = |values: &[f64], usual: f64| -> Vec<f64> {
        let span = best(values.iter().copied()) - usual;
        // In a store of one, the usual is the best.
        let scale = |value: &f64| if span > 1e-9 { (value - usual) / span } else { 1.0 };
        values.iter().map(scale).collect()
    };
    if candidates.iter().all(|one| one.near.contrast.is_none()) {
        return vec![0.0; candidates.len()];
    }
    let cosines: Vec<f64> = candidates.iter().map(cosine).collect();
    let farthest = best(cosines.iter().copied()) - LEAST_SPAN;
    let zero = if usual.is_of_few { usual.mean.min(farthest) } else { usual.mean };
    let mut values = scaled(&cosines, zero);
    if usual.is_of_few {
        values.iter_mut().for_each(|value| *value = value.max(0.0));
    }
    if !question.switches.neighbours {
        return values;
    }
    let lent = spread::lent(candidates, &values);
    let with: Vec<f64> = values.iter().zip(lent).map(|(value, lent)| value + lent).collect();
    scaled(&with, 0.0)
}

/// How much of the relevance is meaning's; the rest is words'.
fn share(question: &Question, candidates: &[Candidate], near: &[Nearness], excess: f64) -> f64 {
    let weights = &question.weights;
    let switches = &question.switches;
    let has_meaning = switches.meaning && near.iter().any(|near| near.meaning != 0.0);
    let has_words = switches.words && candidates.iter().any(|one| one.bm25 > 0.0);
    match (has_meaning, has_words) {
        (true, false) => return 1.0,
        (false, _) => return 0.0,
        (true, true) => {}
    }
    let read = question.vectors.iter().map(|vector| vector.read).fold(0.0, f64::max);
    if !switches.adapt {
        return read * weights.meaning / (weights.meaning + weights.words);
    }
    let turns = candidates.iter().filter(|one| one.glance.turn.is_some()).count();
    let talk = turns as f64 / candidates.len() as f64;
    read * (SHARE - SHARE_IN_TALK * talk + SHARE_PER_EXCESS * excess).clamp(0.3, 0.9)
}

/// How far the best of so many unrelated texts stands out, in deviations: the mean of the largest of
/// `n` normal values.
pub(crate) fn expected_standout(documents: u64) -> f64 {
    let log = (documents.max(3) as f64).ln();
    let spread = (2.0 * log).sqrt();
    spread - (log.ln() + (4.0 * std::f64::consts::PI).ln()) / (2.0 * spread)
}

/// How far the best stands out beyond chance by the vectors as they were asked, which is what the
/// shares were measured with: how far it does in contrast says as much of the store as of the question.
fn excess(sources: &[Source<'_>], question: &Question, candidates: &[Candidate]) -> Result<f64> {
    let usual = usual_cosine(sources, &question.vectors, |query| &query.vector)?;
    let best_cosine = best(candidates.iter().filter_map(|one| one.near.plain));
    Ok(usual.standout(best_cosine) - expected_standout(documents(sources)?))
}

/// What is usual for these vectors, each as `side` shows it.
pub(crate) fn usual_cosine(
    sources: &[Source<'_>],
    vectors: &[QueryVector],
    side: impl Fn(&QueryVector) -> &[f32],
) -> Result<Usual> {
    let mut sample = Vec::new();
    for source in sources {
        for query in vectors {
            sample.extend(source.read.usual_cosines(&query.model, side(query), SAMPLE)?);
        }
    }
    let sample: Vec<f64> = sample.into_iter().map(f64::from).collect();
    Ok(Usual::of(&sample))
}

/// Documents in all stores that were asked.
pub(crate) fn documents(sources: &[Source<'_>]) -> Result<u64> {
    let counts = sources.iter().map(|source| Ok(source.read.word_statistics(&[])?.documents));
    counts.sum()
}

/// For each term: how likely a document has it, and its weight.
pub(crate) fn term_weights(statistics: &WordStatistics) -> Vec<(f64, f64)> {
    let documents = statistics.documents.max(1) as f64;
    statistics
        .frequencies
        .iter()
        .map(|frequency| {
            let frequency = *frequency as f64;
            let idf = (1.0 + (documents - frequency + 0.5) / (frequency + 0.5)).ln();
            (frequency / documents, idf)
        })
        .collect()
}

/// Whether people and agents both have turns here.
fn both_speak(candidates: &[Candidate]) -> bool {
    let mut turns = candidates.iter().filter_map(|one| one.glance.turn);
    turns.clone().any(|turn| turn.by_human) && turns.any(|turn| !turn.by_human)
}

/// Whether people have turns here, and no agents.
fn people_alone(candidates: &[Candidate]) -> bool {
    let mut turns = candidates.iter().filter_map(|one| one.glance.turn).peekable();
    turns.peek().is_some() && turns.all(|turn| turn.by_human)
}

/// `Σ 1/(k + rank)` over meaning and words, scaled so that the first in both has 1.
fn by_ranks(candidate: &Candidate, question: &Question, whole: f64) -> Vec<Part> {
    let constant = question.weights.rank_constant;
    let part = |name, channel| {
        let rank = f64::from(candidate.ranks.of(channel)?);
        let value = (constant + 1.0) / (constant + rank);
        Some(Part { name, raw: rank, value, weight: whole / 2.0 })
    };
    [part("meaning", Channel::Meaning), part("words", Channel::Words)]
        .into_iter()
        .flatten()
        .collect()
}
