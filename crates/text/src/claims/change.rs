//! Statements of change: what took the place of what.

use std::ops::Range;

use super::grammar::CHANGES;
use super::phrase::{after, before};
use super::reading::Word;
use super::shapes::Shape;

/// Where a statement says what holds now, and what no longer does.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Change {
    /// The value begins here.
    pub(crate) new: Option<usize>,
    /// Words of the value that was left.
    pub(crate) old: Option<Range<usize>>,
    /// Words that only say that something changes.
    pub(crate) by: Vec<usize>,
}

/// The change that a statement tells of, if it does.
pub(crate) fn change(words: &[Word], taken: &[bool]) -> Option<Change> {
    replaced(words, taken)
        .or_else(|| favoured(words, taken))
        .or_else(|| left(words, taken))
        .or_else(|| inherited(words, taken))
        .or_else(|| moved(words, taken))
}

/// `dropped X in favour of Y`.
fn favoured(words: &[Word], taken: &[bool]) -> Option<Change> {
    const VERBS: &[&str] = &["dropped", "drop", "ditched", "abandoned", "deprecated", "retired"];
    let verb = words.iter().position(|word| word.is_any(VERBS))?;
    let favour = (verb + 2..words.len()).find(|at| words[*at].is_any(&["favour", "favor"]))?;
    let is_whole = words[favour - 1].is("in") && words.get(favour + 1)?.is("of");
    let old = after(words, verb + 1, taken).filter(|old| is_whole && old.start < favour)?;
    let by = vec![verb, favour - 1, favour, favour + 1];
    Some(Change { new: Some(favour + 2), old: Some(old), by })
}

/// `Ann took over the checkout from Bob`.
fn inherited(words: &[Word], taken: &[bool]) -> Option<Change> {
    let verb = words.iter().position(|word| word.is_any(&["took", "takes", "taken"]))?;
    let from = (verb + 2..words.len()).find(|at| words[*at].is("from") && !taken[*at])?;
    let old = after(words, from + 1, taken).filter(|_| words[verb + 1].is("over"))?;
    Some(Change { new: None, old: Some(old), by: vec![from] })
}

/// `replaced X with Y`, `X was replaced by Y`, `Y replaced X`.
fn replaced(words: &[Word], taken: &[bool]) -> Option<Change> {
    const VERBS: &[&str] = &[
        "replaced",
        "replace",
        "replaces",
        "swapped",
        "swap",
        "substituted",
        "superseded",
        "supersedes",
        "supplanted",
        "exchanged",
        "traded",
    ];
    let verb = words.iter().position(|word| word.is_any(VERBS))?;
    let by = (verb + 1..words.len()).find(|at| words[*at].is_any(&["with", "by", "for"]));
    let mut change = Change { by: vec![verb], ..Change::default() };
    match by {
        Some(by) => {
            change.new = Some(by + 1);
            change.by.push(by);
            // With nothing between, what was replaced stands before.
            change.old = after(words, verb + 1, taken).filter(|old| old.start < by);
            if change.old.is_none() {
                change.old = before(words, verb, taken);
            }
        }
        None => {
            change.old = Some(after(words, verb + 1, taken)?);
            change.new = Some(before(words, verb, taken)?.start);
        }
    }
    Some(change)
}

/// `Y instead of X`, `Y rather than X`, `prefer Y over X`, `Y, not X`.
fn left(words: &[Word], taken: &[bool]) -> Option<Change> {
    for at in 1..words.len() {
        let next = words.get(at + 1);
        let follows = |text: &str| next.is_some_and(|word| word.is(text));
        let length = match words[at].text.as_str() {
            "instead" if follows("of") => 2,
            "rather" if follows("than") => 2,
            "over"
                if words[..at].iter().any(|word| {
                    word.stem.starts_with("prefer")
                        || word.is_any(&["favor", "favour", "chose", "choose"])
                }) =>
            {
                1
            }
            "not" if words[at - 1].is(",") => 1,
            _ => continue,
        };
        let old = after(words, at + length, taken)?;
        return Some(Change { new: None, old: Some(old), by: (at..at + length).collect() });
    }
    None
}

/// `moved from X to Y`, `switched to Y`, `8080 → 9090`.
fn moved(words: &[Word], taken: &[bool]) -> Option<Change> {
    if let Some(arrow) = words.iter().position(|word| word.shape == Shape::Mark('→')) {
        return Some(Change {
            new: Some(arrow + 1),
            old: before(words, arrow, taken),
            by: vec![arrow],
        });
    }
    let verb = words.iter().position(|word| word.is_any(CHANGES))?;
    let to =
        (verb + 1..words.len()).find(|at| words[*at].is_any(&["to", "onto"]) && !taken[*at])?;
    let from = (0..words.len()).find(|at| words[*at].is_any(&["from", "off"]) && !taken[*at]);
    let old = from.and_then(|from| after(words, from + 1, taken));
    let mut by = vec![verb, to];
    by.extend(from);
    Some(Change { new: Some(to + 1), old, by })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::reading::read;

    #[test]
    fn what_took_whose_place() {
        for (text, new, old) in [
            ("we moved from npm to pnpm", "pnpm", "npm"),
            ("switched to pnpm", "pnpm", ""),
            ("pnpm replaced npm", "pnpm", "npm"),
            ("npm was replaced by pnpm", "pnpm", "npm"),
            ("replace npm with pnpm", "pnpm", "npm"),
            ("use pnpm instead of npm", "", "npm"),
            ("we dropped npm in favour of pnpm", "pnpm", "npm"),
            ("Ann took over checkout from Bob", "", "bob"),
            ("prefer tabs over spaces", "", "spaces"),
            ("port 8080 → 9090", "9090", "8080"),
        ] {
            let words = read(text);
            let change = change(&words, &vec![false; words.len()]).expect(text);
            let at = |place: Option<usize>| place.map_or("", |at| words[at].text.as_str());
            assert_eq!(at(change.new), new, "{text}");
            let left = change.old.and_then(|old| old.clone().last());
            assert_eq!(at(left), old, "{text}");
        }
        let words = read("the port is 8080");
        assert_eq!(change(&words, &vec![false; words.len()]), None);
    }
}
