//! Times as other programs write them: with Z, an offset or none, a day alone, or a count.

use mnemic_model::Timestamp;
use serde_json::Value;

/// The time, when it is one. Without an offset it is UTC.
pub(super) fn time(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => text_time(text.trim()),
        Value::Number(count) => count_time(count.as_f64()?),
        _ => None,
    }
}

pub(super) fn text_time(text: &str) -> Option<Timestamp> {
    if let Ok(time) = Timestamp::parse(text) {
        return Some(time);
    }
    let civil: jiff::civil::DateTime = text.parse().ok()?;
    let zoned = civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Timestamp::from_micros(zoned.timestamp().as_microsecond()).ok()
}

/// Seconds or milliseconds since 1970: in seconds, this century has ten digits.
fn count_time(count: f64) -> Option<Timestamp> {
    let seconds = if count.abs() >= 1e11 { count / 1e3 } else { count };
    let micros = seconds * 1e6;
    (micros.abs() < 9e18).then(|| Timestamp::from_micros(micros as i64).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_usual_way_names_the_same_moment() {
        let noon = Timestamp::parse("2026-01-05T12:00:00Z").expect("a time");
        for value in [
            json!("2026-01-05T12:00:00Z"),
            json!("2026-01-05T14:00:00+02:00"),
            json!("2026-01-05T12:00:00"),
            json!("2026-01-05 12:00:00"),
            json!("2026-01-05T12:00:00.000000"),
            json!(1_767_614_400),
            json!(1_767_614_400_000_i64),
        ] {
            assert_eq!(time(&value), Some(noon), "{value}");
        }
        assert!(time(&json!("2026-01-05")).is_some());
        for nothing in [json!("soon"), json!(null), json!(1e300), json!([1])] {
            assert_eq!(time(&nothing), None, "{nothing}");
        }
    }
}
