//! Contrast: a question's vector without what nearly everything in the stores has in common with it.
//!
//! The memories of one project, or the words of two people, all point much the same way, and most of
//! what a cosine tells is what the store is about. A linear discriminant takes that out: the mean,
//! and of each direction the more, the further the store spreads along it. Only the question changes
//! by this; vectors and indexes stay as they are.

use crate::question::{QueryVector, Question, Source};
use mnemic_model::Filter;
use mnemic_store::find::{as_asked, as_kept};
use mnemic_store::{Result, VectorModel};

/// Vectors of each store that are looked at to learn how it spreads. With fewer than these in all
/// (some hundred memories), the answers themselves would be much of what is usual.
const SAMPLE: usize = 256;

/// Added to the spread along every direction, in units of its mean: what the sample says little of is
/// left as it is.
const RIDGE: f32 = 16.0;

/// How much of the question stays as it was asked.
const PLAIN: f32 = 0.4;

/// Unit vectors that spread less than this are all the same.
const LEAST_SPREAD: f32 = 1e-6;

/// Steps towards the solution at most; six are usual.
const STEPS: usize = 24;

/// The share of the error that may be left, of its square. A thousand times less ranks the same.
const NEAR_ENOUGH: f32 = 1e-5;

/// What is usual by each model that the question was read by, where enough lies there to tell.
#[derive(Debug, Default)]
pub(crate) struct Backgrounds(Vec<(VectorModel, Option<Background>)>);

impl Backgrounds {
    pub(crate) fn of(&self, model: &VectorModel) -> Option<&Background> {
        self.0.iter().find(|(known, _)| known == model)?.1.as_ref()
    }
}

