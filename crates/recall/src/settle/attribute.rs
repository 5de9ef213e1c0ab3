//! Whether a later statement speaks of the same side of a thing as an earlier one. `The search index was
//! moved to faster disks` tells of a change, and of the search index; when that is rebuilt is told by
//! whoever said so before.

use super::change::{goes_back_to, words};
use super::named::names;
use super::statement::{Said, serve_other_ends};
use super::values::{Sort, Value, sort_alone, tokens};
use mnemic_text::stems::{query_terms, stem};
use std::collections::HashSet;
use std::sync::LazyLock;

/// So many words in common say that both tell the same, whatever the values look like, and so many that
/// they tell of the same.
const MUCH: usize = 5;
const SOME: usize = 3;

/// From here on two sentences differ in next to nothing.
const ALIKE: f32 = 0.85;

/// Verbs that only join a thing to what is said of it, and words for the present.
static LIGHT: LazyLock<HashSet<String>> = LazyLock::new(|| {
    #[rustfmt::skip]
    let words = [
        "use", "used", "call", "called", "run", "sit", "hang", "live", "stay", "keep", "kept", "lie",
        "listen", "hold", "held", "go", "work", "name", "located", "stand", "put", "place", "current",
        "currently", "now", "still", "today", "moment", "know",
    ];
    words.iter().map(|word| stem(word).into_owned()).collect()
});

/// Before a noun these tell one time of a thing from another, not one thing from another.
#[rustfmt::skip]
const OF_TIME: &[&str] = &[
    "new", "old", "older", "other", "same", "previous", "former", "legacy", "first", "last", "next",
    "lost", "current", "whole", "this", "that", "these", "those", "every", "each", "their", "your",
];

/// What two values of a statement and of an earlier one are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Match {
    /// One of the same sort stands in both.
    Same,
    /// The earlier one gives none by which it could be told.
    Unknown,
    Other,
}

/// What the question asks for, the earlier one tells and the later one does not.
struct Lost<'t> {
    terms: HashSet<&'t String>,
}

impl<'t> Lost<'t> {
    fn of(asked: &'t HashSet<String>, earlier: &Said, later: &Said) -> Lost<'t> {
        let is_lost =
            |term: &&String| earlier.terms.contains(*term) && !later.terms.contains(*term);
        Lost { terms: asked.iter().filter(is_lost).collect() }
    }

    /// Something that says more than that there is something.
    fn is_much(&self) -> bool {
        self.terms.iter().any(|term| !LIGHT.contains(*term))
    }

    /// A compound is lost once, not with each of its parts as well.
    fn words(&self) -> usize {
        let compounds = self.terms.iter().filter(|term| term.contains(['-', '_']));
        let is_part = |term: &str| {
            compounds.clone().any(|whole| whole.split(['-', '_']).any(|part| part == term))
        };
        self.terms.iter().filter(|term| !is_part(term)).count()
    }
}

/// Whether what the later one tells answers what was `asked` and the earlier one answered.
pub(super) fn is_same(later: &Said, earlier: &Said, asked: &HashSet<String>, near: f32) -> bool {
    if serve_other_ends(&later.text, &earlier.text) {
        return false;
    }
    let shared: HashSet<&String> = later.terms.intersection(&earlier.terms).collect();
    let low = later.text.to_lowercase();
    // What was so before is so again: both say the same.
    if goes_back_to(&words(&low)) && (shared.len() >= SOME || names_a_value_of(later, earlier)) {
        return true;
    }
    if names(later, earlier, asked) {
        return true;
    }
    let lost = Lost::of(asked, earlier, later);
    if is_of_another(later, earlier, &lost.terms, &shared) {
        return false;
    }
    if !later.families.is_disjoint(&earlier.families) {
        return true;
    }
    let asks_for_a_name =
        ["call", "name"].iter().any(|it| asked.contains(*it) || earlier.terms.contains(*it));
    let only_renames = low.contains("renamed") && !asks_for_a_name;
    let (before, after) = (only_in(earlier, later), only_in(later, earlier));
    let values = matched(&before, &after);
    if !lost.is_much() {
        let moves = low.contains("moved") || low.contains("renamed");
        return match values {
            _ if shared.len() >= SOME && near >= ALIKE => true,
            Match::Same => !only_renames || shared.len() >= SOME,
            Match::Unknown => !only_renames && (lost.terms.is_empty() || moves),
            Match::Other => false,
        };
    }
    let says_where = || lost.words() == 1 && both_placed(&before, &after);
    match values {
        _ if counts_more(&before, &after) => false,
        Match::Same if shared.len() >= SOME || tells_of_an_end(&low) => true,
        Match::Same if shared.len() + 1 >= SOME => {
            !only_renames && (count_the_same(&before, &after) || says_where())
        }
        _ => shared.len() >= MUCH,
    }
}

/// Whether it says what became of what was there before: `the old bucket was deleted`.
fn tells_of_an_end(low: &str) -> bool {
    let before = ["previous", "former", "old", "legacy"];
    #[rustfmt::skip]
    let ended = [
        "closed", "removed", "deleted", "retired", "decommissioned", "drained", "emptied", "vacated",
        "cancelled", "dismantled",
    ];
    let words = words(low);
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    has(&before) && (has(&ended) || low.contains("switched off") || low.contains("shut down"))
}

/// Values that the other one does not give.
fn only_in<'v>(one: &'v Said, other: &Said) -> Vec<&'v Value> {
    let is_new = |value: &&Value| other.values.iter().all(|known| known.word != value.word);
    one.values.iter().filter(is_new).collect()
}

