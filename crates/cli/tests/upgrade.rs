//! A file of an older schema is opened, by one process or by ten, and killed while it is brought up
//! to date; files of newer schemas and of strangers are left alone.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{
    Answer, Calls, Fault, FaultKind, Faults, Mnemic, answer, answer_to, is_long, size,
};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SCHEMA_1: &[u8] = include_bytes!("fixtures/schema-1.db");
const SCHEMA_1_EXPORT: &str = include_str!("fixtures/schema-1.jsonl");
/// Where a SQLite file keeps `user_version`, four bytes with the highest first.
const USER_VERSION_AT: usize = 60;
/// The schema that this program writes.
const PRESENT: u32 = 12;
const NEWER: Option<i32> = Some(12);

fn place(mnemic: &Mnemic, bytes: &[u8]) {
    fs::create_dir_all(mnemic.store_dir()).unwrap();
    fs::write(mnemic.store_file(), bytes).unwrap();
}

fn with_old_store() -> Mnemic {
    let mnemic = Mnemic::without_store(env!("CARGO_BIN_EXE_mnemic"));
    place(&mnemic, SCHEMA_1);
    mnemic
}

fn schema_of(file: &Path) -> u32 {
    let bytes = fs::read(file).unwrap();
    u32::from_be_bytes(bytes[USER_VERSION_AT..USER_VERSION_AT + 4].try_into().unwrap())
}

fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    // The header names the program that wrote it.
    lines.filter(|line: &Value| line["type"] != "header").collect()
}

fn exported(mnemic: &Mnemic) -> Vec<Value> {
    lines(&mnemic.ok(["export", "--quiet"]).out)
}

fn backups(mnemic: &Mnemic) -> Vec<PathBuf> {
    let entries = fs::read_dir(mnemic.backup_dir()).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn is_before_the_present(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    name.starts_with(&format!("before-schema-{PRESENT}-from-1-")) && name.ends_with(".db")
}

#[test]
fn an_old_file_keeps_its_content_and_a_backup_of_itself() {
    let mnemic = with_old_store();
    assert_eq!(schema_of(&mnemic.store_file()), 1);
    assert_eq!(exported(&mnemic), lines(SCHEMA_1_EXPORT));
    assert_eq!(schema_of(&mnemic.store_file()), PRESENT);
    mnemic.verify("after the upgrade");
    let backups = backups(&mnemic);
    assert!(backups.len() == 1 && is_before_the_present(&backups[0]), "{backups:?}");
    assert_eq!(schema_of(&backups[0]), 1);
    // The backup is an old store like the first, and can be opened like it.
    let other = Mnemic::without_store(env!("CARGO_BIN_EXE_mnemic"));
    place(&other, &fs::read(&backups[0]).unwrap());
    assert_eq!(exported(&other), lines(SCHEMA_1_EXPORT));
    assert_eq!(exported(&mnemic), lines(SCHEMA_1_EXPORT), "opening again changes nothing");
    // The words index is new in schema 2, and filled.
    let found = mnemic.ok(["list", "--match", "sqlite", "--json"]).json();
    assert!(!found["items"].as_array().unwrap().is_empty(), "{found}");
    mnemic.ok(["remember", "fact", "after.upgrade", "yes"]);
    mnemic.verify("after writing");
    eprintln!("R10: schema 1 brought up to date, {} lines equal", lines(SCHEMA_1_EXPORT).len());
}

/// Starts them all before it waits for any.
fn at_once(mut commands: Vec<Command>) -> Vec<Answer> {
    let children: Vec<_> = commands
        .iter_mut()
        .map(|command| {
            let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            piped.spawn().unwrap()
        })
        .collect();
    let outputs = children.into_iter().map(|child| child.wait_with_output().unwrap());
    outputs
        .map(|output| Answer {
            code: output.status.code(),
            signal: None,
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
        .collect()
}

#[test]
fn of_ten_processes_exactly_one_brings_it_up_to_date() {
    let repetitions = size(30, 500);
    for repetition in 0..repetitions {
        let mnemic = with_old_store();
        let commands = (0..10).map(|_| mnemic.command(["export", "--quiet"])).collect();
        for answer in at_once(commands) {
            assert!(answer.code == Some(0) && answer.err.is_empty(), "{repetition}: {answer:?}");
            assert_eq!(lines(&answer.out), lines(SCHEMA_1_EXPORT), "{repetition}");
        }
        let backups = backups(&mnemic);
        assert!(
            backups.len() == 1 && is_before_the_present(&backups[0]),
            "{repetition}: {backups:?}"
        );
        mnemic.verify("after ten at once");
    }
    eprintln!("R7: {repetitions} × 10 processes opened an old file, one upgraded it, 0 errors");
}

#[test]
fn killed_at_any_step_the_next_opening_finishes() {
    let faults = match Faults::compile() {
        Ok(faults) => faults,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let mut kills = 0;
    for at in (1..).step_by(size(3, 1)) {
        let kinds = [FaultKind::Tear, FaultKind::Kill];
        let mut happened = false;
        for kind in if is_long() { &kinds[..] } else { &kinds[at % 2..=at % 2] } {
            let mnemic = with_old_store();
            let dir = mnemic.store_dir();
            let fault = Fault { calls: Calls::Write, at, kind: *kind, sticky: false, dir: &dir };
            let mut command = mnemic.command(["list"]);
            let answer = answer_to(faults.plan(&mut command, fault), "");
            if !faults.happened() {
                assert_eq!(answer.code, Some(0), "{answer:?}");
                continue;
            }
            happened = true;
            kills += 1;
            let what = format!("{} at {at}", kind.as_str());
            assert_eq!(exported(&mnemic), lines(SCHEMA_1_EXPORT), "{what}");
            mnemic.verify(&what);
            let backups = backups(&mnemic);
            let whole: Vec<_> = backups.iter().filter(|path| is_before_the_present(path)).collect();
            assert!(!whole.is_empty(), "{what}: {backups:?}");
            for backup in whole {
                let other = Mnemic::without_store(env!("CARGO_BIN_EXE_mnemic"));
                place(&other, &fs::read(backup).unwrap());
                assert_eq!(exported(&other), lines(SCHEMA_1_EXPORT), "{what}: {backup:?}");
            }
        }
        if !happened {
            break;
        }
    }
    eprintln!("R10: killed at {kills} different calls of the upgrade, content equal every time");
}

/// Everything in the store's directory, by name.
fn directory(mnemic: &Mnemic) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(mnemic.store_dir()).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), if path.is_file() { fs::read(path).unwrap() } else { vec![] }))
        .collect();
    files.sort();
    files
}

