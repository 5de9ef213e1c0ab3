//! Making room in a slot: who gives way when a value comes that only one can hold.

use super::theirs::{is_theirs, theirs};
use crate::{Engine, Error, ErrorKind, Result};
use mnemic_model::slot::{Fate, Succession, settle, succession};
use mnemic_model::{Actor, Body, ChangeId, Content, Interval, RecordId, Version};
use mnemic_store::{Read, Write};

/// What must happen to the values that hold the slot before the newcomer can be put.
#[derive(Debug)]
pub(super) struct Plan {
    /// The newcomer with the interval that it settled for.
    pub(super) content: Content,
    fates: Vec<(Version, Fate)>,
}

/// Decides; writes nothing. `editing` names the record that is itself being changed.
pub(super) fn plan(tx: &dyn Write, content: &Content, editing: Option<&RecordId>) -> Result<Plan> {
    let free = |content: &Content| Plan { content: content.clone(), fates: Vec::new() };
    let Some(slot) = content.slot() else { return Ok(free(content)) };
    let mut holders = tx.holders(&slot, &content.scope, content.valid.from())?;
    holders.retain(|holder| Some(&holder.id) != editing);
    if succession(content.kind()) == Succession::Unique {
        let valid = &content.valid;
        return match holders.iter().find(|holder| holder.content.valid.overlaps(valid)) {
            Some(holder) => Err(already_there(content, &holder.id)),
            None => Ok(free(content)),
        };
    }
    let intervals: Vec<Interval> = holders.iter().map(|holder| holder.content.valid).collect();
    let settlement = settle(&intervals, content.valid)?;
    Ok(Plan {
        content: content.valid_during(settlement.newcomer),
        fates: holders.into_iter().zip(settlement.fates).collect(),
    })
}

impl Plan {
    /// What an agent says does not end what a person stands for.
    pub(super) fn refuse_against_a_person(&self, read: &dyn Read, actor: &Actor) -> Result<()> {
        if actor.is_human() {
            return Ok(());
        }
        for (held, _) in self.fates.iter().filter(|(_, fate)| *fate != Fate::Stays) {
            if is_theirs(read, held)? {
                return Err(theirs(&held.id, actor));
            }
        }
        Ok(())
    }
}

impl Engine {
    /// Carries the plan out, all but the newcomer itself; the records that gave way. Everything
    /// shrinks first, so that no slot is ever held twice.
    pub(super) fn carry_out(
        &self,
        tx: &mut dyn Write,
        plan: &Plan,
        change: &ChangeId,
    ) -> Result<Vec<RecordId>> {
        let mut gave_way = Vec::new();
        let mut resumed = Vec::new();
        for (held, fate) in &plan.fates {
            let during = |valid: Interval| held.content.valid_during(valid);
            let old = held.content.valid;
            match *fate {
                Fate::Stays => continue,
                Fate::EndsAt(end) => {
                    let valid = Interval::new(old.from(), Some(end))?;
                    tx.put(&held.id, &during(valid), change)?;
                }
                Fate::BeginsAt(begin) => {
                    let valid = Interval::new(begin, old.to())?;
                    tx.put(&held.id, &during(valid), change)?;
                }
                Fate::Split(end, again) => {
                    tx.put(&held.id, &during(Interval::new(old.from(), Some(end))?), change)?;
                    resumed.push(during(Interval::new(again, old.to())?));
                }
                Fate::Displaced => tx.retract(&held.id, change)?,
            }
            gave_way.push(held.id.clone());
        }
        // One record has one interval: what resumes after an interruption is a record of its own.
        for content in resumed {
            let id = self.new_id(content.kind());
            tx.put(&id, &content, change)?;
        }
        Ok(gave_way)
    }
}

/// The thing that is there once and is edited, not stored again.
fn already_there(content: &Content, holder: &RecordId) -> Error {
    let (kind, title) = (content.kind(), content.body.title());
    let hint = match &content.body {
        Body::Block(_) => format!("change it with `mnemic block rethink {title} TEXT`"),
        Body::Namespace(_) => "`mnemic namespace list` shows it".to_owned(),
        _ => format!("change it with `mnemic edit {holder}`"),
    };
    Error::new(ErrorKind::Conflict, format!("{kind} `{title}` exists already as `{holder}`"))
        .hint(hint)
}
