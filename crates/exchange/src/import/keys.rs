//! The names of fields near the beginning of a JSON text, without reading it whole.

use std::collections::BTreeSet;

/// The deepest objects whose names are noted: those in a list under a name.
const DEEPEST: usize = 4;

/// Names of fields in the outer levels of what may be cut off anywhere.
pub(super) fn keys(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let (mut depth, mut last) = (0_usize, None);
    let mut rest = text.char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            '"' => last = string(text, at, &mut rest),
            ':' if depth <= DEEPEST => found.extend(last.take().map(str::to_owned)),
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            c if c.is_whitespace() => continue,
            _ => last = None,
        }
    }
    found
}

/// The string that begins here, with its escapes as they stand.
fn string<'t>(text: &'t str, from: usize, rest: &mut std::str::CharIndices<'_>) -> Option<&'t str> {
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' => {
                rest.next();
            }
            '"' => return Some(&text[from + 1..at]),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_values_and_depth() {
        let text = r#"[{"title": "a: {\"no\": 1}", "mapping": {"n1": {"deep": {"deeper": 1"#;
        let found: Vec<String> = keys(text).into_iter().collect();
        assert_eq!(found, ["deep", "mapping", "n1", "title"]);
        assert!(keys("\"").is_empty() && keys("[1, 2").is_empty());
    }
}
