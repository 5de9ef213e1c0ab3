//! People, products and places: capitalised words that do not merely begin a sentence.

use std::collections::HashSet;

use super::{Found, MentionKind, chunks};
use crate::dates::{MONTHS, WEEKDAYS};
use crate::stems::is_stop_word;

/// Most words of one name.
const LONGEST: usize = 4;

#[rustfmt::skip]
const OPENERS: &[&str] = &[
    "add", "after", "again", "always", "and", "ask", "before", "both", "but", "call", "change",
    "check", "create", "during", "every", "first", "fix", "hello", "hey", "hi", "instead", "later",
    "let", "lets", "look", "make", "maybe", "meet", "move", "never", "next", "no", "not", "note", "now", "ok",
    "okay", "once", "only", "please", "remember", "remove", "run", "see", "since", "tell", "thank",
    "thanks", "update", "use", "yes", "yesterday", "today", "tomorrow",
];

struct Word<'a> {
    text: &'a str,
    start: usize,
    opens_sentence: bool,
    /// Punctuation follows, so that a name ends here.
    closes: bool,
}

pub(super) fn read(found: &mut Found<'_>) {
    let words = capitalised(found);
    let known: HashSet<&str> =
        words.iter().flatten().filter(|word| !word.opens_sentence).map(|word| word.text).collect();
    let mut run: Vec<Word<'_>> = Vec::new();
    for word in words {
        let Some(word) = word else {
            close(&mut run, &known, found);
            continue;
        };
        let ends = word.closes;
        if word.opens_sentence || run.len() == LONGEST {
            close(&mut run, &known, found);
        }
        run.push(word);
        if ends {
            close(&mut run, &known, found);
        }
    }
    close(&mut run, &known, found);
}

/// The capitalised words in order, `None` for anything between them.
fn capitalised<'a>(found: &Found<'a>) -> Vec<Option<Word<'a>>> {
    let mut words = Vec::new();
    let mut opens_sentence = true;
    let mut line_end = 0;
    for (start, chunk) in chunks(found.text) {
        opens_sentence |= found.text[line_end..start].contains('\n');
        let inner = chunk.trim_start_matches(|c: char| !c.is_alphanumeric());
        let at = start + chunk.len() - inner.len();
        let text = inner.trim_end_matches(|c: char| !c.is_alphanumeric());
        let text = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
        let span = at..at + text.len();
        if text.is_empty() {
            // A dash or a bullet leaves the sentence where it is.
            words.push(None);
        } else {
            let closes = inner.len() > text.len();
            let is_name = is_name(text) && found.is_free(&span) && !found.is_in_block(&span);
            words.push(is_name.then_some(Word { text, start: at, opens_sentence, closes }));
            opens_sentence = chunk.ends_with(['.', '!', '?', ':', '…', ')', '"']);
        }
        line_end = start + chunk.len();
    }
    words
}

/// A capital and then small letters, `O'Brien` and `Jean-Luc` included; no month, no function word.
fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    let capital = letters.next().is_some_and(char::is_uppercase);
    let rest = text.chars().skip(1).filter(|c| !matches!(c, '\'' | '’' | '-'));
    let small = rest.clone().any(char::is_lowercase) && rest.clone().all(char::is_alphanumeric);
    if !capital || !small {
        return false;
    }
    let lower = text.to_lowercase().replace(['\'', '’'], "");
    let is_date = MONTHS.contains(&lower.as_str()) || WEEKDAYS.contains(&lower.as_str());
    !is_stop_word(&lower) && !is_date
}

fn close(run: &mut Vec<Word<'_>>, known: &HashSet<&str>, found: &mut Found<'_>) {
    let mut words = std::mem::take(run);
    if let Some(first) = words.first()
        && first.opens_sentence
        && !known.contains(first.text)
        && (words.len() == 1 || OPENERS.contains(&first.text.to_lowercase().as_str()))
    {
        words.remove(0);
    }
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
    let span = first.start..last.start + last.text.len();
    let name: Vec<&str> = words.iter().map(|word| word.text).collect();
    found.push(MentionKind::Name, name.join(" "), span);
}
