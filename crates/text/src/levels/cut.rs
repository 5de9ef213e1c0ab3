//! Shortening a line: at a clause if there is one, else at a word, else between graphemes.

use unicode_segmentation::UnicodeSegmentation;

use super::vocabulary::is_stop_word;
use crate::tokens::estimate;

/// A grapheme may carry marks without end; one larger than this is left out altogether.
const LARGEST_GRAPHEME: usize = 64;

/// No clause that ends after so many bytes is short enough for a dozen tokens; not looking there
/// keeps a line of commas from costing its square.
const FARTHEST_CLAUSE: usize = 512;

/// At most `most` characters, the ellipsis of a cut included.
pub(super) fn to_characters(line: &str, most: usize) -> String {
    if line.chars().nth(most).is_none() {
        return line.to_owned();
    }
    let mut room = most.saturating_sub(1);
    let end = graphemes_while(line, |grapheme| {
        let length = grapheme.chars().count();
        let fits = length <= room;
        room = room.saturating_sub(length);
        fits
    });
    // Back to the last whole word, unless that gives half of the room away.
    let word_end = match line[end..].starts_with(' ') {
        true => end,
        false => line[..end].rfind(' ').filter(|at| *at > end / 2).unwrap_or(end),
    };
    elided(&line[..word_end])
}

/// At most `least..=most` tokens up to the end of a clause if there is such an end, else as many
/// words as stay under `most`. The line comes back as it is if it is short enough.
pub(super) fn to_clause(line: &str, least: u32, most: u32) -> String {
    if estimate(line) <= most {
        return line.to_owned();
    }
    let clauses = clause_ends(line).take_while(|end| *end <= FARTHEST_CLAUSE);
    let clauses = clauses.map(|end| without_tail(&line[..end]));
    let short = clauses.take_while(|clause| estimate(clause) <= most);
    match short.filter(|clause| estimate(clause) >= least).last() {
        Some(clause) => clause.to_owned(),
        None => to_words(line, most),
    }
}

fn to_words(line: &str, most: u32) -> String {
    let mut spent = 0;
    let mut end = 0;
    for (at, word) in line.split_word_bound_indices() {
        spent += estimate(word);
        if spent > most {
            break;
        }
        // A cut between two characters that are not apart by a space would show half a word.
        let next = at + word.len();
        if line[next..].starts_with(char::is_whitespace) {
            end = next;
        }
    }
    if end == 0 {
        end = graphemes_within(line, most);
    }
    elided(without_loose_end(&line[..end]))
}

/// A line that was cut should not end in `the` or `in`, unless it has nothing else.
fn without_loose_end(kept: &str) -> &str {
    let mut end = kept;
    while let Some((head, last)) = end.rsplit_once(' ') {
        if !is_stop_word(last) {
            return end;
        }
        end = head;
    }
    kept
}

/// For a first word that is too long by itself, or a script without spaces.
fn graphemes_within(line: &str, most: u32) -> usize {
    let mut length = 0;
    graphemes_while(line, |grapheme| {
        length += grapheme.len();
        estimate(&line[..length]) <= most
    })
}

fn graphemes_while(line: &str, mut keep: impl FnMut(&str) -> bool) -> usize {
    let fits = |grapheme: &&str| grapheme.len() <= LARGEST_GRAPHEME && keep(grapheme);
    line.graphemes(true).take_while(fits).map(str::len).sum()
}

fn clause_ends(line: &str) -> impl Iterator<Item = usize> {
    line.char_indices().filter_map(|(at, c)| {
        let after = &line[at + c.len_utf8()..];
        let ends = match c {
            ',' | ';' => after.starts_with(' '),
            '，' | '、' | '；' | '—' => true,
            ' ' => OPENERS.iter().any(|opener| after.starts_with(opener)),
            _ => false,
        };
        ends.then_some(at)
    })
}

/// What opens a clause that the one before can do without.
const OPENERS: &[&str] =
    &["(", "- ", "– ", "because ", "which ", "since ", "so that ", "in order to "];

fn elided(kept: &str) -> String {
    format!("{}…", without_tail(kept))
}

/// What is cut off must not leave its comma behind.
fn without_tail(kept: &str) -> &str {
    kept.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_cut_at_words_and_never_inside_a_grapheme() {
        assert_eq!(to_characters("short", 5), "short");
        assert_eq!(to_characters("one two three", 9), "one two…");
        assert_eq!(to_characters("abcdefghij", 5), "abcd…");
        assert_eq!(to_characters("👩‍💻👩‍💻👩‍💻", 5), "👩‍💻…");
        assert_eq!(to_characters(&format!("e{}", "\u{301}".repeat(900)), 9), "…");
    }

    #[test]
    fn tokens_are_cut_at_a_clause_first() {
        let line =
            "We keep every write in one queue, because locks were slow and hard to reason about";
        assert_eq!(to_clause(line, 4, 12), "We keep every write in one queue");
        let line = "one two three four five six seven eight nine ten eleven twelve thirteen";
        assert_eq!(to_clause(line, 4, 10), "one two three four five six seven eight nine ten…");
        assert_eq!(to_clause("日本語の文章はとても長いので切る", 4, 6), "日本語の文章…");
        assert_eq!(to_clause(&"x".repeat(100_000), 4, 2), format!("{}…", "x".repeat(12)));
    }
}
