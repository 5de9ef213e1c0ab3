//! Hooks while the store is locked, full, damaged, gone or read-only: in time, silent, nothing lost.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod hosts;

use hosts::{HOSTS, MOMENTS, Moment, Play, patient, waiting};
use mnemic_testkit::{
    Answer, Calls, Fault, FaultKind, Faults, Mnemic, SmallDisk, answer_to, files_with, is_long,
    size,
};
use serde_json::json;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Far beyond every deadline, for a busy machine, and far below what a writer waits for a lock.
const BUSY: Duration = Duration::from_secs(15);

/// Somebody who is writing and does not end: writers wait at this threshold.
struct Holder {
    _file: File,
}

impl Holder {
    fn of(mnemic: &Mnemic) -> Holder {
        let path = mnemic.store_dir().join("memory.db-turn");
        let file = File::options().create(true).truncate(false).write(true).open(path).unwrap();
        file.lock().unwrap();
        Holder { _file: file }
    }
}

fn stocked() -> Mnemic {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    mnemic.ok(["remember", "fact", "db.port", "5432"]);
    mnemic
}

fn play<'a>(mnemic: &'a Mnemic, host: &'static str) -> Play<'a> {
    Play { mnemic, host, session: "trouble-1".to_owned() }
}

/// Everything that a host can send; each must be answered in time and leave the host alone.
fn whole_session(mnemic: &Mnemic, host: &'static str) -> Vec<Answer> {
    timed_session(mnemic, host, &mut Vec::new())
}

fn timed_session(mnemic: &Mnemic, host: &'static str, times: &mut Vec<Duration>) -> Vec<Answer> {
    let play = play(mnemic, host);
    play.write_transcript(&[("user", "the answer is 42"), ("assistant", "I see")]);
    let answered = |moment: &Moment| {
        let begun = Instant::now();
        let answer = play.hook(*moment, "which port does the database use?");
        times.push(in_order(begun, &answer, &format!("{host} {moment:?}")));
        answer
    };
    MOMENTS.iter().map(answered).collect()
}

/// How long the process was there, from its start to its end.
fn in_order(begun: Instant, answer: &Answer, what: &str) -> Duration {
    let took = begun.elapsed();
    assert!(took < BUSY, "{what} took {took:?}");
    assert_eq!((answer.code, answer.err.as_str()), (Some(0), ""), "{what}: {answer:?}");
    assert!(answer.json().is_object(), "{what}: {answer:?}");
    took
}

/// Only the long form is built and run so that times mean something.
fn tell(trouble: &str, mut times: Vec<Duration>, most: Duration) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let (p50, p99, max) = (at(0.5), at(0.99), at(1.0));
    eprintln!(
        "R21: {} hooks while the store was {trouble}: exit 0, no event lost, p50 {p50:.1?}, \
         p99 {p99:.1?}, max {max:.1?}",
        times.len()
    );
    assert!(!is_long() || p99 <= most, "{trouble}: p99 is {p99:?}");
}

/// Whoever measures, measures alone: tests of one file run beside each other.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the scorecard allows.
const SOON: Duration = Duration::from_millis(100);

/// The same hosts again and again, each with a store of its own.
fn hosts() -> impl Iterator<Item = &'static str> {
    (0..size(1, 20)).flat_map(|_| HOSTS.iter().copied())
}

fn failures(mnemic: &Mnemic) -> String {
    let doctor = mnemic.run(["doctor", "--json"]);
    let checkups = doctor.json()["checkups"].clone();
    let hooks = checkups.as_array().unwrap().iter().find(|one| one["name"] == json!("hooks"));
    hooks.unwrap()["message"].as_str().unwrap().to_owned()
}

#[test]
fn while_the_store_is_locked_reading_goes_on_and_events_wait() {
    let (_alone, mut times) = (alone(), Vec::new());
    for host in hosts() {
        let mnemic = stocked();
        let holder = Holder::of(&mnemic);
        timed_session(&mnemic, host, &mut times);
        assert!(waiting(&mnemic) >= MOMENTS.len(), "{host}: {}", waiting(&mnemic));
        drop(holder);
        mnemic.ok(["doctor", "--fix"]);
        assert_eq!(waiting(&mnemic), 0, "{host}");
        let session = mnemic.ok(["session", "show", "trouble-1", "--json"]).json();
        assert!(session["ended_at"].is_string(), "{host}: {session}");
        mnemic.verify(host);
    }
    tell("locked", times, SOON);
}

