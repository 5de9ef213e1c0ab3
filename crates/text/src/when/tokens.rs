//! A sentence as the tokens that the grammar of time phrases reads.

use std::borrow::Cow;
use std::ops::Range;

use jiff::civil::Time;

use super::vocabulary::{
    Unit, begins_phrase, is_time_word, month, names_time, ordinal, short_unit,
};
use super::written::{Written, written};
use crate::code;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind<'a> {
    /// In lower case, without a possessive ending.
    Word(Cow<'a, str>),
    Number(i32),
    /// `3rd`, or in words.
    Ordinal(i8),
    /// A date in digits.
    Written(Written),
    /// `3pm`, `15:30`.
    Clock(Time),
    /// `7d`, `24h`.
    Short(i32, Unit),
    Comma,
    Dash,
    /// What a phrase cannot reach across: the end of a sentence, code, identifiers.
    Stop,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) span: Range<usize>,
    pub(super) is_capital: bool,
}

impl Kind<'_> {
    /// Whether a phrase can be about it. Every phrase has one of these.
    pub(super) fn names_time(&self) -> bool {
        match self {
            Kind::Word(word) => names_time(word),
            kind => kind.is_digits(),
        }
    }

    /// Whether a phrase can begin with it.
    pub(super) fn begins_phrase(&self) -> bool {
        match self {
            Kind::Word(word) => begins_phrase(word),
            kind => kind.is_digits(),
        }
    }

    fn is_digits(&self) -> bool {
        !matches!(self, Kind::Word(_) | Kind::Comma | Kind::Dash | Kind::Stop)
    }
}

pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut masked = code::spans(text)
        .into_iter()
        .filter(|span| span.is_block || text[span.inner.clone()].contains(char::is_whitespace));
    let mut mask = masked.next();
    for (start, chunk) in chunks(text) {
        while mask.as_ref().is_some_and(|mask| mask.outer.end <= start) {
            mask = masked.next();
        }
        if mask.as_ref().is_some_and(|mask| mask.outer.start < start + chunk.len()) {
            push(&mut found, Kind::Stop, start..start + chunk.len());
        } else {
            read(chunk, start, &mut found);
        }
    }
    found
}

fn chunks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive(char::is_whitespace).filter_map(move |piece| {
        let start = at;
        at += piece.len();
        let chunk = piece.trim_end();
        (!chunk.is_empty()).then_some((start, chunk))
    })
}

fn push<'a>(found: &mut Vec<Token<'a>>, kind: Kind<'a>, span: Range<usize>) {
    found.push(Token { kind, span, is_capital: false });
}

fn read<'a>(chunk: &'a str, start: usize, found: &mut Vec<Token<'a>>) {
    let opened = chunk.trim_start_matches(is_opener);
    let core = opened.trim_end_matches(is_closer);
    let start = start + chunk.len() - opened.len();
    if core.is_empty() {
        return push(found, lone(chunk), start..start + opened.len());
    }
    let marks = &opened[core.len()..];
    let abbreviated_year = chunk.len() - opened.len() > 0
        && chunk[..chunk.len() - opened.len()].ends_with(['\'', '’'])
        && core.len() == 2;
    read_core(core, start, abbreviated_year, found);
    let end = start + core.len();
    if let Some(kind) = closing(core, marks) {
        push(found, kind, end..end + marks.len());
    }
}

/// A chunk of nothing but punctuation.
fn lone(chunk: &str) -> Kind<'static> {
    if matches!(chunk, "-" | "–" | "—") { Kind::Dash } else { Kind::Stop }
}

fn is_opener(c: char) -> bool {
    matches!(c, '"' | '\'' | '(' | '[' | '{' | '<' | '*' | '_' | '`' | '“' | '‘' | '’' | '¿')
}

fn is_closer(c: char) -> bool {
    is_opener(c)
        || matches!(c, ')' | ']' | '}' | '>' | '”' | ',' | '.' | ';' | ':' | '!' | '?' | '…' | '。')
}

