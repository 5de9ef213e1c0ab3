//! Bytes that change on disk: flipped bits, truncated files, zeroed pages, a header of garbage.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

mod pages;

use mnemic_engine::model::{At, Filter, Kind};
use mnemic_engine::{Engine, Note, Settings, StoreName};
use mnemic_testkit::generate::{Dice, lived_in};
use mnemic_testkit::{Home, size};
use pages::Pages;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// The tables that hold the truth, and how a good store's file looks.
struct Patient {
    _home: Home,
    settings: Settings,
    path: PathBuf,
    good: Pages,
}

const TRUTH: [&str; 7] = ["version", "record", "change", "link", "usage", "tombstone", "audit"];

impl Patient {
    fn new(memories: usize) -> Patient {
        let home = Home::new();
        let engine = home.engine();
        let known = lived_in(&home, &engine, 8, memories);
        let here = known.iter().rev().filter(|(store, _)| *store == StoreName::Project);
        for (_, id) in here.take(3) {
            engine.forget(&[id.as_str()], &Note::because("a tombstone with a reason")).unwrap();
        }
        let path = engine.path_of(StoreName::Project).unwrap();
        assert!(engine.verify(StoreName::Project).unwrap().findings.is_empty());
        drop(engine);
        assert!(!path.with_file_name("memory.db-wal").exists(), "the last to close tidies up");
        let mut settings = home.settings();
        settings.user = None;
        Patient { settings, good: Pages::read(&path), path, _home: home }
    }

    /// How many places `verify` finds wrong in a file with these bytes; `None` when it does not even
    /// open. Reads on afterwards as a person would, and panics nowhere.
    fn examine(&self, bytes: &[u8], what: &str) -> Option<usize> {
        for suffix in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(self.path.with_file_name(format!("memory.db{suffix}")));
        }
        std::fs::write(&self.path, bytes).unwrap();
        let looked = catch_unwind(AssertUnwindSafe(|| {
            let engine = Engine::open(self.settings.clone()).ok()?;
            let findings = engine.verify(StoreName::Project).ok()?.findings.len();
            read_on(&engine);
            Some(findings)
        }));
        looked.unwrap_or_else(|_| panic!("{what}: a damaged file made it panic"))
    }
}

/// The answers do not matter here, only that there are some.
fn read_on(engine: &Engine) {
    let kinds = Kind::ALL.to_vec();
    let _ = engine.list(&Filter { kinds, limit: 20, ..Filter::new(At::LATEST) });
    let words = Some("port".to_owned());
    let _ = engine.list(&Filter { words, limit: 20, ..Filter::new(At::LATEST) });
    let _ = engine.changes(20);
    let _ = engine.audit(StoreName::Project, 0, 20);
    let _ = engine.stats(StoreName::Project, At::LATEST);
    let _ = engine.export(StoreName::Project, &mut std::io::sink());
}

/// A byte of a row, each byte of the table as likely as the next.
fn somewhere(dice: &mut Dice, rows: &[Range<usize>]) -> usize {
    let mut left = dice.below(rows.iter().map(ExactSizeIterator::len).sum());
    for row in rows {
        if left < row.len() {
            return row.start + left;
        }
        left -= row.len();
    }
    unreachable!("the sum of all lengths was not reached")
}

