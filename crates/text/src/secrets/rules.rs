//! The anchors that all rules hang on, found in one pass, and rules of a user's own.

use super::context::WORDS;
use super::pairs::{BARE_FLAGS, FLAGS, LOGINS};
use super::table::ROWS;
use super::token::floor;
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::Regex;
use std::fmt;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

/// What was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Row(usize),
    Word(usize),
    Slashes,
    Dashes,
    /// A flag that user and password follow.
    Flag,
    /// A flag that a password follows.
    BareFlag,
    /// A word that user and password follow.
    Login,
}

/// All anchors, and the patterns of rows as far as they were needed.
#[derive(Debug)]
pub(super) struct Shapes {
    anchors: AhoCorasick,
    meaning: Vec<Anchor>,
    /// One for each row; most are never met.
    patterns: Vec<OnceLock<Regex>>,
}

/// What follows a prefix is judged within so many bytes; a longer one is taken to its end.
const WINDOW: usize = 600;

static SHAPES: LazyLock<Shapes> = LazyLock::new(|| {
    let mut words: Vec<&str> = Vec::new();
    let mut meaning = Vec::new();
    for (row, of) in ROWS.iter().enumerate() {
        for prefix in of.prefixes {
            words.push(prefix);
            meaning.push(Anchor::Row(row));
        }
    }
    for (word, (text, ..)) in WORDS.iter().enumerate() {
        words.push(text);
        meaning.push(Anchor::Word(word));
    }
    let flags = [(FLAGS, Anchor::Flag), (BARE_FLAGS, Anchor::BareFlag), (LOGINS, Anchor::Login)];
    for (texts, anchor) in flags {
        words.extend(texts);
        meaning.extend(texts.iter().map(|_| anchor));
    }
    words.push("://");
    meaning.push(Anchor::Slashes);
    words.push("-----BEGIN ");
    meaning.push(Anchor::Dashes);
    let anchors = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(words)
        .expect("a few hundred short words fit");
    Shapes { anchors, meaning, patterns: ROWS.iter().map(|_| OnceLock::new()).collect() }
});

impl Shapes {
    pub(super) fn get() -> &'static Shapes {
        &SHAPES
    }

    /// Every anchor in a text, with where it begins and ends.
    pub(super) fn anchors<'t>(
        &'t self,
        text: &'t str,
    ) -> impl Iterator<Item = (Anchor, usize, usize)> + 't {
        self.anchors
            .find_overlapping_iter(text)
            .map(|found| (self.meaning[found.pattern().as_usize()], found.start(), found.end()))
    }

    /// The whole secret that begins at `start`, when the row fits there.
    pub(super) fn fits(&self, row: usize, text: &str, start: usize) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let of = &ROWS[row];
        let prefix = of.prefixes.iter().find(|prefix| text[start..].starts_with(**prefix))?;
        let joins = |byte: &u8| byte.is_ascii_alphanumeric();
        let opens = prefix.starts_with(|c: char| c.is_ascii_alphanumeric());
        if opens && start > 0 && joins(&bytes[start - 1]) && !is_escape(bytes, start) {
            return None;
        }
        let pattern = self.patterns[row].get_or_init(|| compiled(of.rest));
        let from = start + prefix.len();
        let window = &text[from..floor(text, from + WINDOW)];
        let mut end = from + pattern.find(window)?.end();
        if end - from < WINDOW - 4 {
            // `AKIA` and sixteen more: a seventeenth makes it something else.
            return (!bytes.get(end).is_some_and(joins)).then_some(start..end);
        }
        while bytes
            .get(end)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte))
        {
            end += 1;
        }
        Some(start..end)
    }
}

/// `\n` and the like before a key in quoted text: the letter belongs to the escape.
fn is_escape(bytes: &[u8], start: usize) -> bool {
    start > 1 && bytes[start - 2] == b'\\' && b"nrt".contains(&bytes[start - 1])
}

fn compiled(rest: &str) -> Regex {
    Regex::new(&format!(r"\A(?:{rest})")).expect("a row of ours compiles, a test says so")
}

/// Whether a name is one that secrets go by.
pub(super) fn names_a_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.len() <= 200 && WORDS.iter().any(|(word, ..)| lower.contains(word.trim()))
}

/// A rule of a user's own.
#[derive(Debug, Clone)]
pub struct UserRule {
    pub name: String,
    pattern: Regex,
}

/// Why a rule is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRule(pub String);

impl fmt::Display for BadRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl UserRule {
    pub fn new(name: &str, pattern: &str) -> Result<UserRule, BadRule> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || name.len() > 40 || !name.chars().all(fits) {
            return Err(BadRule(format!(
                "`{name}` is not a name of lower-case letters and dashes"
            )));
        }
        let compiled = regex::RegexBuilder::new(pattern).size_limit(1 << 20).build();
        let pattern = compiled
            .map_err(|cause| BadRule(format!("the pattern of `{name}` is wrong: {cause}")))?;
        if pattern.is_match("") {
            return Err(BadRule(format!(
                "the pattern of `{name}` also fits the empty text, which is everywhere"
            )));
        }
        Ok(UserRule { name: name.to_owned(), pattern })
    }

    /// Lines of `name=regex`; empty lines and those that begin with `#` say nothing.
    pub fn parse_all(text: &str) -> Result<Vec<UserRule>, BadRule> {
        let lines = text.lines().map(str::trim);
        let said = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        said.map(|line| match line.split_once('=') {
            Some((name, pattern)) => UserRule::new(name.trim(), pattern.trim()),
            None => Err(BadRule(format!("`{line}` is not name=regex"))),
        })
        .collect()
    }

    pub(super) fn find<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        self.pattern.find_iter(text).map(|found| found.range())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_compiles_and_fits_something_long() {
        for row in ROWS {
            let pattern = compiled(row.rest);
            assert!(!pattern.is_match(""), "{} needs more than its prefix", row.name);
        }
    }

    #[test]
    fn rules_of_a_user_are_read_line_by_line() {
        let rules = UserRule::parse_all("# ours\nbadge = B-[0-9]{4}\n\n").unwrap();
        assert_eq!(rules.len(), 1);
        assert_eq!(rules[0].find("see B-1234").collect::<Vec<_>>(), vec![4..10]);
        for wrong in ["badge", "Badge=x", "badge=(", "badge=x*"] {
            assert!(UserRule::parse_all(wrong).is_err(), "{wrong}");
        }
    }
}
