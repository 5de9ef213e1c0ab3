//! The current value: of several statements about the same thing only the one that holds now is
//! shown; what it replaced becomes its history.
//!
//! Two ways of knowing. A slot is certain: the store keeps its past values. Free text is judged by
//! rules: two statements of one subject where the later one says that something changed, or names
//! other values for what the question asks.

use crate::candidate::Candidate;
use crate::explanation::Explanation;
use crate::{Past, Source};
use mnemic_model::{Kind, RecordId, Version};
use mnemic_store::Result;
use mnemic_text::stems::recall_terms;
use std::collections::HashSet;

/// Words by which a statement says that it replaces another.
const CHANGE_WORDS: &[&str] = &[
    "now",
    "moved",
    "renamed",
    "replaced",
    "switched",
    "changed",
    "migrated",
    "reverted",
    "rollback",
    "rolled",
    "raised",
    "lowered",
    "increased",
    "decreased",
    "reduced",
    "bumped",
    "upgraded",
    "downgraded",
    "cut",
    "retired",
    "decommissioned",
    "longer",
    "instead",
    "reassigned",
    "back",
    "returned",
    "since",
    "superseded",
    "shifted",
    "pulled",
    "pushed",
    "transferred",
    "updated",
    "reset",
    "restored",
    "rotated",
    "swapped",
    "rebuilt",
    "handed",
    "took",
    "after",
    "following",
    "pinned",
    "split",
    "consolidated",
    "promoted",
    "extended",
    "shortened",
    "previous",
    "previously",
    "former",
    "formerly",
    "old",
    "older",
    "legacy",
];

/// How much of the shorter statement's words two statements of one subject share at least.
const SAME_SUBJECT: f64 = 0.22;

/// How near in meaning they are at least.
const SAME_MEANING: f32 = 0.80;

/// One statement as the rules see it.
pub(crate) struct Statement<'a> {
    pub(crate) version: &'a Version,
    pub(crate) vector: Option<&'a [f32]>,
    terms: HashSet<String>,
    values: HashSet<String>,
    tells_of_change: bool,
}

impl<'a> Statement<'a> {
    pub(crate) fn of(version: &'a Version, vector: Option<&'a [f32]>) -> Statement<'a> {
        let text = version.content.body.full_text();
        let words: Vec<String> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        Statement {
            version,
            vector,
            terms: recall_terms(&text).into_iter().map(|(term, _)| term).collect(),
            values: values(&text),
            tells_of_change: words.iter().any(|word| CHANGE_WORDS.contains(&word.as_str())),
        }
    }

    /// Whether this later statement takes the place of an earlier one.
    pub(crate) fn replaces(&self, earlier: &Statement<'_>) -> bool {
        self.tells_of_change
            && self.is_free_text()
            && earlier.is_free_text()
            && self.same_room(earlier)
            && self.speaks_of_the_same(earlier)
            && !self.values.is_empty()
            && !earlier.values.is_empty()
            && self.values != earlier.values
    }

    /// Facts and blocks have slots; what happened is not replaced by what happened later.
    fn is_free_text(&self) -> bool {
        matches!(
            self.version.content.kind(),
            Kind::Pattern | Kind::Decision | Kind::Resource | Kind::AntiPattern
        )
    }

    fn same_room(&self, other: &Statement<'_>) -> bool {
        self.version.content.scope.same_room(&other.version.content.scope)
    }

    fn speaks_of_the_same(&self, other: &Statement<'_>) -> bool {
        let shared = self.terms.intersection(&other.terms).count() as f64;
        let shorter = self.terms.len().min(other.terms.len()).max(1) as f64;
        let near = match (self.vector, other.vector) {
            (Some(one), Some(other)) => {
                one.iter().zip(other).map(|(a, b)| a * b).sum::<f32>() >= SAME_MEANING
            }
            _ => true,
        };
        near && shared / shorter >= SAME_SUBJECT
    }
}

/// What reads as a value: numbers, names with digits or inner punctuation, things in quotes.
fn values(text: &str) -> HashSet<String> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| {
            let marked = |c: char| c.is_ascii_digit() || matches!(c, '-' | '_' | '.' | ':' | '/');
            word.len() > 1 && word.chars().any(marked) && !is_date(word)
        })
        .map(str::to_lowercase)
        .collect()
}

/// When something changed is not what it changed to.
fn is_date(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() == 10
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && bytes.iter().enumerate().all(|(at, b)| at == 4 || at == 7 || b.is_ascii_digit())
}

/// For each of these, best first, the place of the one that replaced it, if one did.
pub(crate) fn replaced_by(statements: &[Statement<'_>]) -> Vec<Option<usize>> {
    let age = |one: &Statement<'_>| (one.version.content.valid.from(), one.version.recorded.from());
    (0..statements.len())
        .map(|earlier| {
            (0..statements.len())
                .filter(|later| age(&statements[*later]) > age(&statements[earlier]))
                .filter(|later| statements[*later].replaces(&statements[earlier]))
                // The newest one is the value that holds.
                .max_by_key(|later| age(&statements[*later]))
        })
        .collect()
}

/// What the slot of a memory held before, newest first.
pub(crate) fn past_of_slot(
    source: &Source<'_>,
    id: &RecordId,
    version: &Version,
) -> Result<Vec<Past>> {
    let Some(slot) = version.content.slot() else { return Ok(Vec::new()) };
    let beginning = version.content.valid.from().plus_seconds(-400 * 365 * 86_400);
    let mut held: Vec<Version> = source
        .read
        .holders(&slot, &version.content.scope, beginning)?
        .into_iter()
        .filter(|other| other.content.valid.from() < version.content.valid.from())
        .collect();
    held.sort_by_key(|other| std::cmp::Reverse(other.content.valid.from()));
    let past = |other: Version| Past {
        text: other.content.body.full_text(),
        valid: other.content.valid,
        because: if other.id == *id { "it was changed" } else { "its slot was given to this one" },
        id: other.id,
    };
    Ok(held.into_iter().take(5).map(past).collect())
}

/// A statement that was replaced, as history of the one that replaced it.
pub(crate) fn as_past(version: &Version) -> Past {
    Past {
        id: version.id.clone(),
        text: version.content.body.full_text(),
        valid: version.content.valid,
        because: "a later memory says otherwise",
    }
}

/// A candidate whose score was lent by what it replaced: the one that holds now stands where the
/// best of them stood.
pub(crate) fn lift(explanation: &mut Explanation, to: f64) {
    if explanation.score < to {
        let factor = if explanation.score > 0.0 { to / explanation.score } else { 1.0 };
        explanation.factors.push(crate::Factor { name: "holds now", value: factor });
        explanation.score = explanation.sum();
    }
}

/// Candidates that are looked at together.
pub(crate) const LOOKED_AT: usize = 24;

pub(crate) fn may_be_replaced(candidate: &Candidate) -> bool {
    candidate.glance.slot.is_none()
}
