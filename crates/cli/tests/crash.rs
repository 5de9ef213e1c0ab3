//! Ten processes write while others of them are killed at random: nothing acknowledged is lost.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Mnemic, SplitMix, Writer, mixed_memory, size};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

const WRITERS: usize = 10;
/// How many memories a writer hands over before it waits for all their acknowledgements.
const BURST: u64 = 12;

/// Between two kills at most; ten processes have to start again meanwhile.
const PAUSE_MICROS: u64 = 50_000;

/// Which field of which kind tells the memories of this test apart.
fn telling(memory: &Value) -> &Value {
    let field = match memory["kind"].as_str() {
        Some("fact") => "value",
        Some("episode") => "goal",
        _ => "decision",
    };
    &memory[field]
}

/// Who is killed: some while they open the store, most while they write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whom {
    Anybody,
    HasWritten,
}

/// One place among the ten writers: its process is killed and started again.
#[derive(Default)]
struct Seat {
    child: Mutex<Option<Child>>,
    /// What became of the process that sits here now: it has written something, it was killed.
    has_written: AtomicBool,
    is_killed: AtomicBool,
    acknowledged: Mutex<Vec<(String, Value)>>,
}

impl Seat {
    /// Whether there was somebody to kill: one that has written already, or anybody.
    fn kill(&self, whom: Whom) -> bool {
        if whom == Whom::HasWritten && !self.has_written.load(Ordering::SeqCst) {
            return false;
        }
        // The process is waited for under the same lock, so its id is still its own. On a slow
        // machine it is met here again before that, and dies only once.
        let mut child = self.child.lock().unwrap();
        let is_there = child.is_some() && !self.is_killed.swap(true, Ordering::SeqCst);
        is_there && child.as_mut().is_some_and(|child| child.kill().is_ok())
    }

    fn sit(&self, mnemic: &Mnemic, number: usize, over: &AtomicBool, sent: &AtomicUsize) {
        let mut random = SplitMix::new(number as u64);
        while !over.load(Ordering::SeqCst) {
            // Vectors cost time, and time is writes: two of the ten make them, the others hurry.
            let model = if number.is_multiple_of(5) { "local" } else { "off" };
            let mut command = mnemic.command(["remember", "-", "--quiet"]);
            command.env("MNEMIC_MEANING_MODEL", model);
            let (child, mut stdin, mut stdout) = Writer::start(&mut command).into_parts();
            {
                let mut seat = self.child.lock().unwrap();
                self.has_written.store(false, Ordering::SeqCst);
                self.is_killed.store(false, Ordering::SeqCst);
                *seat = Some(child);
            }
            while !over.load(Ordering::SeqCst)
                && self.burst(&mut random, number, &mut stdin, &mut stdout, sent)
            {}
            drop(stdin);
            let mut child = self.child.lock().unwrap().take().unwrap();
            if over.load(Ordering::SeqCst) {
                let _ = child.kill();
            }
            child.wait().unwrap();
        }
    }

    /// Hands over some memories and waits for them; `false` when the process is gone.
    fn burst(
        &self,
        random: &mut SplitMix,
        number: usize,
        stdin: &mut ChildStdin,
        stdout: &mut BufReader<ChildStdout>,
        sent: &AtomicUsize,
    ) -> bool {
        let mut waiting = Vec::new();
        let mut lines = String::new();
        for _ in 0..=random.below(BURST) {
            let n = sent.fetch_add(1, Ordering::SeqCst);
            let memory = mixed_memory(random, number, n);
            lines.push_str(&format!("{memory}\n"));
            waiting.push(memory);
        }
        // Even when the pipe breaks, what was acknowledged before is read below.
        let alive = stdin.write_all(lines.as_bytes()).is_ok();
        for memory in waiting {
            let mut line = String::new();
            match stdout.read_line(&mut line) {
                Ok(_) if line.ends_with('\n') => {
                    self.has_written.store(true, Ordering::SeqCst);
                    self.acknowledged.lock().unwrap().push((line.trim_end().to_owned(), memory));
                }
                _ => return false,
            }
        }
        alive
    }
}

/// Kills one at random, or now and then all at once: then nobody is left to recover for.
fn kill(seats: &[Seat], whom: Whom, random: &mut SplitMix, most: usize) -> usize {
    if random.below(25) == 0 {
        return seats.iter().take(most).filter(|seat| seat.kill(whom)).count();
    }
    usize::from(seats[random.below(WRITERS as u64) as usize].kill(whom))
}

#[test]
fn every_acknowledged_memory_survives_the_kills() {
    let kills = size(1_000, 10_000);
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    let seats: Vec<Seat> = (0..WRITERS).map(|_| Seat::default()).collect();
    let over = AtomicBool::new(false);
    let sent = AtomicUsize::new(0);
    let mut killed = 0;
    thread::scope(|scope| {
        for (number, seat) in seats.iter().enumerate() {
            let (mnemic, over, sent) = (&mnemic, &over, &sent);
            scope.spawn(move || seat.sit(mnemic, number, over, sent));
        }
        let mut random = SplitMix::new(0xdead);
        while killed < kills {
            // Decided before anybody is found: a slow machine kills no more beginners than others.
            let whom = if random.below(4) == 0 { Whom::Anybody } else { Whom::HasWritten };
            let before = killed;
            while killed == before {
                thread::sleep(Duration::from_micros(random.below(PAUSE_MICROS)));
                killed += kill(&seats, whom, &mut random, kills - killed);
            }
        }
        over.store(true, Ordering::SeqCst);
        seats.iter().for_each(|seat| {
            seat.kill(Whom::Anybody);
        });
    });

    mnemic.verify("after the kills");
    let mut stored: HashMap<String, Vec<Value>> = HashMap::new();
    for line in mnemic.export().into_iter().filter(|line| line["type"] == "version") {
        let id = line["id"].as_str().unwrap().to_owned();
        stored.entry(id).or_default().push(line["content"].clone());
    }
    let acknowledged: Vec<(String, Value)> =
        seats.into_iter().flat_map(|seat| seat.acknowledged.into_inner().unwrap()).collect();
    let lost: Vec<&(String, Value)> = acknowledged
        .iter()
        .filter(|(id, memory)| {
            let versions = stored.get(id).into_iter().flatten();
            !versions.into_iter().any(|version| telling(version) == telling(memory))
        })
        .collect();
    assert!(lost.is_empty(), "{} lost, e.g. {:?}", lost.len(), lost[0]);
    assert!(acknowledged.len() > kills, "too little was written to mean anything");
    let doctor = mnemic.run(["doctor"]);
    assert_eq!(doctor.code, Some(0), "{doctor:?}");
    mnemic.ok(["remember", "fact", "after.the.crash", "goes on"]);
    eprintln!(
        "R1: {killed} kills, {} acknowledged of {} sent, {} records, 0 lost",
        acknowledged.len(),
        sent.into_inner(),
        stored.len()
    );
}
