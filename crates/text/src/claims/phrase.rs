//! Where a name begins and ends in a sentence.

use std::ops::Range;

use super::grammar::{CHANGES, COPULAS, FILLERS, is_function_word, is_small_word};
use super::reading::Word;

/// Longer ones are descriptions.
const LONGEST: usize = 4;

/// Words before a name that do not belong to it.
const LEADING: &[&str] = &[
    "the",
    "a",
    "an",
    "our",
    "my",
    "your",
    "their",
    "its",
    "his",
    "her",
    "set",
    "to",
    "be",
    "now",
    "called",
    "named",
    "just",
    "at",
    "in",
    "on",
    "under",
    "by",
    "always",
    "still",
    "port",
    "version",
    "branch",
    "user",
    "about",
    "exactly",
    "only",
    "using",
    "with",
    "as",
    "configured",
    "currently",
    "team",
    "engineer",
    "city",
    "actually",
    "also",
    "likely",
];

/// The name that begins here, without what leads to it.
pub(crate) fn after(words: &[Word], from: usize, taken: &[bool]) -> Option<Range<usize>> {
    let free = |at: usize| at < words.len() && !taken[at] && !words[at].is_mark();
    let mut start = from;
    while start < words.len() && (taken[start] || words[start].is_any(LEADING)) {
        start += 1;
    }
    let mut end = start;
    while free(end) && end - start < LONGEST && !ends_name(&words[end]) {
        end += 1;
    }
    (start < end).then_some(start..end)
}

/// The name that ends here: the subject of what follows.
pub(crate) fn before(words: &[Word], until: usize, taken: &[bool]) -> Option<Range<usize>> {
    let mut end = until;
    let leads = |word: &Word| {
        is_function_word(&word.text)
            || word.is_any(COPULAS)
            || word.is_any(&["now", "longer", "no", "currently", "still", "officially"])
    };
    while end > 0 && (taken[end - 1] || leads(&words[end - 1])) && !words[end - 1].is_mark() {
        end -= 1;
    }
    let mut start = end;
    let goes_on = |word: &Word, taken: bool| !taken && !word.is_mark() && !ends_name(word);
    while start > 0 && end - start < LONGEST && goes_on(&words[start - 1], taken[start - 1]) {
        start -= 1;
    }
    (start < end).then_some(start..end)
}

fn ends_name(word: &Word) -> bool {
    is_function_word(&word.text)
        || is_small_word(&word.text)
        || word.is_any(COPULAS)
        || word.is_any(FILLERS) && !word.capital
        || word.is_any(&["not", "instead", "rather", "no", "though", "although", "however"])
        || word.is_any(CHANGES) && word.text.ends_with("ed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::reading::read;

    #[test]
    fn names_end_where_grammar_goes_on() {
        let words = read("the owner is now Ann Smith from the core team");
        let taken = vec![false; words.len()];
        assert_eq!(after(&words, 3, &taken), Some(4..6));
        let words = read("These days Ann Smith is the owner");
        let mut taken = vec![false; words.len()];
        taken[0] = true;
        taken[1] = true;
        assert_eq!(before(&words, 5, &taken), Some(2..4));
    }
}
