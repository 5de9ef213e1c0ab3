//! Contradictions: noting that two memories cannot both be true, and settling it.

use super::edit::believed;
use super::link::connect;
use super::theirs::theirs;
use crate::{Edited, Engine, Error, ErrorKind, Note, Result};
use mnemic_model::body::{Body, Contradiction, Resolution, Status};
use mnemic_model::{Content, Draft, Interval, Patch, RecordId, Relation, Timestamp, Unit, Verb};
use mnemic_store::Write;
use serde_json::json;

impl Engine {
    /// Notes that two memories contradict each other; the same pair noted twice is one.
    pub fn contradict(&self, a: &str, b: &str, detected_by: &str, note: &Note) -> Result<RecordId> {
        let (store, a) = self.locate(a)?;
        let (other, b) = self.locate(b)?;
        if store != other {
            return Err(Error::new(ErrorKind::Invalid, "the two memories lie in different stores")
                .hint("contradictions are kept within one store"));
        }
        let level = {
            let read = self.store(store)?.read()?;
            read.version(&a, None)?.map(|version| version.content.scope.level)
        };
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let mut draft = Draft::new(Body::Contradiction(Contradiction {
            a,
            b,
            detected_by: detected_by.to_owned(),
            status: Status::Open,
            resolution: None,
            note: None,
        }));
        draft.about.scope = level;
        Ok(self.remember(draft, note)?.id)
    }

    /// Settles a contradiction. The loser's validity ends now; it is not deleted.
    pub fn resolve(
        &self,
        id: &str,
        resolution: Resolution,
        text: Option<String>,
        note: &Note,
    ) -> Result<Edited> {
        let (store, id) = self.locate(id)?;
        let mut tx = self.store(store)?.write()?;
        let Body::Contradiction(contradiction) = believed(tx.as_ref(), &id)?.content.body else {
            return Err(Error::new(ErrorKind::Invalid, format!("`{id}` is not a contradiction"))
                .hint("`mnemic contradictions list` shows them"));
        };
        if let Some(settled) = contradiction.resolution {
            return Err(Error::new(
                ErrorKind::Conflict,
                format!("`{id}` is settled already: {settled}"),
            )
            .hint("undo that first: `mnemic changes` shows it"));
        }
        let mut patch = Patch::default();
        patch.body.insert("status".into(), json!(Status::Resolved));
        patch.body.insert("resolution".into(), json!(resolution));
        if let Some(text) = text {
            patch.body.insert("note".into(), json!(text));
        }
        let edited = self.patch_in(tx.as_mut(), store, &id, &patch, Verb::Resolve, note)?;
        let pair = match resolution {
            Resolution::AWins => Some((&contradiction.a, &contradiction.b)),
            Resolution::BWins => Some((&contradiction.b, &contradiction.a)),
            Resolution::BothValid | Resolution::Merged => None,
        };
        if let Some((winner, loser)) = pair {
            let actor = &self.settings.actor;
            if !actor.is_human() && believed(tx.as_ref(), loser)?.content.belongs_to_a_person() {
                let hint = "tell the person; at a terminal they settle it with";
                return Err(theirs(loser, actor)
                    .hint(format!("{hint} `mnemic contradictions resolve {id} {resolution}`")));
            }
            close(tx.as_mut(), winner, loser, &edited)?;
        }
        tx.commit()?;
        Ok(edited)
    }
}

fn close(tx: &mut dyn Write, winner: &RecordId, loser: &RecordId, edited: &Edited) -> Result<()> {
    let now = edited.version.recorded.from();
    if let Some(back) = given_way(tx, winner, loser, now)? {
        tx.retract(loser, &edited.change)?;
        let winning = tx.put(winner, &back, &edited.change)?;
        return connect(tx, &winning, Relation::Supersedes, loser, Unit::ONE, &edited.change);
    }
    let winning = believed(tx, winner)?;
    let Some(losing) = tx.version(loser, None)? else {
        // A merge gave its place to the winner already.
        return connect(tx, &winning, Relation::Supersedes, loser, Unit::ONE, &edited.change);
    };
    let old = losing.content.valid;
    if old.contains(now) {
        // Where the winner began later, the loser was true until then.
        let end = if winning.content.valid.from() > old.from() {
            winning.content.valid.from().min(now)
        } else {
            now
        };
        let closed = losing.content.valid_during(Interval::new(old.from(), Some(end))?);
        tx.put(loser, &closed, &edited.change)?;
    }
    connect(tx, &winning, Relation::Supersedes, loser, Unit::ONE, &edited.change)
}

/// What the winner says again, where a merge had given its slot to the loser: it holds from its own
/// beginning for as long as the loser would have.
fn given_way(
    tx: &dyn Write,
    winner: &RecordId,
    loser: &RecordId,
    now: Timestamp,
) -> Result<Option<Content>> {
    let winning = tx.versions(winner)?.pop();
    let (Some(winning), Some(losing)) = (winning, tx.version(loser, None)?) else {
        return Ok(None);
    };
    let (winning_is, held) = (&winning.content, losing.content.valid);
    let same_place = winning_is.slot().is_some()
        && winning_is.slot() == losing.content.slot()
        && winning_is.scope.same_room(&losing.content.scope);
    let cut = match winning.is_current() {
        true => winning_is.valid.to() == Some(held.from()),
        false => tx.change(&losing.change)?.is_some() && winning_is.valid.from() <= held.from(),
    };
    if !same_place || !cut || !held.contains(now) {
        return Ok(None);
    }
    let valid = Interval::new(winning_is.valid.from().min(held.from()), held.to())?;
    Ok(Some(winning_is.valid_during(valid)))
}
