//! The disk is full: writing says so, nothing acknowledged is lost, reading and forgetting work.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Answer, Mnemic, SmallDisk, files_with, size};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Room for two stores with their ballast, and not for much more.
const MEGABYTES: usize = 16;
const DISK_FULL: Option<i32> = Some(9);
const SECRET_WORDS: &str = "zanzibar-quokka-testimony";

fn disk() -> Option<SmallDisk> {
    SmallDisk::mount(MEGABYTES).map_err(|why| eprintln!("skipped: {why}")).ok()
}

fn on(disk: &SmallDisk) -> Mnemic {
    let mnemic = Mnemic::at(env!("CARGO_BIN_EXE_mnemic"), disk.path());
    mnemic.ok(["init"]);
    mnemic
}

/// Takes every byte that is left.
fn fill(disk: &Path) -> PathBuf {
    let path = disk.join("filler");
    let mut file = OpenOptions::new().create(true).append(true).open(&path).unwrap();
    for piece in [1 << 16, 4096, 1] {
        let bytes = vec![7; piece];
        while file.write_all(&bytes).is_ok() {}
    }
    path
}

fn assert_full(answer: &Answer) {
    assert_eq!(answer.code, DISK_FULL, "{answer:?}");
    let error: serde_json::Value =
        serde_json::from_str(answer.err.lines().last().unwrap()).unwrap();
    assert_eq!(error["error"]["code"], "disk_full", "{answer:?}");
}

#[test]
fn a_full_disk_is_said_and_nothing_is_lost() {
    let Some(disk) = disk() else { return };
    let mnemic = on(&disk);
    let mut ids = BTreeSet::new();
    for n in 0..20 {
        ids.insert(
            mnemic.remember(&json!({"kind": "decision", "decision": format!("number {n}")})),
        );
    }
    let secret = mnemic.remember(&json!({"kind": "episode", "goal": SECRET_WORDS}));
    let filler = fill(disk.path());

    let one = ids.first().unwrap().clone();
    let reading = |when: &str| {
        for args in [vec!["show", &one], vec!["list"], vec!["history", &one], vec!["stats"]] {
            let answer = mnemic.run(&args);
            assert_eq!(answer.code, Some(0), "{when}, {args:?}: {answer:?}");
        }
        assert!(ids.is_subset(&mnemic.ids()), "{when}");
    };
    reading("on the full disk");
    for n in 0..5 {
        assert_full(&mnemic.run(["remember", "fact", "more", &n.to_string(), "--json"]));
        assert_full(&mnemic.run(["edit", &one, "--tag", "full", "--json"]));
    }
    reading("after refused writes");
    mnemic.verify("on the full disk");

    let forgotten = mnemic.run(["forget", &secret, "--yes"]);
    assert_eq!(forgotten.code, Some(0), "{forgotten:?}");
    assert_eq!(mnemic.run(["show", &secret]).code, Some(6));
    let traces = files_with(&mnemic.store_dir(), SECRET_WORDS);
    assert!(traces.is_empty(), "{traces:?}: {forgotten:?}");
    reading("after forgetting");

    fs::remove_file(filler).unwrap();
    mnemic.ok(["remember", "fact", "room", "again"]);
    mnemic.ok(["doctor", "--fix"]);
    assert!(fs::metadata(mnemic.store_dir().join("ballast")).unwrap().len() > 0);
    assert_eq!(mnemic.ids().len(), ids.len() + 1);
    mnemic.verify("with room again");
    eprintln!(
        "R4: 10 writes on a full disk refused, 20 memories kept, 1 forgotten without a trace"
    );
}

#[test]
fn a_writer_that_fills_the_disk_keeps_what_it_acknowledged() {
    // How much the journal holds when the disk is full is a matter of timing: several trials.
    for _ in 0..size(3, 30) {
        let Some(disk) = disk() else { return };
        fill_by_writing(&disk);
    }
}

fn fill_by_writing(disk: &SmallDisk) {
    let mnemic = on(disk);
    let mut lines = String::new();
    for n in 0..1_200 {
        let text = format!("document {n} ").repeat(400);
        let memory = json!({"kind": "resource", "title": format!("document {n}"), "text": text});
        lines.push_str(&format!("{memory}\n"));
    }
    let answer = mnemic.feed(["remember", "-", "--quiet", "--json"], &lines);
    assert_full(&answer);
    let acknowledged: BTreeSet<String> = answer
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|line| line["id"].as_str().unwrap().to_owned())
        .collect();
    let kept = mnemic.ids();
    let lost: Vec<_> = acknowledged.difference(&kept).collect();
    assert!(lost.is_empty(), "{} lost: {lost:?}", lost.len());
    mnemic.verify("after the disk was filled");
    // Forgetting makes room, whatever state the journal was left in.
    let some: Vec<&str> = kept.iter().take(60).map(String::as_str).collect();
    let (first, others) = some.split_first().unwrap();
    mnemic.ok(["forget", "--yes", first]);
    mnemic.ok(["forget", "--yes"].iter().chain(others));
    mnemic.ok(["remember", "fact", "room", "again"]);
    mnemic.verify("after making room");
    eprintln!("R4: {} acknowledged until the disk was full, 0 lost", acknowledged.len());
}
