//! Dates written in digits: `2026-03-05`, `11/05/2026`, `5.3.2026`, ISO timestamps.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, ISOWeekDate, Weekday};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Written {
    Day(Date),
    Month(i16, i8),
    /// The Monday of an ISO week.
    Week(Date),
    /// Local time and the seconds that its precision leaves open.
    Local(DateTime, i64),
    Instant(Timestamp),
}

/// Reads a whole chunk; versions, paths and numbers of other shapes are not dates.
pub(super) fn written(chunk: &str) -> Option<Written> {
    let starts = chunk.bytes().next()?.is_ascii_digit();
    // The longest timestamp with nanoseconds and a zone is shorter; the shortest date is 1.1.2026.
    if !starts || !(6..=64).contains(&chunk.len()) || !chunk.is_ascii() {
        return None;
    }
    let day = parts(chunk, '-').and_then(year_first).map(Written::Day);
    day.or_else(|| parts(chunk, '/').and_then(slashed).map(Written::Day))
        .or_else(|| parts(chunk, '.').and_then(dotted).map(Written::Day))
        .or_else(|| month(chunk))
        .or_else(|| week(chunk))
        .or_else(|| time(chunk))
}

/// Three numbers with how many digits each has.
type Parts = [(i16, usize); 3];

fn parts(chunk: &str, separator: char) -> Option<Parts> {
    let mut numbers = chunk.split(separator).map(|part| {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse().ok().map(|number| (number, part.len()))).flatten()
    });
    let parts = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some(parts)
}

fn date(year: i16, month: i16, day: i16) -> Option<Date> {
    let is_plausible = (1900..2200).contains(&year);
    let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok();
    date.filter(|_| is_plausible)
}

fn year_first(parts: Parts) -> Option<Date> {
    let [(year, 4), (month, 1..=2), (day, 1..=2)] = parts else { return None };
    date(year, month, day)
}

/// Month first, as most English writers do, unless that is no month.
fn slashed(parts: Parts) -> Option<Date> {
    let [(first, 1..=2), (second, 1..=2), (year, digits)] = parts else { return year_first(parts) };
    let year = match digits {
        4 => year,
        2 => 2000 + year,
        _ => return None,
    };
    date(year, first, second).or_else(|| date(year, second, first))
}

/// Day first, as the writers of dots do. Year first only with all digits: `2024.1.2` is a version.
fn dotted(parts: Parts) -> Option<Date> {
    match parts {
        [(day, 1..=2), (month, 1..=2), (year, 4)] => date(year, month, day),
        [(year, 4), (month, 2), (day, 2)] => date(year, month, day),
        _ => None,
    }
}

/// `2026-03` or `2026/03`.
fn month(chunk: &str) -> Option<Written> {
    let (year, month) = chunk.split_once(['-', '/'])?;
    if year.len() != 4 || month.len() != 2 {
        return None;
    }
    let first = date(year.parse().ok()?, month.parse().ok()?, 1)?;
    Some(Written::Month(first.year(), first.month()))
}

/// `2026-W10`.
fn week(chunk: &str) -> Option<Written> {
    let (year, week) = chunk.split_once("-W").or_else(|| chunk.split_once("-w"))?;
    let year = year.parse().ok().filter(|year| (1900..2200).contains(year))?;
    let monday = ISOWeekDate::new(year, week.parse().ok()?, Weekday::Monday).ok()?;
    Some(Written::Week(monday.date()))
}

fn time(chunk: &str) -> Option<Written> {
    let (day, time) = chunk.split_once(['T', 't'])?;
    parts(day, '-').and_then(year_first)?;
    if let Ok(instant) = chunk.parse::<Timestamp>() {
        return Some(Written::Instant(instant));
    }
    let local: DateTime = chunk.parse().ok()?;
    let open = match time.matches(':').count() {
        0 => 3600,
        1 => 60,
        _ => 1,
    };
    Some(Written::Local(local, open))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_are_dates() {
        for (chunk, expected) in [
            ("2026-03-05", "2026-03-05"),
            ("2026/3/5", "2026-03-05"),
            ("11/05/2026", "2026-11-05"),
            ("13/05/2026", "2026-05-13"),
            ("1/2/26", "2026-01-02"),
            ("5.3.2026", "2026-03-05"),
            ("2026.03.05", "2026-03-05"),
        ] {
            let day: Date = expected.parse().unwrap();
            assert_eq!(written(chunk), Some(Written::Day(day)), "{chunk}");
        }
        assert_eq!(written("2026-03"), Some(Written::Month(2026, 3)));
        assert_eq!(written("2026-W01"), Some(Written::Week(Date::constant(2025, 12, 29))));
        assert!(matches!(written("2026-03-05T14:00:00+02:00"), Some(Written::Instant(_))));
        assert!(matches!(written("2026-03-05T14:00"), Some(Written::Local(_, 60))));
    }

    #[test]
    fn digits_that_are_not() {
        for chunk in [
            "v2.10.2024",
            "2024.1.2",
            "1.2.3",
            "10.0.0.1",
            "2026-13-01",
            "2026-02-30",
            "5/3",
            "",
            "2026",
            "192.168.10.20",
            "0001-01-01",
            "main.rs:2025",
            "2026-03-05.log",
            "1/2/3",
            "2026-1",
            "12-11-2026-1",
            "2026-W60",
        ] {
            assert_eq!(written(chunk), None, "{chunk}");
        }
    }
}