fn names_a_value_of(later: &Said, earlier: &Said) -> bool {
    let firm = earlier.values.iter().filter(|value| value.sort != Sort::Hyphened);
    firm.into_iter().any(|value| later.values.iter().any(|other| other.word == value.word))
}

fn matched(before: &[&Value], after: &[&Value]) -> Match {
    let kin = |old: &&Value| after.iter().any(|new| new.sort.is_kin(&old.sort));
    match before.iter().any(kin) {
        true => Match::Same,
        false if before.iter().all(|value| value.sort == Sort::Hyphened) => Match::Unknown,
        false => Match::Other,
    }
}

/// Both say where, when or by what.
fn both_placed(before: &[&Value], after: &[&Value]) -> bool {
    paired(before, after, |old, new| {
        let is_alike = old.is_one_of_many == new.is_one_of_many;
        old.is_placed && new.is_placed && is_alike && old.sort.is_kin(&new.sort)
    })
}

/// Both count days, or requests.
fn count_the_same(before: &[&Value], after: &[&Value]) -> bool {
    paired(before, after, |old, new| {
        old.sort == new.sort && matches!(&old.sort, Sort::Number(what) if !what.is_empty())
    })
}

/// Whether the earlier one counts something of which the later one gives no number: it tells two things,
/// and one of them is not told anew.
fn counts_more(before: &[&Value], after: &[&Value]) -> bool {
    let numbers = |values: &[&Value]| -> Vec<String> {
        let counted = |value: &&Value| match &value.sort {
            Sort::Number(what) => Some(what.clone()),
            _ => None,
        };
        values.iter().filter_map(counted).collect()
    };
    let told = numbers(after);
    let is_told = |what: &String| told.iter().any(|it| it == what || it.is_empty());
    !told.is_empty() && numbers(before).iter().any(|what| !what.is_empty() && !is_told(what))
}

fn paired(before: &[&Value], after: &[&Value], fits: impl Fn(&Value, &Value) -> bool) -> bool {
    before.iter().any(|old| after.iter().any(|new| fits(old, new)))
}

/// Whether the later one is about another of its kind: `paid accounts` are no `free accounts`.
fn is_of_another(
    later: &Said,
    earlier: &Said,
    lost: &HashSet<&String>,
    shared: &HashSet<&String>,
) -> bool {
    let pairs = |text: &str| -> Vec<(String, String)> {
        let all: Vec<&str> = tokens(text).collect();
        all.array_windows().map(|[one, two]| ((*one).to_owned(), (*two).to_owned())).collect()
    };
    let has = |word: &str, terms: &HashSet<&String>| {
        query_terms(word).iter().any(|it| terms.contains(it))
    };
    let (said_before, told_later) = (pairs(&earlier.text), pairs(&later.text));
    let told_apart = said_before
        .iter()
        .enumerate()
        .filter(|(_, (before, noun))| has(before, lost) && has(noun, shared));
    told_apart.into_iter().any(|(at, (before, noun))| {
        let nouns = query_terms(noun);
        // Where it comes up first it is told which of them is meant.
        let place = told_later.iter().position(|(_, same)| query_terms(same) == nouns);
        place.is_some_and(|place| {
            let other = &told_later[place].0;
            let low = other.to_lowercase();
            (sort_alone(other) == sort_alone(before) || at == 0 || place == 0)
                && low.chars().count() > 3
                && !OF_TIME.contains(&low.as_str())
                && !has(other, shared)
                && query_terms(other) != query_terms(before)
        })
    })
}
