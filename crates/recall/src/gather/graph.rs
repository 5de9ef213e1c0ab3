//! By the graph: up to three links from what the question names and from the best hits so far.

use crate::candidate::{Finds, Spot};
use crate::understand::Understanding;
use crate::{Question, Source};
use mnemic_model::{Filter, Kind, RecordId, Relation};
use mnemic_store::{Key, Read, Result};
use std::collections::{HashMap, VecDeque};

const DEPTH: usize = 3;

/// The best hits of the other channels from which we set out.
const STARTS: usize = 3;

/// Records visited at most: a hub must not turn one question into a walk through everything.
const MOST: usize = 200;

pub(super) fn find(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
    finds: &mut Finds,
) -> Result<Vec<Spot>> {
    let mut reached: Vec<(usize, Spot)> = Vec::new();
    for (source, asked) in sources.iter().enumerate() {
        let mut known = named(asked.read, question, understanding)?;
        known.extend(best_so_far(asked.read, source, question, finds)?);
        let starts =
            known.iter().map(|(id, _)| id.clone()).chain(question.centre.clone()).collect();
        for (id, steps) in walk(asked.read, question, starts)? {
            let key = match known.iter().find(|(start, _)| *start == id) {
                Some((_, key)) => Some(*key),
                None => asked.read.key_of(&id, question.filter.at.known)?,
            };
            reached.extend(key.map(|key| (steps, Spot { source, key })));
        }
    }
    reached.sort();
    for (steps, spot) in &reached {
        finds.at_distance(*spot, *steps);
    }
    // What is a start itself was found already; the rest is new.
    let found = reached.into_iter().filter(|(steps, _)| *steps > 0).map(|(_, spot)| spot);
    Ok(found.take(question.reach()).collect())
}

/// Entities whose name or alias the question speaks.
fn named(
    read: &dyn Read,
    question: &Question,
    understanding: &Understanding,
) -> Result<Vec<(RecordId, Key)>> {
    let kinds = vec![Kind::Entity, Kind::Community, Kind::Saga];
    let filter = Filter { kinds, described: false, ..question.filter.clone() };
    let hits = read.by_words(&understanding.terms, &filter, STARTS)?;
    let keys: Vec<_> = hits.iter().map(|hit| hit.key).collect();
    Ok(read
        .versions_of(&keys)?
        .into_iter()
        .map(|(key, version)| (version.id.clone(), key))
        .collect())
}

fn best_so_far(
    read: &dyn Read,
    source: usize,
    question: &Question,
    finds: &Finds,
) -> Result<Vec<(RecordId, Key)>> {
    let mut best: Vec<(u32, Spot)> = finds
        .spots()
        .into_iter()
        .filter(|spot| spot.source == source)
        .filter_map(|spot| finds.best_rank(&spot).map(|rank| (rank, spot)))
        .collect();
    best.sort();
    let mut keys: Vec<_> = best.into_iter().take(STARTS).map(|(_, spot)| spot.key).collect();
    keys.sort();
    let glances = read.glances(&keys, &question.filter)?;
    Ok(glances.into_iter().map(|glance| (glance.id.clone(), glance.key)).collect())
}

/// Breadth first; each record with the fewest steps that lead to it.
fn walk(
    read: &dyn Read,
    question: &Question,
    starts: Vec<RecordId>,
) -> Result<Vec<(RecordId, usize)>> {
    let mut steps: HashMap<RecordId, usize> = HashMap::new();
    let mut queue: VecDeque<RecordId> = VecDeque::new();
    for start in starts {
        if steps.insert(start.clone(), 0).is_none() {
            queue.push_back(start);
        }
    }
    while let Some(here) = queue.pop_front() {
        let taken = steps[&here];
        if taken == DEPTH {
            continue;
        }
        for link in read.links(&here, question.filter.at)? {
            // What came before and after is the business of the neighbours; from turn to turn one
            // would walk away from what was asked.
            if link.relation == Relation::FollowedBy {
                continue;
            }
            let there = if link.from == here { link.to } else { link.from };
            if steps.len() < MOST && !steps.contains_key(&there) {
                steps.insert(there.clone(), taken + 1);
                queue.push_back(there);
            }
        }
    }
    let mut reached: Vec<(RecordId, usize)> = steps.into_iter().collect();
    reached.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    Ok(reached)
}
