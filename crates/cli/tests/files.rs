//! Files that people edit and git merges: an edit that gets lost, a branch that conflicts, a store
//! that is changed by being read.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Mnemic, answer};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

fn mnemic() -> Mnemic {
    Mnemic::new(env!("CARGO_BIN_EXE_mnemic"))
}

fn edit(file: &Path, name: &str, text: &str) {
    let mut value: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    value[name] = json!(text);
    fs::write(file, format!("{value:#}\n")).unwrap();
}

/// Runs git in the project, as nobody in particular; none when there is no git.
fn git(mnemic: &Mnemic, args: &[&str]) -> Option<mnemic_testkit::Answer> {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=Ada Lovelace", "-c", "user.email=ada@example.org"])
        .args(["-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"])
        .args(args)
        .current_dir(mnemic.project())
        .env("HOME", mnemic.root().join("home"))
        .env("GIT_CONFIG_NOSYSTEM", "1");
    Command::new("git").arg("--version").output().ok()?;
    Some(answer(&mut command))
}

#[test]
fn an_edited_pattern_is_in_the_history_after_any_command() {
    let mnemic = mnemic();
    mnemic.remember(&json!({"kind": "pattern", "statement": "as it was", "id": "sem-1"}));
    mnemic.ok(["config", "set", "files.on_change", "on"]);
    mnemic.ok(["list"]);
    let file = mnemic.store_dir().join("files/semantic/patterns/sem-1.json");
    assert!(file.exists(), "the first command writes the files");
    let named = match git(&mnemic, &["init", "-q"]) {
        None => {
            eprintln!("git is not here: the author is whoever acts");
            "human:tester"
        }
        Some(_) => {
            git(&mnemic, &["config", "user.name", "Ada Lovelace"]);
            "human:Ada Lovelace"
        }
    };
    edit(&file, "pattern", "as an editor left it");
    mnemic.ok(["list"]);
    let history = mnemic.ok(["history", "sem-1", "--json"]).out;
    assert!(history.contains("as an editor left it"), "{history}");
    assert!(history.contains(named), "{history}");
    // What a command changes is in the files when it ends.
    mnemic.ok(["edit", "sem-1", "--tag", "seen"]);
    assert!(fs::read_to_string(&file).unwrap().contains("\"seen\""));
    let answer = mnemic.ok(["files", "read"]);
    assert!(answer.out.contains("nothing was edited"), "{answer:?}");
    // What cannot be taken is told by every command until somebody mends it.
    fs::write(&file, "{ half").unwrap();
    for _ in 0..2 {
        let answer = mnemic.ok(["remember", "fact", "some.key", "some value"]);
        assert!(answer.err.contains("sem-1.json"), "{answer:?}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "{ half");
    mnemic.verify("after edits in files");
}

#[test]
fn broken_and_contested_files_are_told_and_left() {
    let mnemic = mnemic();
    mnemic.remember(&json!({"kind": "pattern", "statement": "one", "id": "sem-1"}));
    mnemic.remember(&json!({"kind": "pattern", "statement": "two", "id": "sem-2"}));
    mnemic.ok(["files", "write"]);
    let dir = mnemic.store_dir().join("files/semantic/patterns");
    fs::write(dir.join("sem-1.json"), "<<<<<<< HEAD\n{\n").unwrap();
    edit(&dir.join("sem-2.json"), "pattern", "in the file");
    mnemic.ok(["edit", "sem-2", "--set", "statement=in the store"]);
    let answer = mnemic.run(["files", "read"]);
    assert_eq!(answer.code, Some(2), "{answer:?}");
    for named in ["sem-1.json", "sem-2.json", "the store changed since"] {
        assert!(answer.err.contains(named), "{named}: {answer:?}");
    }
    mnemic.ok(["files", "write"]);
    assert!(fs::read_to_string(dir.join("sem-1.json")).unwrap().starts_with("<<<"));
    fs::remove_file(dir.join("sem-1.json")).unwrap();
    let asked = mnemic.run(["files", "read"]);
    assert!(asked.out.contains("sem-1 is still here"), "{asked:?}");
    mnemic.run(["files", "read", "--archive-deleted"]);
    let shown = mnemic.ok(["show", "sem-1", "--json"]).out;
    assert!(shown.contains("\"archive\""), "{shown}");
}

#[test]
fn two_branches_that_each_added_memories_merge_without_a_conflict() {
    let mnemic = mnemic();
    if git(&mnemic, &["init", "-q"]).is_none() {
        eprintln!("skipped: git is not installed here");
        return;
    }
    let run = |args: &[&str]| {
        let answer = git(&mnemic, args).unwrap();
        assert_eq!(answer.code, Some(0), "git {args:?}: {answer:?}");
        answer
    };
    run(&["config", "user.name", "Ada Lovelace"]);
    run(&["config", "user.email", "ada@example.org"]);
    let add = |branch: &str, from: usize| {
        for n in from..from + 12 {
            mnemic.remember(&json!({
                "kind": "pattern", "statement": format!("{branch} says {n}"), "id": format!("sem-{n:03}")
            }));
            mnemic.remember(&json!({
                "kind": "episode", "goal": format!("{branch} did {n}"), "id": format!("ep-{n:03}"),
                "valid_at": "2026-01-05T10:00:00Z"
            }));
            mnemic.remember(&json!({
                "kind": "skill", "name": "the same name", "description": format!("of {branch} {n}")
            }));
            mnemic.ok(["remember", "fact", &format!("{branch}.{n}"), "yes"]);
        }
        mnemic.ok(["files", "write", "memory"]);
        run(&["add", "-A"]);
        run(&["commit", "-qm", branch]);
    };
    mnemic.remember(&json!({"kind": "decision", "decision": "use files", "id": "dec-1"}));
    add("base", 500);
    run(&["checkout", "-qb", "left"]);
    // Each branch has a store of its own, as each person has.
    let base = mnemic.root().join("base.db");
    mnemic.ok(["backup", base.to_str().unwrap()]);
    // Neighbours of each other in every list, on purpose.
    add("left", 100);
    let left = mnemic.ids();
    fs::remove_dir_all(mnemic.store_dir()).unwrap();
    mnemic.ok(["init"]);
    mnemic.ok(["merge", base.to_str().unwrap()]);
    run(&["checkout", "-q", "main"]);
    run(&["checkout", "-qb", "right"]);
    add("right", 112);
    run(&["merge", "-q", "-m", "both", "left"]);
    let status = run(&["status", "--porcelain"]);
    assert_eq!(status.out.trim(), "", "no conflict is left: {status:?}");
    let read = mnemic.ok(["files", "read", "memory", "--json"]).json();
    assert_eq!(read["new"].as_array().unwrap().len(), 48, "{read}");
    assert_eq!((&read["conflicts"], &read["broken"]), (&json!([]), &json!([])), "{read}");
    let known = mnemic.ids();
    assert!(left.iter().all(|id| known.contains(id)), "all that the left branch knew is here");
    mnemic.ok(["files", "write", "memory"]);
    mnemic.verify("after the branches came together");
}

#[test]
fn an_edit_that_somebody_else_committed_is_theirs_and_waits_for_a_person() {
    let mnemic = mnemic();
    if git(&mnemic, &["init", "-q"]).is_none() {
        eprintln!("skipped: git is not installed here");
        return;
    }
    for setting in [["user.name", "Ada Lovelace"], ["user.email", "ada@example.org"]] {
        git(&mnemic, &["config", setting[0], setting[1]]);
    }
    mnemic.remember(&json!({
        "kind": "pattern", "statement": "ask before deleting", "id": "sem-1", "tier": "guardrail"
    }));
    mnemic.ok(["files", "write", "memory"]);
    let file = mnemic.project().join("memory/semantic/patterns/sem-1.json");
    edit(&file, "pattern", "delete without asking");
    git(&mnemic, &["add", "-A"]);
    let bob = "--author=Bob <bob@example.org>";
    assert_eq!(git(&mnemic, &["commit", "-qm", "a change", bob]).unwrap().code, Some(0));
    mnemic.ok(["files", "read", "memory"]);
    let history = mnemic.ok(["history", "sem-1", "--json"]).out;
    assert!(history.contains("human:Bob"), "{history}");
    let shown = mnemic.ok(["show", "sem-1", "--json"]).out;
    assert!(shown.contains("delete without asking") && shown.contains("unreviewed"), "{shown}");
    assert!(!shown.contains("guardrail"), "nobody here vouched for it: {shown}");
    assert!(mnemic.ok(["files", "read", "memory"]).out.contains("nothing was edited"));
}

#[test]
fn an_older_store_is_merged_and_left_as_it_is() {
    let mnemic = mnemic();
    let other = mnemic.root().join("old");
    fs::create_dir_all(&other).unwrap();
    let file = other.join("memory.db");
    let bytes = include_bytes!("fixtures/schema-1.db");
    fs::write(&file, bytes).unwrap();
    let dry = mnemic.ok(["merge", file.to_str().unwrap(), "--dry-run", "--json"]).json();
    assert!(dry["new"].as_u64().unwrap() > 0 && dry["change"].is_null(), "{dry}");
    assert!(mnemic.ids().is_empty());
    // Somebody else trusted what is in it, and nobody here stands for that yet.
    assert_eq!(mnemic.run(["merge", file.to_str().unwrap()]).code, Some(7));
    assert!(mnemic.ids().is_empty());
    let done = mnemic.ok(["merge", file.to_str().unwrap(), "--vouch", "--json"]).json();
    assert_eq!(done["new"], dry["new"]);
    assert_eq!(mnemic.ids().len() as u64, done["new"].as_u64().unwrap());
    let again = mnemic.ok(["merge", file.to_str().unwrap(), "--json"]).json();
    assert_eq!((&again["new"], &again["change"]), (&json!(0), &Value::Null));
    assert_eq!(fs::read(&file).unwrap(), bytes);
    assert_eq!(fs::read_dir(&other).unwrap().count(), 1, "nothing lies beside it");
    mnemic.verify("after the merge");
    mnemic.ok(["undo"]);
    mnemic.verify("after the undoing");
    let wrong = mnemic.run(["merge", mnemic.store_file().to_str().unwrap()]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn a_layout_comes_in_and_goes_out_by_the_command_line() {
    let mnemic = mnemic();
    let dir = mnemic.project().join(".loki/memory");
    fs::create_dir_all(dir.join("semantic")).unwrap();
    let patterns = json!({"patterns": [{"id": "sem-1", "pattern": "small steps"}]});
    fs::write(dir.join("semantic/patterns.json"), patterns.to_string()).unwrap();
    let dry = mnemic.ok(["import", "layout", ".loki/memory", "--dry-run"]);
    assert!(dry.out.contains("would import 1 memory"), "{dry:?}");
    mnemic.ok(["import", ".loki/memory"]);
    mnemic.ok(["show", "sem-1"]);
    mnemic.ok(["export", "layout", "out"]);
    let written = fs::read_to_string(mnemic.project().join("out/semantic/patterns.json")).unwrap();
    assert!(written.contains("small steps"), "{written}");
}

#[test]
fn hints_mean_the_directory_that_was_named() {
    let mnemic = mnemic();
    mnemic.remember(&json!({"kind": "pattern", "statement": "one", "id": "sem-1"}));
    mnemic.ok(["files", "write", "docs/our memory"]);
    let file = mnemic.project().join("docs/our memory/semantic/patterns/sem-1.json");
    edit(&file, "pattern", "in the file");
    let held = mnemic.ok(["files", "write", "docs/our memory"]);
    assert!(held.err.contains("mnemic files read 'docs/our memory'"), "{held:?}");
    mnemic.ok(["edit", "sem-1", "--set", "statement=in the store"]);
    let contested = mnemic.run(["files", "read", "docs/our memory"]);
    assert_eq!(contested.code, Some(2), "{contested:?}");
    for side in ["file", "store"] {
        let hint = format!(
            "mnemic files read 'docs/our memory' --keep {side} --only semantic/patterns/sem-1.json"
        );
        assert!(contested.err.contains(&hint), "{hint}: {contested:?}");
    }
    let only = "semantic/patterns/sem-1.json";
    mnemic.ok(["files", "read", "docs/our memory", "--keep", "file", "--only", only]);
    assert!(mnemic.ok(["show", "sem-1"]).out.contains("in the file"));
    mnemic.ok(["files", "write", "docs/our memory"]);
    fs::remove_file(&file).unwrap();
    let gone = mnemic.ok(["files", "read", "docs/our memory"]);
    assert!(gone.err.contains("'docs/our memory' --archive-deleted"), "{gone:?}");
}

#[test]
fn the_directory_beside_the_store_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let mnemic = mnemic();
    mnemic.remember(&json!({"kind": "pattern", "statement": "one", "id": "sem-1"}));
    mnemic.ok(["files", "write"]);
    mnemic.ok(["files", "write", "docs/memory"]);
    let mode = |dir: &Path| fs::metadata(dir).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&mnemic.store_dir().join("files")), 0o700);
    let plain = mnemic.project().join("plain");
    fs::create_dir(&plain).unwrap();
    let named = mode(&mnemic.project().join("docs/memory"));
    assert_eq!(named, mode(&plain), "a place that somebody chose is as the system makes it");
}

#[test]
fn a_merge_says_how_each_side_is_kept() {
    let (ours, theirs) = (mnemic(), mnemic());
    ours.ok(["remember", "fact", "port", "5432"]);
    theirs.ok(["remember", "fact", "port", "5433"]);
    let other = theirs.store_file();
    let merged = ours.ok(["merge", other.to_str().unwrap()]);
    for part in ["5432", "5433", "a_wins", "b_wins", "mnemic contradictions resolve con-"] {
        assert!(merged.err.contains(part), "{part}: {merged:?}");
    }
}
