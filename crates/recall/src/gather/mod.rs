//! Gathering: every channel proposes what it would show, each asked for more than is wanted.

mod graph;
mod kind;
mod meaning;
mod skills;
mod time;
mod words;

use crate::candidate::{Candidate, Channel, Cosines, Finds, Spot};
use crate::spread;
use crate::understand::Understanding;
use crate::{QueryVector, Question, Source};
use foldhash::HashSet;
use mnemic_store::{Glance, Key, Result, VectorModel};
use std::sync::Arc;

/// All candidates with their raw measures, and what each channel brought.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) counts: Vec<(&'static str, usize)>,
}

pub(crate) fn gather(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
) -> Result<Gathered> {
    let mut finds = Finds::default();
    let mut counts = Vec::new();
    let mut take = |finds: &mut Finds, channel: Channel, spots: Vec<Spot>| {
        counts.push((channel.as_str(), spots.len()));
        finds.add(channel, spots);
    };
    let switches = &question.switches;
    if switches.meaning {
        let spots = meaning::find(sources, question)?;
        take(&mut finds, Channel::Meaning, spots);
    }
    if switches.words {
        let spots = words::find(sources, question, &understanding.terms)?;
        take(&mut finds, Channel::Words, spots);
    }
    if switches.time {
        let spots = time::find(sources, question, understanding)?;
        take(&mut finds, Channel::Time, spots);
        // A kind is called for like a time: by what the question says of the answer.
        let spots = kind::find(sources, question, understanding)?;
        take(&mut finds, Channel::Kind, spots);
    }
    if switches.skills {
        let spots = skills::find(sources, question, &understanding.terms)?;
        take(&mut finds, Channel::Skills, spots);
    }
    if switches.graph {
        let spots = graph::find(sources, question, understanding, &mut finds)?;
        take(&mut finds, Channel::Graph, spots);
    }
    if switches.neighbours {
        let spots = spread::neighbours(sources, question, &finds)?;
        take(&mut finds, Channel::Neighbours, spots);
    }
    Ok(Gathered { candidates: measure(sources, question, understanding, &finds)?, counts })
}

/// Looks at every find through every channel: what one found, the others can still score.
fn measure(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
    finds: &Finds,
) -> Result<Vec<Candidate>> {
    let spots = finds.spots();
    candidates(sources, question, understanding, finds, |index, source| {
        let keys: Vec<Key> =
            spots.iter().filter(|spot| spot.source == index).map(|spot| spot.key).collect();
        source.read.glances(&keys, &question.filter)
    })
}

/// What has ended and is looked at in each store, the best by words: a value that changes often has a
/// long past.
const MOST_ENDED: usize = 64;

/// What the channels have come across and left out because it no longer holds.
pub(crate) fn ended(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
) -> Result<Vec<Candidate>> {
    let finds = Finds::default();
    candidates(sources, question, understanding, &finds, |_, source| {
        let ended = source.read.ended(&question.filter)?;
        if ended.len() <= MOST_ENDED {
            return Ok(ended);
        }
        let keys: Vec<Key> = ended.iter().map(|glance| glance.key).collect();
        let parts = source.read.word_parts(&understanding.terms, &keys)?;
        let scores = parts.iter().map(|parts| parts.iter().sum::<f32>());
        let mut scored: Vec<(f32, Arc<Glance>)> = scores.zip(ended).collect();
        scored.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        scored.truncate(MOST_ENDED);
        Ok(scored.into_iter().map(|(_, glance)| glance).collect())
    })
}

fn candidates(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
    finds: &Finds,
    glances: impl Fn(usize, &Source<'_>) -> Result<Vec<Arc<Glance>>>,
) -> Result<Vec<Candidate>> {
    let mut candidates = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let glances = glances(index, source)?;
        let keys: Vec<Key> = glances.iter().map(|glance| glance.key).collect();
        if keys.is_empty() {
            continue;
        }
        let near = cosines(source, question, &keys)?;
        let parts = source.read.word_parts(&understanding.terms, &keys)?;
        for ((glance, mut near), parts) in glances.into_iter().zip(near).zip(parts) {
            let spot = Spot { source: index, key: glance.key };
            let began = glance.valid.from();
            candidates.push(Candidate {
                spot,
                ranks: finds.ranks(&spot),
                near: near.remove(0),
                near_aspects: near,
                bm25: parts.iter().map(|part| f64::from(*part)).sum(),
                parts,
                distance: finds.distance(&spot),
                in_time: understanding.times.iter().any(|span| span.holds(began)),
                tells_of_time: false,
                glance,
            });
        }
    }
    candidates.sort_by_key(|candidate| candidate.spot);
    Ok(candidates)
}

/// For each of these the best cosines that any vector of the question has to it, and behind them those
/// of each of its aspects.
fn cosines(source: &Source<'_>, question: &Question, keys: &[Key]) -> Result<Vec<Vec<Cosines>>> {
    let aspects = question.aspects.iter().map(|aspect| aspect.vectors.as_slice());
    let asked: Vec<&[QueryVector]> =
        std::iter::once(question.vectors.as_slice()).chain(aspects).collect();
    let mut best = vec![vec![Cosines::default(); asked.len()]; keys.len()];
    if !question.switches.meaning {
        return Ok(best);
    }
    let every =
        || asked.iter().enumerate().flat_map(|(of, asked)| asked.iter().map(move |it| (of, it)));
    let models: HashSet<&VectorModel> = every().map(|(_, query)| &query.model).collect();
    for model in models {
        let own: Vec<(usize, &QueryVector)> =
            every().filter(|(_, query)| query.model == *model).collect();
        let pairs = own.iter().map(|(_, query)| [query.vector.as_slice(), query.ranking()]);
        let queries: Vec<&[f32]> = pairs.flatten().collect();
        let scores = source.read.meaning_scores(model, &queries, keys)?;
        for ((of, _), pair) in own.iter().zip(scores.as_chunks::<2>().0) {
            for (best, (plain, contrast)) in best.iter_mut().zip(pair[0].iter().zip(&pair[1])) {
                best[*of].plain = greater(best[*of].plain, *plain);
                best[*of].contrast = greater(best[*of].contrast, *contrast);
            }
        }
    }
    Ok(best)
}

fn greater(one: Option<f64>, other: Option<f32>) -> Option<f64> {
    one.into_iter().chain(other.map(f64::from)).reduce(f64::max)
}

/// Merges what several stores found, best first, and drops what is beyond the reach.
fn merged(mut scored: Vec<(f32, Spot)>, reach: usize) -> Vec<Spot> {
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut seen = HashSet::default();
    scored.retain(|(_, spot)| seen.insert(*spot));
    scored.truncate(reach);
    scored.into_iter().map(|(_, spot)| spot).collect()
}