/// Tells each vector of the question and of its aspects what sets it apart here: all of them or none,
/// for what is near in contrast does not compare with what is near as it was asked.
pub(crate) fn contrast(sources: &[Source<'_>], question: &mut Question) -> Result<Backgrounds> {
    let mut known = Backgrounds::default();
    if question.switches.contrast && question.switches.meaning {
        let contrasts = contrasts(sources, question, &mut known)?;
        for (asked, contrast) in every_vector(question).zip(contrasts) {
            asked.contrast = contrast;
        }
    }
    Ok(known)
}

fn every_vector(question: &mut Question) -> impl Iterator<Item = &mut QueryVector> {
    let aspects = question.aspects.iter_mut().flat_map(|aspect| &mut aspect.vectors);
    question.vectors.iter_mut().chain(aspects)
}

/// One for each vector in order, `None` where nothing is stored of its model; nothing at all where one
/// of them cannot be told what is usual.
fn contrasts(
    sources: &[Source<'_>],
    question: &mut Question,
    known: &mut Backgrounds,
) -> Result<Vec<Option<Vec<f32>>>> {
    let filter = question.filter.clone();
    let mut contrasts = Vec::new();
    for asked in every_vector(question) {
        if !known.0.iter().any(|(model, _)| *model == asked.model) {
            let vectors = stored(sources, &asked.model, &filter)?;
            if !vectors.is_empty() && vectors.len() < SAMPLE {
                return Ok(Vec::new());
            }
            let background = (!vectors.is_empty()).then(|| Background::of(vectors));
            known.0.push((asked.model.clone(), background));
        }
        let contrast = match known.of(&asked.model) {
            Some(background) => match background.contrasted(&asked.vector) {
                Some(contrast) => Some(contrast),
                None => return Ok(Vec::new()),
            },
            None => None,
        };
        contrasts.push(contrast);
    }
    Ok(contrasts)
}

/// Vectors of this model, picked evenly from each store.
fn stored(sources: &[Source<'_>], model: &VectorModel, filter: &Filter) -> Result<Vec<Vec<f32>>> {
    let mut vectors = Vec::new();
    for source in sources {
        vectors.extend(source.read.background(model, filter, SAMPLE)?);
    }
    vectors.retain(|vector| vector.len() == model.dimensions);
    Ok(vectors)
}

/// Where the vectors of the stores lie, and how they spread around that.
#[derive(Debug)]
pub(crate) struct Background {
    mean: Vec<f32>,
    /// Vectors without the mean.
    around: Vec<Vec<f32>>,
    ridge: f32,
}

impl Background {
    fn of(mut vectors: Vec<Vec<f32>>) -> Background {
        let share = 1.0 / vectors.len().max(1) as f32;
        let mut mean = vec![0.0; vectors.first().map_or(0, Vec::len)];
        for vector in &vectors {
            add(&mut mean, share, vector);
        }
        for vector in &mut vectors {
            add(vector, -1.0, &mean);
        }
        let spread = share * vectors.iter().map(|vector| dot(vector, vector)).sum::<f32>();
        let ridge = RIDGE * spread / mean.len().max(1) as f32;
        Background { mean, around: vectors, ridge }
    }

    /// What sets a stored vector apart here; `None` as below.
    pub(crate) fn apart(&self, kept: &[f32]) -> Option<Vec<f32>> {
        if kept.len() != self.mean.len() || !self.spreads() {
            return None;
        }
        unit(self.set_apart(kept))
    }

    /// Where a stored vector lies, seen from what is usual.
    pub(crate) fn seen_from_here(&self, kept: &[f32]) -> Option<Vec<f32>> {
        if kept.len() != self.mean.len() {
            return None;
        }
        let mut way = kept.to_vec();
        add(&mut way, -1.0, &self.mean);
        unit(way)
    }

    fn spreads(&self) -> bool {
        self.ridge > RIDGE * LEAST_SPREAD / self.mean.len().max(1) as f32
    }

    /// `None` where the numbers make no sense, or all vectors are the same.
    fn contrasted(&self, vector: &[f32]) -> Option<Vec<f32>> {
        let asked = as_kept(vector.to_vec());
        let plain = unit(asked.clone())?;
        let mut apart = self.apart(&asked)?;
        apart.iter_mut().for_each(|number| *number *= 1.0 - PLAIN);
        add(&mut apart, PLAIN, &plain);
        Some(as_asked(apart))
    }

    /// `(spread + ridge)⁻¹ (asked − mean)`, by conjugate gradients.
    fn set_apart(&self, asked: &[f32]) -> Vec<f32> {
        let mut left = asked.to_vec();
        add(&mut left, -1.0, &self.mean);
        let mut found = vec![0.0; left.len()];
        let mut along = left.clone();
        let mut error = dot(&left, &left);
        let enough = error * NEAR_ENOUGH;
        for _ in 0..STEPS {
            if error <= enough {
                break;
            }
            let moved = self.spread(&along);
            let step = error / dot(&along, &moved);
            add(&mut found, step, &along);
            add(&mut left, -step, &moved);
            let before = std::mem::replace(&mut error, dot(&left, &left));
            let kept = error / before;
            along.iter_mut().zip(&left).for_each(|(along, left)| *along = left + kept * *along);
        }
        found
    }

    /// A vector times the spread with its ridge.
    fn spread(&self, vector: &[f32]) -> Vec<f32> {
        let mut sum: Vec<f32> = vector.iter().map(|number| number * self.ridge).collect();
        let share = 1.0 / self.around.len().max(1) as f32;
        for one in &self.around {
            add(&mut sum, share * dot(one, vector), one);
        }
        sum
    }
}

/// The same direction at length one; `None` for what has none.
fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = dot(&vector, &vector).sqrt();
    if !(length > 0.0 && length.is_finite()) {
        return None;
    }
    vector.iter_mut().for_each(|number| *number /= length);
    Some(vector)
}

fn add(to: &mut [f32], times: f32, other: &[f32]) {
    to.iter_mut().zip(other).for_each(|(to, other)| *to += times * other);
}

/// In sixteen sums side by side: one after the other they would wait for one another.
pub(crate) fn dot(one: &[f32], other: &[f32]) -> f32 {
    let (one, one_rest) = one.as_chunks::<16>();
    let (other, other_rest) = other.as_chunks::<16>();
    let mut sums = [0.0; 16];
    for (one, other) in one.iter().zip(other) {
        for at in 0..16 {
            sums[at] += one[at] * other[at];
        }
    }
    let rest = one_rest.iter().zip(other_rest).map(|(one, other)| one * other);
    sums.iter().sum::<f32>() + rest.sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between -1 and 1, always the same.
    fn dice(seed: u64) -> impl FnMut() -> f32 {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        }
    }

    /// All point along the first axis, spread much along the second and little along the others.
    fn crowd() -> Vec<Vec<f32>> {
        let mut next = dice(7);
        let one = |next: &mut dyn FnMut() -> f32| {
            let mut one: Vec<f32> = (0..24).map(|_| 0.05 * next()).collect();
            one[0] += 1.0;
            one[1] += next();
            one
        };
        (0..SAMPLE).map(|_| one(&mut next)).collect()
    }

    #[test]
    fn what_all_have_in_common_no_longer_counts() {
        let background = Background::of(crowd());
        let mut asked = vec![0.0; 24];
        (asked[0], asked[1], asked[5]) = (1.0, 0.5, 0.1);
        let apart = background.set_apart(&asked);
        assert!(apart[5].abs() > 5.0 * apart[0].abs(), "{apart:?}");
        assert!(asked[5] / asked[1] < 0.5 * (apart[5] / apart[1]).abs(), "{apart:?}");
    }

    #[test]
    fn the_equation_is_solved() {
        let background = Background::of(crowd());
        let mut next = dice(3);
        let asked: Vec<f32> = (0..24).map(|_| next()).collect();
        let back = background.spread(&background.set_apart(&asked));
        for ((back, asked), mean) in back.iter().zip(&asked).zip(&background.mean) {
            assert!((back - (asked - mean)).abs() < 1e-3, "{back} and {}", asked - mean);
        }
    }

    #[test]
    fn a_store_that_says_nothing_changes_nothing() {
        let same = Background::of(vec![vec![0.6, 0.8]; SAMPLE]);
        assert_eq!(same.contrasted(&[0.6, 0.8]), None, "nothing sets it apart");
        assert_eq!(same.contrasted(&[1.0]), None, "another model's");
        let wrong = Background::of(vec![vec![f32::NAN; 2]; SAMPLE]);
        assert_eq!(wrong.contrasted(&[0.6, 0.8]), None);
    }
}
