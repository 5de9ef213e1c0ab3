//! The store cannot be written, or there is no home directory: every reading verb answers, with one
//! warning at most; writing says why not.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Mnemic, SmallDisk, answer, answer_to};
use serde_json::json;
use std::process::Command;

const READ_ONLY: Option<i32> = Some(8);

/// A store in which every reading verb has something to say; a fact and a handoff.
fn furnish(mnemic: &Mnemic) -> (String, String) {
    mnemic.ok(["init"]);
    mnemic.ok(["namespace", "create", "team"]);
    mnemic.remember(&json!({"kind": "fact", "key": "db.port", "value": "5432"}));
    let fact = mnemic.remember(&json!({"kind": "fact", "key": "db.port", "value": "5433"}));
    mnemic.ok(["remember", "decision", "Use SQLite", "--because", "one file"]);
    mnemic.ok(["block", "new", "persona", "Answers briefly."]);
    mnemic.ok(["ledger", "write", "coder", "--task", "read"]);
    mnemic.ok(["handoff", "write", "--from", "coder", "--to", "tester", "--done", "half of it"]);
    let put = mnemic.feed(["vault", "put", "token"], "not a real secret");
    assert_eq!(put.code, Some(0), "{put:?}");
    mnemic.ok(["backup"]);
    let handoffs = mnemic.ok(["list", "--kind", "handoff", "--ids"]).out;
    (fact, handoffs.trim().to_owned())
}

fn reading_verbs<'a>(fact: &'a str, handoff: &'a str) -> Vec<Vec<&'a str>> {
    let texts = [
        "list",
        "list --all --json",
        "list --match port",
        "list --as-of yesterday",
        "diff 1d now",
        "recall which port does the database use",
        "explain port --json",
        "timeline --around now",
        "embed --status",
        "stats",
        "block list",
        "block show persona",
        "ledger show coder",
        "handoff list",
        "changes",
        "audit",
        "export",
        "verify",
        "vault list",
        "namespace list",
        "namespace stats",
        "contradictions list",
        "consolidate --dry-run",
        "config",
        "backup --list",
        "doctor",
    ];
    let mut verbs: Vec<Vec<&str>> = texts.iter().map(|text| text.split(' ').collect()).collect();
    verbs.push(vec!["show", fact]);
    verbs.push(vec!["show", fact, "--json"]);
    verbs.push(vec!["history", fact]);
    verbs.push(vec!["similar", fact]);
    verbs.push(vec!["explain", "port", "--why-not", fact]);
    verbs.push(vec!["handoff", "show", handoff]);
    verbs
}

/// Runs every reading verb; what is wrong with the answers.
fn wrong_answers(
    mnemic: &Mnemic,
    (fact, handoff): &(String, String),
    prepare: impl Fn(&mut Command),
) -> Vec<String> {
    let mut wrong = Vec::new();
    for args in reading_verbs(fact, handoff) {
        let mut command = mnemic.command(&args);
        // A program built without weights has one more thing to warn of.
        command.env("MNEMIC_MEANING_MODEL", "off");
        prepare(&mut command);
        let answer = answer(&mut command);
        let warnings = answer.err.lines().filter(|line| line.contains("warning")).count();
        if answer.code != Some(0) {
            wrong.insert(0, format!("`{}` failed: {answer:?}", args.join(" ")));
        } else if warnings > 1 {
            wrong.push(format!("`{}` gave {warnings} warnings: {}", args.join(" "), answer.err));
        }
    }
    wrong
}

#[track_caller]
fn assert_right(wrong: &[String]) {
    let some: Vec<&str> = wrong.iter().take(5).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} wrong answers, e.g.\n{}", wrong.len(), some.join("\n"));
}

fn assert_writing_is_refused(mnemic: &Mnemic, fact: &str) {
    for args in [
        vec!["remember", "fact", "a", "b"],
        vec!["edit", fact, "--value", "1"],
        vec!["forget", fact, "--yes"],
        vec!["pin", fact],
        vec!["block", "rethink", "persona", "other"],
        vec!["backup"],
        vec!["vault", "get", "token"],
    ] {
        let answer = mnemic.run(&args);
        assert_eq!(answer.code, READ_ONLY, "{args:?}: {answer:?}");
        assert!(answer.err.contains("read-only"), "{args:?}: {answer:?}");
    }
    let mut stream = mnemic.command(["remember", "-"]);
    let answer = answer_to(&mut stream, "{\"kind\":\"fact\",\"key\":\"a\",\"value\":\"b\"}\n");
    assert_eq!(answer.code, READ_ONLY, "{answer:?}");
}

