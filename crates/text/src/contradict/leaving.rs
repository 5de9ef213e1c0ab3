//! Reading a sentence that says that something was left: what it was, what came instead, and for what.

use crate::claims::change::change;
use crate::claims::grammar::{CHANGES, DROPS, FILLERS, SORTS, is_function_word, is_small_word};
use crate::claims::phrase::after;
use crate::claims::reading::Word;
use crate::claims::shapes::Shape;
use crate::claims::{Tense, choice, time};
use std::ops::Range;

/// What a sentence says to be no longer in use.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Left {
    /// The name of it, and of what came instead, in the form to compare by.
    pub(super) old: Vec<String>,
    pub(super) new: Vec<String>,
    /// What it was in use for, as stems; nothing where that is not said.
    pub(super) about: Vec<String>,
    pub(super) said: String,
    /// Somebody tells it of themselves.
    pub(super) by_one: bool,
    /// It is a name by itself. At the beginning of a sentence every word has a capital, and it
    /// takes the other sentence to tell.
    pub(super) is_named: bool,
}

/// Before verbs by which a thing goes: it went itself.
const IS: &[&str] = &["is", "are", "was", "were", "been"];

/// Words by which it was not done, or not yet.
#[rustfmt::skip]
const NOT_DONE: &[&str] = &[
    "not", "never", "nobody", "none", "cannot", "yet", "should", "could", "would", "might", "may", "want", "wants", "will", "being",
    "considered", "consider", "if", "unless", "plan", "plans", "planned", "trying", "tried", "almost",
];

/// Words by which it was not done for good, or not everywhere.
const NOT_FOR_GOOD: &[&str] = &[
    "again",
    "back",
    "reverted",
    "rolled",
    "undone",
    "temporarily",
    "still",
    "keep",
    "keeps",
    "partly",
    "partially",
    "until",
    "new",
];

/// Words that say how far it went and belong to no name.
const HOW_FAR: &[&str] =
    &["entirely", "completely", "everywhere", "altogether", "finally", "anymore", "any"];

/// The words by which something was left.
struct Leaving {
    old: Range<usize>,
    /// Where the name of what came instead begins.
    new: Option<usize>,
    by: Vec<usize>,
}

impl Left {
    /// What this sentence says was left, if it is a name.
    pub(crate) fn of(words: &[Word]) -> Option<Left> {
        // A reason, or what else there is to say, has times of its own.
        let goes_on = |word: &Word| {
            let is_mark = matches!(word.shape, Shape::Mark(',' | ';' | '(' | '—'));
            is_mark || word.is_any(&["because", "since", "so", "due", "after", "as", "but"])
        };
        let end = words.iter().position(goes_on).unwrap_or(words.len());
        let mut taken = vec![false; words.len()];
        if time::take(&words[..end], &mut taken[..end]).tense != Tense::Present {
            return None;
        }
        let Leaving { old, new, by } = match change(words, &taken) {
            Some(change) => Leaving { old: change.old?, new: change.new, by: change.by },
            None => dropped(words, &taken).or_else(|| went(words))?,
        };
        let is_named = words[old.clone()].iter().any(is_name);
        let may_be_name = old.start == 0 && words[0].raw.starts_with(char::is_uppercase);
        let returns = words.iter().any(|word| word.is_any(NOT_FOR_GOOD));
        if !(is_named || may_be_name) || returns || is_not_done(words, &by) {
            return None;
        }
        let opposes = |at: &usize| words[*at].is_any(&["instead", "rather", "not", "over"]);
        let is_instead = new.is_none() && by.first().is_some_and(opposes);
        let new = new.and_then(|new| after(words, new, &taken)).unwrap_or(0..0);
        // `Kafka` lives on in `Kafka Streams`.
        let forms = |range: &Range<usize>| words[range.clone()].iter().map(form).collect();
        let (left, came): (Vec<String>, Vec<String>) = (forms(&old), forms(&new));
        if came.starts_with(&left) {
            return None;
        }
        let says_what_for = |at: usize| {
            let word = &words[at];
            let is_part = taken[at] || by.contains(&at) || old.contains(&at) || new.contains(&at);
            // `CI runs on GitHub Actions instead of Jenkins`: a name before it is what came.
            let may_be_new = is_instead && is_name(word);
            let tells_apart =
                is_content(word) || word.is_any(SORTS) && words.get(at + 1).is_some_and(is_content);
            let tells_change = word.is_any(CHANGES) || word.is_any(DROPS);
            !is_part && !may_be_new && tells_apart && !tells_change
        };
        let about = (0..end).filter(|at| says_what_for(*at)).map(|at| words[at].stem.clone());
        let said: Vec<&str> = words[old.clone()].iter().map(|word| word.raw.as_str()).collect();
        Some(Left {
            about: about.collect(),
            said: said.join(" "),
            is_named,
            by_one: words.first().is_some_and(|word| word.is("i")),
            old: left,
            new: came,
        })
    }
}

