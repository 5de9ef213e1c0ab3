//! JSON text as it streams by: long strings lose their middle, lone surrogates are mended.
//!
//! Working on bytes before they are parsed keeps memory bounded however long one string is. Text
//! that is not JSON passes through unharmed.

use std::collections::VecDeque;

/// What is kept of one string, in bytes as written: its beginning and its end, because a command's
/// output says what it is at the beginning and how it went at the end.
pub(super) const KEPT_HEAD: usize = 48 * 1024;
pub(super) const KEPT_TAIL: usize = 16 * 1024;

/// A character or escape that must not be torn apart.
#[derive(Debug, Clone, Copy, Default)]
struct Piece {
    bytes: [u8; 12],
    length: u8,
}

impl Piece {
    fn push(&mut self, byte: u8) {
        self.bytes[usize::from(self.length)] = byte;
        self.length += 1;
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// The code unit that a `\uXXXX` stands for.
    fn unit(&self) -> Option<u32> {
        let text = std::str::from_utf8(self.as_bytes()).ok()?;
        u32::from_str_radix(text.strip_prefix("\\u")?, 16).ok()
    }

    /// The ASCII character that it stands for, if it is one.
    fn ascii(&self) -> Option<u8> {
        match self.as_bytes() {
            [byte] => Some(*byte),
            _ => self.unit().and_then(|unit| u8::try_from(unit).ok()),
        }
    }
}

/// The squeezed text of one line, and where in a string the reading stands.
#[derive(Debug, Default)]
pub(super) struct Squeeze {
    out: Vec<u8>,
    in_string: bool,
    piece: Piece,
    /// A high surrogate that waits for its other half.
    high: Option<Piece>,
    kept: usize,
    tail: VecDeque<Piece>,
    tail_bytes: usize,
    left_out: usize,
    tag: TagWatch,
}

impl Squeeze {
    pub(super) fn take(&mut self) -> Vec<u8> {
        self.close_string();
        self.in_string = false;
        std::mem::take(&mut self.out)
    }

    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    /// The same as pushing every byte; most of them are plain and go by in runs.
    pub(super) fn push_all(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(&byte) = rest.first() {
            let run = self.plain_run(rest);
            if run == 0 {
                self.push(byte);
                rest = &rest[1..];
            } else {
                self.kept += run;
                self.out.extend_from_slice(&rest[..run]);
                rest = &rest[run..];
            }
        }
    }

    /// How many bytes at the front are inside a string and mean nothing but themselves.
    fn plain_run(&self, bytes: &[u8]) -> usize {
        let between = self.piece.length == 0 && self.high.is_none() && self.tag.matched == 0;
        if !(self.in_string && between && self.tail.is_empty()) {
            return 0;
        }
        let room = KEPT_HEAD.saturating_sub(self.kept).min(bytes.len());
        let is_plain = |byte: &u8| byte.is_ascii() && !matches!(byte, b'"' | b'\\' | b'<');
        bytes[..room].iter().position(|byte| !is_plain(byte)).unwrap_or(room)
    }

    pub(super) fn push(&mut self, byte: u8) {
        if !self.in_string {
            self.in_string = byte == b'"';
            self.out.push(byte);
            return;
        }
        let begun = self.piece.length > 0;
        if !begun && byte == b'"' {
            self.close_string();
            self.in_string = false;
            self.out.push(byte);
            return;
        }
        let goes_on = begun && self.piece_goes_on(byte);
        if begun && !goes_on {
            self.end_piece();
            return self.push(byte);
        }
        self.piece.push(byte);
        if self.piece_is_whole() {
            self.end_piece();
        }
    }

    /// A multi-byte character goes on with continuation bytes, an escape with anything.
    fn piece_goes_on(&self, byte: u8) -> bool {
        match self.piece.as_bytes() {
            [b'\\', b'u', ..] => byte.is_ascii_hexdigit(),
            [b'\\', ..] => true,
            _ => byte & 0xc0 == 0x80 && self.piece.length < 4,
        }
    }

    fn piece_is_whole(&self) -> bool {
        match self.piece.as_bytes() {
            [b'\\'] | [b'\\', b'u'] => false,
            [b'\\', b'u', rest @ ..] => rest.len() == 4,
            [b'\\', _] => true,
            [lead, rest @ ..] => match lead {
                0xc0..=0xdf => rest.len() == 1,
                0xe0..=0xef => rest.len() == 2,
                0xf0..=0xf7 => rest.len() == 3,
                _ => true,
            },
            [] => false,
        }
    }

    fn end_piece(&mut self) {
        let piece = std::mem::take(&mut self.piece);
        let unit = piece.unit();
        if let Some(mut high) = self.high.take() {
            if matches!(unit, Some(0xdc00..=0xdfff)) {
                piece.as_bytes().iter().for_each(|&byte| high.push(byte));
                return self.keep(high);
            }
            self.keep(replacement());
        }
        match unit {
            Some(0xd800..=0xdbff) => self.high = Some(piece),
            Some(0xdc00..=0xdfff) => self.keep(replacement()),
            _ => self.keep(piece),
        }
    }

