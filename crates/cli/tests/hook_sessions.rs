//! From `mnemic init` to a second session that is given what the first one learned, in every host.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod hosts;

use hosts::{HOSTS, Moment, Play, make_patient, waiting};
use mnemic_testkit::{Answer, Mnemic, answer_to, files_with};
use serde_json::Value;
use std::fs;

const LEARNED: &str = "We decided to use port 5433 for the staging database from now on.";
const SECRET: &str = "correct-horse-battery";

/// The command that the host's own file names for an event.
fn wired(mnemic: &Mnemic, host: &str, event: &str) -> Option<String> {
    let path = match host {
        "claude-code" => ".claude/settings.json",
        "codex" => ".codex/hooks.json",
        "gemini" => ".gemini/settings.json",
        "cursor" => ".cursor/hooks.json",
        _ => return None,
    };
    let text = fs::read_to_string(mnemic.root().join("home").join(path)).unwrap();
    let settings: Value = serde_json::from_str(&text).unwrap();
    let entry = &settings["hooks"][event][0];
    let hook = if host == "cursor" { entry } else { &entry["hooks"][0] };
    Some(hook["command"].as_str().unwrap_or_else(|| panic!("{event}: {settings}")).to_owned())
}

/// As the host does it: a shell runs what its file says.
fn happens(play: &Play<'_>, moment: Moment, text: &str) -> Answer {
    let event = play.event(moment);
    let message = play.message(moment, text).to_string();
    match wired(play.mnemic, play.host, event) {
        None => play.hook(moment, text),
        Some(line) => {
            let mut shell = std::process::Command::new("sh");
            let mnemic = play.mnemic.command(["--version"]);
            shell.arg("-c").arg(line).current_dir(play.mnemic.project()).env_clear();
            for (name, value) in mnemic.get_envs() {
                if let Some(value) = value {
                    shell.env(name, value);
                }
            }
            answer_to(&mut shell, &message)
        }
    }
}

fn short(host: &str) -> &str {
    if host == "claude-code" { "claude" } else { host }
}

#[test]
fn the_second_session_is_given_what_the_first_one_learned() {
    for host in HOSTS {
        let mnemic = Mnemic::without_store(env!("CARGO_BIN_EXE_mnemic"));
        mnemic.ok(["init"]);
        make_patient(&mnemic);
        mnemic.ok(["install", "--for", short(host)]);
        first_session(&Play { mnemic: &mnemic, host, session: "first-1".to_owned() });
        let second = Play { mnemic: &mnemic, host, session: "second-2".to_owned() };
        let start = second.text_in(Moment::Start, &happens(&second, Moment::Start, ""));
        let start = start.unwrap_or_else(|| panic!("{host} is given nothing"));
        assert!(start.contains("5433"), "{host}: {start}");
        assert!(
            files_with(mnemic.root(), SECRET)
                .iter()
                .all(|path| path == &second_source(host, &mnemic))
        );
        mnemic.verify(host);
    }
}

/// The host's own transcript is not ours to change.
fn second_source(host: &'static str, mnemic: &Mnemic) -> std::path::PathBuf {
    Play { mnemic, host, session: "first-1".to_owned() }.transcript()
}

fn first_session(play: &Play<'_>) {
    let said = format!("{LEARNED} <private>{SECRET}</private> Please update the configuration.");
    let answer = "Done: the staging database listens on port 5433 now.";
    play.write_transcript(&[("user", &said), ("assistant", answer)]);
    for (moment, text) in [
        (Moment::Start, ""),
        (Moment::Prompt, said.as_str()),
        (Moment::Tool, ""),
        (Moment::Stop, answer),
        (Moment::End, ""),
    ] {
        let answer = happens(play, moment, text);
        play.text_in(moment, &answer);
    }
    assert_eq!(waiting(play.mnemic), 0, "{}", play.host);
}

#[test]
fn a_host_that_was_killed_loses_only_what_it_did_not_write() {
    let mnemic = hosts::patient();
    let first = Play { mnemic: &mnemic, host: "claude-code", session: "killed-1".to_owned() };
    first.write_transcript(&[("user", LEARNED), ("assistant", "Done.")]);
    first.told(Moment::Start, "");
    // Nobody tells of the end; a day later somebody begins anew.
    let long_ago =
        std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    for path in [first.transcript(), mnemic.store_dir().join("inbox/seats/claude-code-killed-1")] {
        fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    }
    let second = Play { mnemic: &mnemic, host: "claude-code", session: "second-2".to_owned() };
    let start = second.told(Moment::Start, "").unwrap_or_default();
    assert!(start.contains("5433"), "{start}");
}

#[test]
fn what_a_person_said_is_told_once_and_as_theirs() {
    let mnemic = hosts::patient();
    let first = Play { mnemic: &mnemic, host: "claude-code", session: "first-1".to_owned() };
    let said = "The dev server listens on port 9191, for 8080 is taken by the proxy.";
    first.write_transcript(&[("user", said), ("assistant", "Understood, I changed the scripts.")]);
    first.told(Moment::Start, "");
    first.told(Moment::End, "");
    let second = Play { mnemic: &mnemic, host: "claude-code", session: "second-2".to_owned() };
    let prompt = second.told(Moment::Prompt, "On which port does the dev server listen?").unwrap();
    assert_eq!(prompt.matches("port 9191").count(), 1, "{prompt}");
    assert!(prompt.contains(&format!("person: {said}")), "{prompt}");
}

#[test]
fn what_was_injected_and_echoed_does_not_grow() {
    let mnemic = hosts::patient();
    mnemic.ok(["remember", "fact", "db.port", "5432"]);
    let rounds = mnemic_testkit::size(5, 1_000);
    let mut before = None;
    for round in 0..rounds {
        let session = format!("echo-{round}");
        let play = Play { mnemic: &mnemic, host: "claude-code", session };
        let injected = play.told(Moment::Start, "").unwrap();
        let echoed = format!("I was told this:\n{injected}");
        play.write_transcript(&[("user", &injected), ("assistant", &echoed)]);
        play.told(Moment::End, "");
        let list = mnemic.ok(["list", "--json", "--kind", "fact"]).json();
        let facts = list["items"].as_array().map_or(0, Vec::len);
        assert_ne!(facts, 0, "{list}");
        assert_eq!(*before.get_or_insert(facts), facts, "round {round}: {list}");
    }
}
