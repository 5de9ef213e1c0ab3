//! The current value: of several statements about the same thing only the one that holds now is
//! shown; what it replaced becomes its history.
//!
//! Three ways of knowing. A slot is certain: the store keeps its past values. So is a contradiction
//! that was settled: the winner leads to what it replaced. Other free text is judged by rules: two
//! statements of one subject, both about what was asked, where the later one says that something
//! changed, rejects what the earlier one decided, or names what that one told as left behind. The last
//! holds for what happened as well, when somebody asks how things are: who `moved from Berlin` does not
//! live there.

mod attribute;
mod change;
mod named;
mod past;
mod statement;
mod values;

use crate::candidate::{Candidate, Spot};
use crate::explanation::Explanation;
use crate::ranked::{Dropped, Ranked, sort};
use crate::read::first_vectors;
use crate::{Question, Source, Understanding};
use mnemic_model::{Kind, RecordId, Version};
use mnemic_store::Result;
use mnemic_text::intent::Intent;
use statement::Statement;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use past::as_past;
pub(crate) use past::{held_in, past_by_links, past_of_slot};

/// Candidates that are looked at together.
pub(crate) const LOOKED_AT: usize = 32;

/// Where one statement replaced another, the one that holds stands first and tells of the other.
pub(crate) fn settle(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
    versions: &HashMap<Spot, Arc<Version>>,
    ranked: &mut [Ranked],
) -> Result<()> {
    let asked = Asked {
        terms: understanding.terms.iter().map(|(term, _)| term.clone()).collect(),
        is_whether: understanding.wanted.intent == Intent::YesNo,
    };
    let looked_at = ranked.iter().enumerate().take(LOOKED_AT);
    let known: Vec<(usize, Statement<'_>)> = looked_at
        .filter(|(_, one)| may_be_replaced(&one.candidate, understanding.asks_how_things_are))
        .filter_map(|(place, one)| Some((place, Statement::of(versions.get(&one.candidate.spot)?))))
        .collect();
    if !known.iter().any(|(_, statement)| statement.may_replace()) {
        return Ok(());
    }
    let spots: Vec<Spot> = known.iter().map(|(place, _)| ranked[*place].candidate.spot).collect();
    let vectors = first_vectors(sources, question, &spots)?;
    let (places, statements): (Vec<usize>, Vec<Statement<'_>>) = known
        .into_iter()
        .zip(&vectors)
        .map(|((place, statement), vector)| (place, statement.meaning(vector.as_deref())))
        .unzip();
    for (old, new) in replaced_by(&statements, &asked).into_iter().enumerate() {
        let Some(new) = new else { continue };
        let (old_place, new_place) = (places[old], places[new]);
        let stood = ranked[old_place].explanation.score;
        let sure = ranked[old_place].evidence;
        lift(&mut ranked[new_place].explanation, stood);
        ranked[new_place].evidence = ranked[new_place].evidence.max(sure);
        ranked[new_place].history.push(as_past(statements[old].version));
        let by = ranked[new_place].candidate.glance.id.clone();
        ranked[old_place].dropped = Some(Dropped::ReplacedBy(by));
    }
    sort(ranked);
    Ok(())
}

/// What the rules know of the question.
struct Asked {
    terms: HashSet<String>,
    /// Whether something is so, rather than what is: `do I still live in Berlin`.
    is_whether: bool,
}

/// For each of these the place of the one that holds instead of it, if one does.
fn replaced_by(statements: &[Statement<'_>], asked: &Asked) -> Vec<Option<usize>> {
    let age = |one: &Statement<'_>| (one.version.content.valid.from(), one.version.recorded.from());
    let successor = |earlier: usize| {
        (0..statements.len())
            .filter(|later| age(&statements[*later]) > age(&statements[earlier]))
            .filter_map(|later| {
                let (old, new) = (&statements[earlier], &statements[later]);
                Some((new.succeeds(old, asked)?, later))
            })
            .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .map(|(_, later)| later)
    };
    let successors: Vec<Option<usize>> = (0..statements.len()).map(successor).collect();
    // What replaced it may have been replaced in turn; each is later, so this ends.
    let holds = |mut place: usize| {
        while let Some(next) = successors[place] {
            place = next;
        }
        place
    };
    successors.iter().map(|next| next.map(holds)).collect()
}

/// A memory with the vector of its beginning, where it has one.
pub type Sensed<'v> = (&'v Version, Option<Vec<f32>>);

/// Of these statements, those that a later one among them takes back: it tells of a change and says
/// nearly all that they say. Without a question there is nothing else to go by.
pub fn taken_back(versions: &[Sensed<'_>]) -> BTreeSet<RecordId> {
    let free = versions.iter().filter(|(version, _)| states(version.content.kind()));
    let statements: Vec<Statement<'_>> =
        free.map(|(one, vector)| Statement::of(one).meaning(vector.as_deref())).collect();
    let all = &statements;
    let told = all.iter().filter(|one| one.may_replace());
    let pairs = told.flat_map(|later| all.iter().map(move |earlier| (later, earlier)));
    let pairs = pairs.filter(|(later, earlier)| !later.serves_another_end(earlier));
    let since = |one: &Statement<'_>| one.version.content.valid.from();
    let gone = pairs.filter(|(later, earlier)| {
        (later.tells_of_change && later.takes_back(earlier))
            || (since(later) > since(earlier) && later.overrules(earlier))
    });
    gone.map(|(_, earlier)| earlier.version.id.clone()).collect()
}

/// A candidate whose score was lent by what it replaced: the one that holds now stands where the
/// best of them stood.
fn lift(explanation: &mut Explanation, to: f64) {
    if explanation.score < to {
        let factor = if explanation.score > 0.0 { to / explanation.score } else { 1.0 };
        explanation.factors.push(crate::Factor { name: "holds now", value: factor });
        explanation.score = explanation.sum();
    }
}

/// Facts and blocks have slots; what happened is not replaced by what happened later, but may tell
/// no more how things are. One failure is no newer state of another, and its remedy is always told
/// as a change.
fn may_be_replaced(candidate: &Candidate, how_things_are: bool) -> bool {
    let kind = candidate.glance.kind;
    let counts = states(kind) || (kind == Kind::Episode && how_things_are);
    counts && candidate.glance.slot.is_none()
}

/// Kinds that say how things are.
fn states(kind: Kind) -> bool {
    is_free(kind) && kind != Kind::AntiPattern
}

fn is_free(kind: Kind) -> bool {
    matches!(kind, Kind::Pattern | Kind::Decision | Kind::Resource | Kind::AntiPattern)
}

#[cfg(test)]
mod tests;
