//! Pairs of which the rules cannot tell whether both hold: a language model may be asked, and what
//! it thinks opens a question for a person; it never settles one.

use super::act::{Act, Effect, What};
use super::claimed::Claimed;
use super::contradictions::{field, id_of_pair, is_claim, known_pairs, may_differ, taken_back};
use super::made::made;
use super::near::{Neighbours, Sense, Vectors};
use super::world::{Memory, World, claim};
use mnemic_model::body::{Body, Contradiction, Status};
use mnemic_model::{RecordId, Unit, policy};
use mnemic_store::{Read, Result};
use mnemic_text::contradict::{Judgement, Verdict};
use std::collections::BTreeSet;

/// How sure a contradiction is that a model alone has seen.
const MODEL_CONFIDENCE: f64 = 0.6;

/// Two memories, the smaller id first, and what each claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    pub ids: (RecordId, RecordId),
    pub claims: (String, String),
}

/// At most `most` pairs of something changed with something near, in the order of ids.
pub fn pairs(
    world: &World,
    changed: &BTreeSet<RecordId>,
    read: &dyn Read,
    sense: Sense<'_>,
    most: usize,
) -> Result<Vec<Pair>> {
    let mut known = known_pairs(world);
    let mut pairs = Vec::new();
    let new = || changed.iter().filter_map(|id| world.get(id)).filter(|it| is_claim(world, it));
    let vectors = Vectors::of_store(read)?;
    let neighbours = Neighbours::for_many(world, new().count(), field(read, sense), &vectors);
    for memory in new() {
        let near = neighbours.of(memory)?.into_iter().filter(|other| is_claim(world, other));
        for other in near.filter(|other| may_differ(&memory.content, &other.content)) {
            if pairs.len() == most {
                return Ok(pairs);
            }
            let (a, b) = if memory.id < other.id { (memory, other) } else { (other, memory) };
            let is_new = known.insert((&a.id, &b.id)) && taken_back(read, a, b)?.is_none();
            if is_new && is_unsure(a, b) {
                let [one, other] = [a, b].map(|it| claim(&it.content.body).into_owned());
                pairs.push(Pair { ids: (a.id.clone(), b.id.clone()), claims: (one, other) });
            }
        }
    }
    Ok(pairs)
}

fn is_unsure(a: &Memory, b: &Memory) -> bool {
    let [a, b] = [a, b].map(|it| Claimed::of(&it.content.body));
    matches!(a.judge(&b), Judgement { verdict: Verdict::Unsure, .. })
}

/// A contradiction that a model sees, open for a person.
pub fn opened(world: &World, pair: &Pair, model: &str) -> Option<Act> {
    let (a, b) = (world.get(&pair.ids.0)?, world.get(&pair.ids.1)?);
    if !is_claim(world, a) || !is_claim(world, b) {
        return None;
    }
    let body = Body::Contradiction(Contradiction {
        a: a.id.clone(),
        b: b.id.clone(),
        detected_by: format!("model:{model}"),
        status: Status::Open,
        resolution: None,
        note: Some(format!("`{}` against `{}`", pair.claims.0, pair.claims.1)),
    });
    let trust = policy::inherited_trust([a.content.trust(), b.content.trust()]);
    let mut content = made(world, body, &a.content.scope, trust, Vec::new());
    content.confidence = Unit::new(MODEL_CONFIDENCE).unwrap_or(Unit::HALF);
    let id = id_of_pair(a, b);
    let told = format!("{} and {}: {model} says that they cannot both hold; open", a.id, b.id);
    let effects = vec![Effect::Put { id, base: None, content: Box::new(content) }];
    Some(Act { what: What::Opened, told, effects })
}
