//! Writes a plan down: all that came stays under its author, and what the merge itself decided is one
//! change, which `undo` takes back.

use super::plan::Plan;
use super::state::{HEADS, Stamp};
use mnemic_model::time::CEILING;
use mnemic_model::{Actor, ChangeId, Content, Interval, Link, RecordId, Usage, Verb, Version};
use mnemic_store::{Error, NewLink, Read, Result, Write};
use serde_json::json;
use std::collections::BTreeMap;

/// Carries a plan out. `change` was begun in this transaction, after the changes of the other store
/// came in.
pub fn apply(
    plan: &Plan,
    tx: &mut dyn Write,
    other: &dyn Read,
    change: &ChangeId,
    actor: &Actor,
) -> Result<()> {
    let mut work = Work { tx, other, change, actor };
    work.forget(plan)?;
    // Everything that gives way does so before anything comes: slots must be free by then.
    for id in &plan.retract {
        work.tx.retract(id, change)?;
    }
    for (id, as_it_is) in &plan.arrive {
        work.arrive(id, *as_it_is)?;
    }
    for (id, events) in &plan.append {
        work.append(id, events)?;
    }
    for (id, content) in &plan.put {
        work.tx.put(id, content, change)?;
    }
    work.links(plan)?;
    work.usage(plan)?;
    if let Some(heads) = &plan.heads {
        let text = serde_json::to_string(heads).unwrap_or_default();
        work.tx
            .set_bookmark(HEADS, Some(&text).filter(|_| !heads.is_empty()).map(|x| x.as_str()))?;
    }
    Ok(())
}

struct Work<'w> {
    tx: &'w mut dyn Write,
    other: &'w dyn Read,
    change: &'w ChangeId,
    actor: &'w Actor,
}

impl Work<'_> {
    fn forget(&mut self, plan: &Plan) -> Result<()> {
        for id in &plan.erase {
            self.tx.erase(id)?;
            self.tx.audit(self.actor, Verb::Forget, id.as_str(), None)?;
        }
        for stone in &plan.bury {
            // In the chain, so that nothing is recorded before it from now on.
            if self.tx.bury(stone)? {
                self.tx.audit(self.actor, Verb::Merge, stone.id.as_str(), None)?;
            }
        }
        Ok(())
    }

    /// A record of the other store with its whole history. Where the merge believes something else of
    /// it, its last version ends here.
    fn arrive(&mut self, id: &RecordId, as_it_is: bool) -> Result<()> {
        for mut version in self.other.versions(id)? {
            let mut ended_by = self.other.ended_by(id, version.n)?;
            if version.is_current() && !as_it_is {
                version.recorded = self.ending(version.recorded)?;
                ended_by = Some(self.change.clone());
            }
            if version.recorded.to().unwrap_or(version.recorded.from()) > CEILING {
                let problem = format!("`{id}` was recorded at the end of the calendar");
                return Err(Error::Damaged(problem));
            }
            let print = self.tx.import_version(&version, ended_by.as_ref())?;
            self.tx.audit(self.actor, Verb::Merge, id.as_str(), Some(print))?;
        }
        self.tx.note_arrival(id, self.change)
    }

    fn ending(&mut self, recorded: Interval) -> Result<Interval> {
        let now = self.tx.tick()?;
        let end = if now > recorded.from() { now } else { recorded.from().next() };
        Interval::new(recorded.from(), Some(end)).map_err(|why| Error::Damaged(why.to_string()))
    }

    /// What the other store said of a record that is here: versions that were never believed here,
    /// under the changes that made them.
    fn append(&mut self, id: &RecordId, events: &BTreeMap<Stamp, Option<Content>>) -> Result<()> {
        let here = self.tx.versions(id)?;
        let mut n = here.last().map_or(0, |version| version.n);
        let mut before = here.last().map(|version| version.content.clone());
        for (stamp, content) in events {
            let (ended_by, content) = match content {
                Some(content) => (self.change, content.clone()),
                // Nothing but an end: it is carried by a version that its own change ended.
                None => match before.clone() {
                    Some(content) => (&stamp.change, content),
                    None => continue,
                },
            };
            n += 1;
            let (from, to) = (self.tx.tick()?, self.tx.tick()?);
            let recorded =
                Interval::new(from, Some(to)).map_err(|why| Error::Damaged(why.to_string()))?;
            let (id, change) = (id.clone(), stamp.change.clone());
            let version = Version { id, n, content: content.clone(), recorded, change };
            let print = self.tx.import_version(&version, Some(ended_by))?;
            self.tx.audit(self.actor, Verb::Merge, version.id.as_str(), Some(print))?;
            before = Some(content);
        }
        Ok(())
    }

    fn links(&mut self, plan: &Plan) -> Result<()> {
        for (from, relation, to) in &plan.disconnect {
            self.tx.disconnect(from, *relation, to, self.change)?;
        }
        for ((from, relation, to), events) in &plan.link_events {
            for (stamp, link) in events {
                let (begin, end) = (self.tx.tick()?, self.tx.tick()?);
                let recorded = Interval::new(begin, Some(end))
                    .map_err(|why| Error::Damaged(why.to_string()))?;
                let (row, ended_by) = match link {
                    Some(link) => (
                        Link { recorded, change: stamp.change.clone(), ..link.clone() },
                        self.change,
                    ),
                    None => {
                        let valid = Interval::since(begin);
                        let (from, to) = (from.clone(), to.clone());
                        let (strength, change) = (mnemic_model::Unit::ONE, self.change.clone());
                        let relation = *relation;
                        (
                            Link { from, to, relation, strength, valid, recorded, change },
                            &stamp.change,
                        )
                    }
                };
                self.tx.import_link(&row, Some(ended_by))?;
            }
        }
        for ((from, relation, to), (strength, valid)) in &plan.connect {
            let (from, to) = (from.clone(), to.clone());
            let link =
                NewLink { from, to, relation: *relation, strength: *strength, valid: *valid };
            self.tx.connect(&link, self.change)?;
        }
        Ok(())
    }

    /// Counts are not versions: how they were is noted, for whoever takes the merge back.
    fn usage(&mut self, plan: &Plan) -> Result<()> {
        let mut before = Vec::new();
        for (id, usage) in &plan.usage {
            let was = self.tx.usage(id)?;
            let gained = gained(&was, usage);
            before.push(json!([id, gained]));
            self.tx.set_usage(id, usage)?;
        }
        if !before.is_empty() {
            let text = serde_json::Value::Array(before).to_string();
            self.tx.set_bookmark(&format!("merge/usage/{}", self.change), Some(&text))?;
        }
        Ok(())
    }
}

/// How much each count grew.
fn gained(was: &Usage, is: &Usage) -> [f64; 8] {
    let grew = |a: u64, b: u64| b.saturating_sub(a) as f64;
    [
        grew(was.loaded, is.loaded),
        grew(was.referenced, is.referenced),
        grew(was.ignored, is.ignored),
        grew(was.succeeded, is.succeeded),
        is.relevance_sum - was.relevance_sum,
        grew(was.relevance_count, is.relevance_count),
        grew(was.discovery_tokens, is.discovery_tokens),
        grew(was.read_tokens, is.read_tokens),
    ]
}
