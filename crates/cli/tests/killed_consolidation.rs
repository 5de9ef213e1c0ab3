//! Consolidation is killed at the k-th call to the disk and run again: the outcome is that of one
//! clean run.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Calls, Fault, FaultKind, Faults, Mnemic, answer, answer_to, size};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Noon on a day in 2026, and half a year before.
const NOW: i64 = 1_782_000_000;
const BEFORE: i64 = NOW - 180 * 86_400;

const DEPLOY: &str =
    "We deploy the billing service from the main branch to Frankfurt every single night";

fn memories() -> Vec<Value> {
    let error = json!({
        "type": "E0308",
        "message": "mismatched types in the login handler",
        "resolution": "borrow the session before the call",
    });
    let episode = |n: usize| {
        json!({
            "kind": "episode",
            "goal": format!("fix the flaky login test, try {n}"),
            "task_id": format!("t{}", n / 2),
            "outcome": "success",
            "errors": [error],
            "messages": (0..12)
                .map(|m| json!({"role": "assistant", "text": format!("step {m} of {n}: ran it")}))
                .collect::<Vec<Value>>(),
        })
    };
    let mut all: Vec<Value> = (0..6).map(episode).collect();
    all.push(json!({"kind": "pattern", "statement": DEPLOY}));
    all.push(json!({"kind": "pattern", "statement": format!("{DEPLOY}.").replace("the billing", "billing")}));
    all.push(json!({"kind": "fact", "key": "staging database port", "value": "5432"}));
    all.push(json!({"kind": "fact", "key": "the staging database port", "value": "5433"}));
    all.push(json!({"kind": "pattern", "statement": "The nightly export always waits for the scheduler"}));
    all.push(
        json!({"kind": "pattern", "statement": "The nightly export never waits for the scheduler"}),
    );
    all
}

/// An agent's memories, some half a year old: there is something to do for every step.
fn store(faults: &Faults) -> Mnemic {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    for (at, marked) in [(BEFORE, true), (NOW - 86_400, false)] {
        for (n, mut memory) in memories().into_iter().enumerate() {
            if marked {
                // What is old is about something else, or it would be the same.
                for field in ["goal", "statement", "key"] {
                    if let Some(text) = memory[field].as_str() {
                        memory[field] = json!(format!("archive {text}"));
                    }
                }
            }
            let mut command = mnemic.command(["remember", "-"]);
            command.env("MNEMIC_ACTOR", "agent:tester");
            faults.stop_clock(&mut command, at + n as i64 * 60);
            let answer = answer_to(&mut command, &format!("{memory}\n"));
            assert_eq!(answer.code, Some(0), "{answer:?}");
        }
    }
    mnemic
}

/// What is believed of each record, with how often that changed, and the links. Without times: the
/// store's own clock has gone on by a few ticks.
fn believed(mnemic: &Mnemic) -> (BTreeMap<String, (usize, Value)>, Vec<String>) {
    let mut records: BTreeMap<String, (usize, Value)> = BTreeMap::new();
    let mut links = Vec::new();
    for line in mnemic.export() {
        if line["type"] == "version" {
            let mut content = line["content"].clone();
            let is_over = content["invalid_at"].is_string();
            for time in ["valid_at", "invalid_at"] {
                content.as_object_mut().unwrap().shift_remove(time);
            }
            content["over"] = json!(is_over);
            let id = line["id"].as_str().unwrap().to_owned();
            let (count, last) = records.entry(id).or_insert((0, Value::Null));
            *count += 1;
            *last = content;
        } else if line["type"] == "link" {
            links.push(format!("{} {} {}", line["from"], line["relation"], line["to"]));
        }
    }
    links.sort();
    (records, links)
}

fn consolidate(mnemic: &Mnemic, faults: &Faults) -> Value {
    let mut command = mnemic.command(["consolidate", "--json"]);
    let answer = answer(faults.stop_clock(&mut command, NOW));
    assert_eq!(answer.code, Some(0), "{answer:?}");
    answer.json()
}

fn is_idle(report: &Value) -> bool {
    report["stores"].as_array().unwrap().iter().all(|store| store["change"].is_null())
}

#[test]
fn killed_anywhere_and_run_again_is_one_clean_run() {
    let faults = match Faults::compile() {
        Ok(faults) => faults,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let template = store(&faults);
    let clean = template.copy();
    let report = consolidate(&clean, &faults);
    for act in ["generalised", "warned", "merged", "opened", "settled", "archived", "linked"] {
        let done: u64 = report["stores"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|store| store["counts"][act].as_u64())
            .sum();
        assert!(done > 0, "nothing was {act}: {report}");
    }
    assert!(is_idle(&consolidate(&clean, &faults)), "a second run changes nothing");
    let expected = believed(&clean);
    let mut kills = 0;
    for at in (1..).step_by(size(23, 1)) {
        let mnemic = template.copy();
        let dir = mnemic.store_dir();
        let kind = if at % 2 == 0 { FaultKind::Kill } else { FaultKind::Tear };
        let fault = Fault { calls: Calls::Write, at, kind, sticky: false, dir: &dir };
        let mut command = mnemic.command(["consolidate"]);
        faults.stop_clock(&mut command, NOW);
        let answer = answer(faults.plan(&mut command, fault));
        if !faults.happened() {
            assert_eq!(answer.code, Some(0), "{answer:?}");
            break;
        }
        let what = format!("{} at {at}", kind.as_str());
        assert_eq!(answer.signal, Some(9), "{what}: {answer:?}");
        kills += 1;
        mnemic.verify(&what);
        consolidate(&mnemic, &faults);
        assert_eq!(believed(&mnemic), expected, "{what}");
        assert!(is_idle(&consolidate(&mnemic, &faults)), "{what}");
        mnemic.verify(&what);
    }
    assert!(kills > 0);
    eprintln!("consolidate killed at {kills} different calls, one clean run every time");
}
