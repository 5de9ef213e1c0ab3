//! The words that time phrases are made of.

use jiff::civil::Weekday;

use crate::dates::{MONTHS, WEEKDAYS};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Fortnight,
    Weekend,
    Month,
    Quarter,
    Year,
    Decade,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Daytime {
    Morning,
    Afternoon,
    Evening,
    Night,
}

/// A unit in full, in the singular or plural.
pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word.strip_suffix('s').unwrap_or(word) {
        "second" | "sec" => Unit::Second,
        "minute" | "min" => Unit::Minute,
        "hour" | "hr" => Unit::Hour,
        "day" => Unit::Day,
        "week" | "wk" => Unit::Week,
        "fortnight" => Unit::Fortnight,
        "weekend" => Unit::Weekend,
        "month" => Unit::Month,
        "quarter" => Unit::Quarter,
        "year" | "yr" => Unit::Year,
        "decade" => Unit::Decade,
        _ => return None,
    })
}

/// The unit of `7d` or `24h`. `m` is minutes, `mo` months.
pub(super) fn short_unit(letters: &str) -> Option<Unit> {
    Some(match letters {
        "s" => Unit::Second,
        "m" => Unit::Minute,
        "h" => Unit::Hour,
        "d" => Unit::Day,
        "w" => Unit::Week,
        "mo" => Unit::Month,
        "y" => Unit::Year,
        other => return unit(other),
    })
}

/// A month by its full name (`true`) or an abbreviation.
pub(super) fn month(word: &str) -> Option<(i8, bool)> {
    let place = MONTHS.iter().position(|name| *name == word);
    let short = || match word {
        "sept" => Some(8),
        _ if word.len() == 3 => MONTHS.iter().position(|name| name.starts_with(word)),
        _ => None,
    };
    let is_full = place.is_some();
    let number = i8::try_from(place.or_else(short)? + 1).ok()?;
    Some((number, is_full))
}

/// A weekday by its full name (`true`) or an abbreviation.
pub(super) fn weekday(word: &str) -> Option<(Weekday, bool)> {
    let place = WEEKDAYS.iter().position(|name| *name == word);
    let is_full = place.is_some();
    let short = || match word {
        "tues" => Some(1),
        "thur" | "thurs" => Some(3),
        _ if word.len() == 3 => WEEKDAYS.iter().position(|name| name.starts_with(word)),
        _ => None,
    };
    let offset = i8::try_from(place.or_else(short)?).ok()?;
    Some((Weekday::from_monday_zero_offset(offset).ok()?, is_full))
}

/// The month in which a season begins; meteorological and of the northern half.
pub(super) fn season(word: &str) -> Option<i8> {
    Some(match word {
        "spring" => 3,
        "summer" => 6,
        "autumn" | "fall" => 9,
        "winter" => 12,
        _ => return None,
    })
}

pub(super) fn daytime(word: &str) -> Option<Daytime> {
    Some(match word {
        "morning" => Daytime::Morning,
        "afternoon" => Daytime::Afternoon,
        "evening" => Daytime::Evening,
        "night" => Daytime::Night,
        _ => return None,
    })
}

#[rustfmt::skip]
const NUMBERS: &[(&str, i32)] = &[
    ("one", 1), ("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6), ("seven", 7),
    ("eight", 8), ("nine", 9), ("ten", 10), ("eleven", 11), ("twelve", 12), ("thirteen", 13),
    ("fourteen", 14), ("fifteen", 15), ("sixteen", 16), ("seventeen", 17), ("eighteen", 18),
    ("nineteen", 19), ("twenty", 20), ("thirty", 30), ("forty", 40), ("fifty", 50), ("sixty", 60),
    ("ninety", 90),
];

pub(super) fn number(word: &str) -> Option<i32> {
    NUMBERS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number)
}

const ORDINALS: &[&str] = &[
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];

pub(super) fn ordinal(word: &str) -> Option<i8> {
    if word == "thirtieth" {
        return Some(30);
    }
    i8::try_from(ORDINALS.iter().position(|name| *name == word)? + 1).ok()
}

/// Whether a part of a hyphenated word may stand for time, so that the word may be taken apart.
pub(super) fn is_time_word(word: &str) -> bool {
    month(word).is_some()
        || weekday(word).is_some()
        || unit(word).is_some()
        || number(word).is_some()
        || matches!(word, "early" | "mid" | "late" | "last" | "this" | "next" | "the" | "before")
        || matches!(word, "yesterday" | "today" | "tomorrow" | "after" | "ago" | "of" | "to")
}

/// Whether it is a word without one of which, or a number, nothing is a time.
pub(super) fn names_time(word: &str) -> bool {
    month(word).is_some()
        || weekday(word).is_some()
        || unit(word).is_some()
        || season(word).is_some()
        || daytime(word).is_some()
        || matches!(word, "yesterday" | "today" | "tomorrow" | "tonight" | "recently" | "lately")
        || matches!(word, "q1" | "q2" | "q3" | "q4")
}

/// Whether it is a word that a phrase can begin with.
pub(super) fn begins_phrase(word: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "a", "an", "the", "few", "several", "dozen", "couple", "half", "h1", "h2", "noon",
        "last", "previous", "past", "this", "current", "next", "at", "around",
        "early", "mid", "late", "beginning", "start", "middle", "end",
        "between", "from", "since", "until", "till", "before", "after", "following", "up", "prior",
        "earlier", "later", "older", "more", "longer", "newer", "less", "younger",
    ];
    WORDS.contains(&word) || number(word).is_some() || ordinal(word).is_some() || names_time(word)
}

/// Words after which a bare `may`, `mar` or `2025` is a date.
pub(super) fn introduces_date(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "in",
        "since",
        "until",
        "till",
        "before",
        "after",
        "during",
        "from",
        "by",
        "between",
        "through",
        "throughout",
        "thru",
        "last",
        "this",
        "next",
        "early",
        "mid",
        "late",
        "around",
        "year",
        "past",
    ];
    WORDS.contains(&word)
}

/// What a number counts if it stands before one of these: `in 2025 files` is no year.
pub(super) fn is_counted(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "ms",
        "s",
        "kb",
        "mb",
        "gb",
        "bytes",
        "byte",
        "px",
        "files",
        "file",
        "lines",
        "line",
        "rows",
        "row",
        "items",
        "users",
        "user",
        "tests",
        "times",
        "tokens",
        "words",
        "pages",
        "steps",
        "errors",
        "records",
        "commits",
        "entries",
        "chars",
        "characters",
        "milliseconds",
        "requests",
        "iterations",
        "messages",
        "sessions",
        "dollars",
        "usd",
        "euros",
        "people",
        "memories",
        "documents",
        "attempts",
        "cases",
        "points",
        "percent",
        "chunks",
        "bits",
    ];
    WORDS.contains(&word) || unit(word).is_some_and(|unit| unit != Unit::Quarter)
}

/// Words after which a number or a dotted date is not a time: `version 5.3.2026`, `port 2025`.
pub(super) fn names_number(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "version", "versions", "ver", "v", "tag", "build", "port", "line", "lines", "pid", "id",
        "issue", "pr", "error", "code", "page", "row", "column", "number", "no", "ticket",
    ];
    WORDS.contains(&word)
}
