//! More memories than anybody has: the rate must hold and the memory of the process must not grow.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Body, Decision, Fact};
use mnemic_engine::model::{At, Draft, Filter};
use mnemic_engine::{CaptureAsk, Note, StoreName};
use mnemic_testkit::{Home, size};
use serde_json::json;
use std::io::{BufReader, Read};

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

/// What is held now: from here on the peak counts anew, where the system can do that.
fn held_kib() -> Option<u64> {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    peak_kib()
}

#[test]
fn a_million_memories_come_in_at_a_steady_rate_and_in_bounded_memory() {
    let n = size(20_000, 1_000_000);
    let home = Home::new();
    let engine = home.engine();
    let before = held_kib();
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
    let extra = peak_kib().zip(before).map(|(after, before)| after.saturating_sub(before));
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
    let before = held_kib();
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
    let extra = peak_kib().zip(before).map(|(after, before)| after.saturating_sub(before));
    eprintln!(
        "R13: {n} memories exported and imported ({:.0}/s in), extra memory {extra:?} KiB",
        n as f64 / began.elapsed().as_secs_f64()
    );
    assert!(extra.is_none_or(|extra| extra <= MOST_EXTRA_KIB), "{extra:?} KiB more than before");
}

/// A transcript that is told line by line, so that nothing of its size lies anywhere.
struct Told<F> {
    line: F,
    next: usize,
    left: std::io::Cursor<Vec<u8>>,
}

impl<F: Fn(usize) -> Option<String>> Read for Told<F> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.left.read(buffer)?;
        if length > 0 {
            return Ok(length);
        }
        let Some(line) = (self.line)(self.next) else { return Ok(0) };
        self.next += 1;
        self.left = std::io::Cursor::new((line + "\n").into_bytes());
        self.left.read(buffer)
    }
}

#[test]
fn a_large_transcript_with_one_very_long_line_is_streamed() {
    let (lines, long) = (size(500, 25_000), size(1, 11) << 20);
    let line = |n: usize| {
        let text = match n {
            _ if n >= lines => return None,
            // In the middle, somebody pastes a log.
            _ if n == lines / 2 => "a log that goes on and on. ".repeat(long / 27 + 1),
            _ => format!("step {n} of the work: {}", "we moved one more file. ".repeat(160)),
        };
        let role = if n.is_multiple_of(50) { "user" } else { "assistant" };
        let line = json!({
            "type": role,
            "uuid": format!("u-{n}"),
            "parentUuid": null,
            "sessionId": "large",
            "cwd": "/home/ann/app",
            "timestamp": "2026-01-01T10:00:00Z",
            "message": { "role": role, "content": text },
        });
        Some(line.to_string())
    };
    let bytes: usize = (0..lines).filter_map(line).map(|line| line.len() + 1).sum();
    let home = Home::new();
    let engine = home.engine();
    let before = held_kib();
    let mut input = BufReader::new(Told { line, next: 0, left: std::io::Cursor::default() });
    let ask = CaptureAsk { name: "large".to_owned(), extract: true, ..CaptureAsk::default() };
    let began = std::time::Instant::now();
    engine.capture(&mut input, &ask, &Note::default(), &mut |_| {}).unwrap();
    let took = began.elapsed();
    let extra = peak_kib().zip(before).map(|(after, before)| after.saturating_sub(before));
    eprintln!(
        "R13: a transcript of {} MB with a line of {} MB in {took:.1?}, extra memory {extra:?} KiB",
        bytes / 1_000_000,
        long >> 20
    );
    assert!(extra.is_none_or(|extra| extra <= MOST_EXTRA_KIB), "{extra:?} KiB more than before");
    assert!(engine.stats(StoreName::Project, At::LATEST).unwrap().kinds.values().sum::<u64>() > 0);
    let report = engine.verify(StoreName::Project).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}
