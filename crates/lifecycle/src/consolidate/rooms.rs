//! Everything of a room at once, so that many can ask for their neighbours without going through
//! the whole store each time.

use super::angles::{Angles, best};
use super::near::{NEAREST, Vectors};
use super::terms::Terms;
use super::world::{Memory, World};
use foldhash::HashMap;
use mnemic_model::{Body, Namespace, RecordId, ScopeLevel};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Entries of lists of terms that are read for one memory, the rarest terms first: a bound on what
/// is common, so that a hundred times as many memories take a hundred times as long.
const READ: usize = 2_048;

/// Terms that every text is taken to have besides its own, so that the shortest are not nearest.
const USUAL: f32 = 8.0;

/// Memories by the room that they may be compared in.
pub(super) struct Rooms<'w>(BTreeMap<(ScopeLevel, &'w Namespace), Room<'w>>);

impl<'w> Rooms<'w> {
    pub(super) fn of(
        world: &World,
        memories: impl Iterator<Item = &'w Memory>,
        text: fn(&Body) -> Cow<'_, str>,
        vectors: &Vectors<'_>,
    ) -> Rooms<'w> {
        let mut lists: BTreeMap<_, Vec<Entry<'w>>> = BTreeMap::new();
        for memory in memories {
            let terms = world.terms(&text(&memory.content.body));
            let entry = (memory, terms, vectors.of(&memory.id).map(|it| it.vector));
            lists.entry(key(memory)).or_default().push(entry);
        }
        Rooms(lists.into_iter().map(|(key, list)| (key, Room::of(list))).collect())
    }

    /// The nearest by words and the nearest by meaning, each once, in the order in which all came.
    pub(super) fn near(&self, memory: &Memory) -> Vec<&'w Memory> {
        let Some(room) = self.0.get(&key(memory)) else { return Vec::new() };
        let Some(number) = room.numbers.get(&memory.id).copied() else { return Vec::new() };
        let mut near = room.by_words(number);
        near.extend(room.by_meaning(number));
        near.sort_unstable();
        near.dedup();
        near.into_iter().map(|other| room.memories[other]).collect()
    }
}

fn key(memory: &Memory) -> (ScopeLevel, &Namespace) {
    (memory.content.scope.level, &memory.content.scope.namespace)
}

/// A memory with what it says and what it means.
type Entry<'w> = (&'w Memory, Rc<Terms>, Option<Rc<[f32]>>);

struct Room<'w> {
    memories: Vec<&'w Memory>,
    numbers: HashMap<&'w RecordId, usize>,
    terms: Vec<Rc<Terms>>,
    /// How many terms each has, and the usual ones; beside each other, since thousands are asked
    /// for each memory.
    lengths: Vec<f32>,
    by_term: HashMap<u64, Vec<u32>>,
    angles: Angles,
    /// Of those with vectors the place among the angles, and of each angle whose it is.
    angle_of: Vec<Option<u32>>,
    whose: Vec<usize>,
    /// Zero but while neighbours are looked for.
    scores: RefCell<Vec<f32>>,
}

