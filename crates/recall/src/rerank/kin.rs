//! Behind the best answers, what is like one of them: who asks for hobbies is answered by several
//! texts, and those that the question does not find so well are near those that it does.

use crate::candidate::Spot;
use crate::contrast::{Background, Backgrounds, dot};
use crate::explanation::{Explanation, Part};
use crate::ranked::{Ranked, sort};
use crate::read::first_vectors;
use crate::{Question, Source};
use mnemic_store::Result;

/// So many answers stand as they are, and are what others are held against. First answers would only
/// lose by it.
const STANDING: usize = 5;

/// How many of the best are looked at.
const LOOKED_AT: usize = 100;

/// What it counts among turns of conversations, which have been lent some of the score of a good one
/// already, for standing around it.
const AMONG_TURNS: f64 = 2.0 / 3.0;

/// With fewer behind those that stand, nothing can be said of what is usual among them.
const FEWEST: usize = 8;

/// Lets what is like one of the best come before what is not. It is about the order of what is shown
/// alone, once it is settled what that is; and the best keep their places.
pub(crate) fn gather_kin(
    sources: &[Source<'_>],
    question: &Question,
    known: &Backgrounds,
    ranked: &mut [Ranked],
) -> Result<()> {
    let model = question.vectors.first().map(|query| &query.model);
    let Some(usual) = model.and_then(|model| known.of(model)) else { return Ok(()) };
    let stays = ranked.iter_mut().filter(|one| one.dropped.is_none());
    let mut shown: Vec<&mut Ranked> = stays.take(LOOKED_AT).collect();
    let is_wanted = question.switches.kin && question.limit > STANDING;
    if !is_wanted || shown.len() < STANDING + FEWEST {
        return Ok(());
    }
    let worth = Worth::of(&shown);
    let spots: Vec<Spot> = shown.iter().map(|one| one.candidate.spot).collect();
    let mut vectors = first_vectors(sources, question, &spots)?.into_iter();
    let (standing, others) = shown.split_at_mut(STANDING);
    let model = |(one, vector): (&&mut Ranked, Option<Vec<f32>>)| {
        Some((worth.share(one), usual.apart(&vector?)?))
    };
    let models: Vec<(f64, Vec<f32>)> =
        standing.iter().zip(vectors.by_ref()).filter_map(model).collect();
    let likeness: Vec<Option<f64>> =
        vectors.map(|vector| nearest(usual, &models, &vector?)).collect();
    let Some(spread) = Spread::of(likeness.iter().flatten().copied()) else { return Ok(()) };
    let weight = question.weights.kin * worth.deviation;
    let ceiling = standing[STANDING - 1].explanation.score;
    for (one, likeness) in others.iter_mut().zip(likeness) {
        let Some(likeness) = likeness else { continue };
        let value = (likeness - spread.mean) / spread.deviation;
        let is_turn = one.candidate.glance.turn.is_some();
        let weight = weight * if is_turn { AMONG_TURNS } else { 1.0 };
        lean(&mut one.explanation, Part { name: "kin", raw: likeness, value, weight }, ceiling);
    }
    sort(ranked);
    Ok(())
}

/// How near a text is to the nearest of the best, by how good that one is.
fn nearest(usual: &Background, models: &[(f64, Vec<f32>)], vector: &[f32]) -> Option<f64> {
    let way = usual.seen_from_here(vector)?;
    models.iter().map(|(share, apart)| share * f64::from(dot(apart, &way))).reduce(f64::max)
}

/// Adds a part, and no more of it than keeps the candidate behind those that stand.
fn lean(explanation: &mut Explanation, part: Part, ceiling: f64) {
    let before = explanation.score;
    let value = part.value;
    explanation.parts.push(part);
    let lent = explanation.sum() - before;
    if before + lent >= ceiling {
        // Of equals the order would be another one.
        let share = if lent > 0.0 { 0.999 * (ceiling - before).max(0.0) / lent } else { 0.0 };
        if let Some(part) = explanation.parts.last_mut() {
            part.value = value * share;
        }
    }
    explanation.score = explanation.sum();
}

/// What the best are worth among all that is looked at.
struct Worth {
    least: f64,
    most: f64,
    /// Of the scores behind those that stand.
    deviation: f64,
}

impl Worth {
    fn of(shown: &[&mut Ranked]) -> Worth {
        let score = |one: &&mut Ranked| one.explanation.score;
        let behind = shown[STANDING..].iter().map(score);
        Worth {
            least: shown.iter().map(score).fold(f64::INFINITY, f64::min),
            most: shown.iter().map(score).fold(f64::NEG_INFINITY, f64::max),
            deviation: Spread::of(behind).map_or(0.0, |spread| spread.deviation),
        }
    }

    /// 0..1.
    fn share(&self, one: &Ranked) -> f64 {
        let span = (self.most - self.least).max(f64::MIN_POSITIVE);
        (one.explanation.score - self.least) / span
    }
}

struct Spread {
    mean: f64,
    deviation: f64,
}

impl Spread {
    /// `None` where all are the same.
    fn of(numbers: impl Iterator<Item = f64> + Clone) -> Option<Spread> {
        let n = numbers.clone().count().max(1) as f64;
        let mean = numbers.clone().sum::<f64>() / n;
        let deviation = (numbers.map(|one| (one - mean).powi(2)).sum::<f64>() / n).sqrt();
        (deviation > 1e-9).then_some(Spread { mean, deviation })
    }
}
