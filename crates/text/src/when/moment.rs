//! What a phrase names before the year is known: resolved towards the past from a day of reference.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::stretch::{Part, Stretch, months, quarter, span, whole};
use super::vocabulary::Unit;

/// Yearless dates are looked for this many years back: enough for every 29 February.
const YEARS_BACK: i16 = 8;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Moment {
    Fixed(Stretch),
    Month(i8),
    /// Days of a month, the last included.
    Days(i8, i8, i8),
    /// `the 5th`.
    DayOfMonth(i8),
    Weekday(Weekday),
    Quarter(i8),
    /// The month in which it begins.
    Season(i8),
    /// A part of a month, quarter or season.
    Part(Part, i8, i32),
}

impl Moment {
    pub(super) fn is_fixed(self) -> bool {
        matches!(self, Self::Fixed(_))
    }

    /// The last one that has begun on `day`; a weekday is always before it, because people call
    /// that day itself today.
    pub(super) fn before(self, day: Date) -> Option<Stretch> {
        match self {
            Self::Fixed(stretch) => Some(stretch),
            Self::Weekday(weekday) => {
                let back = i32::from(weekday.until(day.weekday()));
                let back = if back == 0 { 7 } else { back };
                Stretch::day(day.checked_sub(back.days()).ok()?)
            }
            Self::DayOfMonth(number) => (0..3).find_map(|back| {
                let month = day.first_of_month().checked_sub(span(Unit::Month, back)?).ok()?;
                let there = Date::new(month.year(), month.month(), number).ok()?;
                Stretch::day(there).filter(|_| there <= day)
            }),
            _ => (0..=YEARS_BACK).find_map(|back| {
                let year = day.year().checked_sub(back)?;
                self.in_year(year).filter(|stretch| stretch.first <= day)
            }),
        }
    }

    /// The first one that does not begin before `day`.
    pub(super) fn after(self, day: Date) -> Option<Stretch> {
        match self {
            Self::Fixed(stretch) => Some(stretch),
            Self::Weekday(weekday) => {
                let ahead = i32::from(day.weekday().until(weekday));
                Stretch::day(day.checked_add(ahead.days()).ok()?)
            }
            Self::DayOfMonth(_) => self.before(day),
            _ => (0..=YEARS_BACK).find_map(|ahead| {
                let year = day.year().checked_add(ahead)?;
                self.in_year(year).filter(|stretch| stretch.first >= day)
            }),
        }
    }

    pub(super) fn in_year(self, year: i16) -> Option<Stretch> {
        match self {
            Self::Month(month) => months(year, month, 1),
            Self::Days(month, first, last) => {
                let first = Date::new(year, month, first).ok()?;
                Stretch::days(first, Date::new(year, month, last).ok()?)
            }
            Self::Quarter(number) => quarter(year, number),
            Self::Season(month) => months(year, month, 3),
            Self::Part(part, month, count) => months(year, month, count)?.part(part),
            Self::Fixed(_) | Self::DayOfMonth(_) | Self::Weekday(_) => None,
        }
    }

    pub(super) fn part(self, part: Part) -> Option<Self> {
        match self {
            Self::Fixed(stretch) => stretch.part(part).map(Self::Fixed),
            Self::Month(month) => Some(Self::Part(part, month, 1)),
            Self::Season(month) => Some(Self::Part(part, month, 3)),
            Self::Quarter(number) => Some(Self::Part(part, 3 * (number - 1) + 1, 3)),
            _ => None,
        }
    }

    /// `last friday`, `last march`: not the one that is under way. On a Saturday people mean by
    /// last Friday the day before or the one of last week, so both are in.
    pub(super) fn last(self, today: Date) -> Option<Stretch> {
        match self {
            Self::Weekday(weekday) => {
                let monday = whole(Unit::Week, today, 1)?.first;
                let offset = weekday.to_monday_zero_offset();
                let of_last_week = monday.checked_add(offset.days()).ok()?;
                Stretch::either(of_last_week, self.before(today)?.last)
            }
            _ => {
                let latest = self.before(today)?;
                if latest.last < today {
                    return Some(latest);
                }
                self.before(latest.first.yesterday().ok()?)
            }
        }
    }

    /// `this friday`, `this march`: of this week or year.
    pub(super) fn this(self, today: Date) -> Option<Stretch> {
        match self {
            Self::Weekday(weekday) => {
                let monday = whole(Unit::Week, today, 0)?.first;
                let offset = weekday.to_monday_zero_offset();
                Stretch::day(monday.checked_add(offset.days()).ok()?)
            }
            Self::Fixed(_) | Self::DayOfMonth(_) => None,
            _ => self.in_year(today.year()),
        }
    }

    pub(super) fn next(self, today: Date) -> Option<Stretch> {
        self.after(today.tomorrow().ok()?)
    }
}
