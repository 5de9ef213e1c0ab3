//! Times as tools write them: with Z, with an offset, with neither (then UTC), as days or as numbers.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use mnemic_model::Timestamp;
use serde_json::Value;

/// None for what is no time or outside of the calendar.
pub(super) fn time(value: Option<&Value>) -> Option<Timestamp> {
    match value? {
        Value::String(text) => written(text),
        Value::Number(number) => counted(number.as_f64()?),
        _ => None,
    }
}

pub(super) fn written(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(time) = Timestamp::parse(text) {
        return Some(time);
    }
    if let Ok(civil) = text.parse::<DateTime>() {
        let instant = TimeZone::UTC.to_ambiguous_timestamp(civil).unambiguous().ok()?;
        return Timestamp::from_micros(instant.as_microsecond()).ok();
    }
    counted(text.parse().ok()?)
}

/// Since 1970 in seconds, or in the smaller unit that such a large number must be.
fn counted(number: f64) -> Option<Timestamp> {
    let per_second = match number.abs() {
        // After the year 5138 in seconds, and so on.
        size if size < 1e11 => 1.0,
        size if size < 1e14 => 1e3,
        size if size < 1e17 => 1e6,
        _ => 1e9,
    };
    let micros = number / per_second * 1e6;
    (micros.is_finite() && micros.abs() < 9e18)
        .then(|| Timestamp::from_micros(micros as i64).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_way_of_writing_is_the_same_instant() {
        let instant = Timestamp::parse("2026-01-05T10:00:00Z").ok();
        for value in [
            json!("2026-01-05T10:00:00Z"),
            json!("2026-01-05T12:00:00+02:00"),
            json!("2026-01-05T10:00:00"),
            json!("2026-01-05 10:00:00.000"),
            json!(1_767_607_200),
            json!(1_767_607_200_000_i64),
            json!(1_767_607_200_000_000_i64),
            json!("1767607200"),
        ] {
            assert_eq!(time(Some(&value)), instant, "{value}");
        }
        let day = time(Some(&json!("2026-01-05")));
        assert_eq!(day, Timestamp::parse("2026-01-05T00:00:00Z").ok());
    }

    #[test]
    fn what_is_no_time_is_none() {
        for value in [json!("soon"), json!(1e300), json!(null), json!([1]), json!("2026-13-45")] {
            assert_eq!(time(Some(&value)), None, "{value}");
        }
    }
}
