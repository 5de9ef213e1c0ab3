//! How a date is written for the words index, so that questions that name a day or month meet it.

use jiff::Timestamp;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;

/// Month names in the order of the calendar, in lower case.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Weekday names from Monday on, in lower case.
pub(crate) const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The day of an instant as a person in `zone` would name it: `7 may 2023 sunday 2023-05-07`.
///
/// Only the day: hours and minutes are almost never asked for and would make every text longer.
pub fn words(timestamp: Timestamp, zone: &TimeZone) -> String {
    day_words(timestamp.to_zoned(zone.clone()).date())
}

/// The same for a day that is already known.
pub fn day_words(day: Date) -> String {
    format!(
        "{} {} {} {} {day}",
        day.day(),
        month_name(day.month()),
        day.year(),
        weekday_name(day.weekday())
    )
}

fn month_name(month: i8) -> &'static str {
    usize::try_from(month - 1).ok().and_then(|at| MONTHS.get(at)).copied().unwrap_or_default()
}

fn weekday_name(weekday: Weekday) -> &'static str {
    usize::try_from(weekday.to_monday_zero_offset())
        .ok()
        .and_then(|at| WEEKDAYS.get(at))
        .copied()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stems::{query_terms, recall_terms};

    #[test]
    fn a_date_is_written_as_people_ask_for_it() {
        let instant: Timestamp = "2023-05-07T22:30:00Z".parse().unwrap();
        assert_eq!(words(instant, &TimeZone::UTC), "7 may 2023 sunday 2023-05-07");
        let ahead = TimeZone::fixed(jiff::tz::offset(2));
        assert_eq!(words(instant, &ahead), "8 may 2023 monday 2023-05-08");
    }

    #[test]
    fn questions_share_terms_with_the_written_date() {
        let instant: Timestamp = "2023-07-03T12:00:00Z".parse().unwrap();
        let terms = recall_terms(&words(instant, &TimeZone::UTC));
        let known = |term: &String| terms.iter().any(|(known, _)| known == term);
        for question in ["July 2023", "3rd July", "Monday", "2023-07-03", "on July 3, 2023"] {
            assert!(query_terms(question).iter().all(known), "{question}: {terms:?}");
        }
    }
}
