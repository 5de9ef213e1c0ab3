//! A shelf shows whole segments only, whoever publishes, merges and removes meanwhile.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use mnemic_index::shelf::{SegmentFile, Shelf, to_merge};
use mnemic_index::words::{Bm25, Document, WordsSearch, WordsSegment};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn ranges(files: &[SegmentFile]) -> Vec<(u64, u64)> {
    files.iter().map(|file| (file.first, file.last)).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("it is there");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn what_is_published_is_listed_by_family() {
    let folder = folder();
    let shelf = Shelf::at(&folder.path().join("not there yet"));
    assert_eq!(shelf.list("words-1"), []);
    shelf.publish("words-1", 10, 19, b"second").expect("published");
    let path = shelf.publish("words-1", 1, 9, b"first").expect("published");
    shelf.publish("words-12", 1, 9, b"other").expect("published");
    assert_eq!(ranges(&shelf.list("words-1")), [(1, 9), (10, 19)]);
    assert_eq!(shelf.list("words-1")[0].path, path);
    assert_eq!(std::fs::read(path).expect("readable"), b"first");
}

#[test]
fn a_merge_hides_its_parts_until_they_are_removed() {
    let folder = folder();
    let shelf = Shelf::at(folder.path());
    for (first, last) in [(1, 9), (10, 19), (20, 29)] {
        shelf.publish("words", first, last, b"part").expect("published");
    }
    shelf.publish("words", 1, 19, b"merged").expect("published");
    assert_eq!(ranges(&shelf.list("words")), [(1, 19), (20, 29)]);
    assert_eq!(shelf.remove_covered("words").expect("removed"), 2);
    assert_eq!(ranges(&shelf.list("words")), [(1, 19), (20, 29)]);
    assert_eq!(names(folder.path()).len(), 2);
}

#[test]
fn building_a_range_again_replaces_it() {
    let folder = folder();
    let shelf = Shelf::at(folder.path());
    shelf.publish("words", 1, 9, b"with a secret").expect("published");
    shelf.publish("words", 1, 9, b"without").expect("published");
    shelf.publish("words", 1, 9, b"without").expect("the same again");
    assert_eq!(names(folder.path()).len(), 1);
    assert_eq!(std::fs::read(&shelf.list("words")[0].path).expect("readable"), b"without");
}

#[test]
fn what_dead_processes_left_is_removed() {
    let folder = folder();
    let shelf = Shelf::at(folder.path());
    let dead = folder.path().join(format!("words.0.{}.part", i32::MAX));
    let alive = folder.path().join(format!("words.0.{}.part", std::process::id()));
    for path in [&dead, &alive] {
        std::fs::write(path, b"half").expect("written");
    }
    assert_eq!(shelf.list("words"), []);
    shelf.remove_covered("words").expect("removed");
    assert!(alive.exists());
    assert_eq!(dead.exists(), !cfg!(unix));
}

#[test]
fn clearing_leaves_nothing_readable() {
    let folder = folder();
    Shelf::at(&folder.path().join("not there")).clear().expect("nothing to do");
    let shelf = Shelf::at(folder.path());
    shelf.publish("words", 1, 9, b"words").expect("published");
    shelf.publish("meaning", 1, 9, b"meaning").expect("published");
    std::fs::write(folder.path().join("words.0.1.part"), b"half").expect("written");
    let claim = shelf.try_claim();
    shelf.clear().expect("cleared");
    assert_eq!(names(folder.path()), ["claim"]);
    assert!(claim.is_some());
}

#[test]
fn a_claim_is_held_by_one() {
    let folder = folder();
    let (one, other) = (Shelf::at(folder.path()), Shelf::at(folder.path()));
    let claim = one.try_claim();
    assert!(claim.is_some());
    assert!(other.try_claim().is_none());
    drop(claim);
    assert!(other.try_claim().is_some());
}

#[test]
fn a_damaged_file_is_discarded() {
    let folder = folder();
    let shelf = Shelf::at(folder.path());
    shelf.publish("words", 1, 9, b"no segment").expect("published");
    let file = shelf.list("words").remove(0);
    let error = WordsSegment::open(&file.path).expect_err("no segment");
    assert!(error.is_useless());
    shelf.discard(&file).expect("removed");
    shelf.discard(&file).expect("already gone");
    assert_eq!(shelf.list("words"), []);
}

const FAMILY: &str = "words-1";
const BATCH: u64 = 20;
const BATCHES: u64 = 60;

fn batch(number: u64) -> Vec<u8> {
    let rows = number * BATCH..(number + 1) * BATCH;
    WordsSegment::build(rows.map(|row| Document {
        row,
        facets: 0,
        terms: vec![("every".to_owned(), 1), (format!("row{row}"), 1)],
        length: 2,
    }))
}

/// As a reader does: list, open, and list again should a file have been merged away in between.
fn open_all(shelf: &Shelf) -> Vec<WordsSegment> {
    loop {
        let opened: Result<Vec<_>, _> =
            shelf.list(FAMILY).iter().map(|file| WordsSegment::open(&file.path)).collect();
        match opened {
            Ok(segments) => return segments,
            Err(error) => assert!(error.is_gone(), "{error:?}"),
        }
    }
}

fn publish_and_merge(shelf: &Shelf) {
    for number in 0..BATCHES {
        let (first, last) = (number * BATCH, (number + 1) * BATCH - 1);
        shelf.publish(FAMILY, first, last, &batch(number)).expect("published");
        loop {
            let files = shelf.list(FAMILY);
            let sizes: Vec<u64> = files.iter().map(|file| file.last - file.first + 1).collect();
            let Some(range) = to_merge(&sizes) else { break };
            let parts: Vec<WordsSegment> = files[range.clone()]
                .iter()
                .map(|file| WordsSegment::open(&file.path).expect("only this thread removes"))
                .collect();
            let merged = WordsSegment::merge(&parts.iter().collect::<Vec<_>>());
            let (first, last) = (files[range.start].first, files[range.end - 1].last);
            shelf.publish(FAMILY, first, last, &merged).expect("published");
            shelf.remove_covered(FAMILY).expect("removed");
        }
    }
}

/// Each reader sees all rows up to some point: never a hole, never fewer than before.
fn read_until(shelf: &Shelf, done: &AtomicBool) {
    let mut before = 0;
    loop {
        let last_round = done.load(Ordering::Acquire);
        let segments = open_all(shelf);
        let search = WordsSearch::new(segments.iter().collect(), Bm25::default());
        let hits = search.best(&[("every".to_owned(), 1.0)], usize::MAX, &|_, _| true);
        let rows: Vec<u64> = hits.iter().rev().map(|hit| hit.row).collect();
        assert!(rows.iter().copied().eq(0..rows.len() as u64), "{rows:?}");
        assert!(rows.len() >= before);
        before = rows.len();
        for segment in &segments {
            segment.verify().expect("whole");
        }
        if last_round {
            assert_eq!(before as u64, BATCH * BATCHES);
            return;
        }
    }
}

#[test]
fn readers_never_see_a_hole_while_merges_are_published() {
    let folder = folder();
    let shelf = Shelf::at(folder.path());
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| read_until(&shelf, &done));
        }
        publish_and_merge(&shelf);
        done.store(true, Ordering::Release);
    });
    assert!(shelf.list(FAMILY).len() <= 14);
}

#[test]
fn many_may_publish_at_once() {
    let folder = folder();
    let shelf = Shelf::at(folder.path());
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for number in 0..10 {
                    let (first, last) = (number * BATCH, (number + 1) * BATCH - 1);
                    shelf.publish(FAMILY, first, last, &batch(number)).expect("published");
                }
            });
        }
    });
    let segments = open_all(&shelf);
    assert_eq!(segments.len(), 10);
    assert_eq!(names(folder.path()).len(), 10);
}
