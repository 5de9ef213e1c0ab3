//! Quantities: numbers with units, brought to one measure so that `30 s` equals `30,000 ms`.

/// What a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Measure {
    Time,
    Bytes,
    Share,
    Thousands,
    Frequency,
}

/// What a unit measures and how many of the smallest unit it is. Takes singular and plural.
pub(crate) fn scale(unit: &str) -> Option<(Measure, f64)> {
    use Measure::{Bytes, Frequency, Share, Thousands, Time};
    let scale = match unit {
        "ms" | "msec" | "millisecond" | "milliseconds" | "millis" => (Time, 1.0),
        "s" | "sec" | "secs" | "second" | "seconds" => (Time, 1e3),
        "m" | "min" | "mins" | "minute" | "minutes" => (Time, 6e4),
        "h" | "hr" | "hrs" | "hour" | "hours" => (Time, 36e5),
        "d" | "day" | "days" => (Time, 864e5),
        "w" | "week" | "weeks" => (Time, 6048e5),
        "month" | "months" => (Time, 2_592e6),
        "year" | "years" => (Time, 31_536e6),
        "b" | "byte" | "bytes" => (Bytes, 1.0),
        "kb" | "kib" | "kilobyte" | "kilobytes" => (Bytes, 1024.0),
        "mb" | "mib" | "megabyte" | "megabytes" => (Bytes, 1_048_576.0),
        "gb" | "gib" | "gigabyte" | "gigabytes" | "gigs" => (Bytes, 1_073_741_824.0),
        "tb" | "tib" | "terabyte" | "terabytes" => (Bytes, 1_099_511_627_776.0),
        "%" | "percent" | "pct" => (Share, 1.0),
        "k" => (Thousands, 1e3),
        "hz" => (Frequency, 1.0),
        "khz" => (Frequency, 1e3),
        "mhz" => (Frequency, 1e6),
        "ghz" => (Frequency, 1e9),
        _ => return None,
    };
    Some(scale)
}

/// A number in the smallest unit of its measure; plain numbers have none.
pub(crate) fn measured(value: f64, unit: &str) -> (Option<Measure>, f64) {
    match scale(unit) {
        Some((Measure::Thousands, factor)) => (None, value * factor),
        Some((measure, factor)) => (Some(measure), value * factor),
        None => (None, value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_amount_in_other_units_is_the_same() {
        for (one, other) in [
            ((30.0, "s"), (30_000.0, "ms")),
            ((5.0, "minutes"), (300.0, "sec")),
            ((1.0, "gb"), (1024.0, "MB")),
            ((10.0, "k"), (10_000.0, "")),
        ] {
            let of = |(value, unit): (f64, &str)| measured(value, &unit.to_lowercase());
            assert_eq!(of(one), of(other));
        }
        assert_ne!(measured(5.0, "s"), measured(5.0, "%"));
    }
}
