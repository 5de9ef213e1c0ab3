//! The two time lines: points in microseconds, half-open intervals, and who tells the time.

use crate::Invalid;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Microseconds since 1970 in UTC, between the years -9999 and 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(i64);

impl Timestamp {
    /// The beginning of 1970.
    pub const EPOCH: Timestamp = Timestamp(0);

    /// Accepts what a calendar can show; everything else is a damaged or hostile number.
    pub fn from_micros(micros: i64) -> Result<Timestamp, Invalid> {
        match jiff::Timestamp::from_microsecond(micros) {
            Ok(_) => Ok(Timestamp(micros)),
            Err(_) => Err(Invalid::new(
                "time",
                format!("`{micros}` microseconds is outside the calendar"),
                "use a time between the years -9999 and 9999",
            )),
        }
    }

    pub fn micros(self) -> i64 {
        self.0
    }

    /// The next point on the line; stays at the calendar's end.
    pub fn next(self) -> Timestamp {
        Timestamp::from_micros(self.0.saturating_add(1)).unwrap_or(self)
    }

    /// This point moved by whole seconds, kept inside the calendar.
    pub fn plus_seconds(self, seconds: i64) -> Timestamp {
        Timestamp::from_micros(self.0.saturating_add(seconds.saturating_mul(1_000_000)))
            .unwrap_or(self)
    }

    pub fn to_jiff(self) -> jiff::Timestamp {
        jiff::Timestamp::from_microsecond(self.0).expect("the constructor checked the range")
    }

    /// RFC 3339 as machines write it (`2026-01-05T10:00:00Z`, any offset). People's ways of
    /// writing a time are the command line's business.
    pub fn parse(text: &str) -> Result<Timestamp, Invalid> {
        let time: jiff::Timestamp = text.trim().parse().map_err(|_| {
            Invalid::new(
                "time",
                format!("`{text}` is not a time"),
                "write it like 2026-01-05T10:00:00Z",
            )
        })?;
        Timestamp::from_micros(time.as_microsecond())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6}", self.to_jiff())
    }
}

impl TryFrom<String> for Timestamp {
    type Error = String;
    fn try_from(text: String) -> Result<Timestamp, String> {
        Timestamp::parse(&text).map_err(|e| format!("{}; {}", e.problem, e.hint))
    }
}

impl From<Timestamp> for String {
    fn from(time: Timestamp) -> String {
        time.to_string()
    }
}

/// From a point (inclusive) to a point (exclusive) or on and on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Interval {
    from: Timestamp,
    to: Option<Timestamp>,
}

impl Interval {
    /// Refuses an interval that would hold no point.
    pub fn new(from: Timestamp, to: Option<Timestamp>) -> Result<Interval, Invalid> {
        match to {
            Some(end) if end <= from => Err(Invalid::new(
                "invalid_at",
                format!("`{end}` is not after `{from}`"),
                "an interval ends after it begins",
            )),
            _ => Ok(Interval { from, to }),
        }
    }

    pub fn since(from: Timestamp) -> Interval {
        Interval { from, to: None }
    }

    pub fn from(&self) -> Timestamp {
        self.from
    }

    pub fn to(&self) -> Option<Timestamp> {
        self.to
    }

    pub fn contains(&self, point: Timestamp) -> bool {
        self.from <= point && self.to.is_none_or(|end| point < end)
    }

    pub fn overlaps(&self, other: &Interval) -> bool {
        let begins_before_end = |a: &Interval, b: &Interval| b.to.is_none_or(|end| a.from < end);
        begins_before_end(self, other) && begins_before_end(other, self)
    }

    pub fn is_open(&self) -> bool {
        self.to.is_none()
    }
}

/// Tells the time. The model itself has none.
pub trait Clock: Send + Sync + fmt::Debug {
    fn now(&self) -> Timestamp;
}

/// The latest time that a clock is believed, 9999-01-01. The year that is left of the calendar is
/// room for ticks, should a broken clock ever get there.
pub const CEILING: Timestamp = Timestamp(253_370_764_800_000_000);

/// The next recorded time of a store: never at or before the last, whatever the clock says.
pub fn tick(last: Option<Timestamp>, now: Timestamp) -> Timestamp {
    let now = now.min(CEILING);
    match last {
        Some(last) if now <= last => last.next(),
        _ => now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).unwrap()
    }

    #[test]
    fn intervals_are_half_open() {
        let first = Interval::new(at(1), Some(at(5))).unwrap();
        let second = Interval::since(at(5));
        assert!(first.contains(at(1)) && !first.contains(at(5)));
        assert!(!first.overlaps(&second) && !second.overlaps(&first));
        assert!(Interval::since(at(4)).overlaps(&first));
        assert!(Interval::new(at(5), Some(at(5))).is_err());
    }

    #[test]
    fn ticks_go_forward_when_the_clock_goes_back() {
        assert_eq!(tick(None, at(7)), at(7));
        assert_eq!(tick(Some(at(9)), at(7)), at(10));
        assert_eq!(tick(Some(at(7)), at(7)), at(8));
        assert_eq!(tick(Some(at(6)), at(7)), at(7));
        let end = at(253_402_207_199_999_999);
        assert_eq!(tick(Some(tick(None, end)), end), CEILING.next());
    }

    #[test]
    fn times_read_back_to_the_microsecond() {
        for micros in [0, -1, 1_767_607_200_123_456, 253_402_207_199_999_999] {
            let time = at(micros);
            assert_eq!(Timestamp::parse(&time.to_string()).unwrap(), time);
        }
        assert!(Timestamp::parse("yesterday").is_err());
        assert!(Timestamp::from_micros(i64::MAX).is_err());
    }
}
