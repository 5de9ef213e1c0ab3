//! Hosts that start, stop and are killed: no process of ours outlives them.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod hosts;

use hosts::{Moment, Play, waiting};
use mnemic_testkit::{Mnemic, size};
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than any hook may take, on a machine that has other things to do as well.
const GONE_AFTER: Duration = Duration::from_secs(10);

/// Processes whose directory is inside of this project: ours, and nobody else's.
fn left(mnemic: &Mnemic) -> Vec<String> {
    let mut left = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let cwd = fs::read_link(entry.path().join("cwd"));
        let is_zombie = fs::read_to_string(entry.path().join("stat"))
            .is_ok_and(|stat| stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z")));
        if cwd.is_ok_and(|cwd| cwd.starts_with(mnemic.root())) && !is_zombie {
            left.push(fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default());
        }
    }
    left
}

/// A host that is killed without a chance to tidy up: at once, or when its hook has just begun.
fn killed_host(mnemic: &Mnemic, moment: Moment, session: usize) {
    let play = Play { mnemic, host: "claude-code", session: format!("cycle-{session}") };
    let input = mnemic.root().join("message.json");
    fs::write(&input, play.message(moment, "which port?").to_string()).unwrap();
    let hook = mnemic.command(["hook", play.event(moment), "--host", "claude-code"]);
    let mut host = Command::new("sh");
    let line = "\"$0\" \"$@\" < ../message.json > /dev/null & echo begun; wait";
    host.arg("-c").arg(line).arg(hook.get_program()).args(hook.get_args());
    host.current_dir(mnemic.project()).env_clear();
    for (name, value) in hook.get_envs() {
        if let Some(value) = value {
            host.env(name, value);
        }
    }
    let mut host = host.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    if session.is_multiple_of(2) {
        let mut begun = [0; 6];
        host.stdout.take().unwrap().read_exact(&mut begun).unwrap();
    }
    host.kill().unwrap();
    host.wait().unwrap();
}

#[test]
fn nothing_is_left_of_hosts_that_were_killed() {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    mnemic.ok(["remember", "fact", "db.port", "5432"]);
    let cycles = size(10, 500);
    for cycle in 0..cycles {
        for moment in [Moment::Start, Moment::Prompt, Moment::Stop, Moment::End] {
            killed_host(&mnemic, moment, cycle);
        }
    }
    let begun = Instant::now();
    let mut orphans = left(&mnemic);
    while !orphans.is_empty() && begun.elapsed() < GONE_AFTER {
        // Not a pause of the test: the kernel is asked until the last of them has ended.
        std::thread::yield_now();
        orphans = left(&mnemic);
    }
    assert!(orphans.is_empty(), "{orphans:?}");
    mnemic.ok(["doctor", "--fix"]);
    assert_eq!(waiting(&mnemic), 0);
    mnemic.verify("after the cycles");
    eprintln!("R20: {cycles} cycles of four hooks whose host was killed, 0 processes left");
}
