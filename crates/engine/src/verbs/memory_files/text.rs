//! The texts of the file memory tool, to the letter as its clients expect them, and its edits.

use super::path::{FilePath, refused};
use crate::{Error, ErrorKind, Result};
use std::collections::BTreeMap;

/// Line numbers are as wide as the highest one allowed.
const MOST_LINES: usize = 999_999;
const NUMBER_WIDTH: usize = 6;

/// Directories are listed this deep.
const DEPTH: usize = 2;

/// Lines around a change that are shown, before it and after it.
const AROUND: usize = 2;

/// A directory with the files below it, given by what follows after its path.
pub(super) fn listing(given: &str, dir: &FilePath, files: &[(&str, usize)]) -> String {
    // A key sorts as a tree does: what lies in a directory comes right after it.
    let mut entries: BTreeMap<Vec<&str>, (usize, bool)> = BTreeMap::new();
    for (rest, size) in files {
        let parts: Vec<&str> = rest.split('/').collect();
        for depth in 1..=parts.len().min(DEPTH) {
            let shown = &parts[..depth];
            if shown.iter().any(|part| part.starts_with('.')) {
                break;
            }
            let entry = entries.entry(shown.to_vec()).or_insert((0, depth < parts.len()));
            entry.0 += size;
        }
    }
    let whole: usize = files.iter().map(|(_, size)| size).sum();
    let mut text = format!(
        "Here're the files and directories up to {DEPTH} levels deep in {given}, excluding hidden \
         items:\n{}\t{}",
        size(whole),
        dir.as_str()
    );
    for (parts, (bytes, is_dir)) in entries {
        let slash = if is_dir { "/" } else { "" };
        let line = format!("\n{}\t{}/{}{slash}", size(bytes), dir.as_str(), parts.join("/"));
        text.push_str(&line);
    }
    text
}

/// Bytes as the tool writes them: 0B, 1.5K, 4K.
fn size(bytes: usize) -> String {
    let mut value = bytes as f64;
    let mut unit = 'B';
    for larger in ['K', 'M', 'G'] {
        if value < 1_024.0 {
            break;
        }
        value /= 1_024.0;
        unit = larger;
    }
    if value.fract() == 0.0 { format!("{value}{unit}") } else { format!("{value:.1}{unit}") }
}

/// A file with line numbers, whole or a range of it.
pub(super) fn numbered(given: &str, text: &str, range: Option<(i64, i64)>) -> Result<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    if lines.len() > MOST_LINES {
        return Err(refused(format!("File {given} exceeds maximum line limit of 999,999 lines.")));
    }
    let (first, last) = range.unwrap_or((1, -1));
    let first = usize::try_from(first.max(1)).unwrap_or(usize::MAX) - 1;
    let last = match last {
        -1 => lines.len(),
        last => usize::try_from(last).unwrap_or(0).min(lines.len()),
    };
    let shown = with_numbers(&lines, first, last);
    Ok(format!("Here's the content of {given} with line numbers:\n{shown}"))
}

fn with_numbers(lines: &[&str], first: usize, last: usize) -> String {
    let shown = lines.iter().enumerate().take(last).skip(first);
    let shown = shown.map(|(index, line)| format!("{:>NUMBER_WIDTH$}\t{line}", index + 1));
    shown.collect::<Vec<String>>().join("\n")
}

/// The text with `old` replaced, which must stand there exactly once, and what to say of it.
pub(super) fn replaced(given: &str, text: &str, old: &str, new: &str) -> Result<(String, String)> {
    let places: Vec<usize> = match old.is_empty() {
        true => Vec::new(),
        false => overlapping(text, old),
    };
    let line_of = |place: usize| text[..place].matches('\n').count();
    match places.as_slice() {
        [] => Err(Error::new(
            ErrorKind::NotFound,
            format!(
                "No replacement was performed, old_str `{old}` did not appear verbatim in {given}."
            ),
        )),
        [place, ..] if text.matches(old).count() == 1 => {
            let changed = text.replacen(old, new, 1);
            let lines: Vec<&str> = changed.split('\n').collect();
            let line = line_of(*place);
            let snippet = with_numbers(&lines, line.saturating_sub(AROUND), line + AROUND + 1);
            let said = format!(
                "The memory file has been edited. Here is the snippet showing the change (with \
                 line numbers):\n{snippet}"
            );
            Ok((changed, said))
        }
        several => {
            let lines: Vec<String> =
                several.iter().map(|place| (line_of(*place) + 1).to_string()).collect();
            Err(Error::new(
                ErrorKind::Conflict,
                format!(
                    "No replacement was performed. Multiple occurrences of old_str `{old}` in \
                     lines: {}. Please ensure it is unique",
                    lines.join(", ")
                ),
            ))
        }
    }
}

