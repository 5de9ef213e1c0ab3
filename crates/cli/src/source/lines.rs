//! Lines of bytes with a limit: a longer one is counted and skipped, never held.

use super::unreadable;
use mnemic_engine::Result;
use std::io::{BufRead, Read};

/// One line without its end.
#[derive(Debug)]
pub(super) enum Line {
    Text { number: u64, bytes: Vec<u8> },
    TooLong { number: u64, bytes: u64 },
}

#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    most: usize,
    /// Lines begun so far.
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R, most: usize) -> Lines<R> {
        Lines { input, most, number: 0 }
    }

    /// The next line that is not blank.
    pub(super) fn next_with_text(&mut self) -> Result<Option<Line>> {
        loop {
            match self.next()? {
                Some(Line::Text { bytes, .. }) if bytes.trim_ascii().is_empty() => {}
                line => return Ok(line),
            }
        }
    }

    fn next(&mut self) -> Result<Option<Line>> {
        let mut bytes = Vec::new();
        let mut length = 0u64;
        let mut has_begun = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(cause) if cause.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(cause) => return Err(unreadable(cause)),
            };
            if chunk.is_empty() && !has_begun {
                return Ok(None);
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let piece = &chunk[..end.unwrap_or(chunk.len())];
            length += piece.len() as u64;
            if length <= self.most as u64 {
                bytes.extend_from_slice(piece);
            } else {
                bytes = Vec::new();
            }
            let is_last = end.is_some() || chunk.is_empty();
            let used = piece.len() + usize::from(end.is_some());
            self.input.consume(used);
            has_begun = true;
            if is_last {
                break;
            }
        }
        self.number += 1;
        let number = self.number;
        if length > self.most as u64 {
            return Ok(Some(Line::TooLong { number, bytes: length }));
        }
        // Editors of some systems mark the beginning of a file; that is no part of the text.
        if number == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        Ok(Some(Line::Text { number, bytes }))
    }

    /// Whether the rest, blanks aside, begins with this byte. Only blanks are consumed.
    pub(super) fn next_begins_with(&mut self, wanted: u8) -> Result<bool> {
        loop {
            let chunk = self.input.fill_buf().map_err(unreadable)?;
            if chunk.is_empty() {
                return Ok(false);
            }
            let blanks = chunk.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            self.number += chunk[..blanks].iter().filter(|byte| **byte == b'\n').count() as u64;
            let found = chunk.get(blanks).map(|byte| *byte == wanted);
            self.input.consume(blanks);
            if let Some(found) = found {
                return Ok(found);
            }
        }
    }

    /// What has not been read yet.
    pub(super) fn into_rest(self) -> impl Read {
        self.input
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_over_the_limit_is_counted_and_skipped() {
        let input = std::io::BufReader::with_capacity(4, &b"abc\n0123456789ABCDEF\n\nxyz"[..]);
        let mut lines = Lines::new(input, 10);
        assert!(matches!(lines.next_with_text().unwrap(), Some(Line::Text { number: 1, .. })));
        let long = lines.next_with_text().unwrap();
        assert!(matches!(long, Some(Line::TooLong { number: 2, bytes: 16 })), "{long:?}");
        match lines.next_with_text().unwrap() {
            Some(Line::Text { number: 4, bytes }) => assert_eq!(bytes, b"xyz"),
            other => panic!("{other:?}"),
        }
        assert!(lines.next_with_text().unwrap().is_none());
    }
}