    fn keep(&mut self, piece: Piece) {
        let length = usize::from(piece.length);
        self.tag.see(piece.ascii());
        if self.kept + length <= KEPT_HEAD && self.tail.is_empty() {
            self.kept += length;
            self.out.extend_from_slice(piece.as_bytes());
            self.tag.hit = false;
            return;
        }
        self.tail.push_back(piece);
        self.tail_bytes += length;
        while self.tail_bytes > KEPT_TAIL {
            let Some(gone) = self.tail.pop_front() else { break };
            self.tail_bytes -= usize::from(gone.length);
            self.left_out += usize::from(gone.length);
        }
    }

    fn close_string(&mut self) {
        if self.piece.length > 0 {
            self.end_piece();
        }
        if self.high.take().is_some() {
            self.keep(replacement());
        }
        if self.left_out > 0 {
            // What a private stretch began in the gap must not come out behind it.
            if self.tag.hit {
                self.left_out += self.tail_bytes;
                self.tail.clear();
            }
            self.out.extend_from_slice(cut_marker(self.left_out).as_bytes());
        }
        for piece in self.tail.drain(..) {
            self.out.extend_from_slice(piece.as_bytes());
        }
        (self.kept, self.tail_bytes, self.left_out) = (0, 0, 0);
        self.tag = TagWatch::default();
    }
}

/// What stands where text was left out.
pub(super) fn cut_marker(bytes: usize) -> String {
    format!(" […{bytes} bytes left out…] ")
}

fn replacement() -> Piece {
    let mut piece = Piece::default();
    "\u{fffd}".bytes().for_each(|byte| piece.push(byte));
    piece
}

/// Notices an opening `<private` behind the part of a string that is kept in any case.
#[derive(Debug, Default)]
struct TagWatch {
    matched: usize,
    hit: bool,
}

impl TagWatch {
    const TAG: &[u8] = b"<private";

    fn see(&mut self, ascii: Option<u8>) {
        let byte = ascii.map_or(0, |byte| byte.to_ascii_lowercase());
        if byte == Self::TAG[self.matched] {
            self.matched += 1;
        } else if !(self.matched == 1 && byte.is_ascii_whitespace()) {
            self.matched = usize::from(byte == b'<');
        }
        if self.matched == Self::TAG.len() {
            self.hit = true;
            self.matched = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squeezed(text: &str) -> String {
        let mut squeeze = Squeeze::default();
        text.bytes().for_each(|byte| squeeze.push(byte));
        String::from_utf8(squeeze.take()).unwrap()
    }

    #[test]
    fn short_lines_pass_as_they_are() {
        for line in
            [r#"{"a":"b\n\"q\" é 日本 😀 \ud83d\ude00 \u003c","n":1}"#, "not json", "\"open", ""]
        {
            assert_eq!(squeezed(line), line);
        }
    }

    #[test]
    fn lone_surrogates_are_mended() {
        for (given, mended) in [
            (r#""a\ud83d""#, "\"a\u{fffd}\""),
            (r#""\ude00b""#, "\"\u{fffd}b\""),
            (r#""\ud83d\ud83d\ude00""#, "\"\u{fffd}\\ud83d\\ude00\""),
            (r#""\ud83dx""#, "\"\u{fffd}x\""),
        ] {
            assert_eq!(squeezed(given), mended, "{given}");
        }
    }

    #[test]
    fn long_strings_keep_both_ends_and_stay_json() {
        for filler in ["x", "é", "日", "\\n", "\\ud83d\\ude00", "\\u003c"] {
            let text = format!("{{\"a\":\"begin{}end\",\"b\":1}}", filler.repeat(100_000));
            let short = squeezed(&text);
            assert!(short.len() < KEPT_HEAD + KEPT_TAIL + 100);
            let value: serde_json::Value = serde_json::from_str(&short).unwrap();
            let kept = value["a"].as_str().unwrap();
            assert!(
                kept.starts_with("begin") && kept.ends_with("end") && kept.contains("left out")
            );
            assert_eq!(value["b"], 1);
        }
    }

    proptest::proptest! {
        #[test]
        fn runs_are_read_as_their_bytes_are(
            parts in proptest::collection::vec(
                proptest::sample::select(vec![
                    "a", "\"", "\\\\", "\\n", "\\ud83d", "\\ude00", "é", "日", "< ", "<private>", "{", "\n",
                ]),
                0..40,
            ),
            filler in 0..3usize,
            cuts in proptest::collection::vec(1..4000usize, 1..4),
        ) {
            let long = "plain text ".repeat(filler * 4_400);
            let text = format!("{{\"{long}{}{long}\"}}", parts.concat());
            let mut by_runs = Squeeze::default();
            let mut rest = text.as_bytes();
            for cut in cuts.iter().cycle() {
                let (now, later) = rest.split_at((*cut).min(rest.len()));
                by_runs.push_all(now);
                rest = later;
                if rest.is_empty() {
                    break;
                }
            }
            proptest::prop_assert_eq!(String::from_utf8(by_runs.take()).unwrap(), squeezed(&text));
        }
    }

    #[test]
    fn a_private_stretch_that_begins_in_the_gap_takes_the_end_with_it() {
        for tag in ["<private>", "< PRIVATE>", "\\u003cprivate>"] {
            for before in [KEPT_HEAD - 3, KEPT_HEAD + 1000, KEPT_HEAD + 50_000] {
                let text = format!("\"{}{tag}{}secret\"", "x".repeat(before), "y".repeat(90_000));
                assert!(!squeezed(&text).contains("secret"), "{tag} after {before}");
            }
        }
    }
}