/// Where `old` begins, also where it overlaps with itself.
fn overlapping(text: &str, old: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(place) = text.get(from..).and_then(|rest| rest.find(old)) {
        places.push(from + place);
        let step = text[from + place..].chars().next().map_or(1, char::len_utf8);
        from += place + step;
    }
    places
}

/// The text with lines put in after line `at`.
pub(super) fn inserted(text: &str, at: i64, new: &str) -> Result<String> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    lines.pop_if(|last| last.is_empty());
    let place = usize::try_from(at).ok().filter(|at| *at <= lines.len()).ok_or_else(|| {
        refused(format!(
            "Invalid `insert_line` parameter: {at}. It should be within the range [0, {}].",
            lines.len()
        ))
    })?;
    lines.insert(place, new.trim_end_matches('\n'));
    let mut text = lines.join("\n");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        for (bytes, said) in [
            (0, "0B"),
            (500, "500B"),
            (1_024, "1K"),
            (1_536, "1.5K"),
            (4_096, "4K"),
            (1 << 20, "1M"),
        ] {
            assert_eq!(size(bytes), said);
        }
    }

    #[test]
    fn a_listing_goes_two_levels_deep_and_skips_what_is_hidden() {
        let root = FilePath::parse("/memories").unwrap();
        let files = [("a.md", 10), ("b/c.md", 1_536), ("b/d/e.md", 1), ("b/.x", 5), (".h/y", 7)];
        assert_eq!(
            listing("/memories", &root, &files),
            "Here're the files and directories up to 2 levels deep in /memories, excluding hidden \
             items:\n1.5K\t/memories\n10B\t/memories/a.md\n1.5K\t/memories/b/\n\
             1.5K\t/memories/b/c.md\n1B\t/memories/b/d/"
        );
        assert!(listing("/memories", &root, &[]).ends_with("items:\n0B\t/memories"));
    }

    #[test]
    fn lines_are_numbered_from_one() {
        let said = numbered("/memories/a", "x\ny\n", None).unwrap();
        assert_eq!(
            said,
            "Here's the content of /memories/a with line numbers:\n     1\tx\n     2\ty\n     3\t"
        );
        let part = |range| numbered("/memories/a", "x\ny\nz", Some(range)).unwrap();
        assert!(part((2, -1)).ends_with(":\n     2\ty\n     3\tz"));
        assert!(part((0, 1)).ends_with(":\n     1\tx"));
        for odd in [(3, 2), (9, 12), (i64::MAX, i64::MIN), (1, 0)] {
            assert!(part(odd).ends_with(":\n"), "{odd:?}");
        }
        assert!(numbered("/memories/a", &"\n".repeat(999_999), None).is_err());
    }

    #[test]
    fn only_what_stands_once_is_replaced() {
        let (text, said) = replaced("/memories/a", "1\n2\n3\n4\n5\n6", "4", "four").unwrap();
        assert_eq!(text, "1\n2\n3\nfour\n5\n6");
        assert!(said.ends_with(
            "(with line numbers):\n     2\t2\n     3\t3\n     4\tfour\n     5\t5\n     6\t6"
        ));
        let none = replaced("/memories/a", "x", "y", "z").unwrap_err();
        assert_eq!(
            none.message(),
            "No replacement was performed, old_str `y` did not appear verbatim in /memories/a."
        );
        let several = replaced("/memories/a", "x\na\nx", "x", "z").unwrap_err();
        assert_eq!(
            several.message(),
            "No replacement was performed. Multiple occurrences of old_str `x` in lines: 1, 3. \
             Please ensure it is unique"
        );
        assert!(replaced("/memories/a", "ä", "", "z").is_err());
    }

    #[test]
    fn lines_go_in_where_they_are_wanted() {
        assert_eq!(inserted("a\nb\n", 1, "x\n").unwrap(), "a\nx\nb\n");
        assert_eq!(inserted("a\nb", 2, "x").unwrap(), "a\nb\nx\n");
        assert_eq!(inserted("", 0, "x").unwrap(), "x\n");
        for odd in [-1, 3, i64::MAX] {
            let said = inserted("a\nb\n", odd, "x").unwrap_err();
            assert_eq!(
                said.message(),
                format!(
                    "Invalid `insert_line` parameter: {odd}. It should be within the range [0, 2]."
                )
            );
        }
    }
}