impl<'w> Room<'w> {
    fn of(entries: Vec<Entry<'w>>) -> Room<'w> {
        let mut by_term: HashMap<u64, Vec<u32>> = HashMap::default();
        for (number, (_, terms, _)) in entries.iter().enumerate() {
            for term in terms.numbers() {
                by_term.entry(*term).or_default().push(number as u32);
            }
        }
        let vectors = || entries.iter().map(|(_, _, vector)| vector.as_deref());
        // Vectors of another length are of another model and are like nothing here.
        let length = vectors().flatten().map(<[f32]>::len).next();
        let fit = || vectors().map(|it| it.filter(|vector| Some(vector.len()) == length));
        let whose: Vec<usize> =
            fit().enumerate().filter_map(|(number, it)| it.map(|_| number)).collect();
        let mut angle_of = vec![None; entries.len()];
        whose.iter().enumerate().for_each(|(at, number)| angle_of[*number] = Some(at as u32));
        Room {
            angles: Angles::of(fit().flatten()),
            scores: RefCell::new(vec![0.0; entries.len()]),
            memories: entries.iter().map(|(memory, _, _)| *memory).collect(),
            numbers: entries.iter().enumerate().map(|(number, it)| (&it.0.id, number)).collect(),
            lengths: entries.iter().map(|(_, terms, _)| USUAL + terms.len() as f32).collect(),
            terms: entries.into_iter().map(|(_, terms, _)| terms).collect(),
            by_term,
            angle_of,
            whose,
        }
    }

    /// Those that share the most, what is rare counting more.
    fn by_words(&self, number: usize) -> Vec<usize> {
        let lists = self.terms[number].numbers().iter().filter_map(|term| self.by_term.get(term));
        let mut lists: Vec<&Vec<u32>> = lists.collect();
        lists.sort_by_key(|list| list.len());
        let mut scores = self.scores.borrow_mut();
        let mut met: Vec<usize> = Vec::new();
        let mut room = READ;
        for list in lists {
            let weight = (1.0 + self.memories.len() as f32 / list.len() as f32).ln();
            let taken = list.len().min(room);
            for other in list[list.len() - taken..].iter().map(|other| *other as usize) {
                // Weights are above zero: a score of zero is one that was not met.
                if scores[other] == 0.0 {
                    met.push(other);
                }
                scores[other] += weight;
            }
            room -= taken;
        }
        let mut scored = Vec::with_capacity(met.len());
        for other in met {
            let score = std::mem::take(&mut scores[other]);
            if other != number {
                scored.push((score / self.lengths[other], other));
            }
        }
        best(scored, NEAREST).into_iter().map(|(_, other)| other).collect()
    }

    fn by_meaning(&self, number: usize) -> Vec<usize> {
        let Some(angle) = self.angle_of[number] else { return Vec::new() };
        let near = self.angles.near(angle as usize, NEAREST).into_iter();
        near.map(|(_, other)| self.whose[other]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_model::body::Pattern;
    use mnemic_model::{Actor, Author, Draft, Scope, Timestamp, Usage};
    use proptest::prelude::*;

    fn memories(count: usize) -> Vec<Memory> {
        let body = Body::Pattern(Pattern { statement: "x".to_owned(), ..Pattern::default() });
        let scope = Scope::private(ScopeLevel::Project);
        let actor = Actor::new(Author::Agent, "a");
        let content = Draft::new(body).resolve(&actor, Timestamp::EPOCH, &scope);
        let content = content.expect("a sound draft");
        let memory = |n: usize| Memory {
            id: RecordId::parse(&format!("sem-{n}")).expect("an id"),
            n: 1,
            content: content.clone(),
            recorded_at: Timestamp::EPOCH,
            is_derived: false,
            is_corrected: false,
            usage: Usage::default(),
        };
        (0..count).map(memory).collect()
    }

    fn room<'w>(memories: &'w [Memory], texts: &[String]) -> Room<'w> {
        let terms = |text: &String| Rc::new(text.split(' ').collect());
        Room::of(memories.iter().zip(texts).map(|(it, text)| (it, terms(text), None)).collect())
    }

    #[test]
    fn what_is_rare_leads_to_the_neighbour_among_any_number() {
        let mut texts: Vec<String> = (0..5_000).map(|n| format!("fix test module{n}")).collect();
        texts[17] = "fix test module4000 again".to_owned();
        let memories = memories(texts.len());
        let room = room(&memories, &texts);
        assert_eq!(room.by_words(4_000).first(), Some(&17));
        assert_eq!(room.by_words(17).first(), Some(&4_000));
        assert_eq!(room.by_words(3_000).len(), NEAREST);
    }

    #[test]
    fn meaning_leads_to_the_neighbour_whoever_has_none() {
        let memories = memories(1_002);
        // A prime above their number, so that no two are the same.
        let vector = |n: usize| -> Rc<[f32]> {
            let at = |part: usize| ((n * 31 + part * 17 + n * part * 7) % 1_009) as f32 - 504.0;
            (0..128).map(at).collect()
        };
        let entries = memories.iter().enumerate().map(|(n, memory)| {
            let vector = match n {
                0 => None,
                1_000 => Some(vector(5).iter().map(|one| one + 1.0).collect()),
                1_001 => Some(Rc::from([1.0; 64])),
                _ => Some(vector(n)),
            };
            (memory, Rc::default(), vector)
        });
        let room = Room::of(entries.collect());
        assert_eq!(room.by_meaning(5).first(), Some(&1_000));
        assert!(room.by_meaning(0).is_empty(), "without a vector");
        assert!(room.by_meaning(1_001).is_empty(), "of another model");
        assert!((1..1_001).all(|n| !room.by_meaning(n).contains(&1_001)), "of another model");
    }

    proptest! {
        #[test]
        fn nobody_is_their_own_neighbour_and_few_are_missed(
            texts in prop::collection::vec("[a-f]( [a-f]){0,3}", 1..18)
        ) {
            let memories = memories(texts.len());
            let room = room(&memories, &texts);
            for one in 0..texts.len() {
                let near = room.by_words(one);
                for other in 0..texts.len() {
                    let shares = room.terms[one].common(&room.terms[other]) > 0;
                    prop_assert_eq!(near.contains(&other), shares && one != other);
                }
            }
        }
    }
}
