//! Where values and tokens begin and end, and what stands before them.

use super::judge::is_random;
use std::ops::Range;

/// A run of characters that keys are made of.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) range: Range<usize>,
    /// Part of a path, an address or a host name.
    pub(super) is_address: bool,
}

/// The nearest place at or before `at` where a character begins.
pub(super) fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The value that begins at `start`, without its quotes; whether it had any.
pub(super) fn value(text: &str, start: usize, longest: usize) -> Option<(Range<usize>, bool)> {
    let bytes = text.as_bytes();
    let mut at = start;
    for scheme in ["Bearer ", "bearer ", "Basic ", "basic ", "Token ", "token "] {
        if text[at..].starts_with(scheme) {
            at += scheme.len();
        }
    }
    if bytes.get(at).is_some_and(|byte| b"bru".contains(byte))
        && bytes.get(at + 1).is_some_and(|byte| b"\"'".contains(byte))
    {
        at += 1;
    }
    while bytes.get(at) == Some(&b'\\') {
        at += 1;
    }
    let quote = bytes.get(at).copied().filter(|byte| b"\"'`".contains(byte));
    if let Some(quote) = quote {
        let begin = at + 1;
        let end = floor(text, (begin + longest).min(text.len()));
        let close = text.as_bytes()[begin..end.max(begin)]
            .iter()
            .position(|byte| *byte == quote || *byte == b'\n' || *byte == b'\\')?;
        return Some((begin..begin + close, true)).filter(|(range, _)| !range.is_empty());
    }
    let end = floor(text, (at + longest).min(text.len()));
    let stop = |c: char| c.is_whitespace() || c.is_control() || "\"'`<>,;\\{}|".contains(c);
    let length = text[at..end].find(stop).unwrap_or(end - at);
    let mut range = at..at + length;
    if let Some(cut) = next_parameter(&text[range.clone()]) {
        range.end = range.start + cut;
    }
    let trimmed = text[range.clone()].trim_end_matches(['.', ':', ')', ']', '!', '?', '*', '_']);
    // One mark at the end may belong to a password; a full stop does not.
    range.end = range.start + trimmed.len();
    Some((range, false)).filter(|(range, _)| !range.is_empty())
}

/// `a&b=c`: the value ends before the next parameter of an address.
fn next_parameter(value: &str) -> Option<usize> {
    value.match_indices('&').map(|(at, _)| at).find(|at| {
        let rest = &value[at + 1..];
        let name = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c)));
        name.is_some_and(|end| end > 0 && rest[end..].starts_with('='))
    })
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/_=-.~".contains(&byte)
}

/// The same range, grown to whole tokens.
pub(super) fn widened(text: &str, range: Range<usize>) -> Range<usize> {
    const MOST: usize = 512;
    let bytes = text.as_bytes();
    let (mut start, mut end) = (range.start, range.end);
    while start > 0 && range.start - start < MOST && is_part(bytes[start - 1]) {
        start -= 1;
    }
    while end < bytes.len() && end - range.end < MOST && is_part(bytes[end]) {
        end += 1;
    }
    start..end
}

/// All runs of ten or more characters that keys are made of.
pub(super) fn tokens(text: &str, region: Range<usize>) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = region.start;
    while at < region.end {
        if !is_part(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < region.end && is_part(bytes[at]) {
            at += 1;
        }
        let whole = &text[start..at];
        let before = start.checked_sub(1).map(|before| bytes[before]);
        let after = bytes.get(at).copied();
        let is_address = before == Some(b'@')
            || after == Some(b'@')
            || (before == Some(b':') && whole.starts_with("//"))
            || (whole.starts_with('/') && whole.matches('/').count() > 1)
            || (whole.contains('/')
                && whole.split('/').filter(|part| part.contains('.')).count() > 0);
        let kept = whole.trim_matches(['.', '/', '-']);
        if kept.len() >= 10 {
            let start = start + (whole.len() - whole.trim_start_matches(['.', '/', '-']).len());
            // `name=value` in prose: the value alone is judged.
            let begin =
                kept[..kept.len() - 1].trim_end_matches('=').rfind('=').map_or(0, |at| at + 1);
            if kept.len() - begin >= 10 {
                found.push(Token { range: start + begin..start + kept.len(), is_address });
            }
        }
    }
    found
}

/// Whether the words before a token say that it is the hash or the name of something.
pub(super) fn is_hash(text: &str, token: &Token) -> bool {
    const WORDS: &[&str] = &[
        "sha",
        "sha1",
        "sha256",
        "sha384",
        "sha512",
        "md5",
        "commit",
        "digest",
        "hash",
        "checksum",
        "revision",
        "etag",
        "integrity",
        "uuid",
        "image",
        "blob",
        "tree",
        "object",
        "fingerprint",
        "id",
        "session",
        "ref",
        "rev",
    ];
    let start = floor(text, token.range.start.saturating_sub(40));
    let before = text[start..token.range.start].to_ascii_lowercase();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let words = line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.rev().take(3).any(|word| WORDS.contains(&word))
}

/// Keys written in groups, with spaces, dots or dashes between them: `9Lm2 Xq7V t4Bn …`.
pub(super) fn groups(text: &str, region: Range<usize>) -> Vec<Range<usize>> {
    const FEWEST: usize = 5;
    let mut found = Vec::new();
    let mut run: Vec<Range<usize>> = Vec::new();
    let mut close = |run: &mut Vec<Range<usize>>| {
        // Words at either end are not part of it.
        while run.last().is_some_and(|range| !is_group(&text[range.clone()], 0)) {
            run.pop();
        }
        let strange = run.iter().filter(|range| is_odd(&text[(*range).clone()])).count();
        if let (Some(first), Some(last)) = (run.first(), run.last())
            && run.len() >= FEWEST
            && strange * 3 >= run.len() * 2
        {
            found.push(first.start..last.end);
        }
        run.clear();
    };
    for piece in pieces(text, region) {
        let gap = run.last().map(|last: &Range<usize>| &text[last.end..piece.start]);
        let joined = gap.is_none_or(|gap| matches!(gap, " " | " . " | "." | "-" | " - " | "_ "));
        if !joined || !is_group(&text[piece.clone()], run.len()) {
            close(&mut run);
        }
        if is_group(&text[piece.clone()], run.len()) {
            run.push(piece);
        }
    }
    close(&mut run);
    found
}

fn pieces(text: &str, region: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = region.start;
    std::iter::from_fn(move || {
        while at < region.end && !bytes[at].is_ascii_alphanumeric() {
            at += 1;
        }
        let start = at;
        while at < region.end && bytes[at].is_ascii_alphanumeric() {
            at += 1;
        }
        (at > start).then_some(start..at)
    })
}

/// A group of a key: short, and strange unless it is one of the first two, which may be its prefix.
fn is_group(piece: &str, place: usize) -> bool {
    let fits = (3..=8).contains(&piece.len());
    fits && (is_odd(piece) || place < 2 || piece.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// Letters and digits mixed, or capitals inside.
fn is_odd(piece: &str) -> bool {
    let digits = piece.bytes().filter(u8::is_ascii_digit).count();
    let inner = piece.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
        && piece.bytes().any(|byte| byte.is_ascii_lowercase());
    (digits > 0 && digits < piece.len()) || inner || is_random(piece, 10)
}
