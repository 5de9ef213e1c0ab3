//! Questions that answered themselves: a side holds no longer, or was changed so that both may.

use super::act::{Act, What};
use super::world::{Memory, World, claim};
use mnemic_model::body::{Body, Contradiction, Resolution, Status};
use mnemic_model::{Content, RecordId, Timestamp};
use mnemic_store::{Read, Result};
use mnemic_text::contradict::{Judgement, Reading, Verdict, judge_readings};
use std::collections::BTreeSet;

/// Settles the open contradictions of what changed that nobody needs to be asked about any more.
pub(super) fn plan(
    world: &World,
    changed: &BTreeSet<RecordId>,
    read: &dyn Read,
) -> Result<Vec<Act>> {
    let mut acts = Vec::new();
    for question in world.memories() {
        let Body::Contradiction(pair) = &question.content.body else { continue };
        let is_touched = changed.contains(&pair.a) || changed.contains(&pair.b);
        if pair.status != Status::Open || !is_touched {
            continue;
        }
        let a = holding(read, &pair.a, world.now())?;
        let b = holding(read, &pair.b, world.now())?;
        if let Some((resolution, why)) = answer(pair, a.as_ref(), b.as_ref()) {
            acts.push(act(question, pair, resolution, &why));
        }
    }
    Ok(acts)
}

/// What a memory says, as long as it holds.
fn holding(read: &dyn Read, id: &RecordId, now: Timestamp) -> Result<Option<Content>> {
    let version = read.version(id, None)?;
    Ok(version.map(|version| version.content).filter(|content| content.valid.contains(now)))
}

fn answer(
    pair: &Contradiction,
    a: Option<&Content>,
    b: Option<&Content>,
) -> Option<(Resolution, String)> {
    let over = |id: &RecordId| format!("{id} no longer holds");
    match (a, b) {
        (None, None) => Some((Resolution::BothValid, "neither holds any longer".to_owned())),
        (None, Some(_)) => Some((Resolution::BWins, over(&pair.a))),
        (Some(_), None) => Some((Resolution::AWins, over(&pair.b))),
        // What a person or a model found is not for the rules to judge.
        (Some(_), Some(_)) if !pair.detected_by.starts_with("rule:") => None,
        (Some(a), Some(b)) => {
            let [a, b] = [a, b].map(|content| Reading::of(&claim(&content.body)));
            match judge_readings(&a, &b) {
                Judgement { verdict: Verdict::Contradicts(_), .. } => None,
                _ => Some((Resolution::BothValid, "changed so that both may hold".to_owned())),
            }
        }
    }
}

fn act(question: &Memory, pair: &Contradiction, resolution: Resolution, why: &str) -> Act {
    let note = pair.note.iter().map(String::as_str).chain([why]).collect::<Vec<&str>>().join("; ");
    let mut content = question.content.clone();
    content.body = Body::Contradiction(Contradiction {
        status: Status::Resolved,
        resolution: Some(resolution),
        note: Some(note),
        ..pair.clone()
    });
    Act {
        what: What::Settled,
        told: format!("{} and {}: {why}; the question is settled", pair.a, pair.b),
        effects: vec![question.becomes(content)],
    }
}
