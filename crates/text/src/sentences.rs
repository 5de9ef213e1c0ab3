//! Where the sentences of developer prose end: not at `e.g.`, `v1.2`, `foo.rs` or inside a URL.

use unicode_normalization::char::is_combining_mark;

/// The sentences in order, as trimmed slices of the text; none of them empty.
///
/// A line break only ends a sentence before a blank line, a list item, a quote, a table row or a
/// fence, and around a heading: other line breaks are wrapped prose.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut stands_alone = false;
    for line in text.split_inclusive('\n') {
        if stands_alone || opens_block(line) || is_rule(line) {
            push_sentences(&text[start..at], &mut found);
            start = at;
        }
        stands_alone = is_heading(line) || is_fence(line) || is_rule(line);
        at += line.len();
    }
    push_sentences(&text[start..], &mut found);
    found
}

/// The sentence without the mark of a list item, heading or quote before it.
pub(crate) fn without_marker(sentence: &str) -> &str {
    let rest = sentence.trim_start_matches(['#', '>', '-', '*', '+', '•']);
    let rest = if rest.len() == sentence.len() { after_number(sentence) } else { Some(rest) };
    match rest {
        Some(rest) if rest.starts_with(char::is_whitespace) => rest.trim_start(),
        _ => sentence,
    }
}

fn opens_block(line: &str) -> bool {
    let line = line.trim();
    without_marker(line).len() < line.len() || line.starts_with('|') || is_fence(line)
}

fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#') && line.trim_start_matches('#').starts_with(' ')
}

/// A blank line, or one drawn with punctuation.
fn is_rule(line: &str) -> bool {
    line.trim().chars().all(|c| c.is_ascii_punctuation())
}

fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// What follows the number of a list item (`1.`, `2)`).
fn after_number(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == line.len() {
        return None;
    }
    rest.strip_prefix(['.', ')'])
}

fn push_sentences<'a>(block: &'a str, found: &mut Vec<&'a str>) {
    let block = block.trim();
    let mut start = 0;
    let mut at = block.len() - without_marker(block).len();
    while let Some(offset) = block[at..].find(is_terminator) {
        let mark = at + offset;
        // The whole run is stepped over at once, so a line of a million dots stays linear.
        let length = block[mark..].find(|c| !is_terminator(c) && !is_closer(c));
        at = length.map_or(block.len(), |length| mark + length);
        if ends_sentence(&block[start..mark], &block[mark..at], &block[at..]) {
            push(&block[start..at], found);
            start = at;
        }
    }
    push(&block[start..], found);
}

fn push<'a>(sentence: &'a str, found: &mut Vec<&'a str>) {
    let sentence = sentence.trim();
    if !sentence.is_empty() {
        found.push(sentence);
    }
}

/// Whether a sentence ends between `marks` (a run of terminators and closers) and `after`.
fn ends_sentence(before: &str, marks: &str, after: &str) -> bool {
    // A mark belongs to the character before it, even to a full stop or a space.
    if after.trim_start().starts_with(is_combining_mark) {
        return false;
    }
    if marks.contains(is_unspaced_terminator) {
        return true;
    }
    if !after.starts_with(char::is_whitespace) {
        return after.is_empty();
    }
    let goes_on = after.trim_start().starts_with(|c: char| c.is_lowercase() || c.is_numeric());
    match marks {
        "." => !is_abbreviation(before, goes_on),
        // An ellipsis, or a parenthesis or quotation inside a sentence: (dots, commas etc.) are
        _ if marks.starts_with('.') => !goes_on,
        _ => true,
    }
}

fn is_abbreviation(before: &str, goes_on: bool) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or(before);
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    // J. Smith
    let mut characters = word.chars();
    if characters.next().is_some_and(char::is_uppercase) && characters.next().is_none() {
        return true;
    }
    let is_in = |list: &[&str]| list.iter().any(|listed| word.eq_ignore_ascii_case(listed));
    is_in(ABBREVIATIONS) || (goes_on && is_in(MAY_END))
}

/// Always followed by more.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "eg", "i.e", "ie", "vs", "cf", "approx", "mr", "mrs", "ms", "dr", "prof", "resp", "z.B",
];

/// May also be the last word, so they only count if the text goes on in lower case or a number.
const MAY_END: &[&str] = &[
    "etc", "al", "inc", "ltd", "fig", "no", "nr", "sec", "ver", "vol", "pp", "a.m", "p.m", "incl",
];

fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?') || is_unspaced_terminator(c)
}

/// Full stops after which no space is written, or after which none is needed to be sure.
fn is_unspaced_terminator(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '।' | '॥' | '۔' | '؟' | '։')
}

fn is_closer(c: char) -> bool {
    matches!(
        c,
        ')' | ']' | '}' | '"' | '\'' | '`' | '*' | '_' | '”' | '’' | '»' | '」' | '』' | '）'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_stops() {
        for (text, expected) in [
            ("One. Two! Three?", &["One.", "Two!", "Three?"][..]),
            ("Use it, e.g. here. fixed too.", &["Use it, e.g. here.", "fixed too."]),
            ("Bump v1.2 in foo.rs. Done.", &["Bump v1.2 in foo.rs.", "Done."]),
            ("See https://a.dev/x.html?y=1! Now.", &["See https://a.dev/x.html?y=1!", "Now."]),
            ("Logs etc. are kept. Tests etc. Then", &["Logs etc. are kept.", "Tests etc.", "Then"]),
            ("wrapped\nline. Next", &["wrapped\nline.", "Next"]),
            ("# Title\nBody\n- one\n- two\n\nEnd", &["# Title", "Body", "- one", "- two", "End"]),
            ("1. First. Go\n2. Second", &["1. First.", "Go", "2. Second"]),
            ("今日は。「行く。」はい！", &["今日は。", "「行く。」", "はい！"]),
            ("He said (stop.) Then \"go.\" Ok", &["He said (stop.)", "Then \"go.\"", "Ok"]),
            ("By J. Smith. Well... maybe", &["By J. Smith.", "Well... maybe"]),
            ("Stop (dots etc.) and go", &["Stop (dots etc.) and go"]),
            ("Head\n---\nBody", &["Head", "---", "Body"]),
            (" \n\n ", &[]),
        ] {
            assert_eq!(sentences(text), expected, "{text:?}");
        }
    }

    #[test]
    fn markers_are_not_part_of_the_sentence() {
        for (given, expected) in [
            ("- item", "item"),
            ("## Head", "Head"),
            ("12. x", "x"),
            ("--force it", "--force it"),
            ("-", "-"),
        ] {
            assert_eq!(without_marker(given), expected);
        }
    }
}
