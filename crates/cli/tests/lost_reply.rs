//! The reply is lost after the commit and the client asks again: there is one memory, not two.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Calls, Fault, FaultKind, Faults, Mnemic, SplitMix, Writer, answer_to, size};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::thread;
use std::time::Duration;

/// Few slots, so that the memories get in each other's way.
const SLOTS: usize = 7;

fn request(trial: usize) -> Value {
    json!({
        "kind": "fact",
        "key": format!("slot{}", trial % SLOTS),
        "value": format!("asked {trial}"),
        "idempotency_key": format!("trial-{trial}"),
    })
}

/// Another value in the same slot: now the request's own is not current any more, and a retry that
/// only looked for the same content among what is current would store it again.
fn meanwhile(trial: usize) -> Value {
    json!({
        "kind": "fact",
        "key": format!("slot{}", trial % SLOTS),
        "value": format!("meanwhile {trial}"),
    })
}

/// Asks again until there is an answer; what became of it.
fn retry(mnemic: &Mnemic, trial: usize) -> (String, String) {
    let answer = mnemic.feed(["remember", "-", "--json"], &format!("{}\n", request(trial)));
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let json = answer.json();
    (json["id"].as_str().unwrap().to_owned(), json["outcome"].as_str().unwrap().to_owned())
}

/// Each request is one memory; its `meanwhile` is another.
fn assert_each_once(mnemic: &Mnemic, trials: usize) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for line in mnemic.export().iter().filter(|line| line["type"] == "version" && line["n"] == 1) {
        *counts.entry(line["content"]["value"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    for trial in 0..trials {
        assert_eq!(counts.get(&format!("asked {trial}")), Some(&1), "trial {trial}");
        assert_eq!(counts.get(&format!("meanwhile {trial}")), Some(&1), "trial {trial}");
    }
    assert_eq!(counts.len(), 2 * trials);
    mnemic.verify("after lost replies");
}

#[test]
fn killed_at_the_reply_a_retry_gets_the_same_memory() {
    let faults = match Faults::compile() {
        Ok(faults) => faults,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let trials = size(60, 3_000);
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    let dir = mnemic.store_dir();
    for trial in 0..trials {
        let fault =
            Fault { calls: Calls::Stdout, at: 1, kind: FaultKind::Kill, sticky: false, dir: &dir };
        let mut command = mnemic.command(["remember", "-"]);
        let answer = answer_to(faults.plan(&mut command, fault), &format!("{}\n", request(trial)));
        assert!(faults.happened() && answer.signal == Some(9), "{answer:?}");
        assert_eq!(answer.out, "", "the reply was lost");
        mnemic.remember(&meanwhile(trial));
        let (id, outcome) = retry(&mnemic, trial);
        assert_eq!(outcome, "replayed", "trial {trial} was committed before the reply");
        assert_eq!(retry(&mnemic, trial).0, id);
    }
    assert_each_once(&mnemic, trials);
    eprintln!("R19: {trials} replies lost after the commit, each one memory");
}

#[test]
fn killed_at_any_moment_a_retry_leaves_one_memory() {
    let trials = size(60, 2_000);
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    let mut random = SplitMix::new(19);
    let mut replayed = 0;
    for trial in 0..trials {
        let mut writer = Writer::start(&mut mnemic.command(["remember", "-"]));
        writer.send(&request(trial));
        thread::sleep(Duration::from_micros(random.below(80_000)));
        writer.kill();
        writer.finish();
        mnemic.remember(&meanwhile(trial));
        replayed += usize::from(retry(&mnemic, trial).1 == "replayed");
    }
    assert_each_once(&mnemic, trials);
    eprintln!("R19: {trials} kills at random, {replayed} after the commit, each one memory");
}
