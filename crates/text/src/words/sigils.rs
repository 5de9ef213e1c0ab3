//! Words that mean something else without the punctuation at their end: `c++`, `--force`, `.env`.

use crate::characters::is_word;

/// Bytes of the sigil that ends `head`, the text right before a word; 0 without one.
///
/// A longer run of the same character is a rule or an ellipsis (`---next`, `...and`), not a sigil.
pub(super) fn leading(head: &str) -> usize {
    let Some(sigil) = head.chars().next_back() else { return 0 };
    let count = head.chars().rev().take_while(|c| *c == sigil).count();
    match sigil {
        '-' | '_' if count <= 2 => count,
        '.' | '#' | '$' | '@' if count == 1 => 1,
        _ => 0,
    }
}

/// Bytes of the sigil that begins `tail`, the text right after a word; 0 without one.
pub(super) fn trailing(tail: &str) -> usize {
    let Some(sigil) = tail.chars().next() else { return 0 };
    let count = tail.chars().take_while(|c| *c == sigil).count();
    match sigil {
        '+' if count == 2 => 2,
        '#' if count == 1 => 1,
        '_' if count <= 2 => count,
        _ => 0,
    }
}

/// Every word of the chunk together with its sigil, so that `c++` is found in `C++17`, `.env` in
/// `config/.env` and `--key` in `--key=value`.
pub(crate) fn sigilled(chunk: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (start, end) in runs(chunk) {
        found.extend(with_leading(chunk, start));
        found.extend(with_trailing(chunk, start, end));
    }
    found
}

/// Byte ranges of the maximal runs of word characters.
pub(crate) fn runs(chunk: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + chunk[from..].find(is_word)?;
        let length = chunk[start..].find(|c| !is_word(c));
        from = length.map_or(chunk.len(), |length| start + length);
        Some((start, from))
    })
}

fn with_leading(chunk: &str, start: usize) -> Option<&str> {
    let from = start - leading(&chunk[..start]);
    let sigil = chunk[from..start].chars().next()?;
    let length = chunk[start..].find(|c| !is_name(c)).unwrap_or(chunk.len() - start);
    let glued = chunk[..from].chars().next_back().is_some_and(is_name);
    let counts = match sigil {
        _ if !glued => true,
        // `repo#123` names the issue `#123`.
        '#' => true,
        // `main.rs` ends in `.rs`; a version or a middle segment is no extension.
        '.' => {
            chunk[start..].starts_with(char::is_alphabetic)
                && !chunk[start + length..].starts_with('.')
        }
        _ => false,
    };
    counts.then(|| chunk[from..start + length].trim_end_matches('-'))
}

fn with_trailing(chunk: &str, start: usize, end: usize) -> Option<&str> {
    let tail = &chunk[end..];
    let length = trailing(tail);
    let kept = match tail.chars().next()? {
        '+' => length > 0,
        '#' => length > 0 && !tail[length..].starts_with(is_word),
        _ => false,
    };
    kept.then(|| &chunk[start..end + length])
}

/// What a flag, a variable or a handle goes on with.
fn is_name(c: char) -> bool {
    is_word(c) || c == '-' || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigils_are_found_wherever_they_stand() {
        for (chunk, expected) in [
            ("c++", &["c++"][..]),
            ("c++17", &["c++"]),
            ("c#/.net", &["c#", ".net"]),
            ("--force-with-lease=x", &["--force-with-lease"]),
            ("-rf", &["-rf"]),
            ("config/.env", &[".env"]),
            ("src/main.rs:42", &[".rs"]),
            ("v1.2", &[]),
            ("org/repo#123", &["#123"]),
            ("$home/.config", &["$home", ".config"]),
            ("@types/node", &["@types"]),
            ("obj.__init__", &["__init__"]),
            ("well-known", &[]),
            ("snake_case", &[]),
            ("a+b", &[]),
        ] {
            assert_eq!(sigilled(chunk), expected, "{chunk}");
        }
    }
}
