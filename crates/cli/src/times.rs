//! People's ways to write a time, and our ways to show them one.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Span, Zoned};
use mnemic_engine::model::{Invalid, Kind, Timestamp, Version};
use mnemic_engine::{local_zone, to_the_second};

const FORMS: &str = "write it like 2026-01-15, \"2026-01-15 10:30\", 2026-01-15T10:30:00Z, now, \
     today, yesterday, \"last week\", 3d, 2h, 90m or 1w (ago)";

/// For `value_parser`.
pub(crate) fn argument(text: &str) -> Result<Timestamp, String> {
    read(text).map_err(told)
}

/// For `value_parser` of a point to look from: the day that has begun means now, since nothing of it
/// was known or true at its first moment. A second on the local clock means its end: it is what we
/// show of what was recorded within it.
pub(crate) fn viewpoint(text: &str) -> Result<Timestamp, String> {
    viewpoint_at(text, &local_now()).map_err(told)
}

fn local_now() -> Zoned {
    jiff::Timestamp::now().to_zoned(local_zone())
}

fn told(wrong: Invalid) -> String {
    format!("{}; {}", wrong.problem, wrong.hint)
}

fn viewpoint_at(text: &str, now: &Zoned) -> Result<Timestamp, Invalid> {
    let time = read_at(text, now)?;
    let is_day = text.trim().len() == "2026-01-15".len() && text.contains('-');
    let is_today = read_at("today", now)? == time;
    let names_today = is_today && (is_day || text.trim().eq_ignore_ascii_case("today"));
    if names_today {
        read_at("now", now)
    } else if is_second(text.trim()) {
        Timestamp::from_micros(time.micros().saturating_add(999_999))
    } else {
        Ok(time)
    }
}

/// `2026-01-15 10:30:15`, without a fraction and without a zone.
fn is_second(text: &str) -> bool {
    let colons = text.matches(':').count();
    text.len() == "2026-01-15 10:30:15".len() && text.is_ascii() && colons == 2
}

/// A time as a person writes it, relative to now and to the local clock.
pub(crate) fn read(text: &str) -> Result<Timestamp, Invalid> {
    read_at(text, &local_now())
}

fn read_at(text: &str, now: &Zoned) -> Result<Timestamp, Invalid> {
    let trimmed = text.trim();
    // The form of machines first: it needs no time zone.
    if let Ok(exact) = Timestamp::parse(trimmed) {
        return Ok(exact);
    }
    let found = named(trimmed, now)
        .or_else(|| relative(trimmed, now))
        .or_else(|| civil(trimmed, now.time_zone()));
    if let Some(found) = found {
        return Timestamp::from_micros(found.timestamp().as_microsecond());
    }
    // What questions may say, and it begins where the phrase does.
    let phrase = mnemic_engine::span_named(trimmed, now);
    phrase
        .map(|(begin, _)| begin)
        .ok_or_else(|| Invalid::new("time", format!("`{text}` is not a time"), FORMS))
}

fn named(text: &str, now: &Zoned) -> Option<Zoned> {
    match text.to_ascii_lowercase().as_str() {
        "now" => Some(now.clone()),
        "today" => now.start_of_day().ok(),
        "yesterday" => now.yesterday().ok()?.start_of_day().ok(),
        "tomorrow" => now.tomorrow().ok()?.start_of_day().ok(),
        _ => None,
    }
}

/// `3d`, `-3d`, `3d ago`, `3 days ago` look back; `+3d` and `in 3d` look ahead.
fn relative(text: &str, now: &Zoned) -> Option<Zoned> {
    let text = text.to_ascii_lowercase();
    let (ahead, rest) = match text.strip_prefix('+').or_else(|| text.strip_prefix("in ")) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('-').unwrap_or(&text)),
    };
    let rest = rest.strip_suffix("ago").filter(|_| !ahead).unwrap_or(rest).trim();
    let unit_at = rest.find(|c: char| !c.is_ascii_digit())?;
    let amount: i64 = rest[..unit_at].parse().ok()?;
    let span = Span::new();
    let span = match rest[unit_at..].trim() {
        "s" | "sec" | "second" | "seconds" => span.try_seconds(amount),
        "m" | "min" | "minute" | "minutes" => span.try_minutes(amount),
        "h" | "hour" | "hours" => span.try_hours(amount),
        "d" | "day" | "days" => span.try_days(amount),
        "w" | "week" | "weeks" => span.try_weeks(amount),
        "mo" | "month" | "months" => span.try_months(amount),
        "y" | "year" | "years" => span.try_years(amount),
        _ => return None,
    };
    let span = span.ok()?;
    if ahead { now.checked_add(span).ok() } else { now.checked_sub(span).ok() }
}

/// A date or a date and time on the local clock.
fn civil(text: &str, zone: &TimeZone) -> Option<Zoned> {
    let begins_with_a_date = text.len() >= 10 && text.as_bytes()[4] == b'-';
    if !begins_with_a_date || !text.is_ascii() {
        return None;
    }
    let date: Date = text[..10].parse().ok()?;
    let rest = text[10..].trim_start_matches(['T', ' ']);
    let time: Time = if rest.is_empty() { Time::midnight() } else { rest.parse().ok()? };
    DateTime::from_parts(date, time).to_zoned(zone.clone()).ok()
}

/// Shows times on the local clock; one that is shown to the second can be given back with
/// `--known-at`.
#[derive(Debug)]
pub(crate) struct LocalClock(TimeZone);

impl LocalClock {
    pub(crate) fn new() -> LocalClock {
        LocalClock(local_zone())
    }

    /// `2026-01-15 10:30:15`, or `2026-01-15` where a day begins
    pub(crate) fn second(&self, time: Timestamp) -> String {
        to_the_second(time, &self.0)
    }

