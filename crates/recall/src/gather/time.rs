//! By time: what began in the days that the question speaks of.

use crate::candidate::Spot;
use crate::understand::Understanding;
use crate::{Question, Source};
use mnemic_store::{Result, Span};

pub(super) fn find(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
) -> Result<Vec<Spot>> {
    let mut spots = Vec::new();
    for (source, asked) in sources.iter().enumerate() {
        for span in &understanding.times {
            let span = Span { from: span.from, to: span.to, latest_first: true };
            let keys = asked.read.happened(span, &question.filter, question.reach())?;
            spots.extend(keys.into_iter().map(|key| Spot { source, key }));
        }
    }
    spots.truncate(question.reach());
    Ok(spots)
}