#[test]
fn a_flip_inside_a_row_is_found() {
    let flips = size(300, 2_000) as u64;
    let patient = Patient::new(40);
    let rows: Vec<(&str, Vec<Range<usize>>)> =
        TRUTH.iter().map(|name| (*name, patient.good.rows(&patient.good.tree(name)))).collect();
    let mut missed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut tried: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..flips {
        let mut dice = Dice::new(seed);
        // Half of them in versions, where the memories are; the rest all over the truth.
        let table = if dice.once_in(2) { 0 } else { dice.below(TRUTH.len()) };
        let (name, rows) = &rows[table];
        let mut bytes = patient.good.bytes.clone();
        let place = somewhere(&mut dice, rows);
        let before = bytes[place];
        match dice.once_in(2) {
            true => bytes[place] ^= 1 << dice.below(8),
            false => bytes[place] ^= 1 + dice.below(255) as u8,
        }
        let what = format!("seed {seed}: {name} {before:#04x} -> {:#04x}", bytes[place]);
        *tried.entry(name).or_default() += 1;
        if patient.examine(&bytes, &what) == Some(0) {
            let row = rows.iter().find(|row| row.contains(&place)).unwrap();
            let at = place - row.start;
            missed.entry(name).or_default().push(format!("{what} at {at} of {}", row.len()));
        }
    }
    let lost: usize = missed.values().map(Vec::len).sum();
    eprintln!(
        "R8: {flips} flips inside rows, {} found ({:.2} %); tried {tried:?}, missed {missed:#?}",
        flips as usize - lost,
        100.0 * (1.0 - lost as f64 / flips as f64)
    );
    assert!(lost as u64 * 100 <= flips, "fewer than 99 % were found");
}

#[test]
fn a_flip_in_an_audit_entry_is_found() {
    let flips = size(200, 1_500) as u64;
    let patient = Patient::new(20);
    let rows = patient.good.rows(&patient.good.tree("audit"));
    let mut missed = Vec::new();
    for seed in 0..flips {
        let mut dice = Dice::new(seed ^ 0xa0d17);
        let mut bytes = patient.good.bytes.clone();
        let place = somewhere(&mut dice, &rows);
        bytes[place] ^= 1 << dice.below(8);
        let what = format!("seed {seed}");
        if patient.examine(&bytes, &what) == Some(0) {
            let near = place.saturating_sub(12)..place + 12;
            missed.push(format!("{what}: …{}…", bytes[near].escape_ascii()));
        }
    }
    eprintln!("R8: {flips} single bits of the audit chain, missed {missed:#?}");
    assert!(missed.len() as u64 * 100 <= flips, "fewer than 99 % were found");
}

#[test]
fn a_truncated_or_zeroed_or_foreign_file_is_an_error_and_never_a_panic() {
    let cases = size(60, 1_000) as u64;
    let patient = Patient::new(40);
    let length = patient.good.bytes.len();
    let pages = length / patient.good.range_of(1).len();
    let (mut found, mut unopened) = (0, 0);
    for seed in 0..cases {
        let mut dice = Dice::new(seed ^ 0x7e0);
        let mut bytes = patient.good.bytes.clone();
        let what = match seed % 5 {
            0 => {
                bytes.truncate(dice.below(length));
                format!("seed {seed}: cut to {}", bytes.len())
            }
            1 => {
                let page = 1 + dice.below(pages);
                bytes[patient.good.range_of(page)].fill(0);
                format!("seed {seed}: page {page} of {pages} zeroed")
            }
            2 => {
                bytes[..100].iter_mut().for_each(|byte| *byte = dice.bits() as u8);
                format!("seed {seed}: garbage in the header")
            }
            3 => {
                let page = 1 + dice.below(pages);
                let range = patient.good.range_of(page);
                bytes[range].iter_mut().for_each(|byte| *byte = dice.bits() as u8);
                format!("seed {seed}: garbage in page {page} of {pages}")
            }
            _ => {
                let (a, b) = (1 + dice.below(pages), 1 + dice.below(pages));
                let copy = bytes[patient.good.range_of(a)].to_vec();
                bytes[patient.good.range_of(b)].copy_from_slice(&copy);
                format!("seed {seed}: page {a} over page {b}")
            }
        };
        match patient.examine(&bytes, &what) {
            None => unopened += 1,
            Some(0) => {
                // A page that was free or all zeroes already says nothing.
                let same = bytes == patient.good.bytes;
                let free = seed % 5 != 0 && seed % 5 != 2;
                assert!(same || free || bytes.is_empty(), "{what}: nobody noticed");
            }
            Some(_) => found += 1,
        }
    }
    eprintln!("R8: {cases} files cut, zeroed or overwritten: {found} found, {unopened} refused");
}
