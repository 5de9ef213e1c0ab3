//! The process dies at the k-th call to the disk, before it or in the middle of it, for every k:
//! the store opens, is whole, and finishes what was begun.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{
    Calls, Fault, FaultKind, Faults, Mnemic, answer_to, files_with, is_long, size,
};
use serde_json::{Value, json};

const SECRET_WORDS: &str = "zanzibar-quokka-testimony";

fn store() -> Mnemic {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    for n in 0..4 {
        mnemic.remember(&json!({"kind": "fact", "key": "db.port", "value": format!("543{n}")}));
    }
    mnemic.remember(&json!({"kind": "decision", "decision": "use one file"}));
    mnemic
}

/// What the store says, without what only tells when and by whom it was said.
fn contents(mnemic: &Mnemic) -> Vec<Value> {
    let lines = mnemic.export().into_iter();
    lines.filter(|line| line["type"] == "version" || line["type"] == "link").collect()
}

/// Kills one verb at every call it makes below the store's directory, or in the short version at
/// every `step`-th; `check` sees what is left. The number of kills.
fn kill_everywhere(
    faults: &Faults,
    template: &Mnemic,
    step: usize,
    args: &dyn Fn(&Mnemic) -> Vec<String>,
    input: &str,
    check: &dyn Fn(&Mnemic, &str),
) -> usize {
    let mut kills = 0;
    // Odd steps, so that the two kinds take turns.
    for at in (1..).step_by(size(step, 1)) {
        let kinds = [FaultKind::Tear, FaultKind::Kill];
        let mut happened = false;
        for kind in if is_long() { &kinds[..] } else { &kinds[at % 2..=at % 2] } {
            let mnemic = template.copy();
            let dir = mnemic.store_dir();
            let args = args(&mnemic);
            let what = format!("`{}` with {} at {at}", args.join(" "), kind.as_str());
            let fault = Fault { calls: Calls::Write, at, kind: *kind, sticky: false, dir: &dir };
            let mut command = mnemic.command(&args);
            let answer = answer_to(faults.plan(&mut command, fault), input);
            if !faults.happened() {
                assert_eq!(answer.code, Some(0), "{what}: {answer:?}");
                continue;
            }
            assert_eq!(answer.signal, Some(9), "{what}: {answer:?}");
            happened = true;
            kills += 1;
            mnemic.verify(&what);
            check(&mnemic, &what);
            mnemic.ok(["remember", "fact", "goes.on", "yes"]);
        }
        if !happened {
            break;
        }
    }
    kills
}

fn faults() -> Option<Faults> {
    Faults::compile().map_err(|why| eprintln!("skipped: {why}")).ok()
}

fn words(args: &[&str]) -> Vec<String> {
    args.iter().map(|arg| (*arg).to_owned()).collect()
}

#[test]
fn remember_is_there_or_not() {
    let Some(faults) = faults() else { return };
    let template = store();
    let before = contents(&template);
    let input = "{\"kind\":\"fact\",\"key\":\"db.port\",\"value\":\"9999\"}\n";
    let args = |_: &Mnemic| words(&["remember", "-"]);
    let kills = kill_everywhere(&faults, &template, 3, &args, input, &|mnemic, what| {
        let after = contents(mnemic);
        let new = after.iter().filter(|line| line["content"]["value"] == "9999").count();
        // All of it: the new fact, the end of the old one, the link between them.
        assert!(
            after == before || new == 1 && after.len() == before.len() + 3,
            "{what}: {after:?}"
        );
        // Asked again, it is there once.
        mnemic.feed(["remember", "-"], input);
        let again = contents(mnemic);
        let new = again.iter().filter(|line| line["content"]["value"] == "9999").count();
        assert_eq!(new, 1, "{what}");
    });
    eprintln!("R3: remember killed at {kills} different calls, whole every time");
}

#[test]
fn forget_is_finished_by_doctor() {
    let Some(faults) = faults() else { return };
    let template = store();
    let episode = template.remember(&json!({"kind": "episode", "goal": SECRET_WORDS}));
    let args = |mnemic: &Mnemic| {
        mnemic.ok(["backup"]);
        words(&["forget", &episode, "--yes"])
    };
    let kills = kill_everywhere(&faults, &template, 9, &args, "", &|mnemic, what| {
        let shown = mnemic.run(["show", &episode]);
        match shown.code {
            Some(0) => {
                mnemic.ok(["forget", &episode, "--yes"]);
            }
            Some(6) => {
                let doctor = mnemic.run(["doctor", "--fix"]);
                assert_eq!(doctor.code, Some(0), "{what}: {doctor:?}");
            }
            _ => panic!("{what}: {shown:?}"),
        }
        let traces = files_with(&mnemic.store_dir(), SECRET_WORDS);
        assert!(traces.is_empty(), "{what}: {traces:?}");
    });
    eprintln!("R3: forget killed at {kills} different calls, finished every time");
}

#[test]
fn import_is_there_or_can_be_repeated() {
    let Some(faults) = faults() else { return };
    let template = store();
    let base = template.ids().len();
    let other = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    for n in 0..20 {
        other.remember(
            &json!({"kind": "fact", "key": format!("foreign{}", n % 7), "value": n.to_string()}),
        );
    }
    let foreign = other.ok(["export", "--quiet"]).out;
    let args = |_: &Mnemic| words(&["import", "-"]);
    let kills = kill_everywhere(&faults, &template, 5, &args, &foreign, &|mnemic, what| {
        let again = mnemic.feed(["import", "-"], &foreign);
        assert_eq!(again.code, Some(0), "{what}: {again:?}");
        assert_eq!(mnemic.ids().len(), base + 20, "{what}");
    });
    eprintln!("R3: import killed at {kills} different calls, whole when repeated");
}

#[test]
fn a_backup_is_whole_or_not_there() {
    let Some(faults) = faults() else { return };
    let template = store();
    let before = contents(&template);
    let args = |_: &Mnemic| words(&["backup"]);
    let kills = kill_everywhere(&faults, &template, 5, &args, "", &|mnemic, what| {
        assert_eq!(contents(mnemic), before, "{what}");
        for entry in std::fs::read_dir(mnemic.backup_dir()).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "db") {
                let restored = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
                let path = path.to_string_lossy().into_owned();
                restored.ok(["restore", &path, "--yes"]);
                assert_eq!(contents(&restored), before, "{what}");
            }
        }
        mnemic.ok(["backup"]);
    });
    eprintln!("R3: backup killed at {kills} different calls, whole or not there every time");
}

#[test]
fn restore_leaves_the_old_or_the_new() {
    let Some(faults) = faults() else { return };
    let template = store();
    let old = contents(&template);
    let backup = template.root().join("elsewhere.db");
    template.ok(["backup", "--to", &backup.to_string_lossy()]);
    template.remember(&json!({"kind": "fact", "key": "db.port", "value": "newest"}));
    let new = contents(&template);
    let args = |mnemic: &Mnemic| {
        let copy = mnemic.root().join("elsewhere.db");
        words(&["restore", &copy.to_string_lossy(), "--yes"])
    };
    let kills = kill_everywhere(&faults, &template, 15, &args, "", &|mnemic, what| {
        let found = contents(mnemic);
        assert!(found == old || found == new, "{what}: {found:?}");
        mnemic.ok(args(mnemic));
        assert_eq!(contents(mnemic), old, "{what}, then again");
    });
    eprintln!("R3: restore killed at {kills} different calls, the old or the new every time");
}
