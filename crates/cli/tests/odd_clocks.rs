//! Clocks jump, zones shift and years end: recorded time goes forward all the same, and a date means
//! the day of the person who writes it.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Answer, Faults, Mnemic, SplitMix, answer, size};
use serde_json::{Value, json};
use std::path::Path;

const NOON_IN_2026: i64 = 1_781_524_800;
const END_OF_9999: i64 = 253_402_207_000;

/// Runs something that must succeed while the clock stands at a time.
fn at(faults: &Faults, mnemic: &Mnemic, seconds: i64, args: &[&str]) -> Answer {
    let mut command = mnemic.command(args);
    let answer = answer(faults.stop_clock(&mut command, seconds));
    assert_eq!(answer.code, Some(0), "{args:?} at {seconds}: {answer:?}");
    answer
}

/// The times of all audit entries, in the order in which they were written.
fn recorded(mnemic: &Mnemic) -> Vec<String> {
    let audit = mnemic.ok(["audit", "--after", "0", "--limit", "1000000", "--json"]).json();
    let items = audit["items"].as_array().unwrap();
    items.iter().map(|item| item["at"].as_str().unwrap().to_owned()).collect()
}

/// Times as text sort as times: years have four digits and all are in UTC.
fn assert_goes_forward(times: &[String]) {
    let micros = |text: &str| mnemic_testkit::at(text).micros();
    for pair in times.windows(2) {
        assert!(micros(&pair[0]) < micros(&pair[1]), "{} is followed by {}", pair[0], pair[1]);
    }
}

#[test]
fn recorded_time_goes_forward_whatever_the_clock_shows() {
    let faults = match Faults::compile() {
        Ok(faults) => faults,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    let mut random = SplitMix::new(12);
    let mut clocks =
        vec![NOON_IN_2026, NOON_IN_2026, 0, NOON_IN_2026 + 5, -86_400, 1, NOON_IN_2026 - 1];
    for _ in 0..size(12, 300) {
        clocks.push(NOON_IN_2026 + random.below(2_000_000) as i64 - 1_000_000);
    }
    // Last, because after it nothing is later.
    clocks.extend([END_OF_9999, NOON_IN_2026, END_OF_9999 + 1_000, 0, END_OF_9999]);
    for (n, seconds) in clocks.iter().enumerate() {
        let value = n.to_string();
        let args = ["remember", "fact", "what.time", &value];
        let id = at(&faults, &mnemic, *seconds, &args).out.trim().to_owned();
        at(&faults, &mnemic, *seconds, &["edit", &id, "--tag", "odd"]);
        at(&faults, &mnemic, *seconds, &["list", "--all"]);
        if n % 5 == 4 {
            at(&faults, &mnemic, *seconds, &["forget", &id, "--yes"]);
        }
    }
    let times = recorded(&mnemic);
    assert!(times.len() >= 2 * clocks.len());
    assert_goes_forward(&times);
    mnemic.verify("after odd clocks");
    let listed = mnemic.ok(["list", "--all", "--ids"]).out;
    for id in listed.lines() {
        let history = mnemic.ok(["history", id, "--json"]).json();
        let items = history["versions"].as_array().unwrap_or_else(|| panic!("{history}"));
        let mut times: Vec<String> =
            items.iter().map(|item| item["recorded_at"].as_str().unwrap().to_owned()).collect();
        // Either the newest or the oldest comes first.
        if times.first() > times.last() {
            times.reverse();
        }
        assert_goes_forward(&times);
    }
    eprintln!("R12: {} clocks, {} audit entries strictly in order", clocks.len(), times.len());
}

/// The value in the slot `zone` on a date as somebody in a time zone writes it.
fn value_on(mnemic: &Mnemic, zone: &str, date: &str) -> Value {
    let mut command = mnemic.command(["list", "--as-of", date, "--json"]);
    let answer = answer(command.env("TZ", zone));
    assert_eq!(answer.code, Some(0), "{zone} {date}: {answer:?}");
    let items = answer.json()["items"].clone();
    assert!(items.as_array().unwrap().len() <= 1, "one value at a time: {items}");
    items[0]["value"].clone()
}

#[test]
fn a_date_means_the_day_of_the_person_who_writes_it() {
    if !Path::new("/usr/share/zoneinfo/Europe/Berlin").exists() {
        return eprintln!("skipped: there is no time zone database");
    }
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    // Each value is named by the instant from which it holds, in UTC.
    for since in [
        "2026-01-01T00:00:00Z",
        "2026-01-14T10:00:00Z",
        "2026-01-15T00:00:00Z",
        "2026-01-15T12:00:00Z",
        "2026-03-29T00:59:59Z",
        "2026-03-29T01:00:00Z",
        "2026-03-29T01:30:00Z",
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:30:00Z",
    ] {
        mnemic.remember(&json!({"kind": "fact", "key": "zone", "value": since, "valid_at": since}));
    }
    let cases = [
        // Fourteen hours ahead, and twelve behind.
        ("Pacific/Kiritimati", "2026-01-15", "2026-01-14T10:00:00Z"),
        ("Pacific/Kiritimati", "2026-01-14 23:59:59", "2026-01-01T00:00:00Z"),
        ("Etc/GMT+12", "2026-01-15", "2026-01-15T12:00:00Z"),
        ("Etc/GMT+12", "2026-01-14 23:59:59", "2026-01-15T00:00:00Z"),
        ("UTC", "2026-01-15", "2026-01-15T00:00:00Z"),
        ("UTC", "2026-01-15T12:00:00+00:00", "2026-01-15T12:00:00Z"),
        // The hour that is left out: 01:59:59 is followed by 03:00:00.
        ("Europe/Berlin", "2026-03-29 01:59:59", "2026-03-29T00:59:59Z"),
        ("Europe/Berlin", "2026-03-29 03:00", "2026-03-29T01:00:00Z"),
        ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:30:00Z"),
        // The hour that comes twice: the first of the two is meant.
        ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25T00:30:00Z"),
        ("Europe/Berlin", "2026-10-25T02:30:00+01:00", "2026-10-25T01:30:00Z"),
        ("Europe/Berlin", "2026-10-25 03:00", "2026-10-25T01:30:00Z"),
    ];
    for (zone, date, since) in cases {
        assert_eq!(value_on(&mnemic, zone, date), since, "{date} in {zone}");
    }
    mnemic.verify("after asking from everywhere");
    eprintln!("R12: {} dates in 4 time zones mean the right instant", cases.len());
}
