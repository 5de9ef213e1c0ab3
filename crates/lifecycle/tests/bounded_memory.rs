//! A transcript of any size is read in bounded memory, even one that is a single string.

mod given;

use given::{claude_line, origin};
use mnemic_lifecycle::capture::{Episodes, Step, Transcript};
use mnemic_lifecycle::extract::{Miner, plain_claims};
use serde_json::json;
use std::io::{self, BufReader, Read};

/// Parts that are repeated, so that nothing of this size has to lie anywhere.
struct Endless {
    parts: Vec<(Vec<u8>, usize)>,
    part: usize,
    at: usize,
}

impl Endless {
    fn new(parts: &[(&str, usize)]) -> Endless {
        let parts = parts.iter().map(|(text, times)| (text.as_bytes().to_vec(), *times)).collect();
        Endless { parts, part: 0, at: 0 }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some((text, times)) = self.parts.get_mut(self.part) else { return Ok(0) };
        let length = buffer.len().min(text.len() - self.at);
        buffer[..length].copy_from_slice(&text[self.at..self.at + length]);
        self.at += length;
        if self.at == text.len() {
            self.at = 0;
            *times -= 1;
            self.part += usize::from(*times == 0);
        }
        Ok(length)
    }
}

/// The most memory this process ever held, where the system says so.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn read_all(source: Endless) -> (usize, usize) {
    let mut transcript = Transcript::new(BufReader::new(source));
    let (mut episodes, mut miner) = (Episodes::new(origin()), Miner::new(origin(), plain_claims));
    let (mut count, mut longest) = (0, 0);
    while let Some(step) = transcript.pull().expect("the source does not fail") {
        if let Step::Turn(turn) = step {
            count += 1;
            longest = longest.max(turn.text.len());
            episodes.see(&turn);
            miner.see(&turn);
        }
    }
    (count, longest)
}

#[test]
fn twenty_megabytes_leave_no_trace() {
    const ROOM: u64 = 24 * 1024 * 1024;
    let before = peak_bytes();
    // One string of sixteen megabytes, in a line like any other.
    let line = claude_line(1, "user", json!("@"));
    let (head, tail) = line.split_once('@').expect("it was put there");
    let tail = format!("{tail}\n");
    let long = [(head, 1), ("some words of a log that goes on and on\\n", 400_000), (&tail, 1)];
    let (count, longest) = read_all(Endless::new(&long));
    assert_eq!(count, 1);
    assert!(longest < 70_000, "{longest} bytes of one text were kept");
    // And four megabytes of ordinary lines.
    let line = claude_line(2, "assistant", json!([{"type": "text", "text": "word ".repeat(100)}]));
    let line = format!("{line}\n");
    let times = 4_000_000 / line.len();
    assert_eq!(read_all(Endless::new(&[(&line, times)])).0, times);
    match (before, peak_bytes()) {
        (Some(before), Some(after)) => {
            assert!(after - before < ROOM, "{} bytes more at the peak", after - before);
        }
        _ => eprintln!("skipped: this system does not tell a process its peak memory"),
    }
}