/// Whether a change is told that did not happen, apart from the words that tell it.
fn is_not_done(words: &[Word], by: &[usize]) -> bool {
    let denied = |at: usize| !by.contains(&at) && words[at].is_any(NOT_DONE);
    let nobody = words.windows(2).any(|two| two[0].is("no") && two[1].is("one"));
    nobody || (0..words.len()).any(denied)
}

/// Whether a sentence tells of a change and that it is none: `we decided not to replace X with Y`,
/// `we never stopped using it`.
pub(crate) fn denies_change(words: &[Word]) -> bool {
    let taken = vec![false; words.len()];
    let goes_on = |two: &[Word]| {
        two[0].is_any(&["not", "never"]) && two[1].is_any(&["stopped", "quit", "ceased"])
    };
    if words.windows(2).any(goes_on) {
        return true;
    }
    change(words, &taken).is_some_and(|change| {
        let last = change.by.iter().copied().max().unwrap_or_default();
        let returns = words[last..].iter().any(|word| word.is_any(&["again", "reverted"]));
        returns || is_not_done(words, &change.by)
    })
}

/// Whether a sentence says that something went, and so gives it no value: `we dropped Node 18`.
pub(crate) fn only_drops(words: &[Word]) -> bool {
    let taken = vec![false; words.len()];
    words.iter().any(|word| word.is_any(DROPS)) && change(words, &taken).is_none()
}

/// `we dropped X`, `we stopped using X`, `we got rid of X`, `we no longer use X`.
fn dropped(words: &[Word], taken: &[bool]) -> Option<Leaving> {
    const USES: &[&str] =
        &["use", "uses", "using", "run", "on", "in", "work", "works", "live", "lives"];
    let pair = |at: usize, one: &str, other: &[&str]| {
        words[at].is(one) && words.get(at + 1).is_some_and(|next| next.is_any(other))
    };
    let any_more = words.iter().any(|word| word.is("anymore"))
        || words.windows(2).any(|two| two[0].is("any") && two[1].is("more"));
    let (at, length) = (0..words.len()).find_map(|at| match () {
        () if words[at].is_any(DROPS) && !(at > 0 && words[at - 1].is_any(IS)) => Some((at, 1)),
        () if pair(at, "stopped", &["using", "running"]) => Some((at, 2)),
        () if pair(at, "rid", &["of"]) => Some((at, 2)),
        () if pair(at, "longer", USES) => Some((at, 2)),
        () if any_more && pair(at, "not", USES) => Some((at, 2)),
        () => None,
    })?;
    let mut old = after(words, at + length, taken).filter(|old| old.start <= at + length + 1)?;
    while old.len() > 1 && words[old.end - 1].is_any(HOW_FAR) {
        old.end -= 1;
    }
    Some(Leaving { old, new: None, by: (at..at + length).collect() })
}

/// `X is gone`, `X was removed`, `X has been retired`: the name comes first.
fn went(words: &[Word]) -> Option<Leaving> {
    let is_over = |at: usize| match words.get(at) {
        Some(word) if word.is_any(DROPS) => true,
        // `gone to lunch` and `gone today` come back.
        Some(word) if word.is_any(&["gone", "history"]) => {
            words.get(at + 1).is_none_or(|next| next.is_mark() || next.is_any(&["and", "for"]))
        }
        _ => false,
    };
    let at = (1..words.len()).find(|at| words[at - 1].is_any(IS) && is_over(*at))?;
    let has = words[at - 1].is("been") && at > 1 && words[at - 2].is_any(&["has", "have"]);
    let end = at - if has { 2 } else { 1 };
    let first = usize::from(words[0].is_any(&["the", "our"]));
    let is_named = first < end && words[first..end].iter().all(is_content);
    is_named.then(|| Leaving { old: first..end, new: None, by: (end..=at).collect() })
}

/// A word as names are compared: of a thing with several spellings the usual one.
pub(super) fn form(word: &Word) -> String {
    choice(&word.text).map_or_else(|| word.text.clone(), |(_, usual)| usual.to_owned())
}

pub(super) fn is_name(word: &Word) -> bool {
    let is_number = matches!(word.shape, Shape::Number(..) | Shape::Date | Shape::Version);
    !is_number && (word.capital || word.shape != Shape::Plain || choice(&word.text).is_some())
}

pub(super) fn is_content(word: &Word) -> bool {
    // `US` is no `us`.
    let is_short_name = word.raw.len() > 1 && word.raw.chars().all(char::is_uppercase);
    let is_grammar = !is_short_name && (is_function_word(&word.text) || is_small_word(&word.text));
    const DENYING: &[&str] = &["not", "no", "longer", "anymore"];
    let says_nothing = [FILLERS, SORTS, DENYING, HOW_FAR].iter().any(|words| word.is_any(words));
    !(word.is_mark() || is_grammar || says_nothing)
}
