//! From a transcript to what a person keeps of it, through the real binary.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

#[path = "../../lifecycle/tests/given/texts.rs"]
mod texts;

use mnemic_testkit::{Mnemic, files_with};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::process::Stdio;
use texts::{claude, claude_line, codex, sessions};

fn mnemic() -> Mnemic {
    Mnemic::new(env!("CARGO_BIN_EXE_mnemic"))
}

fn count(answer: &Value, of: &str) -> u64 {
    answer["episodes"][of].as_u64().unwrap()
}

#[test]
fn a_directory_of_transcripts_comes_in_and_a_broken_one_stops_nothing() {
    let mnemic = mnemic();
    let dir = mnemic.root().join("transcripts");
    fs::create_dir_all(dir.join("deep")).unwrap();
    fs::write(dir.join("a.jsonl"), claude()).unwrap();
    fs::write(dir.join("deep/b.jsonl"), codex()).unwrap();
    fs::write(dir.join("broken.jsonl"), "\u{0}binary\n{{{\n").unwrap();
    fs::write(dir.join("settings.json"), "{\"theme\": \"dark\"}").unwrap();
    fs::write(dir.join("notes.txt"), "no transcript").unwrap();
    let path = dir.to_str().unwrap();

    let dry = mnemic.run(["capture", path, "--dry-run", "--json"]);
    assert_eq!(dry.code, Some(2), "{dry:?}");
    assert!(mnemic.ids().is_empty());

    let first = mnemic.run(["capture", path, "--json"]);
    assert_eq!(first.code, Some(2), "{first:?}");
    let told = first.json();
    assert_eq!(count(&told, "new"), count(&dry.json(), "new"));
    assert_eq!(told["files"].as_array().unwrap().len(), 3, "{told}");
    let broken = told["files"].as_array().unwrap().iter().find(|f| f["error"].is_object());
    assert!(broken.unwrap()["file"].as_str().unwrap().ends_with("broken.jsonl"));
    assert!(broken.unwrap()["error"]["hint"].is_string());

    fs::remove_file(dir.join("broken.jsonl")).unwrap();
    let plain = mnemic.ok(["capture", path]);
    assert!(plain.out.contains("2 files are as before"), "{plain:?}");

    // The session goes on: the file grows by a task.
    let more = format!("{}{}\n", claude(), claude_line(20, "user", json!("Now write the docs")));
    fs::write(dir.join("a.jsonl"), more).unwrap();
    let grown = mnemic.ok(["capture", path, "--json"]).json();
    assert_eq!((count(&grown, "new"), count(&grown, "grown")), (1, 0), "{grown}");
    assert_eq!(grown["files"][1]["unchanged"], json!(true));

    mnemic.ok(["undo", grown["change"].as_str().unwrap()]);
    mnemic.ok(["undo", told["change"].as_str().unwrap()]);
    assert_eq!(mnemic.ok(["list", "--json"]).json()["items"], json!([]));
    mnemic.verify("after everything was taken back");
}

#[test]
fn findings_are_reviewed_by_a_person() {
    let mnemic = mnemic();
    let said = "Always run the linter before you commit. <private>hush-hush-hush</private>";
    let text = format!("{}{}\n", claude(), claude_line(30, "user", json!(said)));
    let told = mnemic.feed(["capture", "-", "--name", "talk"], &text);
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(told.out.contains("found "), "{told:?}");
    assert_eq!(files_with(mnemic.root(), "hush-hush-hush"), Vec::<std::path::PathBuf>::new());

    let page = mnemic.ok(["review"]);
    assert!(page.out.contains("  + ") && page.out.contains("talk#L"), "{page:?}");
    let waiting = mnemic.ok(["review", "list", "--json"]).json();
    let ids: Vec<&str> =
        waiting["items"].as_array().unwrap().iter().map(|i| i["id"].as_str().unwrap()).collect();
    assert!(ids.len() > 1, "{waiting}");
    let agent = mnemic.run(["--actor", "agent:codex", "review", "accept", ids[0]]);
    assert_eq!(agent.code, Some(7), "{agent:?}");
    assert!(agent.err.contains("hint"), "{agent:?}");
    mnemic.ok(["review", "accept", ids[0]]);
    mnemic.ok([&["review", "reject"], &ids[1..]].concat());
    let kept = mnemic.ok(["show", ids[0], "--json"]).json();
    assert_eq!(
        (&kept["trust"], &kept["confirmed_by"]),
        (&json!("trusted"), &json!("human:tester"))
    );
    assert_eq!(mnemic.ok(["review", "--json"]).json()["items"], json!([]));
    mnemic.feed(["capture", "-"], &text);
    assert_eq!(mnemic.ok(["review", "--json"]).json()["items"], json!([]), "rejected stays so");
}