/// A furnished store on a disk of its own, or nothing where mounting is not permitted.
fn on_small_disk() -> Option<(SmallDisk, Mnemic, (String, String))> {
    let disk = SmallDisk::mount(32).map_err(|why| eprintln!("skipped: {why}")).ok()?;
    let mnemic = Mnemic::at(env!("CARGO_BIN_EXE_mnemic"), disk.path());
    let names = furnish(&mnemic);
    Some((disk, mnemic, names))
}

#[test]
fn every_reading_verb_answers_on_a_read_only_disk() {
    let Some((disk, mnemic, names)) = on_small_disk() else { return };
    disk.make_read_only().unwrap();
    let wrong = wrong_answers(&mnemic, &names, |_| {});
    assert_writing_is_refused(&mnemic, &names.0);
    assert_right(&wrong);
    disk.make_writable().unwrap();
    mnemic.ok(["remember", "fact", "writable", "again"]);
    mnemic.verify("writable again");
    let verbs = reading_verbs("", "").len();
    eprintln!("R5: {verbs} reading verbs answered on a read-only disk, 8 writing verbs refused");
}

/// Leaves memories in the journal alone, makes the disk read-only, and looks for them.
fn read_out_of_the_journal(with_shared_memory: bool) {
    let Some((disk, mnemic, names)) = on_small_disk() else { return };
    let mut writer = mnemic.writer();
    let mut acknowledged = Vec::new();
    for n in 0..10 {
        writer.send(&json!({"kind": "decision", "decision": format!("in the journal {n}")}));
        acknowledged.push(writer.acknowledged().unwrap());
    }
    // Killed, it cannot move the journal into the file any more.
    writer.kill();
    writer.finish();
    let journal = mnemic.store_dir().join("memory.db-wal");
    assert!(std::fs::metadata(&journal).unwrap().len() > 0, "the journal must hold something");
    if !with_shared_memory {
        std::fs::remove_file(mnemic.store_dir().join("memory.db-shm")).unwrap();
    }
    disk.make_read_only().unwrap();
    let ids = mnemic.ids();
    let missing: Vec<_> = acknowledged.iter().filter(|id| !ids.contains(*id)).collect();
    assert!(missing.is_empty(), "not seen: {missing:?}");
    let copies = tempfile::tempdir().unwrap();
    let wrong = wrong_answers(&mnemic, &names, |command| {
        command.env("TMPDIR", copies.path());
    });
    let left: Vec<_> = std::fs::read_dir(copies.path()).unwrap().flatten().collect();
    assert!(left.is_empty(), "copies were left behind: {left:?}");
    assert_writing_is_refused(&mnemic, &names.0);
    assert_right(&wrong);
    eprintln!("R5: 10 memories read out of the journal of a read-only store");
}

#[test]
fn what_only_the_journal_holds_is_read_too() {
    read_out_of_the_journal(true);
}

#[test]
fn a_journal_without_its_shared_memory_is_read_too() {
    read_out_of_the_journal(false);
}

#[test]
fn a_home_is_not_needed() {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    let names = furnish(&mnemic);
    let homeless = |command: &mut Command| {
        for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "USER", "MNEMIC_ACTOR"] {
            command.env_remove(name);
        }
    };
    assert_right(&wrong_answers(&mnemic, &names, homeless));
    let mut write = mnemic.command(["remember", "fact", "without", "home"]);
    homeless(&mut write);
    let written = answer(&mut write);
    assert_eq!(written.code, Some(0), "{written:?}");
    eprintln!("R5: {} reading verbs answered without a home", reading_verbs("", "").len());
}

#[test]
fn neither_home_nor_a_writable_disk() {
    let Some((disk, mnemic, names)) = on_small_disk() else { return };
    disk.make_read_only().unwrap();
    let homeless = |command: &mut Command| {
        command.env_remove("HOME").env_remove("XDG_DATA_HOME").env("TMPDIR", mnemic.root());
    };
    let wrong = wrong_answers(&mnemic, &names, homeless);
    assert_right(&wrong);
    eprintln!(
        "R5: {} reading verbs answered with nothing at all to write to",
        reading_verbs("", "").len()
    );
}
