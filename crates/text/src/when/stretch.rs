//! Stretches of the calendar: days, weeks, months and what people call parts of them.

use jiff::civil::{Date, DateTime, Time};
use jiff::{Span, ToSpan};

use super::vocabulary::{Daytime, Unit};

/// The first moment of a stretch that is open towards the past.
pub(super) const BEGINNING: Date = Date::constant(1, 1, 1);

/// A half-open stretch of local time, with the days that a person would name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) from: DateTime,
    pub(super) to: DateTime,
    pub(super) first: Date,
    pub(super) last: Date,
    /// Only the first and the last day are meant, one or the other: `last friday`, on a Saturday.
    pub(super) is_either: bool,
}

impl Stretch {
    pub(super) fn days(first: Date, last: Date) -> Option<Self> {
        let to = last.tomorrow().ok()?.to_datetime(Time::midnight());
        (first <= last).then_some(Self {
            from: first.to_datetime(Time::midnight()),
            to,
            first,
            last,
            is_either: false,
        })
    }

    /// One day or the other.
    pub(super) fn either(first: Date, last: Date) -> Option<Self> {
        Some(Self { is_either: first < last, ..Self::days(first, last)? })
    }

    pub(super) fn day(day: Date) -> Option<Self> {
        Self::days(day, day)
    }

    /// The days follow from the times.
    pub(super) fn times(from: DateTime, to: DateTime) -> Option<Self> {
        let last = to.checked_sub(1.nanosecond()).ok()?.date();
        (from < to).then_some(Self { from, to, first: from.date(), last, is_either: false })
    }

    pub(super) fn is_day(&self) -> bool {
        self.first == self.last
    }

    /// The part of the day; of the last day if there are several.
    pub(super) fn daytime(&self, daytime: Daytime) -> Option<Self> {
        let hour = |day: Date, hour: i8| Some(day.at(hour, 0, 0, 0));
        let tomorrow = self.last.tomorrow().ok()?;
        let (from, to) = match daytime {
            Daytime::Morning => (hour(self.last, 0)?, hour(self.last, 12)?),
            Daytime::Afternoon => (hour(self.last, 12)?, hour(self.last, 18)?),
            Daytime::Evening => (hour(self.last, 18)?, hour(tomorrow, 0)?),
            // A night belongs to the evening it began with, however late it got.
            Daytime::Night => (hour(self.last, 18)?, hour(tomorrow, 5)?),
        };
        Some(Self { from, to, first: self.last, last: self.last, is_either: false })
    }

    /// Around a time of that day, never beyond it.
    pub(super) fn around(&self, time: Time, minutes: i64) -> Option<Self> {
        let at = self.last.to_datetime(time);
        let day = Self::day(self.last)?;
        let from = at.checked_sub(minutes.minutes()).ok()?.max(day.from);
        let to = at.checked_add(minutes.minutes()).ok()?.min(day.to);
        Self::times(from, to)
    }

    /// Where the second half begins: that of a year in July, others in the middle of their days.
    fn second_half(&self, days: i32) -> Option<Date> {
        let is_year = days >= 365;
        let half = if is_year { 6.months() } else { (days / 2).days() };
        self.first.checked_add(half).ok()
    }

    /// The first, second or third part: thirds of what is longer than a month, tens of days of a
    /// month, two days or so of a week.
    pub(super) fn part(&self, part: Part) -> Option<Self> {
        let days = self.first.until(self.last).ok()?.get_days() + 1;
        let (head, tail) = match days {
            ..3 => return None,
            3..=7 => (2, 4),
            8..=31 => (10, 20),
            _ => (days / 3, days * 2 / 3),
        };
        let day = |offset: i32| self.first.checked_add(offset.days()).ok();
        match part {
            Part::Early => Self::days(self.first, day(head - 1)?),
            Part::Middle => Self::days(day(head)?, day(tail - 1)?),
            Part::Late => Self::days(day(tail)?, self.last),
            Part::FirstHalf => Self::days(self.first, self.second_half(days)?.yesterday().ok()?),
            Part::SecondHalf => Self::days(self.second_half(days)?, self.last),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Early,
    Middle,
    Late,
    FirstHalf,
    SecondHalf,
}

/// `count` units as a span; `None` for what the calendar cannot hold.
pub(super) fn span(unit: Unit, count: i32) -> Option<Span> {
    let count = i64::from(count);
    let span = Span::new();
    match unit {
        Unit::Second => span.try_seconds(count),
        Unit::Minute => span.try_minutes(count),
        Unit::Hour => span.try_hours(count),
        Unit::Day => span.try_days(count),
        Unit::Week | Unit::Weekend => span.try_weeks(count),
        Unit::Fortnight => span.try_weeks(2 * count),
        Unit::Month => span.try_months(count),
        Unit::Quarter => span.try_months(3 * count),
        Unit::Year => span.try_years(count),
        Unit::Decade => span.try_years(10 * count),
    }
    .ok()
}

/// The whole unit, by the calendar, that lies `back` units before the one around `day`.
pub(super) fn whole(unit: Unit, day: Date, back: i32) -> Option<Stretch> {
    let there = day.checked_sub(span(unit, back)?).ok()?;
    match unit {
        Unit::Second | Unit::Minute | Unit::Hour => None,
        Unit::Day => Stretch::day(there),
        Unit::Week | Unit::Fortnight => week(there),
        Unit::Weekend => {
            let sunday = week(there)?.last;
            Stretch::days(sunday.yesterday().ok()?, sunday)
        }
        Unit::Month => month(there.year(), there.month()),
        Unit::Quarter => quarter(there.year(), (there.month() - 1) / 3 + 1),
        Unit::Year | Unit::Decade => year(there.year()),
    }
}

/// Monday to Sunday.
pub(super) fn week(day: Date) -> Option<Stretch> {
    let monday = day.checked_sub(day.weekday().to_monday_zero_offset().days()).ok()?;
    Stretch::days(monday, monday.checked_add(6.days()).ok()?)
}

pub(super) fn month(year: i16, month: i8) -> Option<Stretch> {
    let first = Date::new(year, month, 1).ok()?;
    Stretch::days(first, first.last_of_month())
}

pub(super) fn quarter(year: i16, quarter: i8) -> Option<Stretch> {
    months(year, 3 * (quarter - 1) + 1, 3)
}

pub(super) fn year(year: i16) -> Option<Stretch> {
    months(year, 1, 12)
}

/// `count` months from the given one on.
pub(super) fn months(year: i16, month: i8, count: i32) -> Option<Stretch> {
    let first = Date::new(year, month, 1).ok()?;
    let last = first.checked_add((count - 1).months()).ok()?.last_of_month();
    Stretch::days(first, last)
}
