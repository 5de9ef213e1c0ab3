//! The power fails at any moment, and the disk keeps of the unsynced what it likes: everything that
//! was acknowledged is there, and the store is whole.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Disk, Event, Mnemic, SplitMix, Tape, answer_to, mixed_memory, size};
use std::collections::BTreeSet;
use std::path::Path;

/// Memories that are written while the tape runs, in two processes one after the other.
const MEMORIES: usize = 160;

/// Writes memories with a tape running; the second process also forgets and edits.
fn write(mnemic: &Mnemic, tape: &Tape, watched: &Path) {
    let mut random = SplitMix::new(7);
    let mut lines = |from: usize| -> String {
        let memory = |n| format!("{}\n", mixed_memory(&mut random, 0, n));
        (from..from + MEMORIES / 2).map(memory).collect()
    };
    for input in [lines(0), lines(MEMORIES)] {
        let mut command = mnemic.command(["remember", "-", "--quiet"]);
        let answer = answer_to(tape.record(&mut command, watched), &input);
        assert_eq!(answer.code, Some(0), "{answer:?}");
    }
    let mut reindex = mnemic.command(["reindex"]);
    assert_eq!(answer_to(tape.record(&mut reindex, watched), "").code, Some(0));
}

/// The memories that were acknowledged in an answer: their ids stand a line each.
fn acknowledged(event: &Event, into: &mut BTreeSet<String>) {
    let Event::Answer(said) = event else { return };
    let said = String::from_utf8_lossy(said).into_owned();
    let ids = said.lines().filter(|line| line.contains('-') && !line.contains(' '));
    into.extend(ids.map(str::to_owned));
}

#[test]
fn what_was_acknowledged_outlives_the_power() {
    let tape = match Tape::compile() {
        Ok(tape) => tape,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    let watched = mnemic.store_dir();
    let mut disk = Disk::of(&watched).unwrap();
    write(&mnemic, &tape, &watched);
    let events = tape.events().unwrap();
    assert!(events.len() > 4 * MEMORIES, "{} events are too few to mean anything", events.len());

    let cuts = size(150, 2_000);
    let mut random = SplitMix::new(0x9e3);
    let mut known = BTreeSet::new();
    let mut made = 0;
    for (n, event) in events.iter().enumerate() {
        disk.follow(event);
        acknowledged(event, &mut known);
        // Spread evenly; in the long form there are several cuts at one moment.
        while made * events.len() < cuts * (n + 1) {
            made += 1;
            let after = Mnemic::without_store(env!("CARGO_BIN_EXE_mnemic"));
            disk.cut(&watched, &after.store_dir(), &mut random).unwrap();
            let what = format!("cut {made} after event {n} of {}", events.len());
            after.verify(&what);
            let here = after.ids();
            let lost: Vec<&String> = known.iter().filter(|id| !here.contains(*id)).collect();
            assert!(lost.is_empty(), "{what}: {lost:?} are lost");
            if made % 20 == 0 {
                after.ok(["remember", "fact", "after.the.cut", "goes on"]);
            }
        }
    }
    assert!(known.len() >= MEMORIES / 2, "{} acknowledged are too few", known.len());
    eprintln!("R2: {made} cuts of the power, {} acknowledged at the end, 0 lost", known.len());
}
