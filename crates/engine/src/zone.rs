//! The time zone of this machine's clock.

use jiff::tz::TimeZone;

/// Without `TZ`, the file that everybody links is read directly: to look its name up, jiff walks the
/// whole database of zones, which is a hundred system calls of a process that lives for milliseconds.
pub fn local_zone() -> TimeZone {
    let is_named = std::env::var_os("TZ").is_some_and(|name| !name.is_empty());
    if !is_named
        && let Ok(bytes) = std::fs::read("/etc/localtime")
        && let Ok(zone) = TimeZone::tzif("Local", &bytes)
    {
        return zone;
    }
    TimeZone::system()
}
