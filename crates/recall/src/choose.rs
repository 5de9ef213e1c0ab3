//! Leaves as many as are wanted, shared out among kinds, the like apart from one another.

use crate::candidate::Spot;
use crate::ranked::{Dropped, Ranked};
use crate::read::first_vectors;
use crate::{Question, Source, Strategy, rerank};
use mnemic_model::Kind;
use mnemic_store::Result;

/// Leaves as many as are wanted; the others are told why they are not among them.
pub(crate) fn choose(
    sources: &[Source<'_>],
    question: &Question,
    strategy: &Strategy,
    ranked: &mut Vec<Ranked>,
) -> Result<()> {
    let standing: Vec<usize> =
        (0..ranked.len()).filter(|place| ranked[*place].dropped.is_none()).collect();
    let kinds: Vec<Kind> =
        standing.iter().map(|place| ranked[*place].candidate.glance.kind).collect();
    let chosen: Vec<usize> = if question.switches.strategy {
        strategy.choose(&kinds, question.limit)
    } else {
        (0..standing.len().min(question.limit)).collect()
    };
    for (index, place) in standing.iter().enumerate() {
        if !chosen.contains(&index) {
            ranked[*place].dropped = Some(Dropped::ByLimit(question.limit));
        }
    }
    if question.switches.diversity {
        diversify(sources, question, ranked)?;
    }
    Ok(())
}

/// Brings what was chosen into an order in which the like do not follow one another.
fn diversify(sources: &[Source<'_>], question: &Question, ranked: &mut Vec<Ranked>) -> Result<()> {
    let (chosen, rest): (Vec<Ranked>, Vec<Ranked>) =
        std::mem::take(ranked).into_iter().partition(|one| one.dropped.is_none());
    let spots: Vec<Spot> = chosen.iter().map(|one| one.candidate.spot).collect();
    let vectors = first_vectors(sources, question, &spots)?;
    let similarity = |a: usize, b: usize| match (&vectors[a], &vectors[b]) {
        (Some(a), Some(b)) => {
            f64::from(a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>().clamp(0.0, 1.0))
        }
        _ => 0.0,
    };
    let scores: Vec<f64> = chosen.iter().map(|one| one.explanation.score).collect();
    let order = rerank::diverse(&scores, &similarity, question.weights.diversity, chosen.len());
    let mut chosen: Vec<Option<Ranked>> = chosen.into_iter().map(Some).collect();
    ranked.extend(order.into_iter().filter_map(|place| chosen[place].take()));
    ranked.extend(rest);
    Ok(())
}
