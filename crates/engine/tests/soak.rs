//! Ten agents work for long in one process: its memory, its open files and the journal stay flat.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Body, Decision, Fact};
use mnemic_engine::model::{Draft, RecordId};
use mnemic_engine::{Engine, Note, StoreName};
use mnemic_testkit::{Home, SplitMix, size};
use std::ops::Range;
use std::thread;

/// The program's own. Others keep what ten threads have freed, each for its thread, and that would be
/// measured here instead of what the engine holds.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const AGENTS: usize = 10;
/// What grows with the store itself (statistics, a longer journal between checkpoints) is small.
const MOST_EXTRA_KIB: u64 = 48 * 1024;
const MOST_JOURNAL: u64 = 16 << 20;

/// One agent's day: it writes into few slots, asks, reads a context, and forgets what it noted.
fn work(engine: &Engine, agent: usize, rounds: Range<usize>) {
    let mut random = SplitMix::new(agent as u64);
    for n in rounds {
        let key = format!("agent{agent}.slot{}", random.below(8));
        let fact = Fact { key, value: format!("value {n}"), ..Fact::default() };
        engine.remember(Draft::new(Body::Fact(fact)), &Note::default()).unwrap();
        engine.recall(&engine.question(format!("what is slot{} of agent{agent}", n % 8))).unwrap();
        if n % 10 == 0 {
            let mut ask = engine.context_ask(format!("work on slot{}", n % 8), "working");
            ask.ask.budget = Some(800);
            engine.context(&ask).unwrap();
            let id = note(engine, agent, n);
            engine.forget(&[id.as_str()], &Note::default()).unwrap();
        }
    }
}

fn note(engine: &Engine, agent: usize, n: usize) -> RecordId {
    let decision = Decision {
        decision: format!("agent {agent} notes number {n}"),
        rationale: None,
        alternatives: Vec::new(),
        affects: Vec::new(),
        active: true,
    };
    engine.remember(Draft::new(Body::Decision(decision)), &Note::default()).unwrap().id
}

/// What this process holds now: memory in KiB and open files; nothing where the system does not tell.
fn held() -> Option<(u64, usize)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let memory = line.split_whitespace().nth(1)?.parse().ok()?;
    Some((memory, std::fs::read_dir("/proc/self/fd").ok()?.count()))
}

#[test]
fn memory_files_and_journal_stay_flat() {
    let rounds = size(40, 200);
    let home = Home::new();
    let engine = home.engine();
    let all = |rounds: Range<usize>| {
        thread::scope(|scope| {
            for agent in 0..AGENTS {
                let (engine, rounds) = (&engine, rounds.clone());
                scope.spawn(move || work(engine, agent, rounds));
            }
        });
    };
    // The first rounds fill caches; from then on nothing may grow.
    all(0..rounds / 4);
    let Some((memory, files)) = held() else { return eprintln!("skipped: no /proc here") };
    all(rounds / 4..rounds * 5 / 4);
    let (after, files_after) = held().unwrap();
    let store = engine.path_of(StoreName::Project).unwrap();
    let journal = std::fs::metadata(store.with_extension("db-wal")).map_or(0, |file| file.len());
    let extra = after.saturating_sub(memory);
    assert!(extra <= MOST_EXTRA_KIB, "{extra} KiB more than before");
    assert!(files_after <= files + AGENTS, "{files_after} open files, {files} before");
    assert!(journal <= MOST_JOURNAL, "a journal of {journal} bytes");
    eprintln!(
        "R22: {AGENTS} agents, {} writes and as many questions: {extra} KiB more memory, open \
         files {files} and {files_after}, journal {} KiB",
        AGENTS * rounds,
        journal / 1024
    );
}
