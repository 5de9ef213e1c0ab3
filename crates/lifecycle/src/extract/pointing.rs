//! Sentences that lean on the conversation around them, which nobody will have later.

use super::frames::without_opener;
use super::prose::{Words, without_reason};
use super::statements::StatementKind;
use super::vocabulary::{COUNTED, POINTERS};

/// Leans on what was said before and names nothing itself: nobody can use it later.
pub(super) fn points_elsewhere(words: &Words<'_>, kind: StatementKind) -> bool {
    let low = said_of_others(&words.low, kind);
    let last = low.trim_end_matches(['.', '!']).rsplit(' ').next().unwrap_or_default();
    let ends_pointing = matches!(last, "it" | "this" | "that" | "them" | "though" | "too");
    let points = Words { text: words.text, low: without_relatives(&low) }.has_any(POINTERS);
    let (names, count) = (words.names_something(), words.count());
    let bare = count < 6 && !words.has_any(&["never", "always", "must"]);
    (points && (count < 6 || (!names && count < 14))) || (!names && (ends_pointing || bare))
}

/// The part of a sentence in which pointing would leave a reader behind: without its reason, what
/// follows a preference, and the place where both stand.
fn said_of_others(low: &str, kind: StatementKind) -> String {
    let mut low = without_reason(low);
    // `I favour composition over inheritance, keep it so`.
    if kind == StatementKind::Preference
        && let Some((first, _)) = low.split_once(", ")
        && first.split(' ').count() >= 5
    {
        low = first;
    }
    let ours = without_opener(low);
    let mut told = low.to_owned();
    // Who speaks of `we`, or of all time to come, means the project by `here`.
    let of_us = ["we ", "our ", "from now on", "going forward", "always ", "never "];
    if of_us.iter().any(|start| ours.starts_with(start)) {
        told = told.trim_end_matches(['.', '!']).trim_end_matches(" here").replace(" here,", ",");
    }
    let places =
        ["repository", "repo", "project", "codebase", "code base", "crate", "team", "company"];
    places.iter().fold(told, |low, place| low.replace(&format!("this {place}"), "the project"))
}

/// `comments that repeat the code`: there, `that` points at nothing.
fn without_relatives(low: &str) -> String {
    let words: Vec<&str> = low.split(' ').collect();
    let is_relative = |at: usize| words[at] == "that" && at > 0 && words[at - 1].ends_with('s');
    let kept = (0..words.len()).filter(|at| !is_relative(*at)).map(|at| words[at]);
    kept.collect::<Vec<_>>().join(" ")
}

/// Speaks of numbered items of a list that nobody will have: `for issue 17`, `#4`, `line 576`.
pub(super) fn counts_items(low: &str) -> bool {
    let list: Vec<&str> = low.split(' ').collect();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let counted = list.windows(2).any(|pair| COUNTED.contains(&pair[0]) && is_number(pair[1]));
    let marked = |word: &&str| {
        let inner = word.trim_end_matches([')', ',', '.', ':']);
        inner.strip_prefix(['#', '(']).is_some_and(|n| is_number(n) && n.len() <= 3)
    };
    counted || list.iter().any(marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leans_on_the_conversation() {
        let points = |text| points_elsewhere(&Words::of(text), StatementKind::Preference);
        assert!(points("I prefer that over the other one"));
        assert!(!points("I prefer small steps over large, keep it like that"));
        assert!(!points("we prefer tests that run in a second here"));
        assert!(!points("I prefer plain words in this team"));
        assert!(!points("by the way, we always use pnpm here, never npm"));
        assert!(points("by the way, we always put them there, never apart"));
        assert!(counts_items("use 12 instead of 10 for issue 17"));
        assert!(!counts_items("use 12 instead of 10"));
    }
}