#[test]
fn on_a_slow_disk_the_host_goes_on_and_events_wait() {
    let Ok(faults) = Faults::compile().map_err(|why| eprintln!("skipped: {why}")) else { return };
    let (_alone, mut times) = (alone(), Vec::new());
    for host in hosts() {
        let mnemic = stocked();
        let dir = mnemic.store_dir();
        let play = play(&mnemic, host);
        play.write_transcript(&[("user", "the answer is 42"), ("assistant", "I see")]);
        for moment in MOMENTS {
            let kind = FaultKind::Slow;
            let fault = Fault { calls: Calls::Write, at: 1, kind, sticky: true, dir: &dir };
            let mut hook = mnemic.command(["hook", play.event(*moment), "--host", host]);
            let begun = Instant::now();
            let message = play.message(*moment, "which port?").to_string();
            let answer = answer_to(faults.plan(&mut hook, fault), &message);
            times.push(in_order(begun, &answer, &format!("{host} {moment:?}")));
            assert!(faults.happened(), "{host} {moment:?} wrote nothing");
        }
        mnemic.ok(["doctor", "--fix"]);
        assert_eq!(waiting(&mnemic), 0, "{host}");
        let session = mnemic.ok(["session", "show", "trouble-1", "--json"]).json();
        assert!(session["ended_at"].is_string(), "{host}: {session}");
        mnemic.verify(host);
    }
    // It takes as long as the disk does, and not longer than the deadline of a session allows.
    tell("slow (20 ms a write)", times, Duration::from_millis(1_000));
}

#[test]
fn a_damaged_store_is_silent_to_the_host_and_loud_in_doctor() {
    let (_alone, mut times) = (alone(), Vec::new());
    for host in hosts() {
        let mnemic = stocked();
        let whole = fs::read(mnemic.store_file()).unwrap();
        for name in ["memory.db-wal", "memory.db-shm"] {
            let _ = fs::remove_file(mnemic.store_dir().join(name));
        }
        fs::write(mnemic.store_file(), vec![0x5a; whole.len()]).unwrap();
        timed_session(&mnemic, host, &mut times);
        assert!(waiting(&mnemic) >= MOMENTS.len(), "{host}: {}", waiting(&mnemic));
        assert!(failures(&mnemic).contains("failure"), "{}", failures(&mnemic));
        // Once it is mended, everything comes in.
        fs::write(mnemic.store_file(), whole).unwrap();
        mnemic.ok(["list"]);
        mnemic.run(["doctor", "--fix"]);
        assert_eq!(waiting(&mnemic), 0, "{host}");
    }
    tell("damaged", times, SOON);
}

#[test]
fn a_store_that_vanished_loses_no_event() {
    let mnemic = stocked();
    let aside = mnemic.root().join("aside.db");
    fs::rename(mnemic.store_file(), &aside).unwrap();
    whole_session(&mnemic, "claude-code");
    assert!(waiting(&mnemic) >= MOMENTS.len());
    fs::rename(aside, mnemic.store_file()).unwrap();
    mnemic.ok(["doctor", "--fix"]);
    assert_eq!(waiting(&mnemic), 0);
}

#[test]
fn where_there_is_no_store_nothing_is_made() {
    let mnemic = Mnemic::without_store(env!("CARGO_BIN_EXE_mnemic"));
    for host in HOSTS {
        for answer in whole_session(&mnemic, host) {
            let value = answer.json();
            assert!(value == json!({}) || value == json!({ "continue": true }), "{value}");
        }
    }
    assert!(!mnemic.store_dir().exists());
    assert_eq!(fs::read_dir(mnemic.root().join("data")).unwrap().count(), 0);
    assert_eq!(fs::read_dir(mnemic.root().join("home")).unwrap().count(), 0);
}

#[test]
fn on_a_full_disk_events_are_kept() {
    let (_alone, mut times) = (alone(), Vec::new());
    for _ in 0..size(1, 20) {
        match SmallDisk::mount(16) {
            Ok(disk) => fill_in_a_session(&disk, &mut times),
            Err(why) => return eprintln!("skipped: {why}"),
        }
    }
    tell("on a full disk", times, SOON);
}

fn fill_in_a_session(disk: &SmallDisk, times: &mut Vec<Duration>) {
    let mnemic = Mnemic::at(env!("CARGO_BIN_EXE_mnemic"), disk.path());
    mnemic.ok(["init"]);
    if !is_long() {
        hosts::make_patient(&mnemic);
    }
    // One session with room, so that there is something in reserve.
    let earlier = Play { mnemic: &mnemic, host: "claude-code", session: "earlier".to_owned() };
    earlier.told(Moment::Start, "");
    earlier.told(Moment::End, "");
    play(&mnemic, "claude-code").write_transcript(&[("user", "the answer is 42")]);
    let filler = fill(disk.path());
    let play = play(&mnemic, "claude-code");
    for moment in [Moment::Start, Moment::Tool, Moment::Tool, Moment::Prompt, Moment::End] {
        let begun = Instant::now();
        let answer = play.hook(moment, "which port?");
        times.push(in_order(begun, &answer, &format!("{moment:?}")));
    }
    assert!(waiting(&mnemic) > 0, "what the store had no room for waits");
    fs::remove_file(filler).unwrap();
    mnemic.ok(["doctor", "--fix"]);
    assert_eq!(waiting(&mnemic), 0);
    let session = mnemic.ok(["session", "show", "trouble-1", "--json"]).json();
    let kinds: Vec<&str> = session["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    for (kind, times) in [("start", 1), ("tool", 2), ("prompt", 1), ("end", 1)] {
        assert_eq!(kinds.iter().filter(|one| **one == kind).count(), times, "{kinds:?}");
    }
}

