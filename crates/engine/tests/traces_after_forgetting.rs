//! Text that stays somewhere on disk after its memory was forgotten.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Body, Fact, Resource};
use mnemic_engine::model::{At, Draft, Filter, Patch, RecordId, Relation, Unit, Use};
use mnemic_engine::{Engine, ErrorKind, Note, StoreName};
use mnemic_testkit::generate::{Dice, lived_in};
use mnemic_testkit::{Home, size};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

const STORE: StoreName = StoreName::Project;

fn files_below(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, into) } else { into.push(path) }
    }
}

/// How much of the end of a marker is looked for: an index shares the beginnings of its terms.
const ENDING: usize = 14;

/// Files below `dir` that hold the ending of one of the markers, in any case.
fn traces(dir: &Path, markers: &[String]) -> Vec<String> {
    let endings: HashSet<&[u8]> =
        markers.iter().map(|marker| &marker.as_bytes()[marker.len() - ENDING..]).collect();
    let mut files = Vec::new();
    files_below(dir, &mut files);
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !file.ends_with("ballast")) {
        let bytes = std::fs::read(file).unwrap().to_ascii_lowercase();
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'z');
        for (at, _) in ends.filter(|(at, _)| *at >= ENDING) {
            if endings.contains(&bytes[at + 1 - ENDING..=at]) {
                let ending = String::from_utf8_lossy(&bytes[at + 1 - ENDING..=at]).into_owned();
                found
                    .push(format!("{} holds …{ending}", file.strip_prefix(dir).unwrap().display()));
            }
        }
    }
    found
}

/// A word that nobody else says.
fn marker(dice: &mut Dice) -> String {
    let letters: String = (0..20).map(|_| char::from(b'a' + dice.below(25) as u8)).collect();
    format!("q{letters}z")
}

/// A memory that has been through a lot, and every word that only it ever said.
struct Victim {
    id: RecordId,
    markers: Vec<String>,
}

fn draft(dice: &mut Dice, size: usize, markers: &mut Vec<String>) -> Draft {
    let mut mark = |dice: &mut Dice| {
        markers.push(marker(dice));
        markers.last().unwrap().clone()
    };
    let mut text = format!("{} begins; ", mark(dice));
    while text.len() < size {
        text.push_str(&dice.text());
        if dice.once_in(40) {
            text.push_str(&format!(" {} ", mark(dice)));
        }
    }
    text.push_str(&format!(" and {} ends", mark(dice)));
    let mut draft = match size > 2_000 || dice.once_in(2) {
        true => {
            let title = format!("about {}", mark(dice));
            Draft::new(Body::Resource(Resource { title, text, ..Resource::default() }))
        }
        false => {
            let key = format!("key {}", mark(dice));
            Draft::new(Body::Fact(Fact { key, value: text, ..Fact::default() }))
        }
    };
    draft.about.tags.insert(format!("tag {}", mark(dice)));
    draft.about.category = Some(format!("category {}", mark(dice)));
    draft.about.summary = Some(format!("in short, {}", mark(dice)));
    draft.about.source = Some(format!("/tmp/{}", mark(dice)));
    draft.about.extra.insert("note".into(), mark(dice).into());
    draft.about.idempotency_key = Some(format!("once-{}", mark(dice)));
    draft
}

fn victim(home: &Home, engine: &Engine, dice: &mut Dice, size: usize) -> Victim {
    let mut markers = Vec::new();
    let draft = draft(dice, size, &mut markers);
    let is_fact = matches!(draft.body, Body::Fact(_));
    markers.push(marker(dice));
    let note = Note::because(format!("told because of {}", markers.last().unwrap()));
    let id = engine.remember(draft, &note).unwrap().id;
    for round in 0..dice.below(4) {
        home.clock.tick(60);
        markers.push(marker(dice));
        let text = format!("rewritten as {} in round {round}", markers.last().unwrap());
        let mut patch = Patch::default();
        patch.body.insert(if is_fact { "value" } else { "text" }.into(), text.into());
        markers.push(marker(dice));
        let note = Note::because(format!("edited for {}", markers.last().unwrap()));
        engine.edit(id.as_str(), &patch, &note).unwrap();
        if dice.once_in(3) {
            engine.undo(None, &Note::default()).unwrap();
        }
    }
    engine.record_use(&[id.as_str()], Use::Loaded, Some(Unit::HALF)).unwrap();
    Victim { id, markers }
}

