//! How much of an episode is served as it grows old. The full text stays and is there on request.

use mnemic_model::{Content, Kind, Timestamp};
use mnemic_recall::context::Level;

/// Days from which on an episode is served by its summary, and by its compressed form.
const SUMMARY_DAYS: i64 = 7;
const COMPRESSED_DAYS: i64 = 30;

/// The most that is served of a memory unasked. What is pinned, and all that is no episode, is
/// served whole however old it is.
pub fn level_served(content: &Content, now: Timestamp) -> Level {
    let age = now.micros() - content.valid.from().micros();
    match content.kind() {
        Kind::Episode if !content.pinned => level_of_age(age.div_euclid(86_400_000_000)),
        _ => Level::Full,
    }
}

/// The most that is served of an episode so many days old.
pub fn level_of_age(days: i64) -> Level {
    match days {
        COMPRESSED_DAYS.. => Level::Compressed,
        SUMMARY_DAYS.. => Level::Summary,
        _ => Level::Full,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_is_shorter() {
        for (days, expected) in [
            (-1, Level::Full),
            (0, Level::Full),
            (6, Level::Full),
            (7, Level::Summary),
            (29, Level::Summary),
            (30, Level::Compressed),
            (4_000, Level::Compressed),
        ] {
            assert_eq!(level_of_age(days), expected, "{days}");
        }
    }
}
