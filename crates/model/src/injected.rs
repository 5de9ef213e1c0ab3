//! The lines around what mnemic puts into a context, so that it is never taken for anything else.

/// How such a line begins.
pub const OPEN: &str = "<recalled-by-mnemic ";

/// The line that opens a block of recalled memories.
pub fn open(key: &str) -> String {
    format!("{OPEN}{key}>")
}

/// The line that closes it.
pub fn close(key: &str) -> String {
    format!("</recalled-by-mnemic {key}>")
}

/// Whether a line opens (`false`) or closes (`true`) such a block, and under which key.
pub fn key_of_line(line: &str) -> Option<(bool, &str)> {
    let inner = line.trim().strip_prefix('<')?.strip_suffix('>')?;
    let (is_close, inner) = match inner.strip_prefix('/') {
        Some(inner) => (true, inner),
        None => (false, inner),
    };
    let key = inner.strip_prefix("recalled-by-mnemic ")?;
    let is_key = key.len() == 8 && key.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    is_key.then_some((is_close, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lines_read_back_and_nothing_else_does() {
        assert_eq!(key_of_line(&open("1a2b3c4d")), Some((false, "1a2b3c4d")));
        assert_eq!(key_of_line(&format!("  {}\r", close("1a2b3c4d"))), Some((true, "1a2b3c4d")));
        for other in ["", "<recalled-by-mnemic>", "<recalled-by-mnemic 1a2b3c4>", "1a2b3c4d"] {
            assert_eq!(key_of_line(other), None, "{other}");
        }
        assert_eq!(key_of_line("say <recalled-by-mnemic 1a2b3c4d>"), None);
    }
}
