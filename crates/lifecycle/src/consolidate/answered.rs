//! Questions that answered themselves: a side holds no longer, or was changed so that both may.

use super::act::{Act, Effect, What};
use super::claimed::Claimed;
use super::world::{Memory, World};
use mnemic_model::body::{Body, Contradiction, Resolution, Status};
use mnemic_model::{Content, RecordId};
use mnemic_store::{Read, Result};
use mnemic_text::contradict::{Judgement, Verdict};
use std::collections::BTreeSet;

/// Settles the open contradictions that nobody needs to be asked about any more. `over` is what
/// this run has ended itself: left to the next one, that would find something to do.
pub(super) fn plan(
    world: &World,
    changed: &BTreeSet<RecordId>,
    over: &BTreeSet<RecordId>,
    read: &dyn Read,
) -> Result<Vec<Act>> {
    let side = |id: &RecordId| -> Result<Option<Side>> {
        let holds = |content: &Content| content.valid.contains(world.now());
        Ok(match world.get(id) {
            _ if over.contains(id) => Some(None),
            Some(memory) => Some(Some(memory.content.clone()).filter(holds)),
            None if changed.contains(id) => {
                let version = read.version(id, None)?;
                Some(version.map(|version| version.content).filter(holds))
            }
            None => None,
        })
    };
    let mut acts = Vec::new();
    for question in world.memories() {
        let Body::Contradiction(pair) = &question.content.body else { continue };
        if pair.status != Status::Open {
            continue;
        }
        let (a, b) = (side(&pair.a)?, side(&pair.b)?);
        if let Some((resolution, why)) = answer(pair, a.as_ref(), b.as_ref()) {
            acts.push(act(question, pair, resolution, &why));
        }
    }
    Ok(acts)
}

/// Whether a question that was about to be asked is about something that has ended meanwhile.
pub(super) fn is_moot(question: &Act, over: &BTreeSet<RecordId>) -> bool {
    question.effects.iter().any(|effect| match effect {
        Effect::Put { content, .. } => match &content.body {
            Body::Contradiction(pair) => over.contains(&pair.a) || over.contains(&pair.b),
            _ => false,
        },
        _ => false,
    })
}

/// What a memory says, if it holds.
type Side = Option<Content>;

/// None where a side that nobody has looked at may still hold.
fn answer(
    pair: &Contradiction,
    a: Option<&Side>,
    b: Option<&Side>,
) -> Option<(Resolution, String)> {
    let over = |id: &RecordId| format!("{id} no longer holds");
    match (a, b) {
        (Some(None), Some(None)) => {
            Some((Resolution::BothValid, "neither holds any longer".to_owned()))
        }
        (Some(None), _) => Some((Resolution::BWins, over(&pair.a))),
        (_, Some(None)) => Some((Resolution::AWins, over(&pair.b))),
        // What a person or a model found is not for the rules to judge.
        (Some(Some(a)), Some(Some(b))) if pair.detected_by.starts_with("rule:") => {
            let [a, b] = [a, b].map(|content| Claimed::of(&content.body));
            match a.judge(&b) {
                Judgement { verdict: Verdict::Contradicts(_), .. } => None,
                _ => Some((Resolution::BothValid, "as they are now, both may hold".to_owned())),
            }
        }
        _ => None,
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
