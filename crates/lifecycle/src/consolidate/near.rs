//! Who stands near a memory: by meaning where there are vectors, by words everywhere.

use super::rooms::Rooms;
use super::world::{Memory, World};
use foldhash::HashMap;
use mnemic_model::{At, Body, Filter, Kind, RecordId, Tier, Timestamp, Trust, Truth};
use mnemic_recall::QueryVector;
use mnemic_store::{Read, Result, VectorModel};
use mnemic_text::stems::recall_terms;
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// What a text means, as a question to the vectors of a store; nothing where there are none.
pub type Sense<'a> = &'a dyn Fn(&str) -> Option<QueryVector>;

/// As many of each channel as a memory is compared with.
pub(super) const NEAREST: usize = 20;

/// Asking the index costs the size of the store each time, taking in a room costs it once: worth it
/// when one of so many asks.
const ONE_OF: usize = 32;

/// Terms of a long text that are asked for: those that it says most often.
const TERMS: usize = 32;

/// Where neighbours are looked for, and by what.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) read: &'a dyn Read,
    pub(super) sense: Sense<'a>,
    pub(super) kinds: &'a [Kind],
    /// What of a memory is compared.
    pub(super) text: fn(&Body) -> Cow<'_, str>,
}

/// Finds neighbours for as many as ask: in the index for a few, in rooms for many.
pub(super) struct Neighbours<'a> {
    field: Field<'a>,
    world: &'a World,
    rooms: Option<Rooms<'a>>,
}

impl<'a> Neighbours<'a> {
    pub(super) fn for_many(
        world: &'a World,
        asking: usize,
        field: Field<'a>,
        vectors: &Vectors<'_>,
    ) -> Neighbours<'a> {
        let fit = || world.live().filter(|memory| field.kinds.contains(&memory.kind()));
        let rooms = match asking * ONE_OF >= fit().count() {
            true => Some(Rooms::of(world, fit(), field.text, vectors)),
            false => None,
        };
        Neighbours { field, world, rooms }
    }

    /// The nearest by either channel, in the order of their ids. Itself is left out.
    pub(super) fn of(&self, memory: &Memory) -> Result<Vec<&'a Memory>> {
        if let Some(rooms) = &self.rooms {
            return Ok(rooms.near(memory));
        }
        let mut near = nearest(memory, self.field, self.world.now())?;
        near.sort_unstable();
        Ok(near.iter().filter_map(|id| self.world.get(id)).collect())
    }
}

/// The nearest of these kinds in the memory's own room, by either channel, as the index knows them.
/// Itself is left out.
pub(super) fn nearest(memory: &Memory, field: Field<'_>, now: Timestamp) -> Result<Vec<RecordId>> {
    let Field { read, sense, kinds, .. } = field;
    let text = &(field.text)(&memory.content.body);
    let filter = room(memory, kinds, now);
    // One more than wanted: a memory is always nearest to itself.
    let by_words = read.by_words(&terms(text), &filter, NEAREST + 1)?;
    let mut keys: Vec<_> = by_words.iter().map(|hit| hit.key).collect();
    if let Some(QueryVector { model, vector, .. }) = &sense(text) {
        let hits = read.by_meaning(model, vector, &filter, NEAREST + 1)?;
        keys.extend(hits.iter().map(|hit| hit.key));
    }
    keys.sort_unstable();
    keys.dedup();
    let ids = read.glances(&keys, &filter)?.into_iter().map(|glance| glance.id.clone());
    Ok(ids.filter(|id| *id != memory.id).collect())
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

/// What each memory is about as a whole, as the store has it: the first coarse part of its text.
/// Read once each.
pub(super) struct Vectors<'r> {
    read: &'r dyn Read,
    model: Option<VectorModel>,
    known: RefCell<HashMap<RecordId, Option<Direction>>>,
}

/// A vector and its square.
#[derive(Clone)]
pub(super) struct Direction {
    pub(super) vector: Rc<[f32]>,
    square: f32,
}

impl<'r> Vectors<'r> {
    pub(super) fn of_store(read: &'r dyn Read) -> Result<Vectors<'r>> {
        Ok(Vectors { read, model: read.vector_model()?, known: RefCell::default() })
    }

    pub(super) fn of(&self, id: &RecordId) -> Option<Direction> {
        if let Some(known) = self.known.borrow().get(id) {
            return known.clone();
        }
        let direction = self.read_one(id);
        self.known.borrow_mut().insert(id.clone(), direction.clone());
        direction
    }

    fn read_one(&self, id: &RecordId) -> Option<Direction> {
        let key = self.read.key_of(id, None).ok()??;
        let mut vectors = self.read.first_vectors(self.model.as_ref()?, &[key]).ok()?;
        let vector: Rc<[f32]> = vectors.pop()??.into();
        Some(Direction { square: dot(&vector, &vector), vector })
    }

    /// The cosine of two stored memories.
    pub(super) fn cosine(&self, one: &RecordId, other: &RecordId) -> Option<f32> {
        Some(cosine(&self.of(one)?, &self.of(other)?))
    }
}

fn cosine(one: &Direction, other: &Direction) -> f32 {
    let norms = (one.square * other.square).sqrt();
    let is_one_model = one.vector.len() == other.vector.len();
    if norms > 0.0 && is_one_model { dot(&one.vector, &other.vector) / norms } else { 0.0 }
}

/// Summed in lanes of their own, since one sum after the other would wait for each addition.
pub(super) fn dot(one: &[f32], other: &[f32]) -> f32 {
    const LANES: usize = 16;
    let (ours, theirs) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest = ours.remainder().iter().zip(theirs.remainder()).map(|(a, b)| a * b).sum::<f32>();
    let mut sums = [0.0; LANES];
    for (a, b) in ours.zip(theirs) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}
