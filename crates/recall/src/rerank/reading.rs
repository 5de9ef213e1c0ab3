//! A model that reads the question and the best answers together, where somebody has one.

use crate::explanation::Part;
use crate::question::Question;
use crate::ranked::Ranked;
use mnemic_model::Version;

/// How many of the best it reads. What is not among them by then answers nothing.
pub(crate) const READ: usize = 24;

/// Bytes of each: cross-encoders read some five hundred tokens.
const READ_BYTES: usize = 2_000;

/// Says how well texts answer a question, having read both together.
pub trait Reader: Send + Sync + std::fmt::Debug {
    /// From 0 to 1 for each, in order; or why there is no answer.
    fn read(&self, question: &str, texts: &[&str]) -> Result<Vec<f64>, String>;
}

/// Adds what the reader says to the scores of the best. When it does not answer they stay as they
/// are, and the reason is handed on.
pub(crate) fn read_again<'v>(
    question: &Question,
    ranked: &mut [Ranked],
    version: impl Fn(&Ranked) -> Option<&'v Version>,
) -> Option<String> {
    let reader = question.reader.as_ref().filter(|_| question.switches.reader)?;
    let places: Vec<(usize, String)> = (0..ranked.len().min(READ))
        .filter_map(|place| {
            let mut text = version(&ranked[place])?.content.body.full_text();
            text.truncate(text.floor_char_boundary(READ_BYTES));
            Some((place, text))
        })
        .collect();
    let texts: Vec<&str> = places.iter().map(|(_, text)| text.as_str()).collect();
    let scores = match reader.read(&question.text, &texts) {
        Ok(scores) if scores.len() == texts.len() => scores,
        Ok(scores) => return Some(format!("{} scores for {} texts", scores.len(), texts.len())),
        Err(why) => return Some(why),
    };
    for ((place, _), score) in places.iter().zip(scores) {
        let explanation = &mut ranked[*place].explanation;
        let (value, weight) = (score.clamp(0.0, 1.0), question.weights.reader);
        explanation.parts.push(Part { name: "reader", raw: score, value, weight });
        explanation.score = explanation.sum();
    }
    None
}
