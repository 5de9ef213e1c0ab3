//! Everything of a room at once, so that many can ask for their neighbours without going through
//! the whole store each time.

use super::near::{NEAREST, Vectors, cosine};
use super::terms::Terms;
use super::world::{Memory, World};
use mnemic_model::{Body, Namespace, RecordId, ScopeLevel};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Entries of lists of terms that are read for one memory, the rarest terms first: a bound on what
/// is common, so that a hundred times as many memories take a hundred times as long.
const READ: usize = 2_048;

/// Vectors that are compared exactly for one memory, chosen by their signs.
const CHECKED: usize = 200;

/// Terms that every text is taken to have besides its own, so that the shortest are not nearest.
const USUAL: f32 = 8.0;

/// Memories by the room that they may be compared in.
pub(super) struct Rooms<'w>(BTreeMap<(ScopeLevel, &'w Namespace), Room<'w>>);

impl<'w> Rooms<'w> {
    pub(super) fn of(
        world: &World,
        memories: impl Iterator<Item = &'w Memory>,
        text: fn(&Body) -> String,
        vectors: &Vectors<'_>,
    ) -> Rooms<'w> {
        let mut rooms: BTreeMap<_, Room<'w>> = BTreeMap::new();
        for memory in memories {
            let room = rooms.entry(key(memory)).or_default();
            let terms = world.terms(&text(&memory.content.body));
            room.add(&memory.id, terms, vectors.of(&memory.id));
        }
        Rooms(rooms)
    }

    /// The nearest by words and the nearest by meaning, in the order of their ids.
    pub(super) fn near(&self, memory: &Memory) -> BTreeSet<RecordId> {
        let Some(room) = self.0.get(&key(memory)) else { return BTreeSet::new() };
        let Some(number) = room.numbers.get(&memory.id).copied() else { return BTreeSet::new() };
        let near = room.by_words(number).into_iter().chain(room.by_meaning(number));
        near.map(|other| room.ids[other].clone()).collect()
    }
}

fn key(memory: &Memory) -> (ScopeLevel, &Namespace) {
    (memory.content.scope.level, &memory.content.scope.namespace)
}

#[derive(Default)]
struct Room<'w> {
    ids: Vec<&'w RecordId>,
    numbers: HashMap<&'w RecordId, usize>,
    terms: Vec<Rc<Terms>>,
    by_term: HashMap<u64, Vec<usize>>,
    vectors: Vec<Option<Rc<[f32]>>>,
    /// Of those with vectors the number, and the signs of all components as bits.
    signs: Vec<(usize, Box<[u64]>)>,
}

impl<'w> Room<'w> {
    fn add(&mut self, id: &'w RecordId, terms: Rc<Terms>, vector: Option<Rc<[f32]>>) {
        let number = self.ids.len();
        for term in terms.numbers() {
            self.by_term.entry(*term).or_default().push(number);
        }
        self.signs.extend(vector.as_deref().map(|vector| (number, signs(vector))));
        self.ids.push(id);
        self.numbers.insert(id, number);
        self.terms.push(terms);
        self.vectors.push(vector);
    }

    /// Those that share the most, what is rare counting more.
    fn by_words(&self, number: usize) -> Vec<usize> {
        let lists = self.terms[number].numbers().iter().filter_map(|term| self.by_term.get(term));
        let mut lists: Vec<&Vec<usize>> = lists.collect();
        lists.sort_by_key(|list| list.len());
        let mut scores: BTreeMap<usize, f32> = BTreeMap::new();
        let mut room = READ;
        for list in lists {
            let weight = (1.0 + self.ids.len() as f32 / list.len() as f32).ln();
            let taken = list.len().min(room);
            for other in list[list.len() - taken..].iter().filter(|other| **other != number) {
                *scores.entry(*other).or_default() += weight;
            }
            room -= taken;
        }
        let length = |other: usize| USUAL + self.terms[other].len() as f32;
        best(scores.into_iter().map(|(other, score)| (score / length(other), other)))
    }