/// Takes every byte that is left.
fn fill(disk: &std::path::Path) -> std::path::PathBuf {
    let path = disk.join("filler");
    let mut file = OpenOptions::new().create(true).append(true).open(&path).unwrap();
    for piece in [1 << 16, 4096, 1] {
        let bytes = vec![7; piece];
        while file.write_all(&bytes).is_ok() {}
    }
    path
}

#[test]
fn a_read_only_project_still_reminds_and_its_events_wait_at_home() {
    let Ok(disk) = SmallDisk::mount(16).map_err(|why| eprintln!("skipped: {why}")) else { return };
    let mnemic = stocked();
    hosts::make_patient(&mnemic);
    let inside = disk.path().join("project");
    mnemic_testkit::copy_dir(&mnemic.project(), &inside);
    disk.make_read_only().unwrap();
    let message = play(&mnemic, "codex").message(Moment::Start, "").to_string();
    let message = message.replace(mnemic.project().to_str().unwrap(), inside.to_str().unwrap());
    let mut hook = mnemic.command(["hook", "SessionStart", "--host", "codex"]);
    let answer = answer_to(hook.current_dir(&inside), &message);
    assert_eq!((answer.code, answer.err.as_str()), (Some(0), ""), "{answer:?}");
    assert!(answer.out.contains("5432"), "{answer:?}");
    assert!(waiting(&mnemic) > 0, "the event waits in the person's own directory");
}

#[test]
fn without_a_home_and_without_a_writable_place_it_still_ends_well() {
    let mnemic = stocked();
    let message = play(&mnemic, "claude-code").message(Moment::Start, "").to_string();
    let mut hook = mnemic.command(["hook", "SessionStart", "--host", "claude-code"]);
    let answer = answer_to(hook.env_remove("HOME").env_remove("XDG_DATA_HOME"), &message);
    assert_eq!((answer.code, answer.err.as_str()), (Some(0), ""), "{answer:?}");
    assert!(answer.json().is_object());
}

#[test]
fn a_project_that_opted_out_is_left_alone() {
    for (host, how) in HOSTS.iter().zip(["file", "above", "setting", "environment", "broken"]) {
        let mnemic = patient();
        mnemic.ok(["remember", "fact", "db.port", "5432"]);
        let config = mnemic.store_dir().join("config.toml");
        let deep = mnemic.project().join("src/deep");
        fs::create_dir_all(&deep).unwrap();
        match how {
            "file" => fs::write(mnemic.project().join(".mnemic-off"), "").unwrap(),
            "above" => fs::write(mnemic.project().join("src/.mnemic-off"), "").unwrap(),
            "setting" => drop(mnemic.ok(["config", "set", "hook.enabled", "off"])),
            // It cannot be told whether hooks are wanted: then they are not.
            "broken" => fs::write(&config, "[hook]\nenabled = \"perhaps\"\n").unwrap(),
            _ => {}
        }
        let play = play(&mnemic, host);
        play.write_transcript(&[("user", "the answer is 42"), ("assistant", "I see")]);
        for moment in MOMENTS {
            let text = play.message(*moment, "unheard-of-words").to_string();
            let at = if how == "above" { &deep } else { &mnemic.project() };
            let text = text.replace(mnemic.project().to_str().unwrap(), at.to_str().unwrap());
            let mut hook = mnemic.command(["hook", play.event(*moment), "--host", host]);
            if how == "environment" {
                hook.env("MNEMIC_HOOK_ENABLED", "off");
            }
            let answer = answer_to(&mut hook, &text);
            assert_eq!(answer.code, Some(0), "{how}: {answer:?}");
            assert!(!answer.out.contains("5432"), "{how}: {answer:?}");
        }
        assert_eq!(waiting(&mnemic), 0, "{how}");
        assert!(files_with(&mnemic.store_dir(), "unheard-of-words").is_empty(), "{how}");
        if how == "broken" {
            fs::write(&config, "").unwrap();
            assert!(failures(&mnemic).contains("unclear"), "{}", failures(&mnemic));
        }
    }
}

