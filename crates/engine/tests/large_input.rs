//! More memories than anybody has: the rate must hold and the memory of the process must not grow.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Body, Decision, Fact};
use mnemic_engine::model::{At, Draft, Filter};
use mnemic_engine::{Note, StoreName};
use mnemic_testkit::{Home, size};

const BATCH: usize = 1_000;
const MOST_EXTRA_KIB: u64 = 200 * 1024;

fn draft(n: usize) -> Draft {
    if n.is_multiple_of(2) {
        let (key, value) =
            (format!("setting.{n}"), format!("the value of number {n} is {}", n * 7));
        return Draft::new(Body::Fact(Fact { key, value, ..Fact::default() }));
    }
    Draft::new(Body::Decision(Decision {
        decision: format!("number {n} goes to shard {}", n % 97),
        rationale: Some("it balances the load between them".into()),
        alternatives: Vec::new(),
        affects: vec![format!("src/shard_{}.rs", n % 97)],
        active: true,
    }))
}

/// The most that this process ever held, in KiB; nothing where the system does not tell.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn a_million_memories_come_in_at_a_steady_rate_and_in_bounded_memory() {
    let n = size(20_000, 1_000_000);
    let home = Home::new();
    let engine = home.engine();
    let before = peak_kib();
    let note = Note { change: Some(engine.new_change_id()), ..Note::default() };
    let began = std::time::Instant::now();
    for first in (0..n).step_by(BATCH) {
        home.clock.tick(1);
        let batch: Vec<Draft> = (first..(first + BATCH).min(n)).map(draft).collect();
        let answers = engine.remember_each(batch, &note).unwrap();
        assert!(answers.iter().all(Result::is_ok));
    }
    let took = began.elapsed();
    let bytes = std::fs::metadata(engine.path_of(StoreName::Project).unwrap()).unwrap().len();
    let extra = peak_kib().zip(before).map(|(after, before)| after - before);
    eprintln!(
        "R13: {n} memories in {took:.1?} ({:.0}/s), {} bytes each, extra memory {:?} KiB",
        n as f64 / took.as_secs_f64(),
        bytes / n as u64,
        extra
    );
    assert!(extra.is_none_or(|extra| extra <= MOST_EXTRA_KIB), "{extra:?} KiB more than before");
    let census = engine.stats(StoreName::Project, At::LATEST).unwrap();
    assert_eq!(census.kinds.values().sum::<u64>(), n as u64);
    let words = Some(format!("number {}", n / 2 + 1));
    let page = engine.list(&Filter { words, limit: 10, ..Filter::new(At::LATEST) }).unwrap();
    assert!(!page.items.is_empty());
}

#[test]
fn an_export_is_streamed() {
    let n = size(5_000, 200_000);
    let home = Home::new();
    let engine = home.engine();
    for first in (0..n).step_by(BATCH) {
        let batch = (first..first + BATCH).map(draft).collect();
        engine.remember_each(batch, &Note::default()).unwrap();
    }
    let file = home.dir.path().join("export.jsonl");
    let before = peak_kib();
    let mut out = std::io::BufWriter::new(std::fs::File::create(&file).unwrap());
    engine.export(StoreName::Project, &mut out).unwrap();
    drop(out);
    let other = Home::new();
    let second = other.engine();
    let mut input = std::io::BufReader::new(std::fs::File::open(&file).unwrap());
    let began = std::time::Instant::now();
    let landed =
        second.import(StoreName::Project, &mut input, &Note::default(), &mut |_| ()).unwrap();
    assert_eq!((landed.records, landed.skipped.len()), (n as u64, 0));
    let extra = peak_kib().zip(before).map(|(after, before)| after - before);
    eprintln!(
        "R13: {n} memories exported and imported ({:.0}/s in), extra memory {extra:?} KiB",
        n as f64 / began.elapsed().as_secs_f64()
    );
    assert!(extra.is_none_or(|extra| extra <= MOST_EXTRA_KIB), "{extra:?} KiB more than before");
}
