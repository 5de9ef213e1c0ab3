//! Connecting agents through the program itself: found, asked for, checked, and taken back.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Mnemic, copy_dir};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const AGENTS: &[&str] = &["claude", "codex", "gemini", "cursor", "opencode"];

/// A home with the directories of all agents, and some files of theirs.
fn home() -> Mnemic {
    let mnemic = Mnemic::without_store(env!("CARGO_BIN_EXE_mnemic"));
    let home = mnemic.root().join("home");
    for dir in [".claude", ".codex", ".gemini", ".cursor", ".config/opencode"] {
        fs::create_dir_all(home.join(dir)).unwrap();
    }
    let settings = "{\n\t// mine\n\t\"model\": \"opus\",\n}\n";
    fs::write(home.join(".claude/settings.json"), settings).unwrap();
    fs::write(home.join(".codex/config.toml"), "model = \"gpt-5\" # the best").unwrap();
    mnemic
}

/// Every file below a directory.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap().flatten() {
        match entry.path().is_dir() {
            true => found.extend(files(&entry.path())),
            false => drop(found.insert(entry.path(), fs::read(entry.path()).unwrap())),
        }
    }
    found
}

#[test]
fn init_finds_agents_and_says_how_to_connect_them() {
    let mnemic = home();
    let before = files(&mnemic.root().join("home"));
    let init = mnemic.ok(["init"]);
    for agent in AGENTS {
        assert!(init.err.contains(&format!("--for {agent}")), "{init:?}");
    }
    assert_eq!(files(&mnemic.root().join("home")), before, "nobody was asked");
    // As its hooks call it.
    mnemic.ok(["install", "--for", "claude-code"]);
    let again = mnemic.ok(["init"]);
    assert!(!again.err.contains("--for claude") && again.err.contains("--for codex"), "{again:?}");
}

#[test]
fn all_agents_are_connected_and_disconnected_without_a_trace() {
    let mnemic = home();
    mnemic.ok(["init"]);
    for scope in ["--user", "--project"] {
        let before = files(mnemic.root());
        let project = files(&mnemic.project());
        for agent in AGENTS {
            let dry = mnemic.ok(["install", "--for", agent, scope, "--dry-run"]);
            assert!(dry.out.contains("+ "), "{dry:?}");
            assert_eq!(files(mnemic.root()), before, "a dry run changes nothing");
        }
        for agent in AGENTS {
            let answer = mnemic.ok(["install", "--for", agent, scope, "--json"]).json();
            assert!(answer["hosts"][0]["files"].as_array().unwrap().len() <= 2, "{answer}");
            let again = mnemic.ok(["install", "--for", agent, scope, "--json"]).json();
            for file in again["hosts"][0]["files"].as_array().unwrap() {
                assert_eq!(file["deed"], json!("unchanged"), "{again}");
            }
        }
        if scope == "--user" {
            assert_eq!(files(&mnemic.project()), project, "nothing is written unasked");
        }
        for agent in AGENTS {
            mnemic.ok(["uninstall", "--for", agent, scope]);
        }
        assert_eq!(files(mnemic.root()), before, "{scope}");
    }
}

/// Also when the other name turns up in between, which would be the first choice otherwise.
#[test]
fn the_configuration_of_opencode_is_edited_under_the_name_that_it_has() {
    let mnemic = home();
    mnemic.ok(["init"]);
    let dir = mnemic.root().join("home/.config/opencode");
    let mine = "{\n  // mine\n  \"theme\": \"dark\",\n}\n";
    fs::write(dir.join("opencode.jsonc"), mine).unwrap();
    mnemic.ok(["install", "--for", "opencode"]);
    let connected = fs::read_to_string(dir.join("opencode.jsonc")).unwrap();
    assert!(connected.contains("\"mnemic\"") && connected.contains("// mine"), "{connected}");
    assert!(!dir.join("opencode.json").exists());
    fs::write(dir.join("opencode.json"), "{}").unwrap();
    mnemic.ok(["uninstall", "--for", "opencode"]);
    assert_eq!(fs::read_to_string(dir.join("opencode.jsonc")).unwrap(), mine);
    assert_eq!(fs::read_to_string(dir.join("opencode.json")).unwrap(), "{}");
}

fn agents(mnemic: &Mnemic) -> Vec<Value> {
    let doctor = mnemic.run(["doctor", "--json"]).json();
    let checkups = doctor["checkups"].as_array().unwrap().clone();
    let name = |one: &Value| one["name"].as_str().unwrap().to_owned();
    checkups.into_iter().filter(|one| AGENTS.iter().any(|a| name(one).starts_with(a))).collect()
}

#[test]
fn doctor_sees_whether_a_host_would_still_start_us() {
    let mnemic = home();
    mnemic.ok(["init"]);
    assert!(agents(&mnemic).is_empty());
    let mut install = vec!["install"];
    AGENTS.iter().for_each(|agent| install.extend(["--for", agent]));
    mnemic.ok(&install);
    let connected = agents(&mnemic);
    assert_eq!(connected.len(), 9, "{connected:?}");
    assert!(connected.iter().all(|one| one["severity"] == json!("good")), "{connected:?}");
    // The program has moved away.
    for (path, bytes) in files(&mnemic.root().join("home")) {
        let text = String::from_utf8(bytes).unwrap();
        let moved = text.replace(env!("CARGO_BIN_EXE_mnemic"), "/nowhere/mnemic");
        fs::write(path, moved).unwrap();
    }
    let lost = agents(&mnemic);
    assert!(lost.iter().all(|one| one["severity"] == json!("bad")), "{lost:?}");
    assert!(lost[0]["hint"].as_str().unwrap().starts_with("mnemic install --for"), "{lost:?}");
    mnemic.ok(&install);
    assert!(agents(&mnemic).iter().all(|one| one["severity"] == json!("good")));
}

