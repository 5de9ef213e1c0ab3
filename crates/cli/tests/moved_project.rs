//! A project directory is moved or renamed: its store is found, and `forget` reaches the backups that
//! moved with it.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Mnemic, files_with};
use serde_json::json;

const SECRET_WORDS: &str = "zanzibar-quokka-testimony";

#[test]
fn what_is_forgotten_is_erased_from_backups_that_moved_along() {
    let before = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    let secret = before.remember(&json!({"kind": "episode", "goal": SECRET_WORDS}));
    before.ok(["backup"]);
    let moved = before.root().join("moved");
    std::fs::create_dir(&moved).unwrap();
    std::fs::rename(before.project(), moved.join("project")).unwrap();
    let mnemic = Mnemic::at(env!("CARGO_BIN_EXE_mnemic"), &moved);
    let listed = mnemic.ok(["backup", "--list"]).out;
    let forgotten = mnemic.ok(["forget", &secret, "--yes"]);
    let traces = files_with(&mnemic.store_dir(), SECRET_WORDS);
    assert!(traces.is_empty(), "{traces:?}: {forgotten:?}");
    assert_eq!(listed.lines().count(), 1, "the backup that moved along is known: {listed}");
    mnemic.ok(["doctor", "--fix"]);
    eprintln!("R29: 1 moved project, forgotten without a trace");
}