fn exported(engine: &Engine) -> String {
    let mut out = Vec::new();
    engine.export(STORE, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// What an export says of everything but one record.
fn others(export: &str, id: &RecordId) -> Vec<String> {
    let mention = format!("\"{id}\"");
    export
        .lines()
        .filter(|line| line.contains("\"type\":\"version\"") && !line.contains(&mention))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_forgotten_memory_is_in_no_file_and_all_others_are_whole() {
    let n = size(30, 300);
    let mut leaks = Vec::new();
    for seed in 0..(n / 6) as u64 {
        let home = Home::new();
        let engine = home.engine();
        let mut dice = Dice::new(seed);
        lived_in(&home, &engine, seed, 25);
        let elsewhere = home.dir.path().join("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        let sizes = [20, 60, 400, 3_000, 20_000, 200_000];
        let victims: Vec<Victim> =
            sizes.iter().map(|size| victim(&home, &engine, &mut dice, *size)).collect();
        for pair in victims.windows(2) {
            let (a, b) = (pair[0].id.as_str(), pair[1].id.as_str());
            engine.link(a, Relation::Supports, b, Unit::ONE, &Note::default()).unwrap();
        }
        engine.backup(STORE, None).unwrap();
        engine.backup(STORE, Some(&elsewhere.join("copy.db"))).unwrap();
        // Another process that has the store open, between two questions.
        let beside = home.engine();
        beside.list(&Filter::new(At::LATEST)).unwrap();
        for Victim { id, markers } in &victims {
            assert!(!traces(home.dir.path(), markers).is_empty(), "the search finds what is there");
            let before = others(&exported(&engine), id);
            let forgotten = engine.forget(&[id.as_str()], &Note::default()).unwrap();
            assert_eq!(forgotten.waiting, Vec::<String>::new(), "seed {seed}");
            let told = &forgotten.proof.traces;
            assert!(told.iter().all(|trace| trace.ends_with("says too")), "seed {seed}: {told:?}");
            let found = traces(home.dir.path(), markers);
            leaks.extend(found.into_iter().map(|trace| format!("seed {seed}, {id}: {trace}")));
            assert_eq!(others(&exported(&engine), id), before, "seed {seed}: others changed");
            let gone = engine.show(id.as_str(), At::LATEST).unwrap_err();
            assert_eq!(gone.kind, ErrorKind::Forgotten, "seed {seed}");
        }
        drop(beside);
        let findings = engine.verify(STORE).unwrap().findings;
        assert!(findings.is_empty(), "seed {seed}: {findings:?}");
    }
    eprintln!("R29: {n} memories forgotten, traces left: {}", leaks.len());
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn a_reason_that_quotes_the_memory_goes_with_it() {
    let mut dice = Dice::new(77);
    let mut leaks = Vec::new();
    for way in ["remember", "edit", "pin", "undo", "link", "unlink", "superseded"] {
        let home = Home::new();
        let engine = home.engine();
        let fact = |key: &str, value: &str| {
            Draft::new(Body::Fact(Fact { key: key.into(), value: value.into(), ..Fact::default() }))
        };
        let word = marker(&mut dice);
        let quoting = Note::because(format!("because it says {word}"));
        let plain = Note::default();
        let other = engine.remember(fact("other", "stays"), &plain).unwrap().id;
        let first = if way == "remember" { &quoting } else { &plain };
        let id = engine.remember(fact("gone", &word), first).unwrap().id;
        let (a, b) = (id.as_str(), other.as_str());
        match way {
            "edit" => {
                let patch = Patch { add_tags: vec!["t".into()], ..Patch::default() };
                drop(engine.edit(a, &patch, &quoting).unwrap());
            }
            "pin" => drop(engine.pin(a, true, &quoting).unwrap()),
            "undo" => drop(engine.undo(None, &quoting).unwrap()),
            "link" => drop(engine.link(a, Relation::Supports, b, Unit::ONE, &quoting).unwrap()),
            "unlink" => {
                engine.link(b, Relation::Supports, a, Unit::ONE, &plain).unwrap();
                engine.unlink(b, Relation::Supports, a, &quoting).unwrap();
            }
            "superseded" => {
                home.clock.tick(60);
                drop(engine.remember(fact("gone", "something else"), &quoting).unwrap());
            }
            _ => {}
        }
        let forgotten = engine.forget(&[a], &plain).unwrap();
        drop(engine);
        let found = traces(home.dir.path(), &[word]);
        if !found.is_empty() {
            let proof = forgotten.proof.traces.len();
            leaks.push(format!("reason of `{way}`: {found:?}, traces admitted: {proof}"));
        }
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn an_old_export_brings_nothing_back() {
    let home = Home::new();
    let engine = home.engine();
    let mut dice = Dice::new(4);
    let victims: Vec<Victim> = (0..6).map(|_| victim(&home, &engine, &mut dice, 200)).collect();
    let export = exported(&engine);
    for Victim { id, .. } in &victims {
        engine.forget(&[id.as_str()], &Note::default()).unwrap();
    }
    let landed =
        engine.import(STORE, &mut export.as_bytes(), &Note::default(), &mut |_| ()).unwrap();
    assert_eq!((landed.records, landed.links), (0, 0));
    for Victim { id, .. } in &victims {
        assert_eq!(engine.show(id.as_str(), At::LATEST).unwrap_err().kind, ErrorKind::Forgotten);
        assert!(landed.skipped.iter().any(|line| line.contains(id.as_str())), "{id} is not named");
    }
    let markers: Vec<String> = victims.into_iter().flat_map(|victim| victim.markers).collect();
    drop(engine);
    let found = traces(home.dir.path(), &markers);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_damaged_copy_and_a_backup_from_before_a_restore_are_cleaned_too() {
    let home = Home::new();
    let engine = home.engine();
    let mut dice = Dice::new(6);
    let victim = victim(&home, &engine, &mut dice, 500);
    engine.backup(STORE, None).unwrap();
    drop(engine);
    // A restore over a whole store keeps a copy of what was there.
    Engine::restore(&home.settings(), STORE, None).unwrap();
    let engine = home.engine();
    engine.forget(&[victim.id.as_str()], &Note::default()).unwrap();
    let found = traces(home.dir.path(), &victim.markers);
    assert!(found.is_empty(), "{found:#?}");
}