#[test]
fn an_episode_outlives_a_killed_process_and_is_replayed() {
    let mnemic = mnemic();
    let id = mnemic.ok(["episode", "start", "make it green", "--agent", "codex"]).out;
    let id = id.trim();
    fs::write(mnemic.project().join("here.rs"), "fn main() {}").unwrap();
    let step = ["episode", "log", id, "action", "run", "--target", "make"];
    mnemic.ok([&step[..], &["--error", "2 failed", "--file", "here.rs"]].concat());
    // Killed wherever it is: what was acknowledged is there, and at most one step more.
    let mut child = mnemic.command([&step[..], &["--result", "ok"]].concat()).spawn().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    mnemic.ok(["episode", "log", id, "error", "port taken", "--resolution", "use 8081"]);
    mnemic.ok(["episode", "log", id, "message", "done"]);
    let open = mnemic.ok(["episode", "list", "--json"]).json();
    let episode = &open["items"][0]["episode"];
    let actions = episode["actions"].as_array().unwrap().len();
    assert!((1..=2).contains(&actions), "{open}");
    assert_eq!(episode["errors"][0]["resolution"], json!("use 8081"));
    assert!(mnemic.ids().is_empty());
    assert!(mnemic.ok(["episode", "list"]).out.contains("make it green"));

    let ended = mnemic.ok(["episode", "end", id, "--outcome", "success", "--artifact", "gone.rs"]);
    assert_eq!(ended.out.trim(), id);
    let replay = mnemic.ok(["replay", id]);
    assert!(replay.out.contains("failed: 2 failed"), "{replay:?}");
    let replay = mnemic.ok(["replay", id, "--json"]).json();
    let state =
        |n: usize| (replay["files"][n]["path"].clone(), replay["files"][n]["state"].clone());
    assert_eq!(state(0), (json!("gone.rs"), json!("missing")));
    assert_eq!(state(1), (json!("here.rs"), json!("unchanged")));

    let other = mnemic.ok(["episode", "start", "another"]).out;
    mnemic.ok(["episode", "abandon", other.trim()]);
    let late = mnemic.run(["episode", "end", other.trim()]);
    assert_eq!(late.code, Some(3), "{late:?}");
    assert!(late.err.contains("episode list"), "{late:?}");
    mnemic.verify("at the end");
}

#[test]
fn odd_input_is_refused_with_a_hint() {
    let mnemic = mnemic();
    mnemic.feed(["capture", "-"], &sessions());
    let before = mnemic.ids();
    assert!(!before.is_empty());
    let whole = claude();
    for input in ["nothing to see\n", "{\"half\": ", "[[[[", "{\"turns\": 7}\n", "7\n"] {
        let answer = mnemic.feed(["capture", "-"], input);
        assert_eq!(answer.code, Some(2), "{input:?}: {answer:?}");
        assert!(answer.is_orderly() && answer.err.contains("hint: "), "{answer:?}");
    }
    assert_eq!(mnemic.ids(), before);
    // What can be read of a damaged file comes in; what cannot is named by its line.
    let mut lines: Vec<&str> = whole.lines().collect();
    let half = &lines[2][..lines[2].len() / 2];
    lines[2] = half;
    let damaged = lines.join("\n") + "\n";
    let answer = mnemic.feed(["capture", "-"], &damaged);
    assert_eq!(answer.code, Some(2), "{answer:?}");
    assert!(answer.err.contains("line 3"), "{answer:?}");
    assert!(mnemic.ids().len() > before.len());
    let cut = mnemic.feed(["capture", "-"], &whole[..whole.len() - 40]);
    assert_eq!(cut.code, Some(0), "{cut:?}");
    assert!(cut.err.contains("cut off"), "{cut:?}");
    let other = mnemic.feed(["capture", "-", "--format", "codex"], &whole);
    assert_eq!(other.code, Some(2), "{other:?}");
    assert!(other.err.contains("`codex`") && other.err.contains("hint: "), "{other:?}");
    let missing = mnemic.run(["capture", "nowhere.jsonl"]);
    assert_eq!(missing.code, Some(3), "{missing:?}");
    // A conversation in which nobody has said a word is one all the same.
    for input in ["", "\n", "  \n\n"] {
        let empty = mnemic.feed(["capture", "-"], input);
        assert_eq!(empty.code, Some(0), "{input:?}: {empty:?}");
    }
    mnemic.verify("after odd input");
}

#[test]
fn a_capture_killed_halfway_is_made_whole_by_the_next() {
    let session =
        |n: usize| sessions().lines().next().unwrap().replace("\"a\"", &format!("\"s{n}\""));
    let text: String = (0..400).map(|n| session(n) + "\n").collect();
    let (killed, whole) = (mnemic(), mnemic());
    let mut command = killed.command(["capture", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // More than a pipe holds: some of it was read, and it waits for more.
    input.write_all(&text.as_bytes()[..text.len() / 2]).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    killed.verify("after the kill");
    for mnemic in [&killed, &whole] {
        let answer = mnemic.feed(["capture", "-"], &text);
        assert_eq!(answer.code, Some(0), "{answer:?}");
    }
    assert!(whole.ids().len() > 400);
    assert_eq!(killed.ids(), whole.ids());
}