    fn by_meaning(&self, number: usize) -> Vec<usize> {
        let Some(vector) = &self.vectors[number] else { return Vec::new() };
        let ours = signs(vector);
        let others = self.signs.iter().filter(|(other, _)| *other != number);
        let mut apart: Vec<(u32, usize)> =
            others.map(|(other, theirs)| (differing(&ours, theirs), *other)).collect();
        if apart.len() > CHECKED {
            apart.select_nth_unstable(CHECKED);
            apart.truncate(CHECKED);
        }
        let exact = apart.into_iter().filter_map(|(_, other)| {
            Some((cosine(vector, self.vectors[other].as_deref()?), other))
        });
        best(exact)
    }
}

fn best(scored: impl Iterator<Item = (f32, usize)>) -> Vec<usize> {
    let mut scored: Vec<(f32, usize)> = scored.collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    scored.into_iter().take(NEAREST).map(|(_, other)| other).collect()
}

/// Stored vectors are rotated, which makes the signs of their components tell of their angles.
fn signs(vector: &[f32]) -> Box<[u64]> {
    let word = |part: &[f32]| part.iter().fold(0, |bits, one| bits << 1 | u64::from(*one > 0.0));
    vector.chunks(64).map(word).collect()
}

/// Vectors of different lengths are of different models and differ in everything.
fn differing(one: &[u64], other: &[u64]) -> u32 {
    match one.len() == other.len() {
        true => one.iter().zip(other).map(|(one, other)| (one ^ other).count_ones()).sum(),
        false => u32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ids(count: usize) -> Vec<RecordId> {
        (0..count).map(|n| RecordId::parse(&format!("sem-{n}")).expect("an id")).collect()
    }

    fn room<'w>(ids: &'w [RecordId], texts: &[String]) -> Room<'w> {
        let mut room = Room::default();
        for (id, text) in ids.iter().zip(texts) {
            room.add(id, Rc::new(text.split(' ').collect()), None);
        }
        room
    }

    #[test]
    fn what_is_rare_leads_to_the_neighbour_among_any_number() {
        let mut texts: Vec<String> = (0..5_000).map(|n| format!("fix test module{n}")).collect();
        texts[17] = "fix test module4000 again".to_owned();
        let ids = ids(texts.len());
        let room = room(&ids, &texts);
        assert_eq!(room.by_words(4_000).first(), Some(&17));
        assert_eq!(room.by_words(17).first(), Some(&4_000));
        assert_eq!(room.by_words(3_000).len(), NEAREST);
    }

    #[test]
    fn signs_choose_and_cosines_rank() {
        let ids = ids(1_002);
        let mut room = Room::default();
        for (n, id) in ids[..1_000].iter().enumerate() {
            // A prime above their number, so that no two are the same.
            let at = |part: usize| ((n * 31 + part * 17 + n * part * 7) % 1_009) as f32 - 504.0;
            let vector: Vec<f32> = (0..128).map(at).collect();
            room.add(id, Rc::default(), Some(Rc::from(vector)));
        }
        let like = room.vectors[5].as_deref().expect("a vector").iter().map(|one| one + 1.0);
        let like: Vec<f32> = like.collect();
        room.add(&ids[1_000], Rc::default(), Some(Rc::from(like)));
        assert_eq!(room.by_meaning(5).first(), Some(&1_000));
        room.add(&ids[1_001], Rc::default(), Some(Rc::from([1.0; 64])));
        assert!(!room.by_meaning(5).contains(&1_001), "of another model");
    }

    proptest! {
        #[test]
        fn nobody_is_their_own_neighbour_and_few_are_missed(
            texts in prop::collection::vec("[a-f]( [a-f]){0,3}", 1..18)
        ) {
            let ids = ids(texts.len());
            let room = room(&ids, &texts);
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
