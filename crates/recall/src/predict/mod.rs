//! What will be needed next, from what was used together before.
//!
//! The way of a [`Situation`]: [`Traces`] are read once for each signal and once for the latest
//! sessions → `hints` notes what speaks for each thing → `score` adds it up to the logarithm of
//! odds → a [`Prediction`] with its chance and its reasons.

mod activation;
mod closeness;
mod hints;
mod prediction;
mod recorded;
mod score;
mod situation;
#[cfg(test)]
mod tests;
mod thing;
mod traces;
mod weights;

pub use mnemic_model::session::{Thing, ThingKind};
pub use prediction::{Prediction, Reason};
pub use recorded::Recorded;
pub use situation::Situation;
pub use thing::{Signal, Trace};
pub use traces::{PastSession, Traces};
pub use weights::INJECT_FROM;

use crate::Part;
use hints::Hints;
use weights::{SESSIONS, WEIGHTS};

/// At most `want` things of the wanted kinds, the likeliest first; ties by kind and name.
pub fn predict<T: Traces>(
    traces: &T,
    situation: &Situation<'_>,
    wanted: &[ThingKind],
    want: usize,
) -> Result<Vec<Prediction>, T::Error> {
    let mut hints = Hints::new(situation, wanted);
    for index in 0..hints.signals.len() {
        // One more than counts: the session that goes on may be among them.
        let mut sessions = traces.sessions_with(hints.signals[index], SESSIONS + 1)?;
        sessions.retain(|session| situation.is_past(session));
        sessions.truncate(SESSIONS);
        hints.together(index, &sessions);
    }
    let mut latest = traces.last_sessions(SESSIONS + 1)?;
    latest.retain(|session| situation.is_past(session));
    latest.truncate(SESSIONS);
    hints.lately(&latest);
    let hinted = hints.finish();
    // What was used lately is likely among what goes with a signal, and with a file that is new: work
    // goes on where it was. Beside an error that nobody met it would be the same answer to everything.
    let is_new_file = |thing: &Thing| thing.kind == ThingKind::File;
    let speaks = |(thing, voice): &(&Thing, f64)| *voice > 0.0 || is_new_file(thing);
    let is_known = hinted.voices.is_empty() || hinted.voices.iter().any(speaks);
    let mut predictions: Vec<Prediction> = hinted
        .candidates
        .into_iter()
        .filter(|(_, hint)| is_known || hint.is_near())
        .map(|(thing, hint)| {
            Prediction::new(thing, score::reasons(&hint, &hinted.voices, hinted.late))
        })
        .collect();
    keep_likeliest(&mut predictions, want);
    Ok(predictions)
}

/// Adds memories whose text names a signal, each with that signal, to what the past predicts.
pub fn told(predictions: &mut Vec<Prediction>, naming: Vec<(Thing, Thing)>, want: usize) {
    for (memory, signal) in naming {
        let part = Part { name: "told", raw: 1.0, value: 1.0, weight: WEIGHTS.told };
        let reason = Reason { part, signal: Some(signal) };
        match predictions.iter_mut().find(|one| one.thing == memory) {
            Some(known) => known.add(reason),
            None => predictions.push(Prediction::new(memory, vec![score::prior(), reason])),
        }
    }
    keep_likeliest(predictions, want);
}

fn keep_likeliest(predictions: &mut Vec<Prediction>, want: usize) {
    predictions.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.thing.cmp(&b.thing)));
    predictions.truncate(want);
}
