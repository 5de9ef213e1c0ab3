//! Claims: what a statement says of which thing, as attribute and value.

mod attributes;
pub(crate) mod change;
mod choices;
mod dated;
mod doubtful;
mod find;
pub(crate) mod grammar;
pub(crate) mod phrase;
pub(crate) mod quantity;
pub(crate) mod reading;
pub(crate) mod shapes;
mod thing;
pub(crate) mod time;
mod unnamed;
mod value;

use crate::sentences::{sentences, without_marker};
use reading::{Word, read};
use shapes::Shape;

pub(crate) use choices::choice;
pub use time::{Tense, TimeWords};
pub(crate) use value::Likeness;
pub use value::Value;

/// What a statement says of a thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The words that say of which thing, in the form to compare by, sorted. Empty where the
    /// statement names none: `we use pnpm`.
    pub entity: Vec<String>,
    /// The same words as they are written, in their order.
    pub named: String,
    /// What of the thing: `port`, `owner`, `package manager`. Holds one value at a time.
    pub attribute: String,
    pub value: Value,
    /// The value as it is written.
    pub said: String,
    /// The value that this one took the place of, where the statement says so.
    pub old: Option<Value>,
    /// False where the statement denies it.
    pub holds: bool,
    /// The attribute is known by its value alone: `we use Rust`.
    pub implied: bool,
    pub time: TimeWords,
}

/// Sentences of a text that are looked at.
const SENTENCES: usize = 16;

/// The claims of a text, in order.
pub fn claims(text: &str) -> Vec<Claim> {
    let sentences = sentences(text).into_iter().take(SENTENCES);
    sentences.flat_map(|sentence| claims_of(&read(without_marker(sentence)))).collect()
}

/// The claims of one sentence: one a clause, or one for the whole.
pub(crate) fn claims_of(words: &[Word]) -> Vec<Claim> {
    let parts = clauses(words);
    let found: Vec<Claim> = parts.into_iter().filter_map(find::claim).collect();
    if !found.is_empty() {
        return found;
    }
    find::claim(words).into_iter().collect()
}

/// Parts that may each claim something: between them stands a semicolon, or `and` and a new verb.
fn clauses(words: &[Word]) -> Vec<&[Word]> {
    const VERBS: &[&str] =
        &["is", "are", "uses", "use", "has", "runs", "listens", "lives", "owns", "was"];
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 1..words.len() {
        let rest = &words[at + 1..];
        let end = rest
            .iter()
            .position(|word| word.is_any(&["and", "but"]) || word.shape == Shape::Mark(';'));
        let verb = rest[..end.unwrap_or(rest.len())].iter().any(|word| word.is_any(VERBS));
        let own = words[start..at].iter().any(|word| word.is_any(VERBS));
        let joins = words[at].is_any(&["and", "but", "while"]) && verb && own;
        if joins || words[at].shape == Shape::Mark(';') {
            parts.push(&words[start..at]);
            start = at + 1;
        }
    }
    parts.push(&words[start.min(words.len())..]);
    parts
}

#[cfg(test)]
mod tests;
