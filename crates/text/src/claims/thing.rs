//! Of which thing a claim speaks: the words that are neither attribute, value, time nor grammar.

use super::find::Scan;
use super::grammar::{CHANGES, COPULAS, FILLERS, RELATED, SORTS, is_function_word, is_small_word};
use super::reading::Word;
use super::shapes::Shape;
use crate::contradict::kin::chosen;

/// Words that lead into a statement, and those that give a reason or an aside.
const ASIDES: &[&str] = &["because", "since", "due", "so", "as", "after", "thanks", "per"];

/// The thing's words in the form to compare by, sorted; and as they are written.
pub(crate) fn thing(scan: &Scan<'_>, attribute: &str) -> (Vec<String>, String) {
    let end = aside(scan.words).unwrap_or(scan.words.len());
    let free = (0..end).filter(|at| !scan.taken[*at]).map(|at| &scan.words[at]);
    let named: Vec<&Word> =
        free.filter(|word| is_named(word) && !speaks_of(word, attribute)).collect();
    let telling: Vec<&Word> = named.iter().copied().filter(|word| !word.is_any(SORTS)).collect();
    let words = if telling.is_empty() { named } else { telling };
    let form = |word: &Word| match word.shape {
        Shape::Plain => chosen(&word.stem).to_owned(),
        _ => word.stem.clone(),
    };
    let mut thing: Vec<String> = words.iter().map(|word| form(word)).collect();
    thing.sort();
    thing.dedup();
    let written = |word: &&Word| if word.capital { word.raw.clone() } else { word.text.clone() };
    (thing, words.iter().map(written).collect::<Vec<String>>().join(" "))
}

/// `tabs for indentation`: the attribute's own words do not tell the thing.
fn speaks_of(word: &Word, attribute: &str) -> bool {
    let related = RELATED.iter().find(|(of, _)| *of == attribute);
    attribute.split(' ').any(|part| word.is(part))
        || related.is_some_and(|(_, words)| word.is_any(words))
}

fn is_named(word: &Word) -> bool {
    let grammar = is_function_word(&word.text) || is_small_word(&word.text);
    let empty = word.is_any(FILLERS) || word.is_any(COPULAS) || word.is_any(CHANGES);
    !word.is_mark() && !grammar && (!empty || word.capital)
}

/// Where a reason begins, if it is not the beginning of the statement.
fn aside(words: &[Word]) -> Option<usize> {
    (3..words.len()).find(|at| {
        words[*at].is_any(ASIDES) && !words[*at].is("per") && {
            let reason = words[*at].is_any(&["because", "thanks", "due"]);
            reason || words[*at - 1].is_mark()
        }
    })
}
