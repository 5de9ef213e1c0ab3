//! Who stands near a memory: by meaning where there are vectors, by words everywhere.

use super::world::Memory;
use mnemic_model::{At, Filter, Kind, RecordId, Tier, Timestamp, Trust, Truth};
use mnemic_recall::QueryVector;
use mnemic_store::{Read, Result, VectorModel};
use mnemic_text::stems::recall_terms;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// What a text means, as a question to the vectors of a store; nothing where there are none.
pub type Sense<'a> = &'a dyn Fn(&str) -> Option<QueryVector>;

/// As many of each channel as a memory is compared with.
const NEAREST: usize = 20;

/// Terms of a long text that are asked for: those that it says most often.
const TERMS: usize = 32;

/// The nearest of these kinds in the memory's own room, by either channel, with their cosine
/// where it is known. Itself is left out.
pub(super) fn nearest(
    read: &dyn Read,
    memory: &Memory,
    text: &str,
    kinds: &[Kind],
    now: Timestamp,
    sense: Sense<'_>,
) -> Result<BTreeMap<RecordId, Option<f32>>> {
    let filter = room(memory, kinds, now);
    // One more than wanted: a memory is always nearest to itself.
    let by_words = read.by_words(&terms(text), &filter, NEAREST + 1)?;
    let mut keys: Vec<_> = by_words.iter().map(|hit| hit.key).collect();
    let vector = sense(text);
    if let Some(QueryVector { model, vector, .. }) = &vector {
        let hits = read.by_meaning(model, vector, &filter, NEAREST + 1)?;
        keys.extend(hits.iter().map(|hit| hit.key));
    }
    keys.sort_unstable();
    keys.dedup();
    let cosines = match &vector {
        Some(QueryVector { model, vector, .. }) => read.meaning_scores(model, vector, &keys)?,
        None => vec![None; keys.len()],
    };
    let cosines: BTreeMap<_, _> = keys.iter().copied().zip(cosines).collect();
    let glances = read.glances(&keys, &filter)?;
    let others = glances.into_iter().filter(|glance| glance.id != memory.id);
    Ok(others.map(|glance| (glance.id, cosines.get(&glance.key).copied().flatten())).collect())
}

/// What may be compared with a memory: same level and namespace, valid, trusted to be seen.
fn room(memory: &Memory, kinds: &[Kind], now: Timestamp) -> Filter {
    Filter {
        kinds: kinds.to_vec(),
        levels: vec![memory.content.scope.level],
        namespaces: vec![memory.content.scope.namespace.clone()],
        tiers: vec![Tier::Mandate, Tier::Guardrail, Tier::Reference],
        trusts: vec![Trust::Trusted, Trust::Unreviewed],
        ..Filter::new(At { truth: Truth::At(now), known: None })
    }
}

fn terms(text: &str) -> Vec<(String, f32)> {
    let mut terms = recall_terms(text);
    terms.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    terms.truncate(TERMS);
    terms.into_iter().map(|(term, count)| (term, count as f32)).collect()
}

/// The cosine of two stored memories by the vectors that the store has of them, read once each.
pub(super) fn likeness(
    read: &dyn Read,
) -> Result<impl Fn(&RecordId, &RecordId) -> Option<f32> + use<'_>> {
    let model = read.vector_model()?;
    let kept: RefCell<HashMap<RecordId, Option<Rc<[f32]>>>> = RefCell::default();
    Ok(move |one: &RecordId, other: &RecordId| {
        let model = model.as_ref()?;
        let vector = |id: &RecordId| -> Option<Rc<[f32]>> {
            if let Some(vector) = kept.borrow().get(id) {
                return vector.clone();
            }
            let vector = first_vector(read, model, id);
            kept.borrow_mut().insert(id.clone(), vector.clone());
            vector
        };
        Some(cosine(&vector(one)?, &vector(other)?))
    })
}

/// What a memory is about as a whole: its first coarse part.
fn first_vector(read: &dyn Read, model: &VectorModel, id: &RecordId) -> Option<Rc<[f32]>> {
    let key = read.key_of(id, None).ok()??;
    read.vectors_of(model, key).ok()?.into_iter().next().map(Rc::from)
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let norms = (dot(one, one) * dot(other, other)).sqrt();
    if norms > 0.0 { dot(one, other) / norms } else { 0.0 }
}
