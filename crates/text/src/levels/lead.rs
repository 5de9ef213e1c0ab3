//! What a text is about by its own first words: without comments, the targets of links, and what
//! only points at a ticket or a form.

use crate::characters::is_word;
use crate::sentences::{sentences, without_marker};

/// The first sentence that says something: people begin with what it is about. Against the subjects
/// that authors gave their commits no other choice of sentence does better.
pub(super) fn lead(read: &str) -> String {
    let plain = without_links(&without_comments(read));
    let bare = || sentences(&plain).into_iter().filter(|sentence| sentence.contains(is_word));
    let says = |sentence: &&str| !is_form(sentence) && !is_opening(sentence);
    let told = bare().filter(says).find_map(|sentence| {
        let rest = without_reference(without_marker(sentence));
        rest.split_whitespace().nth(1).is_some().then(|| rest.to_owned())
    });
    // Where nothing says something: the first that has a word, else whatever there is.
    let first = || bare().next().or_else(|| sentences(read).into_iter().next());
    told.or_else(|| first().map(|it| without_marker(it).to_owned())).unwrap_or_default()
}

/// Without `<!-- … -->`; one that is never closed stays.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        let Some((_, after)) = comment.split_once("-->") else { break };
        kept.push_str(before);
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// `[name](address)` as its name: who reads a title cannot follow a link.
fn without_links(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        // An address has no space in it and ends on its line.
        let end = after.find([')', ' ', '\n']).filter(|end| after[*end..].starts_with(')'));
        let open = before.rfind('[').filter(|open| !before[*open..].contains('\n'));
        match (open, end) {
            (Some(open), Some(end)) => {
                let from = if before[..open].ends_with('!') { open - 1 } else { open };
                kept.push_str(&before[..from]);
                kept.push_str(&before[open + 1..]);
                rest = &after[end + 1..];
            }
            _ => {
                kept.push_str(&rest[..at + 2]);
                rest = after;
            }
        }
    }
    kept.push_str(rest);
    kept
}

/// A box to tick, a line that says who signed, or a bare address.
fn is_form(sentence: &str) -> bool {
    let bare = without_marker(sentence);
    let is_box = ["[ ]", "[x]", "[X]"].iter().any(|start| bare.starts_with(start));
    let low = bare.to_ascii_lowercase();
    let is_trailer = ["-by:", "-with:"]
        .iter()
        .any(|end| low.split_whitespace().next().is_some_and(|word| word.ends_with(end)));
    let is_address = low.starts_with("http://") || low.starts_with("https://");
    is_box || is_trailer || (is_address && !low.contains(' '))
}

/// `Implement the following plan:`, which leaves it to the next line to say what.
fn is_opening(sentence: &str) -> bool {
    let points = ["following", "below", "this"];
    let mut words = sentence.split(|c: char| !c.is_alphanumeric());
    sentence.trim_end().ends_with(':')
        && words.any(|word| points.iter().any(|one| word.eq_ignore_ascii_case(one)))
}

/// Words that lead to a ticket, and what stands between them and it.
const REFERS: &[&str] = &[
    "close",
    "closes",
    "closed",
    "fix",
    "fixes",
    "fixed",
    "resolve",
    "resolves",
    "resolved",
    "see",
    "issue",
    "pr",
    "refs",
    "ref",
    "relates",
    "related",
    "part",
    "followup",
    "follow-up",
];
const BETWEEN: &[&str] = &["to", "of", "issue", "pr", "and", "-", "–", "—", ":"];

/// `Fixes #12: the rest` without what leads to the ticket; nothing is taken where there is none.
fn without_reference(sentence: &str) -> &str {
    let mut rest = sentence;
    let mut saw_ticket = false;
    while let Some(word) = rest.split_whitespace().next() {
        let low = word.trim_matches([':', ',', '.', '(', ')']).to_ascii_lowercase();
        let ticket = low.strip_prefix('#').is_some_and(is_number) || is_ticket_address(&low);
        let leads = REFERS.contains(&low.as_str()) || BETWEEN.contains(&low.as_str());
        if !ticket && !leads && !low.is_empty() {
            break;
        }
        saw_ticket |= ticket;
        let after = rest.find(word).map_or(rest.len(), |at| at + word.len());
        rest = rest[after..].trim_start();
    }
    if saw_ticket { rest } else { sentence }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_ticket_address(low: &str) -> bool {
    let last = low.rsplit('/').next().unwrap_or_default();
    low.starts_with("http")
        && (low.contains("/issues/") || low.contains("/pull/"))
        && is_number(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_that_says_something_leads() {
        for (text, expected) in [
            (
                "Bumps [tokio](https://x.org/tokio) from 1.6.0 to 1.6.1.",
                "Bumps tokio from 1.6.0 to 1.6.1.",
            ),
            ("<!-- Thank you! -->\nRuns on one machine.", "Runs on one machine."),
            ("## Summary\n\nRetries the upload.", "Retries the upload."),
            ("Fixes #972. Saves are converted.", "Saves are converted."),
            ("Relates to #2520 - Handle failures of the check.", "Handle failures of the check."),
            ("- [x] I have read the rules\n\nAdds a flag.", "Adds a flag."),
            ("Fix the login", "Fix the login"),
            ("Implement the following plan:\n\n# Add a flag\n\nIt is new.", "Add a flag"),
            ("Do this:", "Do this:"),
            ("See the manual", "See the manual"),
            ("#12", "#12"),
            ("a[0](1 + 2) is called", "a[0](1 + 2) is called"),
            ("![shot](a.png) of it", "shot of it"),
            ("open <!-- never closed", "open <!-- never closed"),
            ("!?", "!?"),
            ("<!-- only this -->", "<!-- only this -->"),
            ("", ""),
        ] {
            assert_eq!(lead(text), expected, "{text}");
        }
    }
}
