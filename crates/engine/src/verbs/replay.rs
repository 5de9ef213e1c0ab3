//! `replay`: an episode as it went, step by step.

use crate::{Engine, Error, ErrorKind, Result, StoreName};
use mnemic_model::body::Episode;
use mnemic_model::{At, Body, RecordId, Timestamp};

/// An episode on its time line.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    pub id: RecordId,
    pub store: StoreName,
    pub began: Timestamp,
    /// Where its length is known.
    pub ended: Option<Timestamp>,
    pub source: Option<String>,
    pub episode: Episode,
    pub moments: Vec<Step>,
}

/// One thing that was said or done.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Seconds from the beginning, where they are known.
    pub t: Option<f64>,
    /// What was done, or whose words they are.
    pub action: String,
    pub target: Option<String>,
    pub result: Option<String>,
    pub error: Option<String>,
    pub is_message: bool,
}

impl Engine {
    pub fn replay(&self, id: &str) -> Result<Replay> {
        let shown = self.show(id, At::LATEST)?;
        let (id, began) = (shown.version.id, shown.version.content.valid.from());
        let Body::Episode(episode) = shown.version.content.body else {
            return Err(Error::new(ErrorKind::Invalid, format!("`{id}` is not an episode"))
                .hint("`mnemic list --kind episode` shows those there are"));
        };
        let ended = episode.duration_seconds.and_then(|seconds| {
            Timestamp::from_micros(began.micros().saturating_add((seconds * 1e6) as i64)).ok()
        });
        let source = shown.version.content.provenance.source;
        let moments = moments(&episode, began);
        Ok(Replay { id, store: shown.store, began, ended, source, episode, moments })
    }
}

/// What was said and done in the order of their times. Without any times words come first: what
/// was said in between is not known.
fn moments(episode: &Episode, began: Timestamp) -> Vec<Step> {
    let timed = episode.actions.iter().any(|action| action.t > 0.0);
    let said = episode.messages.iter().map(|message| Step {
        t: message.at.map(|at| (at.micros() - began.micros()).max(0) as f64 / 1e6),
        action: message.role.clone(),
        target: Some(message.text.clone()),
        result: None,
        error: None,
        is_message: true,
    });
    let done = episode.actions.iter().map(|action| Step {
        t: timed.then_some(action.t),
        action: action.action.clone(),
        target: action.target.clone(),
        result: action.result.clone(),
        error: action.error.clone(),
        is_message: false,
    });
    let mut moments: Vec<Step> = said.chain(done).collect();
    if timed {
        moments.sort_by(|a, b| a.t.unwrap_or(0.0).total_cmp(&b.t.unwrap_or(0.0)));
    }
    moments
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_model::body::{Action, Message};

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).expect("a small number is in the calendar")
    }

    fn episode(times: [f64; 2]) -> Episode {
        let said = |text: &str, seconds: i64| Message {
            role: "person".into(),
            text: text.into(),
            at: Some(at(seconds * 1_000_000)),
        };
        let done = |t, target: &str| Action { t, target: Some(target.into()), ..Action::default() };
        Episode {
            messages: vec![said("first", 0), said("third", 20)],
            actions: vec![done(times[0], "second"), done(times[1], "fourth")],
            ..Episode::default()
        }
    }

    #[test]
    fn words_and_deeds_stand_in_the_order_of_their_times() {
        for (times, order) in [
            ([10.0, 30.0], ["first", "second", "third", "fourth"]),
            ([0.0, 0.0], ["first", "third", "second", "fourth"]),
        ] {
            let moments = moments(&episode(times), at(0));
            let told: Vec<&str> = moments.iter().filter_map(|m| m.target.as_deref()).collect();
            assert_eq!(told, order);
        }
    }
}
