//! Moving in from other tools through the real binary: found, asked for, taken in once, moved out.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Mnemic, copy_dir};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../exchange/tests/fixtures")
}

/// A project and a home in which other tools have lived.
fn moved_in() -> Mnemic {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    copy_dir(&fixtures().join("project"), &mnemic.project());
    copy_dir(&fixtures().join("home"), &mnemic.root().join("home"));
    let called = mnemic.project().to_string_lossy().replace(['/', '.'], "-");
    let claude = mnemic.root().join("home/.claude/projects").join(called);
    copy_dir(&mnemic.root().join("home/claude-project"), &claude);
    let line = |n: u32, role: &str, text: &str| {
        json!({"type": role, "uuid": format!("u{n}"), "sessionId": "s1", "cwd": mnemic.project(),
            "timestamp": format!("2026-01-05T10:00:0{n}Z"), "message": {"role": role, "content": text}})
    };
    let lines = [line(1, "user", "Make the login work"), line(2, "assistant", "It works.")];
    fs::write(claude.join("s1.jsonl"), format!("{}\n{}\n", lines[0], lines[1])).unwrap();
    mnemic
}

fn export(mnemic: &Mnemic) -> Vec<String> {
    ["project", "user"].map(|s| mnemic.ok(["export", "--quiet", "--store", s]).out).to_vec()
}

#[test]
fn a_scan_tells_what_is_there_asks_and_takes_it_in_once() {
    let mnemic = moved_in();
    let told = mnemic.ok(["import", "--scan", "--json"]).json();
    let found = told["found"].as_array().unwrap();
    for format in
        ["instructions", "skills", "beads", "serena", "claude-mem", "claude-memory", "transcript"]
    {
        let one = found.iter().find(|one| one["format"] == format);
        assert!(one.is_some_and(|one| one["files"].as_u64() > Some(0)), "{format} in {told}");
    }
    assert!(mnemic.ids().is_empty(), "nobody said yes");

    let first = mnemic.ok(["import", "--scan", "--yes", "--json"]).json();
    assert_eq!(first["broken"], 0, "{first}");
    assert!(first["new"]["episode"].as_u64() > Some(2), "{first}");
    let listed = mnemic.ok(["list", "--json", "--limit", "500"]).out;
    assert!(listed.contains("Argon2") && !listed.contains("other work"), "of this project only");

    let before = export(&mnemic);
    let second = mnemic.ok(["import", "--scan", "--yes", "--json"]).json();
    assert_eq!((&second["new"], &second["changes"]), (&json!({}), &json!([])), "{second}");
    assert_eq!(export(&mnemic), before);
    mnemic.verify("after moving in");

    for change in first["changes"].as_array().unwrap() {
        mnemic.ok(["undo", change.as_str().unwrap()]);
    }
    assert_eq!(mnemic.ok(["list", "--json"]).json()["items"], json!([]));
}

#[test]
fn a_dry_run_counts_and_stores_nothing_and_a_broken_file_stops_nothing() {
    let mnemic = moved_in();
    let dir = mnemic.root().join("mixed");
    copy_dir(&fixtures().join("exports"), &dir);
    fs::copy(fixtures().join("odd/mem0-twice.json"), dir.join("twice.json")).unwrap();
    let path = dir.to_str().unwrap();
    let empty = export(&mnemic);
    let dry = mnemic.run(["import", path, "--dry-run", "--json"]);
    assert_eq!(dry.code, Some(2), "{dry:?}");
    assert_eq!(export(&mnemic), empty);
    let done = mnemic.run(["import", path, "--json"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    let (dry, done): (Value, Value) = (dry.json(), done.json());
    assert_eq!(dry["new"], done["new"]);
    let files = done["files"].as_array().unwrap();
    let broken: Vec<&Value> = files.iter().filter(|file| file["error"].is_object()).collect();
    assert_eq!(broken.len(), 1, "{done}");
    assert!(broken[0]["error"]["message"].as_str().unwrap().contains("twice"), "{done}");
    let plain = mnemic.run(["import", path]);
    assert!(plain.err.contains("twice.json") && plain.out.contains("as before"), "{plain:?}");
}

#[test]
fn formats_may_be_named_and_what_is_unknown_is_said() {
    let mnemic = moved_in();
    fs::write(mnemic.root().join("plain.md"), "Just words.\n").unwrap();
    let path = mnemic.root().join("plain.md").to_str().unwrap().to_owned();
    let unknown = mnemic.run(["import", path.as_str()]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(unknown.err.contains("no format") && unknown.err.contains("mnemic import markdown"));
    let named = mnemic.ok(["import", "markdown", path.as_str(), "--json"]).json();
    assert_eq!(named["new"], json!({"resource": 1}));
    assert_eq!(mnemic.run(["import", "markdown"]).code, Some(2));
    assert_eq!(mnemic.run(["export", "fax", "x"]).code, Some(2));
}

#[test]
fn what_leaves_as_files_comes_back_elsewhere() {
    let mnemic = moved_in();
    mnemic.ok(["import", mnemic.project().join(".claude/skills").to_str().unwrap()]);
    let out = mnemic.root().join("out");
    let place = |name: &str| out.join(name).to_str().unwrap().to_owned();
    for format in ["skills", "markdown", "memories"] {
        mnemic.ok(["export", format, &place(format)]);
        assert_eq!(
            mnemic.run(["export", format, &place(format)]).code,
            Some(2),
            "{format} is there"
        );
        mnemic.ok(["export", format, &place(format), "--force"]);
    }
    assert!(out.join("skills/deploy-app/SKILL.md").is_file());
    assert!(mnemic.ok(["export", "server-memory"]).out.contains("\"entityType\":\"skill\""));

    let other = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    let taken = other.ok(["import", "skills", &place("skills"), "--json"]).json();
    assert_eq!(taken["new"], json!({"skill": 1}));
    let shown = |mnemic: &Mnemic| {
        let id = mnemic.ids().into_iter().next().unwrap();
        mnemic.ok(["show", &id, "--json"]).json()["steps"].clone()
    };
    assert_eq!(shown(&other), shown(&mnemic));

    let ours = place("all.jsonl");
    mnemic.ok(["export", "jsonl", &ours]);
    let third = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    assert_eq!(third.ok(["import", &ours, "--json"]).json()["records"], 1);
}
