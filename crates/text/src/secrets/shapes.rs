//! Secrets with a shape of their own: private keys, and passwords inside addresses.

use super::judge::{is_random, is_stand_in};
use super::token::floor;
use std::ops::Range;

/// Longer private keys than anybody has.
const LONGEST_KEY: usize = 32 * 1024;

/// The private key whose first dashes stand at `at`, to its end or as far as it goes.
pub(super) fn private_key(text: &str, at: usize) -> Option<Range<usize>> {
    let end = floor(text, at + LONGEST_KEY);
    let block = &text[at..end];
    let head = block.get(..100).unwrap_or(block);
    let head = head.strip_prefix("-----BEGIN ")?;
    let label = head.split("-----").next()?;
    if !label.ends_with("PRIVATE KEY") && !label.ends_with("PRIVATE KEY BLOCK") {
        return None;
    }
    let body = "-----BEGIN ".len() + label.len() + "-----".len();
    if body > block.len() {
        return Some(at..end);
    }
    if let Some(tail) = block[body..].find("-----END ") {
        let last = body + tail + "-----END ".len();
        let close = block[last..].find("-----").map_or(block.len(), |found| last + found + 5);
        return Some(at..at + close);
    }
    // Cut off: as far as it looks like one.
    let is_key = |c: char| c.is_ascii_alphanumeric() || "+/=\\ \t\r\n:,-".contains(c);
    let length = block[body..].find(|c| !is_key(c)).unwrap_or(block.len() - body);
    Some(at..at + body + length)
}

/// The password in `scheme://user:password@host`, or a token that stands there alone.
pub(super) fn in_address(text: &str, slashes: usize) -> Option<Range<usize>> {
    const LONGEST: usize = 400;
    let start = slashes + "://".len();
    let end = floor(text, start + LONGEST);
    let stop = |c: char| c.is_whitespace() || c.is_control() || "\"'`<>\\".contains(c);
    let whole = &text[start..end];
    let whole = &whole[..whole.find(stop).unwrap_or(whole.len())];
    // An unescaped slash may stand in a password, but then a host must follow the last `@`.
    let host = whole.find(['/', '?', '#']).unwrap_or(whole.len());
    let at = whole[..host].rfind('@').or_else(|| {
        let at = whole.rfind('@')?;
        let colon = whole.find(':')?;
        (colon < at
            && whole[colon + 1..].find(['/', '?', '#']).is_some()
            && !whole[..colon].contains('/'))
        .then_some(at)
    })?;
    let user = &whole[..at];
    let range = match user.find(':') {
        Some(colon) => start + colon + 1..start + at,
        None if is_random(user, 16) => start..start + at,
        None => return None,
    };
    let value = &text[range.clone()];
    (!value.is_empty() && !is_stand_in_address(value)).then_some(range)
}

fn is_stand_in_address(value: &str) -> bool {
    value.starts_with("[redacted")
        || (is_stand_in(value) && !value.eq_ignore_ascii_case("password"))
}
