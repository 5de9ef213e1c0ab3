//! A fixed random rotation, so that every sign of a rotated vector tells about equally much.
//!
//! Rounds of random sign flips, each followed by a Walsh–Hadamard transform over the largest
//! power of two that fits, in turn from the front and from the back. Needs no padding, is its own
//! file format (the same everywhere, for ever) and takes microseconds.

use std::cell::RefCell;

/// Four rounds: two at each end, after which every component depends on all.
const ROUNDS: usize = 4;
/// Any fixed number; changing it makes all codes worthless.
const SEED: u64 = 0x6d6e_656d_6963_0001;

/// A vector as it is compared: all are rotated alike, so that their angles stay.
pub fn rotated(mut vector: Vec<f32>) -> Vec<f32> {
    Rotation::of(vector.len(), |rotation| rotation.apply(&mut vector));
    vector
}

/// A rotated vector as it was before.
pub fn unrotated(mut vector: Vec<f32>) -> Vec<f32> {
    Rotation::of(vector.len(), |rotation| rotation.take_back(&mut vector));
    vector
}

struct Rotation {
    dimensions: usize,
    /// One or minus one, by round and dimension.
    signs: Vec<Vec<f32>>,
    window: usize,
}

thread_local! {
    /// The last one: nearly all vectors have the same dimensions, and making signs takes longer than
    /// applying them.
    static LAST: RefCell<Rotation> = RefCell::new(Rotation::new(0));
}

impl Rotation {
    fn of(dimensions: usize, apply: impl FnOnce(&Rotation)) {
        LAST.with_borrow_mut(|last| {
            if last.dimensions != dimensions {
                *last = Rotation::new(dimensions);
            }
            apply(last);
        });
    }

    fn new(dimensions: usize) -> Rotation {
        let mut state = SEED;
        let signs = (0..ROUNDS)
            .map(|_| {
                (0..dimensions)
                    .map(|_| if next(&mut state) >> 63 == 0 { 1.0 } else { -1.0 })
                    .collect()
            })
            .collect();
        let window = if dimensions == 0 { 0 } else { 1 << dimensions.ilog2() };
        Rotation { dimensions, signs, window }
    }

    /// Keeps lengths and angles. The vector has the dimensions that the rotation was made for.
    fn apply(&self, vector: &mut [f32]) {
        for (round, signs) in self.signs.iter().enumerate() {
            flip(vector, signs);
            self.transform(round, vector);
        }
    }

    /// Undoes `apply`: each of its steps is its own inverse.
    fn take_back(&self, vector: &mut [f32]) {
        for (round, signs) in self.signs.iter().enumerate().rev() {
            self.transform(round, vector);
            flip(vector, signs);
        }
    }

    fn transform(&self, round: usize, vector: &mut [f32]) {
        let norm = 1.0 / (self.window as f32).sqrt();
        let start = if round.is_multiple_of(2) { 0 } else { vector.len() - self.window };
        let window = &mut vector[start..start + self.window];
        hadamard(window);
        window.iter_mut().for_each(|component| *component *= norm);
    }
}

fn flip(vector: &mut [f32], signs: &[f32]) {
    for (component, sign) in vector.iter_mut().zip(signs) {
        *component *= sign;
    }
}

/// Splitmix64, by Vigna; public domain arithmetic.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn hadamard(vector: &mut [f32]) {
    let mut half = 1;
    while half < vector.len() {
        for pair in vector.chunks_exact_mut(2 * half) {
            let (front, back) = pair.split_at_mut(half);
            for (one, other) in front.iter_mut().zip(back) {
                (*one, *other) = (*one + *other, *one - *other);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(one: &[f32], other: &[f32]) -> f32 {
        one.iter().zip(other).map(|(one, other)| one * other).sum()
    }

    #[test]
    fn lengths_and_angles_stay() {
        for dimensions in [8, 24, 64, 384, 1000] {
            let rotation = Rotation::new(dimensions);
            let mut one: Vec<f32> = (0..dimensions).map(|at| (at as f32).sin()).collect();
            let mut other: Vec<f32> = (0..dimensions).map(|at| (at as f32 * 0.7).cos()).collect();
            let before = (dot(&one, &one), dot(&one, &other));
            rotation.apply(&mut one);
            rotation.apply(&mut other);
            let after = (dot(&one, &one), dot(&one, &other));
            assert!((before.0 - after.0).abs() < 1e-3 * before.0, "{dimensions}");
            assert!((before.1 - after.1).abs() < 1e-3 * before.0, "{dimensions}");
        }
    }

    #[test]
    fn a_rotation_can_be_taken_back() {
        for dimensions in [0, 1, 24, 384, 1000] {
            let vector: Vec<f32> = (0..dimensions).map(|at| (at as f32).sin()).collect();
            let back = unrotated(rotated(vector.clone()));
            let far = vector.iter().zip(&back).map(|(one, other)| (one - other).abs());
            assert!(far.fold(0.0, f32::max) < 1e-5, "{dimensions}");
        }
    }

    #[test]
    fn one_component_spreads_over_all() {
        let mut vector = vec![0.0; 384];
        vector[5] = 1.0;
        Rotation::new(384).apply(&mut vector);
        let largest = vector.iter().fold(0f32, |largest, component| largest.max(component.abs()));
        assert!(largest < 0.25, "{largest}");
        assert!(vector.iter().filter(|component| component.abs() > 0.005).count() > 300);
    }

    #[test]
    fn the_rotation_never_changes() {
        let mut vector: Vec<f32> = (0..8).map(|at| at as f32).collect();
        Rotation::new(8).apply(&mut vector);
        let rounded: Vec<i32> = vector.iter().map(|component| component.round() as i32).collect();
        assert_eq!(rounded, [2, 1, 2, -1, -4, -7, 4, -7]);
    }
}
