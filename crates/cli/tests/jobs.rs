//! Jobs as a person sees them: queued by a write, done by a worker or at the end of a command.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Mnemic, answer};
use serde_json::{Value, json};

fn jobs(mnemic: &Mnemic) -> Vec<Value> {
    mnemic.ok(["jobs", "list", "--json"]).json()["jobs"].as_array().unwrap().clone()
}

fn open_contradictions(mnemic: &Mnemic) -> usize {
    let listed = mnemic.ok(["contradictions", "list", "--json"]).json();
    listed["items"].as_array().unwrap().len()
}

#[test]
fn a_worker_does_what_a_write_left() {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    let a = "The nightly export always waits for the scheduler";
    let b = "The nightly export never waits for the scheduler";
    for statement in [a, b] {
        mnemic.remember(&json!({"kind": "pattern", "statement": statement}));
    }
    let waiting = jobs(&mnemic);
    assert_eq!(waiting.len(), 2, "{waiting:?}");
    assert_eq!(waiting[0]["kind"], "scan_contradictions");
    assert_eq!(waiting[0]["state"], "waiting");
    let number = waiting[0]["number"].to_string();
    assert!(mnemic.ok(["jobs", "show", &number]).out.contains("scan_contradictions"));
    assert_eq!(mnemic.run(["jobs", "show", "999"]).code, Some(3));
    let doctor = mnemic.ok(["doctor"]);
    assert!(doctor.out.contains("none of them late"), "{doctor:?}");

    mnemic.ok(["recall", "nightly export"]);
    assert_eq!(jobs(&mnemic).len(), 2, "reading does no jobs");
    let worked = mnemic.ok(["worker", "--once", "--json"]).json();
    assert_eq!((&worked["done"], &worked["left"]), (&json!(2), &json!(0)), "{worked}");
    assert_eq!(jobs(&mnemic), Vec::<Value>::new());
    assert_eq!(open_contradictions(&mnemic), 1);
    let again = mnemic.ok(["jobs", "run", "--json"]).json();
    assert_eq!(again["done"], 0, "{again}");
}

#[test]
fn without_a_worker_a_command_does_its_own_small_jobs() {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    for statement in ["The cache is always warm at dawn", "The cache is never warm at dawn"] {
        let mut command = mnemic.command(["remember", "pattern", statement]);
        // Enough for the slowest machine.
        let answer = answer(command.env("MNEMIC_JOBS_LIMIT_MS", "60000"));
        assert_eq!(answer.code, Some(0), "{answer:?}");
    }
    assert_eq!(jobs(&mnemic), Vec::<Value>::new());
    assert_eq!(open_contradictions(&mnemic), 1);
    mnemic.verify("after jobs");
}