#[test]
fn a_file_that_cannot_be_edited_stops_before_anything_is_written() {
    let mnemic = home();
    mnemic.ok(["init"]);
    fs::write(mnemic.root().join("home/.claude.json"), "{ broken").unwrap();
    let before = files(&mnemic.root().join("home"));
    let refused = mnemic.run(["install", "--for", "claude", "--json"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains(".claude.json"), "{refused:?}");
    assert_eq!(files(&mnemic.root().join("home")), before);
}

#[test]
fn a_file_that_cannot_be_read_keeps_no_other_agent_connected() {
    let mnemic = home();
    mnemic.ok(["init"]);
    mnemic.ok(["install", "--for", "claude", "--for", "codex", "--for", "gemini"]);
    let broken = mnemic.root().join("home/.claude/settings.json");
    fs::write(&broken, "{ \"hooks\": mnemic").unwrap();
    let told = mnemic.run(["uninstall"]);
    assert_eq!(told.code, Some(2), "{told:?}");
    assert!(told.err.contains("settings.json"), "{told:?}");
    let connected = |(path, bytes): &(&PathBuf, &Vec<u8>)| {
        **path != broken && String::from_utf8_lossy(bytes).contains("mnemic")
    };
    let left = files(&mnemic.root().join("home"));
    let ours = [".codex", ".gemini", ".claude.json"];
    let theirs = left.iter().filter(|(path, _)| {
        let path = path.to_string_lossy();
        ours.iter().any(|part| path.contains(&format!("home/{part}")))
    });
    assert_eq!(theirs.filter(connected).map(|(path, _)| path).collect::<Vec<_>>(), [&broken; 0]);
    // One that does not name us is nothing to fail over.
    fs::write(&broken, "{ broken").unwrap();
    assert_eq!(mnemic.run(["uninstall"]).code, Some(0));
}

#[test]
fn what_the_project_connects_is_told_where_only_the_person_is_asked_for() {
    let mnemic = home();
    mnemic.ok(["init"]);
    mnemic.ok(["install", "--for", "claude", "--project"]);
    let told = mnemic.run(["uninstall"]);
    assert!(told.err.contains("uninstall --project"), "{told:?}");
    assert!(!told.err.contains("no agent is connected"), "{told:?}");
    mnemic.ok(["uninstall", "--project"]);
    assert!(mnemic.run(["uninstall"]).err.contains("no agent is connected"));
}

#[test]
fn a_link_stays_a_link() {
    let mnemic = home();
    let elsewhere = mnemic.root().join("dotfiles");
    copy_dir(&mnemic.root().join("home/.claude"), &elsewhere);
    let settings = mnemic.root().join("home/.claude/settings.json");
    fs::remove_file(&settings).unwrap();
    std::os::unix::fs::symlink(elsewhere.join("settings.json"), &settings).unwrap();
    let before = fs::read(&settings).unwrap();
    mnemic.ok(["install", "--for", "claude"]);
    assert!(settings.is_symlink());
    assert!(fs::read_to_string(elsewhere.join("settings.json")).unwrap().contains("hook"));
    mnemic.ok(["uninstall", "--for", "claude"]);
    assert!(settings.is_symlink());
    assert_eq!(fs::read(&settings).unwrap(), before);
}

#[test]
fn what_changes_is_counted_and_told_line_by_line_where_somebody_asks() {
    let mnemic = home();
    let dry = mnemic.ok(["install", "--for", "claude", "--dry-run"]).out;
    let added = dry.lines().filter(|line| line.starts_with('+')).count();
    assert!(added > 50, "{dry}");
    let done = mnemic.ok(["install", "--for", "claude"]);
    assert!(done.out.contains(".claude/settings.json (") && done.out.contains(" lines added)"));
    assert!(done.out.lines().count() < 5, "{done:?}");
    let undone = mnemic.ok(["uninstall", "--for", "claude", "--diff"]).out;
    assert_eq!(undone.lines().filter(|line| line.starts_with('-')).count(), added, "{undone}");
}

#[test]
fn whoever_asks_for_quiet_sees_which_files_and_no_diff() {
    let mnemic = home();
    let quiet = mnemic.ok(["install", "--for", "claude", "-q"]);
    assert!(quiet.out.contains(".claude/settings.json"), "{quiet:?}");
    assert!(!quiet.out.contains("@@") && !quiet.out.contains("\n+"), "{quiet:?}");
    assert_eq!(quiet.err, "");
}

#[test]
fn hosts_start_the_program_as_the_person_calls_it() {
    let mnemic = home();
    let bin = mnemic.root().join("bin");
    fs::create_dir_all(&bin).unwrap();
    let link = bin.join("mnemic");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_mnemic"), &link).unwrap();
    let mut command = mnemic.command(["install", "--for", "claude"]);
    let done = mnemic_testkit::answer(command.env("PATH", &bin));
    assert_eq!(done.code, Some(0), "{done:?}");
    let settings = fs::read_to_string(mnemic.root().join("home/.claude/settings.json")).unwrap();
    assert!(settings.contains(&format!("{} hook", link.display())), "{settings}");
}

#[test]
fn without_a_store_doctor_says_that_hooks_do_nothing() {
    let mnemic = home();
    let installed = mnemic.ok(["install", "--for", "claude"]);
    assert!(installed.err.contains("mnemic init"), "{installed:?}");
    let doctor = mnemic.run(["doctor"]);
    assert!(doctor.out.contains("hooks of agents do nothing here"), "{doctor:?}");
    mnemic.ok(["init"]);
    let doctor = mnemic.run(["doctor"]);
    assert!(!doctor.out.contains("do nothing here"), "{doctor:?}");
}