    /// `2026-01-15`
    pub(crate) fn day(&self, time: Timestamp) -> String {
        time.to_jiff().to_zoned(self.0.clone()).strftime("%Y-%m-%d").to_string()
    }

    /// `2026-01-15 10:30`
    pub(crate) fn minute(&self, time: Timestamp) -> String {
        time.to_jiff().to_zoned(self.0.clone()).strftime("%Y-%m-%d %H:%M").to_string()
    }

    /// `2026-01-15`, or `2026-01-15 10:30` where it is not the beginning of a day.
    pub(crate) fn short(&self, time: Timestamp) -> String {
        let local = time.to_jiff().to_zoned(self.0.clone());
        let form = if local.time() == Time::midnight() { "%Y-%m-%d" } else { "%Y-%m-%d %H:%M" };
        local.strftime(form).to_string()
    }
}

/// Since when something is there: what happened by when it happened, however late it was taken in.
pub(crate) fn known_since(version: &Version) -> Timestamp {
    match version.kind() {
        Kind::Episode => version.content.valid.from(),
        _ => version.recorded.from(),
    }
}

/// How long ago, in one unit.
pub(crate) fn age(time: Timestamp, now: Timestamp) -> String {
    let seconds = (now.micros() - time.micros()) / 1_000_000;
    let (ahead, seconds) = (seconds < 0, seconds.unsigned_abs());
    let (amount, unit) = match seconds {
        0..60 => return if ahead { "soon".into() } else { "just now".into() },
        60..3_600 => (seconds / 60, "m"),
        3_600..86_400 => (seconds / 3_600, "h"),
        86_400..5_184_000 => (seconds / 86_400, "d"),
        5_184_000..63_072_000 => (seconds / 2_592_000, "mo"),
        _ => (seconds / 31_536_000, "y"),
    };
    if ahead { format!("in {amount}{unit}") } else { format!("{amount}{unit} ago") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_in_berlin(text: &str) -> Option<String> {
        // +01:00 all year round, so that the test needs no time zone database.
        let zone = TimeZone::fixed(jiff::tz::offset(1));
        let now: jiff::Timestamp = "2026-03-10T12:00:00Z".parse().unwrap();
        read_at(text, &now.to_zoned(zone)).ok().map(|time| time.to_jiff().to_string())
    }

    #[test]
    fn the_day_that_has_begun_is_looked_at_from_now() {
        let now: jiff::Timestamp = "2026-03-10T12:00:00Z".parse().unwrap();
        let now = now.to_zoned(TimeZone::fixed(jiff::tz::offset(1)));
        for (text, meant) in [
            ("today", "2026-03-10T12:00:00Z"),
            ("2026-03-10", "2026-03-10T12:00:00Z"),
            ("2026-03-10 00:00", "2026-03-09T23:00:00Z"),
            ("2026-03-10 09:30:15", "2026-03-10T08:30:15.999999Z"),
            ("2026-03-10T09:30:15Z", "2026-03-10T09:30:15Z"),
            ("yesterday", "2026-03-08T23:00:00Z"),
            ("2026-03-09", "2026-03-08T23:00:00Z"),
        ] {
            let found = viewpoint_at(text, &now).unwrap();
            assert_eq!(found.to_jiff().to_string(), meant, "{text}");
        }
    }

    #[test]
    fn people_write_times_in_many_ways() {
        for (text, meant) in [
            ("2026-01-15T10:30:00Z", "2026-01-15T10:30:00Z"),
            ("2026-01-15T10:30:00.5+02:00", "2026-01-15T08:30:00.5Z"),
            ("2026-01-15", "2026-01-14T23:00:00Z"),
            ("2026-01-15 10:30", "2026-01-15T09:30:00Z"),
            ("2026-01-15T10:30:15", "2026-01-15T09:30:15Z"),
            ("now", "2026-03-10T12:00:00Z"),
            ("Yesterday", "2026-03-08T23:00:00Z"),
            ("today", "2026-03-09T23:00:00Z"),
            ("3d", "2026-03-07T12:00:00Z"),
            ("3d ago", "2026-03-07T12:00:00Z"),
            ("-3d", "2026-03-07T12:00:00Z"),
            ("2 hours ago", "2026-03-10T10:00:00Z"),
            ("90m", "2026-03-10T10:30:00Z"),
            ("1w", "2026-03-03T12:00:00Z"),
            ("in 1w", "2026-03-17T12:00:00Z"),
            ("last week", "2026-03-01T23:00:00Z"),
        ] {
            assert_eq!(read_in_berlin(text).as_deref(), Some(meant), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused_and_nothing_panics() {
        for text in [
            "",
            " ",
            "d",
            "3",
            "3x",
            "2026-13-01",
            "2026-01-15 25:00",
            "99999999999999999999d",
            "9223372036854775807y",
            "-",
            "+",
            "in",
            "ago",
            "2026–01–15",
            "äöü-äöü-äöü",
            "2026-01-15x",
        ] {
            assert_eq!(read_in_berlin(text), None, "{text}");
        }
        assert!(argument("soon").unwrap_err().contains("yesterday"));
    }

    #[test]
    fn ages_have_one_unit() {
        let at = |micros| Timestamp::from_micros(micros).unwrap();
        let now = at(1_000_000_000_000_000);
        for (seconds, said) in [
            (5, "just now"),
            (300, "5m ago"),
            (7_200, "2h ago"),
            (259_200, "3d ago"),
            (-7_200, "in 2h"),
        ] {
            assert_eq!(age(at(now.micros() - seconds * 1_000_000), now), said);
        }
    }
}
