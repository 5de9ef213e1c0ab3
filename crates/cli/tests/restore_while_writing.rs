//! A backup is put back while others write: what they were told is stored is in the store, or in the
//! copy that was set aside.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Mnemic, SplitMix, mixed_memory, size};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const WRITERS: usize = 3;

/// Writes until told to stop; the ids that were acknowledged.
fn write(mnemic: &Mnemic, number: usize, over: &AtomicBool) -> Vec<String> {
    let mut random = SplitMix::new(number as u64);
    let mut acknowledged = Vec::new();
    let mut writer = mnemic.writer();
    for n in 0.. {
        if over.load(Ordering::SeqCst) || !writer.send(&mixed_memory(&mut random, number, n)) {
            break;
        }
        match writer.acknowledged() {
            Some(id) => acknowledged.push(id),
            None => break,
        }
    }
    let end = writer.finish();
    assert_eq!(end.code, Some(0), "{end:?}");
    acknowledged
}

#[test]
fn nothing_acknowledged_falls_between_the_old_and_the_new() {
    let restores = size(8, 100);
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    mnemic.ok(["remember", "fact", "first", "of all"]);
    let backup = mnemic.root().join("elsewhere.db").to_string_lossy().into_owned();
    mnemic.ok(["backup", "--to", &backup]);
    let over = AtomicBool::new(false);
    let acknowledged: Vec<String> = thread::scope(|scope| {
        let (mnemic, over) = (&mnemic, &over);
        let writers: Vec<_> =
            (0..WRITERS).map(|number| scope.spawn(move || write(mnemic, number, over))).collect();
        for _ in 0..restores {
            let answer = mnemic.run(["restore", &backup, "--yes"]);
            if answer.code != Some(0) {
                over.store(true, Ordering::SeqCst);
            }
            assert_eq!(answer.code, Some(0), "{answer:?}");
        }
        over.store(true, Ordering::SeqCst);
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    mnemic.verify("after the restores");
    let mut kept = mnemic.ids();
    let mut copies = 0;
    for entry in std::fs::read_dir(mnemic.backup_dir()).unwrap() {
        let other = Mnemic::without_store(env!("CARGO_BIN_EXE_mnemic"));
        std::fs::create_dir_all(other.store_dir()).unwrap();
        std::fs::copy(entry.unwrap().path(), other.store_file()).unwrap();
        kept.extend(other.ids());
        copies += 1;
    }
    let lost: BTreeSet<&String> = acknowledged.iter().filter(|id| !kept.contains(*id)).collect();
    assert!(lost.is_empty(), "{} of {} lost: {lost:?}", lost.len(), acknowledged.len());
    eprintln!(
        "R9: {restores} restores beside {WRITERS} writers, {copies} copies set aside, {} \
         acknowledged, 0 lost",
        acknowledged.len()
    );
}
