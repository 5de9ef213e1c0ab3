//! Texts cut to a size without tearing a character apart.

use unicode_segmentation::GraphemeCursor;

/// The beginning of a text, at most so many bytes of it.
pub fn clipped(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let floor = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let mut cursor = GraphemeCursor::new(floor, text.len(), true);
    let at = match cursor.is_boundary(text, 0) {
        Ok(true) => floor,
        _ => cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0),
    };
    &text[..at]
}

/// The same with a word about what is missing.
pub(crate) fn clipped_with_marker(text: &str, most: usize) -> String {
    let kept = clipped(text, most);
    match text.len() - kept.len() {
        0 => text.to_owned(),
        missing => format!("{kept}{}", super::squeeze::cut_marker(missing).trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_is_torn() {
        for (text, most, kept) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "abc"),
            ("aé", 2, "a"),
            ("ae\u{301}x", 2, "a"),
            ("👩‍💻x", 5, ""),
            ("", 0, ""),
        ] {
            assert_eq!(clipped(text, most), kept, "{text:?}");
        }
        assert!(clipped_with_marker("abcd", 3).starts_with("abc […1 bytes"));
    }
}
