//! The gist of the best answers: what their words mean, each by itself. It errs differently from a
//! model that reads sentences, and takes over a share of what that one says, where it has more to
//! say.

use crate::Fusion;
use crate::candidate::Spot;
use crate::explanation::Part;
use crate::fuse::{Usual, documents, expected_standout};
use crate::question::{Question, Source};
use crate::ranked::Ranked;
use mnemic_model::Version;
use mnemic_store::{Beginning, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many of the best it looks at. What is not among them by then answers nothing.
const SKIMMED: usize = 32;

/// Memories looked at to learn what is usual.
const SAMPLE: usize = 64;

/// Its share of what meaning counts: so much for each deviation that its best stands out beyond what
/// chance would have, never more than the most, and never more than its lead over meaning allows,
/// which has the last word in doubt.
const PER_EXCESS: f64 = 0.3;
const MOST: f64 = 0.7;
const PER_LEAD: f64 = 0.5;
const HEAD_START: f64 = 0.5;

/// Says how near texts are to a question by their words alone, quickly.
pub trait Skimmer: Send + Sync + std::fmt::Debug {
    /// A cosine for each, in order; `None` where there is no word to go by.
    fn skim(&self, question: &str, texts: &[&str]) -> Vec<Option<f64>>;
}

/// Lets the gist of the best have its share in their scores. `excess` is how far the best by meaning
/// stands out beyond chance.
pub(crate) fn skim_best<'v>(
    sources: &[Source<'_>],
    question: &Question,
    excess: f64,
    ranked: &mut [Ranked],
    version: impl Fn(&Ranked) -> Option<&'v Version>,
) -> Result<()> {
    let switches = &question.switches;
    let is_wanted = switches.gist && switches.adapt && switches.fusion == Fusion::Weighted;
    let Some(skimmer) = question.skimmer.as_ref().filter(|_| is_wanted) else { return Ok(()) };
    let Some(weight) = ranked.iter().find_map(|one| Some(meaning(one)?.weight)) else {
        return Ok(());
    };
    let best = &ranked[..ranked.len().min(SKIMMED)];
    let texts = best.iter().map(|one| version(one).map(|version| version.content.body.substance()));
    let texts: Vec<String> = texts.map(Option::unwrap_or_default).collect();
    let near = skim(skimmer.as_ref(), question, texts.iter().map(String::as_str));
    let Some(nearest) = near.iter().flatten().copied().reduce(f64::max) else { return Ok(()) };
    let Some(usual) = usual(sources, question, skimmer.as_ref())? else { return Ok(()) };
    let own = usual.standout(nearest) - expected_standout(documents(sources)?);
    let lead = (PER_LEAD * (own - excess + HEAD_START)).max(0.0);
    let share = (PER_EXCESS * own).clamp(0.0, MOST).min(lead);
    let span = nearest - usual.mean();
    if share <= 0.0 || span <= 0.0 {
        return Ok(());
    }
    let near = near.into_iter().chain(std::iter::repeat(None));
    for (one, near) in ranked.iter_mut().zip(near) {
        let parts = &mut one.explanation.parts;
        // What only the time or the kind calls for has no relevance of its own.
        if !parts.iter().any(|part| matches!(part.name, "meaning" | "words")) {
            continue;
        }
        for part in parts.iter_mut().filter(|part| part.name == "meaning") {
            part.weight -= weight * share;
        }
        // What nobody has looked at counts as usual, so that it does not pass by what is better.
        if let Some(near) = near {
            let value = (near - usual.mean()) / span;
            parts.push(Part { name: "gist", raw: near, value, weight: weight * share });
        }
        let before = one.explanation.score;
        one.explanation.score = one.explanation.sum();
        one.ceded += (before - one.explanation.score).max(0.0);
    }
    Ok(())
}

fn meaning(one: &Ranked) -> Option<&Part> {
    one.explanation.parts.iter().find(|part| part.name == "meaning")
}

fn skim<'t>(
    skimmer: &dyn Skimmer,
    question: &Question,
    texts: impl Iterator<Item = &'t str>,
) -> Vec<Option<f64>> {
    let near = skimmer.skim(&question.text, &texts.collect::<Vec<_>>()).into_iter();
    near.map(|near| near.filter(|near| near.is_finite())).collect()
}

/// What is usual among the memories that might have been meant; `None` where there are too few to
/// say.
fn usual(
    sources: &[Source<'_>],
    question: &Question,
    skimmer: &dyn Skimmer,
) -> Result<Option<Usual>> {
    let filter = &question.filter;
    let mut picked: BTreeMap<Spot, Arc<Beginning>> = BTreeMap::new();
    for (source, asked) in sources.iter().enumerate() {
        // While a store changes its model, a memory has vectors of both.
        for query in &question.vectors {
            let sample = asked.read.sample(&query.model, SAMPLE)?.into_iter();
            let might = sample.filter(|(_, one)| {
                one.is_current
                    && (filter.trusts.is_empty() || filter.trusts.contains(&one.trust))
                    && (filter.namespaces.is_empty() || filter.namespaces.contains(&one.namespace))
            });
            picked.extend(might.map(|(key, one)| (Spot { source, key }, one)));
        }
    }
    let near = skim(skimmer, question, picked.values().map(|one| one.text.as_str()));
    let near: Vec<f64> = near.into_iter().flatten().collect();
    Ok(Some(Usual::of(&near)).filter(|usual| !usual.is_of_few()))
}