#[test]
fn what_waits_stays_out_when_hooks_are_turned_off() {
    let mnemic = patient();
    let holder = Holder::of(&mnemic);
    mnemic.ok(["config", "set", "hook.session_deadline", "50"]);
    let play = play(&mnemic, "claude-code");
    play.write_transcript(&[("user", "the answer is 42"), ("assistant", "I see")]);
    play.hook(Moment::End, "");
    drop(holder);
    assert_eq!(waiting(&mnemic), 1);
    mnemic.ok(["config", "set", "hook.enabled", "off"]);
    mnemic.ok(["list"]);
    mnemic.ok(["doctor", "--fix"]);
    assert_eq!(waiting(&mnemic), 1);
    assert!(mnemic.ids().is_empty());
    mnemic.ok(["config", "set", "hook.enabled", "on"]);
    mnemic.ok(["doctor", "--fix"]);
    assert_eq!(waiting(&mnemic), 0);
    assert!(!mnemic.ids().is_empty());
}

#[test]
fn what_is_forgotten_is_gone_from_the_notebook_too() {
    let mnemic = patient();
    let play = play(&mnemic, "gemini");
    for (moment, text) in [(Moment::Prompt, "zanzibar-quokka asks"), (Moment::Stop, "I see")] {
        play.told(moment, text);
    }
    assert!(!files_with(&mnemic.store_dir().join("inbox"), "zanzibar-quokka").is_empty());
    let ids = mnemic.ids();
    let forget: Vec<&str> =
        ["forget", "--yes"].into_iter().chain(ids.iter().map(String::as_str)).collect();
    mnemic.ok(forget);
    assert!(files_with(&mnemic.store_dir(), "zanzibar-quokka").is_empty());
}

#[test]
fn settings_that_may_not_be_read_mean_no() {
    let mnemic = patient();
    let config = mnemic.store_dir().join("config.toml");
    fs::set_permissions(&config, Permissions::from_mode(0o000)).unwrap();
    if fs::read(&config).is_ok() {
        eprintln!("skipped: this user may read everything");
        return;
    }
    play(&mnemic, "claude-code").told(Moment::Start, "");
    assert_eq!(waiting(&mnemic), 0);
}

#[test]
fn no_word_of_a_conversation_lies_in_the_inbox() {
    for host in ["claude-code", "codex"] {
        let mnemic = stocked();
        let holder = Holder::of(&mnemic);
        let play = play(&mnemic, host);
        for moment in [Moment::Start, Moment::Prompt, Moment::Failure, Moment::Stop, Moment::End] {
            play.hook(moment, "unheard-of-words");
        }
        assert!(waiting(&mnemic) >= 5);
        let found = files_with(&mnemic.store_dir().join("inbox"), "unheard-of-words");
        assert!(found.is_empty(), "{found:?}");
        drop(holder);
    }
}

#[test]
fn a_host_that_does_not_close_its_end_is_answered_all_the_same() {
    use std::process::Stdio;
    let mnemic = stocked();
    let play = play(&mnemic, "claude-code");
    let mut command = mnemic.command(["hook", "Stop", "--host", "claude-code"]);
    let begun = Instant::now();
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(play.message(Moment::Stop, "done").to_string().as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success() && out.stdout == b"{}\n", "{out:?}");
    assert!(begun.elapsed() < BUSY);
    // And one that never says anything.
    let mut silent = mnemic.command(["hook", "Stop", "--host", "claude-code"]);
    let mut child =
        silent.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let held = child.stdin.take();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success() && out.stdout == b"{}\n", "{out:?}");
    drop(held);
}

#[test]
fn a_host_that_writes_slowly_waits_no_longer_than_the_hook_may_take() {
    use std::process::Stdio;
    let mnemic = stocked();
    mnemic.ok(["config", "set", "hook.deadline", "300", "--project"]);
    let dripped_on = || {
        let mut command = mnemic.command(["hook", "PostToolUse", "--host", "claude-code"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let begun = Instant::now();
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // For longer than any message is waited for.
        let dripping = std::thread::spawn(move || {
            for _ in 0..40 {
                if stdin.write_all(b" ").is_err() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let out = child.wait_with_output().unwrap();
        let took = begun.elapsed();
        dripping.join().unwrap();
        assert!(out.status.success() && out.stdout == b"{}\n", "{out:?}");
        took
    };
    // A busy machine may be slow to start it, but not each time.
    let took = (0..4).map(|_| dripped_on()).min().unwrap();
    assert!(took >= Duration::from_millis(250), "{took:?}");
    assert!(took < Duration::from_millis(800), "{took:?}");
    assert!(failures(&mnemic).contains("did not come to its end in time"), "{}", failures(&mnemic));
}