/// Tries to read and to write a file that is not ours to touch; how both ended.
fn refused(bytes: &[u8]) -> [Answer; 2] {
    let mnemic = Mnemic::without_store(env!("CARGO_BIN_EXE_mnemic"));
    place(&mnemic, bytes);
    let before = directory(&mnemic);
    [["list"].as_slice(), &["remember", "fact", "a", "b"]].map(|args| {
        let refused = answer(&mut mnemic.command(args));
        assert!(refused.is_orderly() && refused.code != Some(0), "{refused:?}");
        let after = directory(&mnemic);
        let names = |files: &[(PathBuf, Vec<u8>)]| -> Vec<PathBuf> {
            files.iter().map(|(path, _)| path.clone()).collect()
        };
        assert_eq!(names(&after), names(&before), "{args:?} left something behind");
        assert!(after == before, "{args:?} changed the bytes of the file");
        refused
    })
}

#[test]
fn a_newer_file_is_refused_and_left_as_it_is() {
    let mut newer = SCHEMA_1.to_vec();
    newer[USER_VERSION_AT..USER_VERSION_AT + 4].copy_from_slice(&99u32.to_be_bytes());
    for answer in refused(&newer) {
        assert_eq!(answer.code, NEWER, "{answer:?}");
        assert!(answer.err.contains("99") && answer.err.contains("update mnemic"), "{answer:?}");
    }
    eprintln!("R10: schema 99 is refused and left as it is");
}

#[test]
fn a_strangers_database_is_refused_and_left_as_it_is() {
    // Another application's number, and nobody's.
    for owner in [0x1234_5678_u32, 0] {
        let mut foreign = SCHEMA_1.to_vec();
        foreign[68..72].copy_from_slice(&owner.to_be_bytes());
        for answer in refused(&foreign) {
            assert!(answer.err.contains("not a mnemic store"), "{answer:?}");
        }
    }
    eprintln!("R10: 2 databases of strangers are refused and left as they are");
}

#[test]
fn a_text_file_is_refused_and_left_as_it_is() {
    let text = "Dear diary, this is not a database at all.\n".repeat(100);
    for bytes in [text.as_bytes(), b"short"] {
        refused(bytes);
    }
    eprintln!("R10: 2 text files are refused and left as they are");
}
