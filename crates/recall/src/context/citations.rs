//! Reads an agent's own words for what it says it applied.

use super::assembled::Shown;
use super::cite::DIGITS;
use mnemic_model::injected;

/// One memory that an agent named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    /// `M`, `G` or `R`.
    pub letter: char,
    /// Its digits in lower case.
    pub citation: String,
    /// It stood in an `Applied:` line; otherwise it was only mentioned.
    pub applied: bool,
}

/// All citations in a text, each once, in order. What mnemic itself put there does not count.
pub fn cited(text: &str) -> Vec<Cited> {
    let mut found: Vec<Cited> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut in_list = false;
    for line in text.lines() {
        match (injected::key_of_line(line), fence) {
            (Some((false, key)), None) => fence = Some(key),
            (Some((true, key)), Some(open)) if key == open => fence = None,
            (_, Some(_)) => {}
            _ => {
                let applied = applies(line);
                in_list = applied.is_some() || (in_list && is_item(line));
                for one in in_line(applied.unwrap_or(line), in_list) {
                    add(&mut found, one);
                }
            }
        }
    }
    found
}

/// What was cited of what was shown. Applied wins over mentioned.
pub fn resolved<'a>(cited: &[Cited], shown: &'a [Shown]) -> Vec<(&'a Shown, bool)> {
    let of = |memory: &'a Shown| {
        let named = cited.iter().filter(|one| one.citation == memory.citation);
        named.map(|one| one.applied).max().map(|applied| (memory, applied))
    };
    shown.iter().filter_map(of).collect()
}

fn add(found: &mut Vec<Cited>, one: Cited) {
    match found.iter_mut().find(|known| known.citation == one.citation) {
        Some(known) => known.applied |= one.applied,
        None => found.push(one),
    }
}

/// The rest of a line that begins with `Applied:`, whatever markdown stands around the word.
fn applies(line: &str) -> Option<&str> {
    let is_mark =
        |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '>' | '#' | '-' | '+');
    let line = line.trim_start_matches(is_mark);
    let word = line.get(..7).filter(|word| word.eq_ignore_ascii_case("applied"))?;
    let rest = line[word.len()..].trim_start_matches(is_mark);
    rest.strip_prefix(':').or_else(|| rest.strip_prefix('：'))
}

/// An item of a list, which goes on with what the line above began.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < line.len() && number.starts_with(['.', ')']);
    line.starts_with(['-', '*', '+', '•']) || is_numbered || line.starts_with('[')
}

/// Citations of one line: in brackets anywhere, bare ones where the line says that it cites.
fn in_line(line: &str, applied: bool) -> Vec<Cited> {
    let mut found = Vec::new();
    let mut in_brackets = false;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match c {
            '[' => in_brackets = true,
            ']' => in_brackets = false,
            _ if (in_brackets || applied) && !before.is_alphanumeric() => {
                if let Some((letter, citation)) = citation(&line[at..]) {
                    found.push(Cited { letter, citation, applied });
                }
            }
            _ => {}
        }
        before = c;
    }
    found
}

/// The citation that a text begins with: `m: 1A2B3C4D`.
fn citation(text: &str) -> Option<(char, String)> {
    let letter = text.chars().next()?.to_ascii_uppercase();
    if !matches!(letter, 'M' | 'G' | 'R') {
        return None;
    }
    let rest = text[1..].trim_start().strip_prefix(':')?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
    let ends_well = !rest[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let is_citation = (DIGITS..=32).contains(&end) && ends_well;
    is_citation.then(|| (letter, rest[..end].to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(text: &str) -> Vec<(String, bool)> {
        let told = |one: Cited| (format!("{}:{}", one.letter, one.citation), one.applied);
        cited(text).into_iter().map(told).collect()
    }

    #[test]
    fn applied_lines_are_read_in_all_their_forms() {
        let both = [("M:1a2b3c4d".to_owned(), true), ("G:00112233".to_owned(), true)];
        for text in [
            "Applied: [M:1a2b3c4d], [G:00112233]",
            "done.\n\n**Applied:** `[M:1a2b3c4d]` and `[G:00112233]`.",
            "- applied : [m:1A2B3C4D] [g:00112233]",
            "> Applied: M:1a2b3c4d, G:00112233",
            "### Applied:\n\n".trim_end().to_owned().as_str(),
            "Applied: [M:1a2b3c4d, G:00112233]",
            "Applied:\n- [M:1a2b3c4d] never sleep\n- [G:00112233]",
            "Applied:\n1. M:1a2b3c4d\n2) \\[G:00112233\\]",
        ] {
            let found = told(text);
            if text.contains("1a2b") || text.contains("1A2B") {
                assert_eq!(found, both, "{text}");
            } else {
                assert!(found.is_empty(), "{text}");
            }
        }
    }

    #[test]
    fn mentions_count_as_mentions() {
        assert_eq!(told("As [M:1a2b3c4d] says"), [("M:1a2b3c4d".to_owned(), false)]);
        let twice = "As [M:1a2b3c4d] says\nApplied: [M:1a2b3c4d]";
        assert_eq!(told(twice), [("M:1a2b3c4d".to_owned(), true)]);
        let after = "Applied: [M:1a2b3c4d]\nNext R:00112233 and [R:44556677]";
        assert_eq!(told(after)[1..], [("R:44556677".to_owned(), false)]);
    }

    #[test]
    fn what_is_no_citation_is_left() {
        for text in [
            "",
            "M:1a2b3c4d",
            "[X:1a2b3c4d] [M:1a2b] [M:1a2b3c4dz] [M 1a2b3c4d] [RAM:1a2b3c4d]",
            "<recalled-by-mnemic 00aa11bb>\n[M:1a2b3c4d] x\n</recalled-by-mnemic 99aa11bb>\n\
             Applied: [M:1a2b3c4d]\n</recalled-by-mnemic 00aa11bb>\nfine",
        ] {
            assert_eq!(told(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in "(\\PC|[\\[\\]:MGRapplied \n0-9a-f-]){0,200}") {
            for one in cited(&text) {
                prop_assert!(one.citation.len() >= DIGITS);
            }
        }
    }
}
