//! The time zone of this machine's clock.

use jiff::civil::Time;
use jiff::tz::TimeZone;
use mnemic_model::Timestamp;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a server goes by the zone that it has read: laptops travel, but not that fast.
const FRESH: Duration = Duration::from_secs(10);

static KNOWN: Mutex<Option<(Instant, TimeZone)>> = Mutex::new(None);

pub fn local_zone() -> TimeZone {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    match &*known {
        Some((read, zone)) if read.elapsed() < FRESH => zone.clone(),
        _ => known.insert((Instant::now(), read())).1.clone(),
    }
}

/// A time as people are shown it: `2026-01-15 10:30:15`, or `2026-01-15` where a day begins.
pub fn to_the_second(time: Timestamp, zone: &TimeZone) -> String {
    let local = time.to_jiff().to_zoned(zone.clone());
    let form = if local.time() == Time::midnight() { "%Y-%m-%d" } else { "%Y-%m-%d %H:%M:%S" };
    local.strftime(form).to_string()
}

/// Without `TZ`, the file that everybody links is read directly: to look its name up, jiff walks the
/// whole database of zones, which is a hundred system calls of a process that lives for milliseconds.
fn read() -> TimeZone {
    let is_named = std::env::var_os("TZ").is_some_and(|name| !name.is_empty());
    if !is_named
        && let Ok(bytes) = std::fs::read("/etc/localtime")
        && let Ok(zone) = TimeZone::tzif("Local", &bytes)
    {
        return zone;
    }
    TimeZone::system()
}
