//! Vectors that point nearly the same way, found among any number without comparing all pairs.

use super::near::dot;
use std::cell::RefCell;

/// Up to so many vectors all are looked at for each: that costs less than being clever.
const FEW: usize = 512;

/// Orders by signs that the vectors stand in, and how many on either side are looked at in each.
/// Two at a cosine of .8 agree in eight signs of ten, so that in one order of twenty-four they are
/// almost surely near each other.
const ORDERS: usize = 24;
const BESIDE: usize = 32;

/// Vectors that are compared exactly for one, chosen by their signs.
const CHECKED: usize = 128;

/// Vectors of one length under numbers. Stored vectors are rotated, which makes the signs of their
/// components tell of their angles.
#[derive(Debug, Default)]
pub(super) struct Angles {
    /// Components of all, each vector of length one.
    components: Vec<f32>,
    length: usize,
    /// The signs of all components as bits, so many words for each.
    signs: Vec<u64>,
    words: usize,
    orders: Vec<Order>,
    looked_at: RefCell<Vec<bool>>,
}

/// All vectors sorted by some of their signs, and the place of each.
#[derive(Debug)]
struct Order {
    sorted: Vec<u32>,
    places: Vec<u32>,
}

impl Angles {
    /// Of vectors of one length; those of another are of another model and cannot be compared.
    pub(super) fn of<'v>(vectors: impl Iterator<Item = &'v [f32]>) -> Angles {
        let mut angles = Angles::default();
        for vector in vectors {
            angles.length = vector.len();
            angles.words = vector.len().div_ceil(64);
            let norm = dot(vector, vector).sqrt().max(f32::MIN_POSITIVE);
            angles.components.extend(vector.iter().map(|one| one / norm));
            angles.signs.extend(vector.chunks(64).map(signs));
        }
        let count = angles.count();
        if count > FEW {
            let bits = angles.words * 64;
            angles.orders = (0..ORDERS).map(|at| angles.order(at * bits / ORDERS)).collect();
        }
        angles.looked_at = RefCell::new(vec![false; count]);
        angles
    }

    fn count(&self) -> usize {
        self.signs.len() / self.words.max(1)
    }

    /// The `most` nearest to one of them with their cosines, the nearest first.
    pub(super) fn near(&self, number: usize, most: usize) -> Vec<(f32, usize)> {
        let mut apart: Vec<(u32, usize)> = self
            .candidates(number)
            .into_iter()
            .map(|other| (differing(self.signs_of(number), self.signs_of(other)), other))
            .collect();
        if apart.len() > CHECKED {
            apart.select_nth_unstable(CHECKED);
            apart.truncate(CHECKED);
        }
        let cosine = |other: usize| dot(self.vector(number), self.vector(other));
        let exact = apart.into_iter().map(|(_, other)| (cosine(other), other));
        best(exact.collect(), most)
    }

    fn candidates(&self, number: usize) -> Vec<usize> {
        if self.orders.is_empty() {
            return (0..self.count()).filter(|other| *other != number).collect();
        }
        let mut looked_at = self.looked_at.borrow_mut();
        let mut found = Vec::with_capacity(ORDERS * BESIDE * 2);
        looked_at[number] = true;
        for Order { sorted, places } in &self.orders {
            let place = places[number] as usize;
            let beside = place.saturating_sub(BESIDE)..(place + BESIDE + 1).min(sorted.len());
            for other in &sorted[beside] {
                let other = *other as usize;
                if !std::mem::replace(&mut looked_at[other], true) {
                    found.push(other);
                }
            }
        }
        looked_at[number] = false;
        found.iter().for_each(|other| looked_at[*other] = false);
        found
    }

    /// Sorted by the signs from this bit on.
    fn order(&self, from: usize) -> Order {
        let key = |number: usize| {
            let (word, shift) = (from / 64, from % 64);
            let signs = self.signs_of(number);
            let [first, second] = [word, word + 1].map(|at| signs[at % self.words]);
            // A shift by all 64 bits is none, and would be an overflow.
            if shift == 0 { first } else { first << shift | second >> (64 - shift) }
        };
        let mut sorted: Vec<(u64, u32)> =
            (0..self.count()).map(|number| (key(number), number as u32)).collect();
        sorted.sort_unstable();
        let mut places = vec![0; sorted.len()];
        for (place, (_, number)) in sorted.iter().enumerate() {
            places[*number as usize] = place as u32;
        }
        Order { sorted: sorted.into_iter().map(|(_, number)| number).collect(), places }
    }

    fn signs_of(&self, number: usize) -> &[u64] {
        &self.signs[number * self.words..(number + 1) * self.words]
    }

    fn vector(&self, number: usize) -> &[f32] {
        &self.components[number * self.length..(number + 1) * self.length]
    }
}

