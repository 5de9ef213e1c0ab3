//! How well the rules do on the given files, if `MNEMIC_BENCH_DATA` says where they are.

#[path = "given/lines.rs"]
mod lines;

use jiff::{Timestamp, tz::TimeZone};
use lines::lines;
use mnemic_text::task::{Signals, detect};
use mnemic_text::when::phrases;

#[test]
fn time_phrases_mean_the_given_days() {
    let Some(lines) = lines("time-phrases.jsonl") else { return };
    let mut wrong = Vec::new();
    for line in &lines {
        let now: Timestamp = line["now"].parse().unwrap();
        let found = phrases(&line["text"], &now.to_zoned(TimeZone::UTC));
        let days: Vec<_> = found
            .iter()
            .map(|phrase| (phrase.first_day.to_string(), phrase.last_day.to_string()))
            .collect();
        if days != [(line["first_day"].clone(), line["last_day"].clone())] {
            wrong.push(format!("{line:?}: {days:?}"));
        }
    }
    println!("time phrases: {} of {}", lines.len() - wrong.len(), lines.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Rules are made looking at one half (by a hash of the text) and checked on the other.
fn is_made_on(text: &str) -> bool {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash >> 32 & 1 == 0
}

#[test]
fn task_types_are_told_from_the_goal() {
    let Some(lines) = lines("task-type.jsonl") else { return };
    let mut halves = [(0, 0); 2];
    for line in &lines {
        let goal = &line["text"];
        let detected = detect(Signals { goal, ..Signals::default() });
        let half = &mut halves[usize::from(!is_made_on(goal))];
        half.1 += 1;
        half.0 += usize::from(detected.task.as_str() == line["label"]);
    }
    let [(made, of), (checked, of_checked)] = halves;
    println!(
        "task types: {made} of {of} where rules were made, {checked} of {of_checked} elsewhere"
    );
    assert!((made + checked) * 100 >= lines.len() * 85, "{halves:?}");
}