fn closing(core: &str, marks: &str) -> Option<Kind<'static>> {
    if marks.is_empty() {
        return None;
    }
    let lower = core.to_ascii_lowercase();
    let is_abbreviation = marks == "."
        && (month(&lower).is_some_and(|(_, full)| !full) || lower == "a.m" || lower == "p.m");
    if is_abbreviation {
        None
    } else if marks.contains(['.', ';', ':', '!', '?', '…', '。']) {
        Some(Kind::Stop)
    } else {
        marks.contains(',').then_some(Kind::Comma)
    }
}

fn read_core<'a>(core: &'a str, start: usize, abbreviated_year: bool, found: &mut Vec<Token<'a>>) {
    let span = start..start + core.len();
    if let Some(written) = written(core) {
        return push(found, Kind::Written(written), span);
    }
    if abbreviated_year && let Ok(year) = core.parse::<i32>() {
        return push(found, Kind::Number(2000 + year), span);
    }
    if let Some(kind) = simple(core) {
        let is_capital = core.starts_with(char::is_uppercase);
        return found.push(Token { kind, span, is_capital });
    }
    if !read_joined(core, start, found) {
        push(found, Kind::Stop, span);
    }
}

/// `mid-march`, `5–7`, `15-jan-2024`, `5,2026`: taken apart if every part is of use.
fn read_joined<'a>(core: &'a str, start: usize, found: &mut Vec<Token<'a>>) -> bool {
    let of_use = |part: &str| match simple(part) {
        Some(Kind::Word(word)) => is_time_word(&word),
        Some(Kind::Number(_) | Kind::Ordinal(_) | Kind::Clock(_)) => part.len() <= 5,
        _ => false,
    };
    let is_joint = |c: char| matches!(c, '-' | '–' | '—' | ',');
    if !core.contains(is_joint) || !core.split(is_joint).all(of_use) {
        return false;
    }
    let mut at = start;
    for piece in core.split_inclusive(is_joint) {
        let part = piece.trim_end_matches(is_joint);
        if let Some(kind) = simple(part) {
            let is_capital = part.starts_with(char::is_uppercase);
            found.push(Token { kind, span: at..at + part.len(), is_capital });
        }
        at += piece.len();
        if part.len() < piece.len() {
            let kind = if piece.ends_with(',') { Kind::Comma } else { Kind::Dash };
            push(found, kind, at - (piece.len() - part.len())..at);
        }
    }
    true
}

/// A word, a number, an ordinal, a time of day, a number with its unit.
fn simple(core: &str) -> Option<Kind<'_>> {
    if core.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Some(Kind::Word(Cow::Borrowed(core)));
    }
    let lower = core.to_lowercase();
    let word = lower.strip_suffix("'s").or_else(|| lower.strip_suffix("’s")).unwrap_or(&lower);
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return numeric(word);
    }
    let is_word = word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’'));
    if is_word || matches!(word, "a.m" | "p.m" | "q1" | "q2" | "q3" | "q4" | "h1" | "h2") {
        return Some(Kind::Word(Cow::Owned(word.replace('.', ""))));
    }
    None
}

fn numeric(word: &str) -> Option<Kind<'static>> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = word.split_at(digits);
    let number: i32 = digits.parse().ok().filter(|_| digits.len() <= 4)?;
    match rest {
        "" => Some(Kind::Number(number)),
        "st" | "nd" | "rd" | "th" => i8::try_from(number).ok().map(Kind::Ordinal),
        "am" | "pm" => clock(number, 0, rest),
        _ if rest.starts_with(':') => {
            let minute: i32 = rest.get(1..3)?.parse().ok()?;
            clock(number, minute, rest.get(3..)?)
        }
        _ => short_unit(rest).map(|unit| Kind::Short(number, unit)),
    }
}

fn clock(hour: i32, minute: i32, half: &str) -> Option<Kind<'static>> {
    half_day(hour, minute, half).map(Kind::Clock)
}

/// The time of `3` `30` `pm`; without a half of the day the hours count to 24.
pub(super) fn half_day(hour: i32, minute: i32, half: &str) -> Option<Time> {
    let hour = match (half, hour) {
        ("am", 12) => 0,
        ("am", 1..=11) | ("pm", 12) | ("", _) => hour,
        ("pm", 1..=11) => hour + 12,
        _ => return None,
    };
    Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok()
}

/// `third` as a day of the month, where the grammar expects one.
pub(super) fn day_word(word: &str) -> Option<i8> {
    ordinal(word)
}