/// The highest scores first; of equals the smaller number.
pub(super) fn best(mut scored: Vec<(f32, usize)>, most: usize) -> Vec<(f32, usize)> {
    let order = |one: &(f32, usize), other: &(f32, usize)| {
        other.0.total_cmp(&one.0).then(one.1.cmp(&other.1))
    };
    if scored.len() > most {
        scored.select_nth_unstable_by(most, order);
        scored.truncate(most);
    }
    scored.sort_unstable_by(order);
    scored
}

fn signs(part: &[f32]) -> u64 {
    part.iter().fold(0, |bits, one| bits << 1 | u64::from(*one > 0.0))
}

fn differing(one: &[u64], other: &[u64]) -> u32 {
    one.iter().zip(other).map(|(one, other)| (one ^ other).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers that look random, the same each time.
    fn scattered(seed: &mut u64) -> f32 {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    fn vectors(count: usize, seed: u64) -> Vec<Vec<f32>> {
        let mut seed = seed;
        (0..count).map(|_| (0..256).map(|_| scattered(&mut seed)).collect()).collect()
    }

    #[test]
    fn those_that_are_near_are_found_among_many() {
        let mut all = vectors(3_000, 1);
        let mut seed = 2;
        // Each of the second thousand lies at about .8 of one of the first.
        for number in 0..1_000 {
            let beside = |one: &f32| one + 0.75 * scattered(&mut seed);
            all[1_000 + number] = all[number].iter().map(beside).collect();
        }
        let angles = Angles::of(all.iter().map(Vec::as_slice));
        let hits = (0..1_000).filter(|number| {
            let near = angles.near(*number, 20);
            near.first().is_some_and(|(_, other)| *other == 1_000 + number)
        });
        assert!(hits.count() >= 970);
    }

    /// So the cost of all together grows as sorting them does.
    #[test]
    fn as_many_are_looked_at_among_more() {
        for count in [1_000, 8_000] {
            let all = vectors(count, 3);
            let angles = Angles::of(all.iter().map(Vec::as_slice));
            let looked_at = (0..100).map(|number| angles.candidates(number).len()).max();
            assert!(looked_at.is_some_and(|most| most <= 2 * ORDERS * BESIDE), "{looked_at:?}");
        }
    }

    #[test]
    fn the_highest_come_first_and_few_are_all() {
        let scored = vec![(0.5, 3), (0.9, 2), (0.5, 1), (0.1, 0)];
        assert_eq!(best(scored.clone(), 3), [(0.9, 2), (0.5, 1), (0.5, 3)]);
        assert_eq!(best(scored, 9).len(), 4);
        assert!(Angles::of(std::iter::empty()).count() == 0);
    }

    proptest! {
        #[test]
        fn nobody_is_their_own_neighbour_or_met_twice(
            count in prop::sample::select(vec![2usize, 40, 513, 700]), seed in any::<u64>()
        ) {
            let all = vectors(count, seed);
            let angles = Angles::of(all.iter().map(Vec::as_slice));
            for number in [0, count / 2, count - 1] {
                let near = angles.near(number, 20);
                let mut others: Vec<usize> = near.iter().map(|(_, other)| *other).collect();
                prop_assert_eq!(others.len(), 20.min(count - 1));
                prop_assert!(!others.contains(&number));
                others.sort_unstable();
                others.dedup();
                prop_assert_eq!(others.len(), near.len());
                prop_assert!(near.is_sorted_by(|one, other| one.0 >= other.0));
            }
        }
    }
}
